import { parts } from '../performance/phasing.ts';

/** Minimum number of months with both figures. */
const MIN_MONTHS = 12;
/** Months by which a driver may come before its result. */
const MAX_LAG = 12;

/** Pearson's correlation of two equally long series; null where one of them never changes. */
export function correlation(left: readonly number[], right: readonly number[]): number | null {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [a, b] = [mean(left), mean(right)];
  const sum = (of: (at: number) => number) => left.reduce((all, _value, at) => all + of(at), 0);
  const spread = Math.sqrt(sum((at) => (left[at]! - a) ** 2) * sum((at) => (right[at]! - b) ** 2));
  return spread === 0 ? null : sum((at) => (left[at]! - a) * (right[at]! - b)) / spread;
}

/** The months before and after a month, counted from the year 0: "2026-04" is 24315. */
const placeOf = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5));

/** How a driver has gone with its result. */
export interface HistoryLink {
  r: number;
  /** By how many months the driver comes first. */
  lag: number;
  months: number;
}

/** The strongest correlation of a result with a driver, at its best lag; null = fewer than 12 months in common (§5.16). */
export function historyLink(
  result: ReadonlyMap<string, number>,
  driver: ReadonlyMap<string, number>,
): HistoryLink | null {
  const byPlace = new Map([...driver].map(([month, value]) => [placeOf(month), value]));
  let best: HistoryLink | null = null;
  for (let lag = 0; lag <= MAX_LAG; lag++) {
    const pairs = [...result].flatMap(([month, value]) => {
      const before = byPlace.get(placeOf(month) - lag);
      return before === undefined ? [] : [[value, before] as const];
    });
    if (pairs.length < MIN_MONTHS) continue;
    const r = correlation(
      pairs.map(([value]) => value),
      pairs.map(([, before]) => before),
    );
    if (r !== null && Math.abs(r) > Math.abs(best?.r ?? 0)) best = { r, lag, months: pairs.length };
  }
  return best;
}

/** The shares of drivers in percent, by the size of their correlations; they add up to 100. */
export const sharesOf = (correlations: readonly number[]): string[] => parts(100, correlations.map(Math.abs), 2);
