/** Where somebody works: whose day it is, when the financial year begins, and which money is meant. */
export interface Place {
  /** Null = where this machine is. */
  timezone: string | null;
  /** The month in which the financial year begins, 1 to 12. */
  fyStartMonth: number;
  /** ISO code of the company's currency. */
  currency: string;
  /** The same of records that belong to no company: the currency of the client's first company. */
  clientCurrency: string;
}

/** Where nobody has said otherwise: a program without a client, and the platform's own lists. */
export const USUAL_PLACE: Place = { timezone: null, fyStartMonth: 4, currency: 'INR', clientCurrency: 'INR' };

let here = (): Place => USUAL_PLACE;

/** Says where the work is done: on a server where the caller's company is, in a browser where its user's is. */
export function setPlace(read: () => Place): void {
  here = read;
}

/** Where the work is done. */
export function place(): Place {
  return here();
}

const formats = new Map<string | null, Intl.DateTimeFormat>();
const known = new Map<string | null, { second: number; day: string }>();

/** The day in a time zone, YYYY-MM-DD; null = where this machine is. */
export function dayIn(timezone: string | null, now = Date.now()): string {
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

/** Today, where the work is done. */
export function today(): string {
  return dayIn(here().timezone);
}
