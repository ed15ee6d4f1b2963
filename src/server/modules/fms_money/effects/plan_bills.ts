import type { Effect } from '../../../engine/modules.ts';
import { todayOf } from '../open_period.ts';
import { applyingPolicy, policiesOf } from '../../../platform/policies/policies.ts';
import { plannedLines } from '../planned_lines.ts';
import type { BillingPolicy } from '../policies.ts';

type Row = Record<string, unknown>;

/**
 * Plans the bills of a contract when it starts: a row for each line, contract year and instalment (C4). Existing rows
 * are unchanged, so it may run again. `from_today`: for contracts imported from elsewhere, plans future bills only.
 */
export const planBills: Effect = {
  args: { type: 'object', additionalProperties: false, properties: { from_today: { type: 'boolean' } } },
  elevated: true,
  async apply({ unit: own, record: { id }, args }) {
    const unit = own.elevated();
    const contract = await unit.read('contract', id);
    const today = todayOf(unit, contract.branch_id);
    const plan = await plannedLines(unit, contract);
    if (plan === null) return;
    const billTo = (contract.bill_to_customer_id ?? contract.customer_id) as number;
    const [payer] = await unit.query<{ po_needed: boolean | null }>(
      'select po_needed from {customer_dtl} where id = $1',
      [billTo],
    );
    const order = await orderOf(unit, contract);
    const waitsForOrder = (contract.po_needed ?? payer?.po_needed) === true && order === null;
    const policy = applyingPolicy<BillingPolicy>(await policiesOf(unit, unit.session.entityId, ['BILLING']), today, {
      branch_id: contract.branch_id as number,
    });
    const rows = plan.lines.flatMap(({ line, service_id, building_id, bills }) =>
      bills
        .filter(({ bill_on: day }) => args.from_today !== true || day >= today)
        .map(({ waits_for: waits, ...planned }) => {
          const reason = waits ?? (waitsForOrder ? WAITS_FOR_ORDER : null);
          return {
            ...planned,
            contract_id: id,
            contract_line_id: line.id,
            customer_id: billTo,
            building_id,
            branch_id: contract.branch_id,
            lift_id: line.lift_id,
            service_id,
            bill_as: policy.proforma_first === true ? 'proforma' : plan.billAs,
            status: reason === null ? 'planned' : 'held',
            hold_reason: reason,
            order_no: order,
          };
        }),
    );
    if (rows.length > 0)
      await unit.createMany('billing_schedule', rows, { skip: ['contract_line_id', 'contract_year', 'seq_no'] });
  },
};

/** The note on planned bills of customers who order in writing. */
const WAITS_FOR_ORDER = 'Waiting for a purchase order number from the customer.';

/** The number of the customer's order: the printed one of the contract, otherwise that of its quotation. */
async function orderOf(
  unit: { query<T>(text: string, values: unknown[]): Promise<T[]> },
  contract: Row,
): Promise<string | null> {
  const numbers = (contract.ref_nos ?? []) as Row[];
  const [own] = await unit.query<{ number: string }>(
    `select n.number from unnest($1::bigint[], $2::text[]) with ordinality n(kind, number, at)
     join {refno_type_mstr} t on t.id = n.kind and t.print_on_bill order by n.at limit 1`,
    [numbers.map(({ refno_type_id: kind }) => kind), numbers.map(({ number }) => number)],
  );
  if (own) return own.number.slice(0, 60);
  const [quotation] = await unit.query<{ order_no: string | null }>('select order_no from {quotation} where id = $1', [
    contract.quotation_id ?? null,
  ]);
  return quotation?.order_no ?? null;
}
