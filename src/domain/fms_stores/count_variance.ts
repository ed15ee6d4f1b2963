import { Exact } from '../../descriptor/exact.ts';

/** A count compared with the book (5.15). `value`: of the difference, 2 decimals; percent of the book, 2 decimals. */
export function countVariance(
  book: string,
  counted: string,
  bookValue: string,
  tolerance: { percent: string; value: string },
): { variance: string; percent: string | null; value: string; isOutside: boolean } {
  const variance = new Exact(counted).minus(book);
  const value = new Exact(book).isZero()
    ? new Exact(0)
    : new Exact(bookValue).times(variance).dividedBy(book).toDecimalPlaces(2);
  const percent = new Exact(book).isZero() ? null : variance.abs().times(100).dividedBy(book);
  const isOutside =
    percent === null
      ? !variance.isZero()
      : percent.greaterThan(tolerance.percent) || value.abs().greaterThan(tolerance.value);
  return { variance: variance.toString(), percent: percent?.toFixed(2) ?? null, value: value.toFixed(2), isOutside };
}
