import { addDays } from '../../../domain/fms/contract_years.ts';
import type { Unit } from '../../engine/records/unit.ts';

type Row = Record<string, unknown>;

/** A lift to be renewed. Money is an exact decimal as text. */
export interface Renewed {
  lift_id: number;
  contract_id: number;
  customer_id: number;
  building_id: number;
  amc_type_id: number;
  renewal_type_id: number | null;
  starts_on: string;
  new_rate: string;
}

const KEPT = [
  'contract_kind',
  'bill_to_customer_id',
  'branch_id',
  'sales_person_id',
  'payment_type_id',
  'payment_term_id',
  'bill_grouping',
  'bank_id',
  'po_needed',
  'schedule_visit_id',
  'visit_schedule_id',
  'escalation_percentage_id',
  'escalation_time_id',
  'parts_limit',
  'parts_share',
  'auto_renew',
  'notice_days',
  'customer_signatory',
  'our_signatory_id',
] as const;

/** Drafts the contract that follows another one, with these of its lifts. @returns its id */
export async function draftContract(
  unit: Unit,
  lifts: readonly Renewed[],
  months: number,
  more: Row = {},
): Promise<number> {
  const [first] = lifts;
  const old = await unit.read('contract', first!.contract_id);
  const made = await unit.create('contract', {
    ...Object.fromEntries(KEPT.map((name) => [name, old[name] ?? null])),
    customer_id: first!.customer_id,
    building_id: new Set(lifts.map(({ building_id: id }) => id)).size === 1 ? first!.building_id : null,
    previous_contract_id: old.id,
    root_contract_id: old.root_contract_id ?? old.id,
    renewal_type_id: first!.renewal_type_id,
    start_on: first!.starts_on,
    months,
    lines: lifts.map((one) => ({ lift_id: one.lift_id, amc_type_id: one.amc_type_id, rate: one.new_rate })),
    ...more,
  });
  return made.id;
}

/** Drafts the renewal quotation for these lifts. @returns its id; null if there is no sales person */
export async function draftQuotation(
  unit: Unit,
  lifts: readonly Renewed[],
  months: number,
  { day, kind = 'renewal' }: { day: string; kind?: 'renewal' | 'new_amc' },
): Promise<number | null> {
  const [first] = lifts;
  const old = first!.contract_id ? await unit.read('contract', first!.contract_id) : null;
  const [customer] = await unit.query<{ account_manager_id: number | null; branch_id: number }>(
    'select account_manager_id, branch_id from {customer_dtl} where id = $1',
    [first!.customer_id],
  );
  const seller = old?.sales_person_id ?? customer!.account_manager_id ?? unit.session.employeeId;
  if (typeof seller !== 'number') return null;
  const services = await unit.query<{ id: number; service_id: number }>(
    'select id, service_id from {amc_type_mstr} where id = any($1::bigint[])',
    [lifts.map(({ amc_type_id: id }) => id)],
  );
  const serviceOf = new Map(services.map((one) => [one.id, one.service_id]));
  const count = lifts.length === 1 ? 'one lift' : `${lifts.length} lifts`;
  const starts = lifts
    .map(({ starts_on: on }) => on)
    .toSorted()
    .at(-1)!;
  const made = await unit.create('quotation', {
    quotation_kind: kind,
    customer_id: first!.customer_id,
    building_id: first!.building_id,
    branch_id: old?.branch_id ?? customer!.branch_id,
    sales_person_id: seller,
    subject:
      kind === 'renewal' ? `Renewal of the maintenance of ${count}` : `Maintenance of ${count} after the warranty`,
    quoted_on: day,
    valid_until: addDays(day, 30),
    start_on: starts,
    months,
    payment_type_id: old?.payment_type_id ?? null,
    previous_contract_id: kind === 'renewal' ? (old?.id ?? null) : null,
    lines: lifts.map((one) => ({
      option: 'A',
      lift_id: one.lift_id,
      amc_type_id: one.amc_type_id,
      service_id: serviceOf.get(one.amc_type_id),
      qty: '1',
      rate: one.new_rate,
    })),
  });
  return made.id;
}
