import { addMonths } from '../../descriptor/expression/functions.ts';
import { contractYears, sharedDays } from './contract_years.ts';
import type { Period } from './contract_years.ts';
import { instalmentsOfYear, milestoneAmounts } from './instalments.ts';
import type { Frequency } from './instalments.ts';

/** How a contract is paid, as in `payment_type_mstr`. */
export interface Payment {
  timing: 'advance' | 'arrears' | 'milestone';
  frequency: Frequency;
  lead_days: number | null;
  milestones: readonly { percent: string | number; trigger: string; value: number | null }[];
}

/** A planned bill. `waits_for`: why it cannot be billed yet, as text. */
export interface PlannedBill {
  contract_year: number;
  seq_no: number;
  period_from: string;
  period_to: string;
  bill_on: string;
  amount: string;
  waits_for: string | null;
}

/** The day of a milestone, or the event it waits for. */
function milestoneDay(
  { trigger, value }: Payment['milestones'][number],
  { start, signed }: { start: string; signed: string | null },
): { bill_on: string; waits_for: string | null } {
  if (trigger === 'signing') return { bill_on: signed ?? start, waits_for: null };
  if (trigger === 'after_months') return { bill_on: addMonths(start, value ?? 0), waits_for: null };
  if (trigger === 'visit_no') return { bill_on: start, waits_for: `Waits for visit ${value ?? 1}.` };
  if (trigger === 'handover') return { bill_on: start, waits_for: 'Waits for the handover.' };
  return { bill_on: start, waits_for: null };
}

/**
 * The planned bills of a contract line (C4): the instalments of each contract year in which the line is active, or the
 * milestones of its first year. @param priceOf price of a contract year, exact text
 */
export function billPlan(
  contract: { start: string; signed: string | null },
  line: Period,
  priceOf: (yearNo: number) => string,
  payment: Payment,
): PlannedBill[] {
  const { timing } = payment;
  const years = contractYears(contract.start, line);
  if (timing === 'milestone') {
    const [first] = years;
    if (!first) return [];
    const amounts = milestoneAmounts(
      priceOf(first.year_no),
      payment.milestones.map(({ percent }) => percent),
    );
    const days = sharedDays(first, line)!;
    return payment.milestones.map((milestone, at) => ({
      contract_year: first.year_no,
      seq_no: at + 1,
      period_from: days.from_on,
      period_to: line.to_on,
      amount: amounts[at]!,
      ...milestoneDay(milestone, contract),
    }));
  }
  return years.flatMap((year) =>
    instalmentsOfYear(
      { from_on: year.from_on, price: priceOf(year.year_no) },
      { frequency: payment.frequency, timing, lead_days: payment.lead_days },
      line,
    )
      .filter(({ amount }) => Number(amount) !== 0)
      .map(({ seq_no, from_on: period_from, to_on: period_to, amount, bill_on }) => ({
        contract_year: year.year_no,
        seq_no,
        period_from,
        period_to,
        bill_on,
        amount,
        waits_for: null,
      })),
  );
}
