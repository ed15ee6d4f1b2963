import type { Forecast } from './forecast.ts';
import { forecast } from './forecast.ts';
import { eventFactor, paceToEnd } from './sales_events.ts';

/** Daily sales, and monthly sales adjusted for festivals that move between months (performance.md §5.19). */

export interface SalesEvent {
  name: string;
  /** First and last day. */
  from: string;
  to: string;
}

/** The forecast of a daily series. */
export interface Outlook {
  months: { month: string; sold: number }[];
  /** From the month of `today` on; null = there are no past sales. */
  forecast: Forecast | null;
  /** The ratio of each event’s daily sales to a normal day’s, from past years. */
  factors: ReadonlyMap<string, number>;
  /** For the month in progress. */
  pace: { reached: number; usualShare: number; end: number | null };
}

const DAY = 86_400_000;
const SEASON = 12;
/** Days before and after an event that define a normal day. */
const AROUND = 30;

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

/** The number of days from one day to another, both included. */
function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let time = timeOf(from); time <= timeOf(to); time += DAY) days.push(dayOf(time));
  return days;
}

/** A month plus a number of months, YYYY-MM. */
export function monthAfter(month: string, count: number): string {
  const at = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + count;
  return `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
}

const daysIn = (month: string): number =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate();

/** The ratio of each event’s sales to normal days, over the known years; closed days are no days without sales. */
function factorsOf(
  sold: ReadonlyMap<string, number>,
  events: readonly SalesEvent[],
  { first, today, isOpen }: { first: string; today: string; isOpen: (day: string) => boolean },
) {
  const special = new Set(events.flatMap(({ from, to }) => daysBetween(from, to)));
  const known = Map.groupBy(
    events.filter(({ from, to }) => from >= first && to < today),
    ({ name }) => name,
  );
  const factors = new Map<string, number>();
  for (const [name, years] of known) {
    const each = years.flatMap(({ from, to }) => {
      const around = [
        ...daysBetween(dayOf(timeOf(from) - AROUND * DAY), from),
        ...daysBetween(to, dayOf(timeOf(to) + AROUND * DAY)),
      ].filter((day) => !special.has(day) && day >= first && day < today && isOpen(day));
      const usual = around.length === 0 ? 0 : sum(around.map((day) => sold.get(day) ?? 0)) / around.length;
      const factor = eventFactor(
        daysBetween(from, to)
          .filter(isOpen)
          .map((day) => sold.get(day) ?? 0),
        usual,
      );
      return factor === null ? [] : [factor];
    });
    if (each.length > 0) factors.set(name, Math.max(1, sum(each) / each.length));
  }
  return factors;
}

/** The ratio to a normal day’s sales, for event days. */
function liftsOf(events: readonly SalesEvent[], factors: ReadonlyMap<string, number>): Map<string, number> {
  const lifts = new Map<string, number>();
  for (const { name, from, to } of events) {
    const factor = factors.get(name);
    if (factor === undefined) continue;
    for (const day of daysBetween(from, to)) lifts.set(day, Math.max(lifts.get(day) ?? 1, factor));
  }
  return lifts;
}

/**
 * Forecasts normal months without their festivals, and adds the festivals in the months where they fall.
 * @param steps months ahead, starting with the month in progress
 * @param isOpen whether the store sells on a day
 */
export function outlook(
  sold: ReadonlyMap<string, number>,
  events: readonly SalesEvent[],
  today: string,
  steps: number,
  isOpen: (day: string) => boolean = () => true,
): Outlook {
  const days = [...sold.keys()].filter((day) => day <= today).toSorted();
  const first = days[0] ?? today;
  const current = today.slice(0, 7);
  // A month that started before the first sale is incomplete.
  const start = first.endsWith('-01') ? first.slice(0, 7) : monthAfter(first.slice(0, 7), 1);
  const months: string[] = [];
  for (let month = start; month < current; month = monthAfter(month, 1)) months.push(month);
  const factors = factorsOf(sold, events, { first, today, isOpen });
  const lifts = liftsOf(events, factors);
  const raw = new Map<string, number>();
  const usual = new Map<string, number>();
  for (const day of days) {
    const month = day.slice(0, 7);
    const value = sold.get(day)!;
    raw.set(month, (raw.get(month) ?? 0) + value);
    usual.set(month, (usual.get(month) ?? 0) + value / (lifts.get(day) ?? 1));
  }
  const found = forecast(
    months.map((month) => usual.get(month) ?? 0),
    SEASON,
    steps,
  );
  const withEvents = found && {
    ...found,
    ahead: found.ahead.map((point, at) => {
      const month = monthAfter(current, at);
      const count = daysIn(month);
      const open = daysBetween(`${month}-01`, `${month}-${count}`).filter(isOpen);
      const extra = sum(open.map((day) => (lifts.get(day) ?? 1) - 1));
      const times = open.length === 0 ? 1 : 1 + extra / open.length;
      return { point: point.point * times, low: point.low * times, high: point.high * times };
    }),
  };
  const date = today.slice(8);
  const shares = months.slice(-SEASON).flatMap((month) => {
    const all = raw.get(month) ?? 0;
    const until = days.filter((day) => day.startsWith(month) && day.slice(8) <= date);
    return all <= 0 ? [] : [sum(until.map((day) => sold.get(day)!)) / all];
  });
  const reached = raw.get(current) ?? 0;
  const usualShare = shares.length === 0 ? 0 : sum(shares) / shares.length;
  return {
    months: months.map((month) => ({ month, sold: raw.get(month) ?? 0 })),
    forecast: withEvents,
    factors,
    pace: { reached, usualShare, end: paceToEnd(reached, usualShare) },
  };
}
