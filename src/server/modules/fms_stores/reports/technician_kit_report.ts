import type { ReportRow } from '../../../../domain/report.ts';
import { SqlParams } from '../../../db/sql_text.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { MAX_ROWS } from '../../../engine/reports/report_source.ts';
import { rowsOf } from '../../../engine/reports/statement_rows.ts';
import { placeOf } from '../../../services/clock/client_day.ts';
import { pointConditions, seesValue, valuesIn } from './stock_tables.ts';

/** Technicians' kits: pieces, value against the limit, oldest pieces, and old parts due. */
const technicianKitReport: ReportSource = {
  reads: {
    stock_point: [],
    stock_balance: ['on_hand'],
    stock_value: ['value'],
    mr_return_due: [],
    mr_issue: [],
    employee: [],
    item_mstr: [],
  },
  async rows(call) {
    const { session, parameters, today } = call;
    const values = new SqlParams();
    const company = values.bind(session.entityId);
    const day = values.bind(today);
    const zone = values.bind(placeOf(session).timezone);
    const technician = parameters.technician_id ?? null;
    const where = [
      ...pointConditions(call, 'p', values),
      ...(technician === null ? [] : [`p.employee_id = ${values.bind(technician)}`]),
    ];
    const worth = seesValue(call)
      ? ', s.value::text as value, p.value_limit::text as value_limit, (s.value > p.value_limit) as over'
      : '';
    return {
      ...valuesIn(call, 'value'),
      rows: await rowsOf<ReportRow>(
        call,
        `select p.id as stock_point_id, p.code as stock_point_id__label, p.employee_id as technician_id, e.name as technician_id__label,
           coalesce(s.items, 0)::int as items, case when s.items = 0 then '0' else s.qty::text end as qty, (s.oldest at time zone ${zone})::date::text as oldest,
           (select count(*)::int from {mr_return_due} d where d.technician_id = p.employee_id and d.entity_id = ${company}
              and d.state in ('due', 'handed_over') and d.due_on < ${day}::date) as overdue,
           (select count(*)::int from {mr_issue} q where q.technician_id = p.employee_id and q.state = 'issued') as unsigned${worth}
         from {stock_point} p left join {employee} e on e.id = p.employee_id
         left join lateral (
           select count(distinct b.item_id) as items, case when count(distinct i.stock_uom_id) = 1 then sum(b.on_hand) end as qty, min(b.last_moved_at) as oldest,
             round(sum(b.on_hand * v.value / nullif(v.qty, 0)), 2) as value
           from {stock_balance} b join {item_mstr} i on i.id = b.item_id left join {stock_value} v on v.entity_id = b.entity_id and v.item_id = b.item_id and v.condition = b.condition
           where b.stock_point_id = p.id and b.on_hand > 0) s on true
         where p.entity_id = ${company} and p.active and p.kind = 'technician'${where.map((one) => ` and ${one}`).join('')}
         order by p.code limit ${MAX_ROWS + 1}`,
        values,
      ),
    };
  },
};

export default technicianKitReport;
