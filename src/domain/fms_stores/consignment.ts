import { Exact } from '../../descriptor/exact.ts';

/** The document for a transfer: between two registrations it is a supply. */
export function gstDocument(from: string | null, to: string | null): 'tax_invoice' | 'delivery_challan' | 'none' {
  if (!from && !to) return 'none';
  return from !== null && to !== null && from !== to ? 'tax_invoice' : 'delivery_challan';
}

/** The tax of a line at its rate, to the paisa. */
export const taxOfLine = (value: string, rate: string | null): string =>
  new Exact(value)
    .times(rate ?? 0)
    .dividedBy(100)
    .toDecimalPlaces(2)
    .toFixed(2);

/** Value of the goods with tax, line by line to the paisa. */
export function consignmentValue(lines: readonly { value: string; gst_rate: string | null }[]): string {
  return lines
    .reduce((sum, { value, gst_rate: rate }) => sum.plus(value).plus(taxOfLine(value, rate)), new Exact(0))
    .toFixed(2);
}

/** Whether an e-way bill is required (5.17): above the limit, which the state sets for transfers within it. */
export function ewayNeeded(value: string, isInterState: boolean, stateLimit: string | null, usual: string): boolean {
  return new Exact(value).greaterThan(isInterState ? usual : (stateLimit ?? usual));
}
