import { billPlan } from '../../../domain/fms/bill_plan.ts';
import type { Payment, PlannedBill } from '../../../domain/fms/bill_plan.ts';
import type { Unit } from '../../engine/records/unit.ts';

type Row = Record<string, unknown>;

/** The planned bills of a contract line, with the service and the building that they are for. */
export interface PlannedLine {
  line: Row & { id: number };
  service_id: number | null;
  building_id: number | null;
  bills: PlannedBill[];
}

/** Contract lines that have ended, or whose plan came from the previous line. */
const isPlanned = (line: Row): boolean =>
  !['closed', 'moved', 'cancelled'].includes(String(line.line_status ?? 'active')) &&
  (line.moved_from_line_id ?? null) === null;

/** The instalments of each line of a contract by its payment type (C4); null: nothing is billed by a plan. */
export async function plannedLines(
  unit: Unit,
  contract: Readonly<Row>,
): Promise<{ billAs: string; lines: PlannedLine[] } | null> {
  if ((contract.payment_type_id ?? null) === null || contract.contract_kind === 'warranty') return null;
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
  return {
    billAs: payment!.bill_as,
    lines: lines.map((line) => {
      const prices = (line.year_prices ?? []) as { year_no: number; price: string }[];
      return {
        line,
        service_id: services.find((one) => one.id === line.amc_type_id)?.service_id ?? null,
        building_id:
          places.find((one) => one.id === line.lift_id)?.building_id ?? (contract.building_id as number | null),
        bills: billPlan(
          { start: String(contract.start_on), signed: (contract.signed_on as string | null) ?? null },
          { from_on: String(line.from_on ?? contract.start_on), to_on: String(line.to_on ?? contract.end_on) },
          (year) => prices.find(({ year_no: no }) => no === year)?.price ?? String(line.net),
          payment!,
        ),
      };
    }),
  };
}
