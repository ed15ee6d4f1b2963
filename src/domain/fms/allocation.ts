import { Decimal } from 'decimal.js';

/** A bill that can be paid. */
export interface OpenBill {
  id: number;
  bill_no: string;
  /** YYYY-MM-DD */
  bill_date: string;
  due_on: string;
  outstanding: string;
  taxable: string;
  total: string;
  /** The amount already deducted from this bill, by deduction. */
  taken?: Readonly<Record<number, string>>;
}

/** The customer's deduction from a bill: TDS or GST-TDS, on the taxable value. */
export interface DeductedRate {
  deduction_id: number;
  rate: string;
  /** To the rupee, or to the paisa. */
  rounding: 'rupee' | 'paise';
}

export interface Allocated {
  billing_id: number;
  cash: string;
}

export interface Deducted {
  billing_id: number;
  deduction_id: number;
  base: string;
  rate: string;
  amount: string;
}

const zero = new Decimal(0);
const rounded = (amount: Decimal, rounding: 'rupee' | 'paise') =>
  amount.toDecimalPlaces(rounding === 'rupee' ? 0 : 2, Decimal.ROUND_HALF_UP);

/** Bills in payment order (C7): the oldest first, by due date, bill date and number. */
const oldestFirst = (bills: readonly OpenBill[]): OpenBill[] =>
  bills.toSorted(
    (a, b) =>
      a.due_on.localeCompare(b.due_on) || a.bill_date.localeCompare(b.bill_date) || a.bill_no.localeCompare(b.bill_no),
  );

/** The settlement of one bill with at most this amount: cash, and the deductions (C7). */
function settleBill(
  bill: OpenBill,
  cash: Decimal,
  rates: readonly DeductedRate[],
): { cash: Decimal; deductions: Deducted[] } {
  const outstanding = new Decimal(bill.outstanding);
  const taxable = new Decimal(bill.taxable);
  const deducted = ({ deduction_id, rate }: DeductedRate, amount: Decimal): Deducted => ({
    billing_id: bill.id,
    deduction_id,
    base: taxable.toFixed(2),
    rate,
    amount: amount.toFixed(2),
  });
  const whole = rates.map((one) => {
    const all = rounded(taxable.times(one.rate).div(100), one.rounding);
    return deducted(one, Decimal.max(zero, all.minus(bill.taken?.[one.deduction_id] ?? 0)));
  });
  const needed = outstanding.minus(whole.reduce((sum, { amount }) => sum.plus(amount), zero));
  const given = ({ amount }: Deducted) => new Decimal(amount).gt(0);
  if (needed.gte(0) && cash.gte(needed)) return { cash: needed, deductions: whole.filter(given) };
  // A partial payment: deductions are in the same proportion to the settled amount as for the whole bill.
  const total = new Decimal(bill.total);
  const share = (rate: string) => (total.isZero() ? zero : new Decimal(rate).div(100).times(taxable).div(total));
  const all = rates.reduce((sum, { rate }) => sum.plus(share(rate)), zero);
  let left = Decimal.max(zero, outstanding.minus(cash));
  const deductions = rates.map((one) => {
    const amount = Decimal.min(rounded(cash.times(share(one.rate)).div(new Decimal(1).minus(all)), one.rounding), left);
    left = left.minus(amount);
    return deducted(one, amount);
  });
  return { cash: Decimal.min(cash, outstanding), deductions: deductions.filter(given) };
}

/**
 * Proposes the bills that a payment settles, the oldest first, with the customer's deductions (C7). The remainder stays
 * on the customer as an advance.
 */
export function proposeAllocation(
  amount: string,
  bills: readonly OpenBill[],
  ratesOf: (bill: OpenBill) => readonly DeductedRate[],
): { allocations: Allocated[]; deductions: Deducted[]; unallocated: string } {
  let left = new Decimal(amount);
  const allocations: Allocated[] = [];
  const deductions: Deducted[] = [];
  for (const bill of oldestFirst(bills)) {
    if (left.lte(0)) break;
    const settled = settleBill(bill, left, ratesOf(bill));
    if (settled.cash.lte(0)) continue;
    left = left.minus(settled.cash);
    allocations.push({ billing_id: bill.id, cash: settled.cash.toFixed(2) });
    deductions.push(...settled.deductions);
  }
  return { allocations, deductions, unallocated: left.toFixed(2) };
}
