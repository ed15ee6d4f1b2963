import { Exact } from '../descriptor/exact.ts';

/** What the companies of an industry reach; amounts as exact texts. */
export interface Quartiles {
  p25: string;
  median: string;
  p75: string;
  /** Which end is the better one. */
  direction: 'higher' | 'lower';
}

/** Which quarter of the companies a figure is among: 1 = the best, 4 = the last. */
export type Quarter = 1 | 2 | 3 | 4;

/** The quarter of a figure; one that is just at a border belongs to the better. */
export function quarterOf(value: string, { p25, median, p75, direction }: Quartiles): Quarter {
  const figure = new Exact(value);
  const [best, middle, last] = direction === 'higher' ? [p75, median, p25] : [p25, median, p75];
  const reaches = (border: string) => (direction === 'higher' ? figure.gte(border) : figure.lte(border));
  return reaches(best) ? 1 : reaches(middle) ? 2 : reaches(last) ? 3 : 4;
}

/** How far a figure is from the median, 2 decimals, half up; above zero is better, whichever end that is (health_check.md §5.4). */
export function gapToMedian(value: string, { median, direction }: Quartiles): string {
  const gap = direction === 'higher' ? new Exact(value).minus(median) : new Exact(median).minus(value);
  // Zero has no sign, also when it is what is left of a little less than zero.
  return gap.toDecimalPlaces(2).plus(0).toFixed(2);
}
