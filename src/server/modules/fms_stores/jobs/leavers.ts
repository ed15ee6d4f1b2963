import { quoted } from '../../../db/names.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import type { Concern } from './concern.ts';
import { areInUse } from './concern.ts';

const EVENT = 'stores.leaver_holds_parts';

/**
 * People who leave or have left and still hold parts, or owe old ones: for their manager, the keeper of their kit, and HR.
 * `employee`: only this person.
 */
export async function leaversWithParts(
  unit: Unit,
  company: number | null,
  employee: number | null = null,
): Promise<Concern[]> {
  const dues = (await areInUse(unit, ['mr_return_due']))
    ? `(select coalesce(sum(d.qty - d.received_qty), 0)::int from {mr_return_due} d where d.entity_id = p.entity_id and d.technician_id = e.id and d.state in ('due', 'handed_over'))`
    : '0';
  const rows = await unit.query<{
    id: number;
    name: string;
    state: string;
    manager: number | null;
    keeper: number | null;
    items: number;
    dues: number;
  }>(
    `select * from (
       select e.id, e.name, e.status as state, e.reporting_to_id as manager, coalesce(s.keeper_id, p.keeper_id) as keeper,
         (select count(distinct b.item_id)::int from {stock_balance} b where b.stock_point_id = p.id and b.on_hand > 0) as items, ${dues} as dues
       from {stock_point} p join {employee} e on e.id = p.employee_id left join {stock_point} s on s.id = p.supply_from_id
       where p.entity_id = $1 and p.active and p.kind = 'technician' and e.status in ('on_notice', 'left') and ($2::bigint is null or e.id = $2)) x
     where items > 0 or dues > 0 order by id`,
    [company, employee],
  );
  if (rows.length === 0) return [];
  const hr = await unit.query<{ id: number }>(
    `select distinct u.id from {users} u join {users.companies} c on c.parent_id = u.id join {role} r on r.id = any(c.role_ids)
     where u.active and c.entity_id = $1 and r.template_code = 'HR'`,
    [company],
  );
  return rows.map(({ id, name, state, manager, keeper, items, dues: due }) => ({
    event: EVENT,
    link: `/reports/fms_stores/technician_kit?technician_id=${id}`,
    employees: [manager, keeper],
    users: hr.map((one) => Number(one.id)),
    values: {
      person: name,
      has: state === 'left' ? 'has left' : 'is leaving',
      items: String(items),
      dues: String(due),
    },
    groupKey: `leaver ${id} ${state}`,
  }));
}

/** Those of whom nobody has been notified since they resigned or left: who received parts afterwards, for example. */
export async function unnotifiedLeavers(unit: Unit, company: number | null): Promise<Concern[]> {
  const all = await leaversWithParts(unit, company);
  const sent = await unit.query<{ key: string }>(
    `select distinct group_key as key from ${quoted(unit.session.tenant.schema)}.notification where event_code = $1 and group_key = any($2::text[])`,
    [EVENT, all.map(({ groupKey }) => groupKey)],
  );
  return all.filter(({ groupKey }) => !sent.some(({ key }) => key === groupKey));
}
