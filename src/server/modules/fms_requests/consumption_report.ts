import type { ReportRow } from '../../../domain/report.ts';
import { percentOf } from '../../../domain/fms_stores/request_stages.ts';
import { SqlParams } from '../../db/sql_text.ts';
import { MAX_ROWS } from '../../engine/reports/report_source.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';
import { rowsOf } from '../../engine/reports/statement_rows.ts';

/** Bars of the chart: more are hard to tell apart. */
const MAX_BARS = 20;

/** The columns by which the reader narrows the report. */
const CHOICES: Readonly<Record<string, string>> = {
  branch_id: 'm.branch_id',
  customer_id: 'm.customer_id',
  lift_id: 'm.lift_id',
  root_cause_id: 'm.root_cause_id',
  spare_group_id: 'i.spare_group_id',
  lift_make_id: 'f.lift_make_id',
  contract_id: 'k.contract_id',
};

interface Used extends ReportRow {
  lift_id__label: string;
  cost: string;
  amc_value: string | null;
}

/** The parts used in each lift, free and charged, with their cost beside the yearly price of its last contract (5.17). */
export const consumptionReport: ReportSource = {
  reads: {
    mr_consumption: ['lines', 'posted_on'],
    item_mstr: ['spare_group_id'],
    lift: ['lift_make_id'],
    lift_make_mstr: [],
    customer_dtl: [],
    contract: [],
    contract_line: ['net'],
  },
  async rows(call) {
    const { session, parameters, scoped } = call;
    const values = new SqlParams();
    const [from, to] = [values.bind(parameters.from), values.bind(parameters.to)];
    const where = [
      ...scoped('mr_consumption', 'm', values),
      'm.active',
      `m.entity_id = ${values.bind(session.entityId)}`,
      `m.state in ('posted', 'verified')`,
      `m.posted_on between ${from}::date and ${to}::date`,
      ...Object.entries(CHOICES).flatMap(([name, column]) =>
        (parameters[name] ?? null) === null ? [] : [`${column} = ${values.bind(parameters[name])}`],
      ),
    ];
    const rows = await rowsOf<Used>(
      call,
      `select m.customer_id, d.name as customer_id__label, m.lift_id, concat_ws(' ', f.lift_no, f.position_name) as lift_id__label,
         f.lift_make_id, a.name as lift_make_id__label, k.contract_id, k.contract_no as contract_id__label, k.net::text as amc_value,
         count(distinct m.id)::int as uses, coalesce(sum(l.qty) filter (where l.cover is distinct from 'chargeable'), 0)::text as free_parts,
         coalesce(sum(l.qty) filter (where l.cover = 'chargeable'), 0)::text as charged_parts,
         coalesce(sum(l.cost), 0)::text as cost, coalesce(sum(l.price), 0)::text as price, (coalesce(sum(l.cost), 0) - coalesce(sum(l.price), 0))::text as free
       from {mr_consumption} m join {mr_consumption.lines} l on l.parent_id = m.id join {item_mstr} i on i.id = l.item_id
       join {lift} f on f.id = m.lift_id left join {lift_make_mstr} a on a.id = f.lift_make_id left join {customer_dtl} d on d.id = m.customer_id
       left join lateral (
         select c.id as contract_id, c.contract_no, x.net from {contract_line} x join {contract} c on c.id = x.contract_id
         where x.lift_id = m.lift_id and x.active and c.active and x.cover_kind <> 'warranty' and x.line_status not in ('draft', 'cancelled')
           and x.from_on <= ${to}::date order by coalesce(x.closes_on, x.to_on) desc, x.id desc limit 1) k on true
       where ${where.join(' and ')}
       group by m.customer_id, d.name, m.lift_id, f.lift_no, f.position_name, f.lift_make_id, a.name, k.contract_id, k.contract_no, k.net
       order by sum(l.cost) desc nulls last, f.lift_no limit ${MAX_ROWS + 1}`,
      values,
    );
    const shown = rows.map((row) => ({
      ...row,
      ratio: row.amc_value === null ? null : percentOf(row.cost, row.amc_value),
    }));
    const worst = shown
      .filter(({ ratio }) => ratio !== null)
      .toSorted((one, other) => Number(other.ratio) - Number(one.ratio))
      .slice(0, MAX_BARS);
    const isOpen = session.rights.refuseAction('STOCK_VALUE_VIEW') === null;
    return {
      rows: shown,
      ...(isOpen
        ? {
            chart: {
              x: worst.map((row) => row.lift_id__label),
              series: [
                { title: 'Cost of parts in % of the contract price', values: worst.map(({ ratio }) => Number(ratio)) },
              ],
            },
          }
        : { without: ['cost', 'free', 'ratio'], chart: { x: [], series: [] } }),
    };
  },
};
