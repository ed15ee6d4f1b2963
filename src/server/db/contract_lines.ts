import type { Queryable } from './database.ts';
import type { Move } from './move.ts';
import { quoted } from './names.ts';

/**
 * Migrates the lifts of contracts from rows to records, keeping their ids, so that the history still refers to them. A
 * line that overlaps with an earlier one of its lift stays a draft: no lift is covered twice on a day.
 */
export const contractLines: Move = {
  name: 'make the lifts of contracts lines of their own',
  type: 'contract',
  rows: 'lines',
  columns: ['lift_id', 'amc_type_id', 'rate'],
  into: 'contract_line',
  async run(on: Queryable, schema: string) {
    const s = quoted(schema);
    await on.query(
      `insert into ${s}.contract_line (id, entity_id, "position", contract_id, lift_id, building_id, cover_kind, amc_type_id, from_on, to_on, rate, discount, net,
         visits_per_year, line_status, closes_on, created_at, created_by, updated_at, updated_by)
       select l.id, c.entity_id, l."position", c.id, l.lift_id, f.building_id, c.contract_kind, l.amc_type_id, c.start_on, c.end_on, l.rate, l.discount, l.net,
         coalesce(h.visits_per_year, v.visits_per_year),
         case
           when c.status = 'cancelled' then 'cancelled'
           when c.status = 'expired' then 'closed'
           when c.status <> 'active' then 'draft'
           when exists (select 1 from ${s}.contract__lines o join ${s}.contract d on d.id = o.parent_id
             where o.lift_id = l.lift_id and d.status = 'active' and d.start_on <= c.end_on and d.end_on >= c.start_on
               and (d.start_on, o.id) < (c.start_on, l.id)) then 'draft'
           else 'active'
         end,
         case when c.status = 'expired' then c.end_on end,
         c.created_at, c.created_by, c.updated_at, c.updated_by
       from ${s}.contract__lines l join ${s}.contract c on c.id = l.parent_id join ${s}.lift f on f.id = l.lift_id
       join ${s}.amc_type_mstr t on t.id = l.amc_type_id
       left join ${s}.schedule_visit_mstr h on h.id = c.schedule_visit_id left join ${s}.schedule_visit_mstr v on v.id = t.schedule_visit_id`,
    );
    await on.query(
      `select setval(pg_get_serial_sequence($1, 'id'), greatest((select max(id) from ${s}.contract_line), 1))`,
      [`${s}.contract_line`],
    );
  },
};
