import type { Unit } from '../../engine/records/unit.ts';

/** Lines of a request are ready for collection: its technician is notified at once (fms_stores.md 6). */
export async function notifyReady(unit: Unit, request: number, lines: readonly number[]): Promise<void> {
  if (lines.length === 0) return;
  const [found] = await unit.query<{ no: string | null; store: string | null; parts: string; account: number }>(
    `select m.mr_no as no, p.name as store, u.id as account,
       string_agg(coalesce(i.name, l.description, 'a part'), ', ' order by l.id) as parts
     from {mr} m join {mr.lines} l on l.parent_id = m.id left join {item_mstr} i on i.id = coalesce(l.approved_item_id, l.item_id)
       left join {stock_point} p on p.id = m.from_stock_point_id
       join {users} u on u.employee_id = m.technician_id and u.active and u.status = 'active'
     where m.id = $1 and l.id = any($2::bigint[]) group by m.mr_no, p.name, u.id order by u.id limit 1`,
    [request, [...lines]],
  );
  if (!found) return;
  await unit.notify({
    event: 'stores.part_ready',
    to: [Number(found.account)],
    entityId: unit.session.entityId,
    link: `/mr_landing/view?id=${request}`,
    record: { type: 'mr', id: request },
    values: { request: found.no ?? String(request), store: found.store ?? 'the store', parts: found.parts },
  });
}
