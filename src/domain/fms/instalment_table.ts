import { Exact } from '../../descriptor/exact.ts';
import type { PlannedBill } from './bill_plan.ts';

/** GST rates of a service in percent, exact text. */
export interface GstRates {
  cgst: string | null;
  sgst: string | null;
  igst: string | null;
  cess: string | null;
}

/** An instalment of a contract over all its lifts. `bill_on` is null while it waits for an event. */
export interface Instalment {
  bill_on: string | null;
  waits_for: string | null;
  period_from: string;
  period_to: string;
  amount: string;
  gst: string;
  total: string;
}

/** The GST on an amount: each component is rounded separately, as on bills (C5). */
const gstOn = (amount: string, rates: GstRates | null) =>
  [rates?.cgst, rates?.sgst, rates?.igst, rates?.cess].reduce(
    (sum, rate) =>
      sum.plus(
        new Exact(amount)
          .times(rate ?? 0)
          .dividedBy(100)
          .toDecimalPlaces(2),
      ),
    new Exact(0),
  );

/** The planned bills of all lines with GST, added up by day and period, the earliest first. */
export function instalmentTable(
  lines: readonly { bills: readonly PlannedBill[]; rates: GstRates | null }[],
): Instalment[] {
  const table = new Map<string, Instalment>();
  for (const { bills, rates } of lines)
    for (const { bill_on, waits_for, period_from, period_to, amount } of bills) {
      const day = waits_for === null ? bill_on : null;
      const key = [bill_on, period_from, period_to, waits_for].join(' ');
      const known = table.get(key);
      const gst = gstOn(amount, rates);
      table.set(key, {
        bill_on: day,
        waits_for,
        period_from,
        period_to,
        amount: new Exact(known?.amount ?? 0).plus(amount).toFixed(2),
        gst: gst.plus(known?.gst ?? 0).toFixed(2),
        total: gst
          .plus(amount)
          .plus(known?.total ?? 0)
          .toFixed(2),
      });
    }
  return [...table].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}
