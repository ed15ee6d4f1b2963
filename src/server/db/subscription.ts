import { PRODUCTS } from '../../domain/products.ts';
import { dayFirst } from '../../descriptor/fieldtypes/written.ts';
import { dayIn } from '../../descriptor/place.ts';
import type { EndedSubscription } from './tenant.ts';

/** The place of the platform administrators. */
export const PLATFORM_ZONE = 'Asia/Kolkata';

/** Start and end of a product's purchase, YYYY-MM-DD. */
export interface ProductTerm {
  from?: string;
  to?: string;
  /** The maximum number of users; absent = as many as the client has licences. */
  users?: number;
}

export interface Subscription {
  /** Product suffixes. */
  products: string[];
  validTo: string | null;
  graceDays: number;
  terms: Record<string, ProductTerm>;
  timezone: string;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** The number of days before the last day from which people are notified. */
const WARNED_DAYS = 15;
/** After the grace period it is shown for this long, with the reason, before it is hidden. */
const SHOWN_DAYS = 30;

/**
 * `running`, announced (`ending`, until the end of the grace period), shown but not usable (`ended`), hidden (`over`).
 */
export type Phase = 'running' | 'ending' | 'ended' | 'over';

/** The state on a day of a subscription with this last day. Both YYYY-MM-DD (platform_admin.md §4.1). */
export function phaseOn(lastDay: string | null, today: string, graceDays: number): Phase {
  if (lastDay === null || today < day(lastDay, -WARNED_DAYS)) return 'running';
  if (today <= day(lastDay, graceDays)) return 'ending';
  return today <= day(lastDay, graceDays + SHOWN_DAYS) ? 'ended' : 'over';
}

/** The database's own process needs only Node here: dates are computed without a library. */
function day(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Formatters by time zone; null = unknown zone. Creating one is slower than everything else done for a client. */
const clocks = new Map<string, Intl.DateTimeFormat | null>();
const MAX_CLOCKS = 1_000;

function clockOf(timezone: string): Intl.DateTimeFormat | null {
  let clock = clocks.get(timezone);
  if (clock === undefined) {
    try {
      clock = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, timeStyle: 'medium' });
    } catch {
      clock = null;
    }
    if (clocks.size >= MAX_CLOCKS) clocks.clear();
    clocks.set(timezone, clock);
  }
  return clock;
}

/** Whether this time zone exists. */
export function isTimeZone(name: string): boolean {
  return clockOf(name) !== null;
}

/**
 * The next midnight in a time zone, in ms since 1970; at most an hour from now, so that daylight saving changes do no
 * harm.
 */
function nextLook(timezone: string, now: Date): number {
  const [hours = 0, minutes = 0, seconds = 0] = clockOf(timezone)!.format(now).split(':').map(Number);
  return now.getTime() + Math.min(HOUR_MS, DAY_MS - ((hours * 60 + minutes) * 60 + seconds) * 1000);
}

/** What a client may use today, what it may no longer use, and the notices about it. */
export function subscriptionOf(
  { products, validTo, graceDays, terms, timezone: zone }: Subscription,
  now: Date = new Date(),
): { products: string[]; ended: EndedSubscription | null; notices: string[]; until: number } {
  // A client is not locked out because of an invalid time zone.
  const timezone = isTimeZone(zone) ? zone : PLATFORM_ZONE;
  const today = dayIn(timezone, now.getTime());
  const notices: string[] = [];
  const warn = (what: string, lastDay: string) => {
    const until = dayFirst(day(lastDay, graceDays));
    notices.push(
      today <= lastDay
        ? `${what} ends on ${dayFirst(lastDay)}. Ask for it to be renewed.`
        : `${what} ended on ${dayFirst(lastDay)} and works until ${until}. Ask for it to be renewed.`,
    );
  };
  const reason = (what: string, lastDay: string) =>
    `${what} ended on ${dayFirst(lastDay)}. Please renew it; the data is kept.`;
  const whole = phaseOn(validTo, today, graceDays);
  if (whole === 'ending') warn('The subscription', validTo!);
  const all = whole === 'ended' || whole === 'over' ? reason('The subscription', validTo!) : null;
  if (all !== null) notices.push(all);

  const usable: string[] = [];
  const ended: Record<string, string> = {};
  for (const code of products) {
    const { from, to = null } = terms[code] ?? {};
    if (from !== undefined && today < from) continue;
    const what = `The subscription to ${productName(code)}`;
    const phase = phaseOn(to, today, graceDays);
    if (phase === 'ending' && whole === 'running') warn(what, to!);
    if (phase === 'ended') ended[code] = reason(what, to!);
    else if (phase !== 'over') usable.push(code);
  }
  return {
    products: usable,
    ended: all !== null || Object.keys(ended).length > 0 ? { all, products: ended } : null,
    notices,
    until: nextLook(timezone, now),
  };
}

export function productName(code: string): string {
  return PRODUCTS.find(([one]) => one === code)?.[1] ?? code;
}
