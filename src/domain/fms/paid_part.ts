import { Exact } from '../../descriptor/exact.ts';

/**
 * The taxable values of the lines of a partly paid proforma: in proportion, rounded so that they add up to the paid
 * share (as for instalments in C4).
 * @param taxable value of each line, exact texts
 * @param paid the paid amount, including deductions and tax, out of `total`
 */
export function paidPart(taxable: readonly string[], paid: string, total: string): string[] {
  let sum = new Exact(0);
  let given = new Exact(0);
  return taxable.map((value) => {
    sum = sum.plus(value);
    const upTo = sum.times(paid).dividedBy(total).toDecimalPlaces(2);
    const part = upTo.minus(given);
    given = upTo;
    return part.toFixed(2);
  });
}
