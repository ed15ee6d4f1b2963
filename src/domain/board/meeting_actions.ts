import { Decimal } from 'decimal.js';

/** An action of a meeting, as far as its figures need it. */
export interface ActionDates {
  due_on: string;
  done_on: string | null;
  state: string | null;
}

/** How an action stands on a day: it is late from the day after its due day, however late it is closed. */
export type ActionStanding = 'open' | 'late' | 'in_time' | 'done_late' | 'dropped';

export function standingOf({ due_on: due, done_on: done, state }: ActionDates, today: string): ActionStanding {
  if (state === 'cancelled' || state === 'not_applicable') return 'dropped';
  if (state === 'missed') return 'late';
  if (state === 'done') return done !== null && done > due ? 'done_late' : 'in_time';
  return due < today ? 'late' : 'open';
}

/** Of the actions that are due or closed, how many were closed in time, in per cent; null = none is due. */
export function closedInTime(standings: readonly ActionStanding[]): string | null {
  const counted = standings.filter((one) => one !== 'open' && one !== 'dropped');
  if (counted.length === 0) return null;
  const inTime = counted.filter((one) => one === 'in_time').length;
  return new Decimal(inTime).times(100).div(counted.length).toDecimalPlaces(2).toFixed(2);
}
