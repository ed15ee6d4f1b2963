import type { Job } from '../../../engine/modules.ts';

/** Days between two counts of a technician's kit. */
const KIT_DAYS = 90;

interface Due {
  id: number;
  kind: string;
  items: number[];
}

/**
 * Every Monday, drafts a count sheet for each store of the items that are due by the cycle of their class, and for each
 * kit, unless a count is open there.
 */
export const countsDue: Job = {
  elevated: true,
  async run({ company, due, each }) {
    let made = 0;
    await each(
      (unit, after) =>
        unit.query<Due>(
          `select p.id, p.kind, array_agg(distinct i.id) as items
           from {stock_point} p join {stock_balance} b on b.stock_point_id = p.id and b.on_hand > 0 join {item_mstr} i on i.id = b.item_id
             join {item_class} c on c.id = i.item_class_id
           where p.entity_id = $1 and p.active and p.kind in ('store', 'technician') and p.id > $3
             and not exists (select 1 from {stock_count} n where n.stock_point_id = p.id and n.active and n.state not in ('posted', 'cancelled'))
             and coalesce(
               (select max(n.counted_at) from {stock_count} n join {stock_count.lines} l on l.parent_id = n.id
                 where n.stock_point_id = p.id and n.state = 'posted' and l.item_id = i.id),
               (select min(g.posting_at) from {stock_ledger} g where g.stock_point_id = p.id and g.item_id = i.id))::date
               <= $2::date - case when p.kind = 'technician' then ${KIT_DAYS} when i.abc = 'A' then coalesce(c.count_a_days, 30)
                 when i.abc = 'B' then coalesce(c.count_b_days, 90) else coalesce(c.count_c_days, 180) end
           group by p.id, p.kind order by p.id limit 20`,
          [company, due.slice(0, 10), after ?? 0],
        ),
      async (unit, points) => {
        for (const { id, kind, items } of points) {
          await unit.create('stock_count', {
            stock_point_id: id,
            ...(kind === 'technician' ? { scope: 'kit' } : { scope: 'items', item_ids: items }),
          });
          made++;
        }
        return points.at(-1)!.id;
      },
    );
    return `${made} count sheets drafted.`;
  },
};
