import { AsyncLocalStorage } from 'node:async_hooks';
import { setToday, today as dayOfThisMachine } from '../descriptor/expression/functions.ts';

/** Where whoever looks after the platform is. */
export const PLATFORM_ZONE = 'Asia/Kolkata';

/**
 * What day it is for expressions on the server: the day where the client is, not where the machine is. Between
 * midnight and half past five in India a machine that runs in UTC would refuse today as a day in the future.
 */
const zone = new AsyncLocalStorage<string>();
const known = new Map<string, { second: number; day: string }>();
/** Where work belongs to no client's call; null = where the machine is. */
let usual: string | null = null;

/** The day in a time zone, YYYY-MM-DD. */
export function dayIn(timezone: string, now = Date.now()): string {
  const second = Math.floor(now / 1000);
  let entry = known.get(timezone);
  // Rules ask for each of many thousand rows of an import.
  if (entry?.second !== second)
    known.set(
      timezone,
      (entry = {
        second,
        day: new Intl.DateTimeFormat('en-CA', {
          timeZone: timezone,
          year: 'numeric',
          month: '2-digit',
          day: '2-digit',
        }).format(now),
      }),
    );
  return entry.day;
}

/** Does something for a client: what day it is, is the day there. */
export function inZone<T>(timezone: string, work: () => T): T {
  return zone.run(timezone, work);
}

/** A thread that works for one client at a time: what day it is, is from now on the day there. */
export function stayInZone(timezone: string): void {
  usual = timezone;
}

setToday(() => {
  const here = zone.getStore() ?? usual;
  return here === null ? dayOfThisMachine() : dayIn(here);
});
