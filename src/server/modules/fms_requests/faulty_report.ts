import { percentOf } from '../../../domain/fms_stores/request_stages.ts';
import type { ReportRow } from '../../../domain/report.ts';
import { SqlParams } from '../../db/sql_text.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';
import { rowsOf } from '../../engine/reports/statement_rows.ts';
import { placeOf } from '../../services/clock/client_day.ts';

interface Counted extends ReportRow {
  repaired: number;
  scrapped: number;
}

/**
 * Faulty parts by technician: those that are due, by the days since they were taken out, what came of the others, and what
 * repairs saved against the average cost of new parts.
 */
export const faultyReport: ReportSource = {
  reads: {
    mr_return_due: ['technician_id', 'due_on'],
    mr_receipt: ['lines'],
    employee: [],
    stock_value: ['value'],
  },
  async rows(call) {
    const { session, parameters, scoped, today } = call;
    const values = new SqlParams();
    const company = values.bind(session.entityId);
    const day = `${values.bind(today)}::date`;
    const made = `(d.created_at at time zone ${values.bind(placeOf(session).timezone)})::date`;
    const span = `between ${values.bind(parameters.from)}::date and ${values.bind(parameters.to)}::date`;
    const chosen = (column: string, value: unknown) =>
      (value ?? null) === null ? '' : ` and ${column} = ${values.bind(value)}`;
    const who = chosen('technician_id', parameters.technician_id);
    const disposition = parameters.disposition ?? null;
    const received =
      disposition === null
        ? ''
        : ` and exists (select 1 from {mr_receipt.lines} n where n.return_due_id = d.id and n.disposition = ${values.bind(disposition)})`;
    const dues = [...scoped('mr_return_due', 'd', values), 'd.active', `d.entity_id = ${company}`].join(' and ');
    const rows = await rowsOf<Counted>(
      call,
      `with dues as (
         select d.technician_id, d.state, d.qty - d.received_qty as open, d.qty, d.received_qty, d.recovered_amount, d.due_on, ${day} - ${made} as age
         from {mr_return_due} d where ${dues} and ${made} ${span}${who}${chosen('d.branch_id', parameters.branch_id)}${received} and d.state <> 'cancelled'),
       ends as (
         select r.technician_id, l.disposition, l.line_end, l.qty, coalesce(l.repair_charge, 0) + coalesce(l.repair_freight, 0) as paid,
           l.qty * (select v.value / nullif(v.qty, 0) from {stock_value} v where v.entity_id = r.entity_id and v.item_id = l.item_id and v.condition = 'new') as worth
         from {mr_receipt} r join {mr_receipt.lines} l on l.parent_id = r.id
         where r.active and r.entity_id = ${company} and r.state in ('received', 'inspected', 'closed') and l.kind = 'faulty' and r.receipt_date ${span}${who}${chosen('l.disposition', disposition)}
           and r.technician_id in (select technician_id from dues)),
       of_dues as (
         select technician_id, coalesce(sum(open) filter (where state in ('due', 'handed_over')), 0)::int as due,
           coalesce(sum(open) filter (where state in ('due', 'handed_over') and due_on < ${day}), 0)::int as overdue,
           coalesce(sum(open) filter (where state in ('due', 'handed_over') and age <= 7), 0)::int as week,
           coalesce(sum(open) filter (where state in ('due', 'handed_over') and age between 8 and 15), 0)::int as fortnight,
           coalesce(sum(open) filter (where state in ('due', 'handed_over') and age between 16 and 30), 0)::int as month,
           coalesce(sum(open) filter (where state in ('due', 'handed_over') and age > 30), 0)::int as older,
           coalesce(sum(received_qty), 0)::int as received, coalesce(sum(qty) filter (where state = 'waived'), 0)::int as waived,
           coalesce(sum(recovered_amount), 0)::text as recovered
         from dues group by 1),
       of_ends as (
         select technician_id, coalesce(sum(qty) filter (where line_end = 'under_repair'), 0)::int as under_repair,
           coalesce(sum(qty) filter (where disposition = 'repair' and line_end = 'restocked'), 0)::int as repaired,
           coalesce(sum(qty) filter (where line_end = 'claimed'), 0)::int as claimed, coalesce(sum(qty) filter (where line_end = 'scrapped'), 0)::int as scrapped,
           round(coalesce(sum(worth - paid) filter (where disposition = 'repair' and line_end = 'restocked'), 0), 2)::text as saved
         from ends group by 1)
       select o.*, e.name as technician_id__label, coalesce(x.under_repair, 0) as under_repair, coalesce(x.repaired, 0) as repaired,
         coalesce(x.claimed, 0) as claimed, coalesce(x.scrapped, 0) as scrapped, coalesce(x.saved, '0.00') as saved
       from of_dues o left join of_ends x on x.technician_id = o.technician_id left join {employee} e on e.id = o.technician_id
       order by o.overdue desc, o.due desc, e.name`,
      values,
    );
    const listOf = (technician: unknown) =>
      `/mr_receipt_status_landing?filter=${encodeURIComponent(
        JSON.stringify(['and', ['technician_id', 'eq', technician], ['state', 'in', ['due', 'handed_over']]]),
      )}`;
    return {
      rows: rows.map((row) => ({
        ...row,
        due__to: listOf(row.technician_id),
        yield: percentOf(row.repaired, row.repaired + row.scrapped),
      })),
      ...(session.rights.refuseAction('STOCK_VALUE_VIEW') !== null && { without: ['saved'] }),
    };
  },
};
