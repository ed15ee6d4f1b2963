import type { Screen } from './types.ts';
/** The time zones of a client: its own, and those of its companies and branches. */
export interface Zones {
  /** The client's; null = that of this machine. */
  client: string | null;
  companies: Readonly<Record<string, string>>;
  branches: Readonly<Record<string, string>>;
  /** The first month of the financial year of each company, 1 to 12; a browser knows only its user's. */
  yearStarts?: Readonly<Record<string, number>>;
  /** The currency of each company, as ISO code; a browser knows only its user's. */
  currencies?: Readonly<Record<string, string>>;
}

/** The place of the current work: it decides the current day, the start of the financial year, and the currency. */
export interface Place {
  /** For lists and pages, which belong to no record. Null = that of this machine. */
  timezone: string | null;
  /** Of records: `zoneOf`. */
  zones: Zones;
  /** The company of records without their own. */
  entityId: number | null;
  /** The month in which the financial year begins, 1 to 12. */
  fyStartMonth: number;
  /** ISO code of the company's currency. */
  currency: string;
  /** The same for records that belong to no company: the currency of the client's first company. */
  clientCurrency: string;
  /** The shared time of related work, in milliseconds; without it, each call reads the clock. */
  moment?: () => number;
}

/** The default: for a program without a client, and the platform's own lists. */
export const USUAL_PLACE: Place = {
  timezone: null,
  zones: { client: null, companies: {}, branches: {} },
  entityId: null,
  fyStartMonth: 4,
  currency: 'INR',
  clientCurrency: 'INR',
};

/** The time zone of a branch or company: the branch's own, otherwise the company's, otherwise the client's. */
export function zoneOf(
  { branchId, entityId }: { branchId?: unknown; entityId?: unknown },
  { client, companies, branches }: Zones,
): string | null {
  return own(branches, branchId) ?? own(companies, entityId) ?? client;
}

function own(zones: Readonly<Record<string, string>>, id: unknown): string | undefined {
  return typeof id === 'number' ? zones[id] : undefined;
}

let here = (): Place => USUAL_PLACE;

/**
 * Sets where the place of work comes from: on a server the caller's company, in a browser the user's.
 * @returns the previous source
 */
export function setPlace(read: () => Place): () => Place {
  const before = here;
  here = read;
  return before;
}

/** The current time of the work, in milliseconds: the same for everything written together. */
export function momentNow(): number {
  return here().moment?.() ?? Date.now();
}

/** Where the work is done. */
export function place(): Place {
  return here();
}

/** The time zone of a record: of its branch, otherwise of its company, otherwise of the client. */
function zoneOfRecord(record: Readonly<Record<string, unknown>>): string | null {
  const { zones, entityId } = here();
  return zoneOf({ branchId: record.branch_id, entityId: record.entity_id ?? entityId }, zones);
}

/** The first month of the financial year for a record, from its company. */
function yearStartOf(record: Readonly<Record<string, unknown>>): number {
  const { zones, entityId, fyStartMonth } = here();
  const company = record.entity_id ?? entityId;
  return (typeof company === 'number' ? zones.yearStarts?.[company] : undefined) ?? fyStartMonth;
}

/** The currency for a record, from its company. */
function currencyOfRecord(record: Readonly<Record<string, unknown>>): string {
  const { zones, entityId, currency } = here();
  const company = record.entity_id ?? entityId;
  return (typeof company === 'number' ? zones.currencies?.[company] : undefined) ?? currency;
}

/**
 * Computes or shows a record, so that its days and times are in the record's time zone, and its financial years and
 * currency are those of its company. `work` must be synchronous.
 */
export function atRecord<T>(record: Readonly<Record<string, unknown>>, work: () => T): T {
  const at = here();
  const [timezone, fyStartMonth] = [zoneOfRecord(record), yearStartOf(record)];
  const currency = currencyOfRecord(record);
  if (timezone === at.timezone && fyStartMonth === at.fyStartMonth && currency === at.currency) return work();
  const before = here;
  here = () => ({ ...at, timezone, fyStartMonth, currency });
  try {
    return work();
  } finally {
    here = before;
  }
}

const formats = new Map<string | null, Intl.DateTimeFormat>();
const known = new Map<string | null, { second: number; day: string }>();

/** The current day in a time zone, YYYY-MM-DD; null = that of this machine. */
export function dayIn(timezone: string | null, now = momentNow()): string {
  const second = Math.floor(now / 1000);
  let entry = known.get(timezone);
  // Cached, because rules ask for it in each of many thousand rows of an import.
  if (entry?.second !== second) known.set(timezone, (entry = { second, day: dayOfMoment(timezone, now) }));
  return entry.day;
}

/** The day of a point in time in a time zone. */
export function dayOfMoment(timezone: string | null, moment: number): string {
  let format = formats.get(timezone);
  if (!format)
    formats.set(
      timezone,
      (format = new Intl.DateTimeFormat('en-CA', {
        ...(timezone !== null && { timeZone: timezone }),
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
      })),
    );
  return format.format(moment);
}

const clocks = new Map<string | null, Intl.DateTimeFormat>();

/** A point in time in local time: YYYY-MM-DDTHH:MM:SS. */
export function clockIn(timezone: string | null, moment: number): string {
  let clock = clocks.get(timezone);
  if (!clock)
    clocks.set(
      timezone,
      (clock = new Intl.DateTimeFormat('sv-SE', {
        ...(timezone !== null && { timeZone: timezone }),
        dateStyle: 'short',
        timeStyle: 'medium',
      })),
    );
  return clock.format(moment).replace(' ', 'T');
}

/**
 * The point in time of a local time YYYY-MM-DDTHH:MM[:SS]; for an hour skipped by daylight saving time, the hour after
 * it.
 */
export function momentIn(timezone: string | null, clock: string): number {
  const wanted = Date.parse(`${clock}Z`);
  const look = (at: number) => wanted - (Date.parse(`${clockIn(timezone, at)}Z`) - at);
  const first = look(wanted);
  // The second attempt is right if the clock changes between the first guess and the result.
  const second = look(first);
  // For a skipped hour neither is right: one is as much before the change as the other is after it.
  return first === second || second === look(second) ? second : Math.max(first, second);
}

/** The current day at the place of work. */
export function today(): string {
  return dayIn(here().timezone);
}

/** The field with the branch of records of a type. */
export function branchField(screen: Screen) {
  return screen.fields.find((field) => field.type === 'ref' && field.name === 'branch_id');
}
