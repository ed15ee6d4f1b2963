import { formatMoney } from '../../../../descriptor/format.ts';
import { proposeAllocation } from '../../../../domain/fms/allocation.ts';
import type { DeductedRate, OpenBill } from '../../../../domain/fms/allocation.ts';
import type { Action } from '../../../engine/modules.ts';
import { dayOfRecord } from '../../../engine/records/day_of_record.ts';
import type { Unit } from '../../../engine/records/unit.ts';

/** The lowest value of a contract from which governments deduct GST (section 51 of the CGST Act). */
const GST_TDS_FROM = 250_000;

/** A customer's payable bills with the amounts deducted. */
export function openBills(unit: Unit, customer: unknown): Promise<OpenBill[]> {
  return unit.query<OpenBill>(
    `select b.id, b.bill_no, b.bill_date::text, b.due_on::text, b.outstanding::text, b.taxable_total::text as taxable, b.grand_total::text as total,
       (select coalesce(jsonb_object_agg(d.deduction_id, d.sum), '{}') from (
          select x.deduction_id, sum(x.amount)::text as sum from {receipt.deductions} x join {receipt} r on r.id = x.parent_id
          where x.billing_id = b.id and r.status in ('approved', 'deposited', 'cleared') group by 1) d) as taken
     from {billing} b
     where b.customer_id = $1 and b.status = 'posted' and b.outstanding > 0 and b.entity_id = $2`,
    [customer, unit.session.entityId],
  );
}

/** The customer's deductions on a day: TDS by the customer, GST TDS for those who must. */
async function deductedRates(
  unit: Unit,
  customer: unknown,
  day: string,
): Promise<{ tds: DeductedRate[]; gst: DeductedRate[] }> {
  const rows = await unit.query<DeductedRate & { kind: string }>(
    `select d.id as deduction_id, d.kind, coalesce(d.rounding, 'rupee') as rounding, r.rate::text
     from {customer_dtl} c
     join {deduction} d on d.active and (d.id = c.tds_id or (c.gst_tds and d.kind = 'gst_tds'))
     join lateral (select x.rate from {deduction.rates} x where x.parent_id = d.id and x.valid_from <= $2::date
       order by x.valid_from desc limit 1) r on true
     where c.id = $1 order by d.id`,
    [customer, day],
  );
  const of = (gst: boolean) =>
    rows
      .filter(({ kind }) => (kind === 'gst_tds') === gst)
      .map(({ deduction_id, rate, rounding }) => ({ deduction_id, rate, rounding }));
  return { tds: of(false), gst: of(true).slice(0, 1) };
}

/**
 * Proposes the bills that a receipt settles, oldest first, and the customer's deductions (C7); people may change them.
 */
export const proposeAllocationAction: Action = {
  async run({ unit, record }) {
    const { customer_id: customer, amount, receipt_on: day } = record!;
    const rates = await deductedRates(unit, customer, String(day ?? dayOfRecord(unit, record!)));
    const bills = await openBills(unit, customer);
    const proposal = proposeAllocation(String(amount), bills, ({ taxable }) => [
      ...rates.tds,
      ...(Number(taxable) > GST_TDS_FROM ? rates.gst : []),
    ]);
    return {
      set: { allocations: proposal.allocations, deductions: proposal.deductions.map(({ base: _base, ...row }) => row) },
      done:
        proposal.allocations.length === 0
          ? 'This customer has no open bill: the money stays as an advance.'
          : `${proposal.allocations.length} bills, the oldest first; ${formatMoney(proposal.unallocated)} is left.`,
    };
  },
};
