import { Exact } from '../descriptor/exact.ts';

/** Benchmark figures of the companies in an industry; amounts as exact text. */
export interface Quartiles {
  p25: string;
  median: string;
  p75: string;
  /** Which direction is better. */
  direction: 'higher' | 'lower';
}

/** The quartile of a figure: 1 = the best, 4 = the last. */
export type Quarter = 1 | 2 | 3 | 4;

/** The quartile of a figure; a figure exactly on a boundary belongs to the better one. */
export function quarterOf(value: string, { p25, median, p75, direction }: Quartiles): Quarter {
  const figure = new Exact(value);
  const [best, middle, last] = direction === 'higher' ? [p75, median, p25] : [p25, median, p75];
  const reaches = (border: string) => (direction === 'higher' ? figure.gte(border) : figure.lte(border));
  return reaches(best) ? 1 : reaches(middle) ? 2 : reaches(last) ? 3 : 4;
}

/**
 * The difference from the median, 2 decimals, half up; positive is better, in either direction (health_check.md §5.4).
 */
export function gapToMedian(value: string, { median, direction }: Quartiles): string {
  const gap = direction === 'higher' ? new Exact(value).minus(median) : new Exact(median).minus(value);
  // Zero has no sign, even if it is a rounded negative value.
  return gap.toDecimalPlaces(2).plus(0).toFixed(2);
}
