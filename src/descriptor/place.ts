import type { Screen } from './types.ts';
/** The time zones of a client: its own, and those of the companies and branches that have one. */
export interface Zones {
  /** The client's; null = where this machine is. */
  client: string | null;
  companies: Readonly<Record<string, string>>;
  branches: Readonly<Record<string, string>>;
  /** The first month of the financial year of each company, 1 to 12; a browser knows that of its user's alone. */
  yearStarts?: Readonly<Record<string, number>>;
  /** The currency of each company, by ISO code; a browser knows that of its user's alone. */
  currencies?: Readonly<Record<string, string>>;
}

/** Where somebody works: whose day it is, when the financial year begins, and which money is meant. */
export interface Place {
  /** Of lists and pages, which belong to no record. Null = where this machine is. */
  timezone: string | null;
  /** Of records: `zoneOf`. */
  zones: Zones;
  /** The company of records that do not name one. */
  entityId: number | null;
  /** The month in which the financial year begins, 1 to 12. */
  fyStartMonth: number;
  /** ISO code of the company's currency. */
  currency: string;
  /** The same of records that belong to no company: the currency of the client's first company. */
  clientCurrency: string;
  /** The one moment of what belongs together, in milliseconds; without it, each question has its own. */
  moment?: () => number;
}

/** Where nobody has said otherwise: a program without a client, and the platform's own lists. */
export const USUAL_PLACE: Place = {
  timezone: null,
  zones: { client: null, companies: {}, branches: {} },
  entityId: null,
  fyStartMonth: 4,
  currency: 'INR',
  clientCurrency: 'INR',
};

/** The time zone of what belongs to a branch or company: the branch's own, else the company's, else the client's. */
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
 * Says where the work is done: on a server where the caller's company is, in a browser where its user's is.
 * @returns what said so before
 */
export function setPlace(read: () => Place): () => Place {
  const before = here;
  here = read;
  return before;
}

/** The moment at which the work is done, in milliseconds: one for all that is written together. */
export function momentNow(): number {
  return here().moment?.() ?? Date.now();
}

/** Where the work is done. */
export function place(): Place {
  return here();
}

/** The time zone of a record: that of its branch, else of its company, else of the client. */
function zoneOfRecord(record: Readonly<Record<string, unknown>>): string | null {
  const { zones, entityId } = here();
  return zoneOf({ branchId: record.branch_id, entityId: record.entity_id ?? entityId }, zones);
}

/** The first month of the financial year of a record: of its company. */
function yearStartOf(record: Readonly<Record<string, unknown>>): number {
  const { zones, entityId, fyStartMonth } = here();
  const company = record.entity_id ?? entityId;
  return (typeof company === 'number' ? zones.yearStarts?.[company] : undefined) ?? fyStartMonth;
}

/** The currency of a record: of its company. */
function currencyOfRecord(record: Readonly<Record<string, unknown>>): string {
  const { zones, entityId, currency } = here();
  const company = record.entity_id ?? entityId;
  return (typeof company === 'number' ? zones.currencies?.[company] : undefined) ?? currency;
}

/**
 * Computes or shows something of a record, so that its days and times are those of the record's zone, its years and its
 * money those of its company. `work` must not wait for anything.
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

/** The day in a time zone, YYYY-MM-DD; null = where this machine is. */
export function dayIn(timezone: string | null, now = momentNow()): string {
  const second = Math.floor(now / 1000);
  let entry = known.get(timezone);
  // Rules ask for each of many thousand rows of an import.
  if (entry?.second !== second) known.set(timezone, (entry = { second, day: dayOfMoment(timezone, now) }));
  return entry.day;
}

/** The day of any moment in a time zone. */
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

/** A moment as the clock of a time zone shows it: YYYY-MM-DDTHH:MM:SS. */
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

/** The moment at which the clock of a time zone shows YYYY-MM-DDTHH:MM[:SS]; of an hour that is skipped there, the one after it. */
export function momentIn(timezone: string | null, clock: string): number {
  const wanted = Date.parse(`${clock}Z`);
  const look = (at: number) => wanted - (Date.parse(`${clockIn(timezone, at)}Z`) - at);
  const first = look(wanted);
  // The second look is right where the clock changes between the first guess and the moment.
  const second = look(first);
  // Of a skipped hour neither is: one is as much before the change as the other is after it.
  return first === second || second === look(second) ? second : Math.max(first, second);
}

/** Today, where the work is done. */
export function today(): string {
  return dayIn(here().timezone);
}

/** The field that says to which branch records of a type belong. */
export function branchField(screen: Screen) {
  return screen.fields.find((field) => field.type === 'ref' && field.name === 'branch_id');
}
