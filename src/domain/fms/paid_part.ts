import { Exact } from '../../descriptor/exact.ts';

/**
 * The taxable values of the lines of a proforma of which a part is paid: each in proportion, rounded so that they add up to
 * the share of the whole (as C4 does with instalments).
 * @param taxable value of each line, exact texts
 * @param paid what is paid, with deductions and tax inside, of `total`
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
