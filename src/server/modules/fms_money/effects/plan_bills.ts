import { billPlan } from '../../../../domain/fms/bill_plan.ts';
import type { Payment } from '../../../../domain/fms/bill_plan.ts';
import type { Effect } from '../../../engine/modules.ts';
import { todayOf } from '../open_period.ts';
import { applyingPolicy, policiesOf } from '../../../platform/policies/policies.ts';
import type { BillingPolicy } from '../policies.ts';

type Row = Record<string, unknown>;

/** Contract lines that have ended, or whose plan came from the previous line. */
const isPlanned = (line: Row): boolean =>
  !['closed', 'moved', 'cancelled'].includes(String(line.line_status ?? 'active')) &&
  (line.moved_from_line_id ?? null) === null;

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
    if (contract.payment_type_id === null || contract.contract_kind === 'warranty') return;
    const today = todayOf(unit, contract.branch_id);
    const [payment] = await unit.query<Payment & { bill_as: string }>(
      `select p.timing, p.frequency, p.lead_days, coalesce(p.bill_as, 'tax_invoice') as bill_as,
         (select coalesce(jsonb_agg(jsonb_build_object('percent', m.percent::text, 'trigger', m.trigger, 'value', m.value) order by m.id), '[]')
            from {payment_type_mstr.milestones} m where m.parent_id = p.id) as milestones
       from {payment_type_mstr} p where p.id = $1`,
      [contract.payment_type_id],
    );
    const lines = (contract.lines as (Row & { id: number })[]).filter(isPlanned);
    const services = await unit.query<{ id: number; service_id: number }>(
      'select id, service_id from {amc_type_mstr} where id = any($1::bigint[])',
      [lines.map(({ amc_type_id: type }) => type)],
    );
    const places = await unit.query<{ id: number; building_id: number }>(
      'select id, building_id from {lift} where id = any($1::bigint[])',
      [lines.map(({ lift_id: lift }) => lift)],
    );
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
    const rows = lines.flatMap((line) => {
      const prices = (line.year_prices ?? []) as { year_no: number; price: string }[];
      const plan = billPlan(
        { start: String(contract.start_on), signed: (contract.signed_on as string | null) ?? null },
        { from_on: String(line.from_on ?? contract.start_on), to_on: String(line.to_on ?? contract.end_on) },
        (year) => prices.find(({ year_no: no }) => no === year)?.price ?? String(line.net),
        payment!,
      );
      return plan
        .filter(({ bill_on: day }) => args.from_today !== true || day >= today)
        .map(({ waits_for: waits, ...planned }) => {
          const reason = waits ?? (waitsForOrder ? WAITS_FOR_ORDER : null);
          return {
            ...planned,
            contract_id: id,
            contract_line_id: line.id,
            customer_id: billTo,
            building_id: places.find((one) => one.id === line.lift_id)?.building_id ?? contract.building_id,
            branch_id: contract.branch_id,
            lift_id: line.lift_id,
            service_id: services.find((one) => one.id === line.amc_type_id)?.service_id ?? null,
            bill_as: policy.proforma_first === true ? 'proforma' : payment!.bill_as,
            status: reason === null ? 'planned' : 'held',
            hold_reason: reason,
            order_no: order,
          };
        });
    });
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
