import { DateTime } from 'luxon';

/** How long the period is that a bot compares with the ones before. */
export type BotPeriod = 'day' | 'week' | 'month';

export interface ClosedPeriod {
  /** Its first day, YYYY-MM-DD. */
  first: string;
  /** The first day after it. */
  next: string;
}

/** The last periods that ended before a day, oldest first; a running one is left out, because it is not complete. */
export function closedPeriods(kind: BotPeriod, day: string, count: number): ClosedPeriod[] {
  const running = DateTime.fromISO(day, { zone: 'utc' }).startOf(kind);
  return Array.from({ length: count }, (_, at) => {
    const first = running.minus({ [kind]: count - at });
    return { first: first.toISODate()!, next: first.plus({ [kind]: 1 }).toISODate()! };
  });
}
