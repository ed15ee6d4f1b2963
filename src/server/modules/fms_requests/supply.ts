import { Exact } from '../../../descriptor/exact.ts';
import { supplyPlan } from '../../../domain/fms_stores/supply_plan.ts';
import type { SupplyPlan } from '../../../domain/fms_stores/supply_plan.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { dayOfAct } from './request_day.ts';
import { storesSetting } from './stores_setting.ts';

type Row = Record<string, unknown>;

/** The source of a line of a request. */
export interface PlannedLine extends SupplyPlan {
  line: number;
  item: number;
}

/** Stores that may supply another: the chain above it, then, if allowed, its siblings under the same GSTIN. */
async function suppliersOf(unit: Unit, store: number): Promise<number[]> {
  const { lateral_transfer: lateral } = await storesSetting(unit);
  const chain = await unit.query<{ id: number }>(
    `with recursive above as (
       select p.supply_from_id as id, 1 as depth from {stock_point} p where p.id = $1
       union all select p.supply_from_id, a.depth + 1 from above a join {stock_point} p on p.id = a.id where a.depth < 6
     ) select a.id from above a join {stock_point} p on p.id = a.id where p.active and not coalesce(p.frozen, false) order by a.depth`,
    [store],
  );
  const beside = lateral
    ? await unit.query<{ id: number }>(
        `select o.id from {stock_point} p join {stock_point} o on o.id = any(p.lateral_from) and o.active and not coalesce(o.frozen, false)
           join {storage_location} pl on pl.id = p.storage_location_id join {site_mstr} ps on ps.id = pl.site_id
           join {business_centre} pb on pb.id = ps.business_centre_id
           join {storage_location} ol on ol.id = o.storage_location_id join {site_mstr} os on os.id = ol.site_id
           join {business_centre} ob on ob.id = os.business_centre_id
         where p.id = $1 and ob.gstin is not distinct from pb.gstin order by o.code`,
        [store],
      )
    : [];
  return [...new Set([...chain, ...beside].map(({ id }) => Number(id)))].filter((id) => id !== store);
}

/** Available new items in stores (5.9), by store and item. */
async function freeAt(unit: Unit, stores: readonly number[], items: readonly number[]): Promise<Map<string, string>> {
  const rows = await unit.query<{ store: number; item: number; free: string }>(
    `select b.stock_point_id as store, b.item_id as item, sum(b.on_hand - b.reserved)::text as free
     from {stock_balance} b left join {stock_batch} t on t.id = b.batch_id
     where b.entity_id = $1 and b.condition = 'new' and b.stock_point_id = any($2::bigint[]) and b.item_id = any($3::bigint[])
       and not coalesce(t.blocked, false) and t.owner_customer_id is null group by 1, 2`,
    [unit.session.entityId, stores, items],
  );
  return new Map(rows.map(({ store, item, free }) => [`${store}/${item}`, free]));
}

/**
 * The supply plan of lines of a request (5.10); nothing is reserved. Stock assigned to one line is not available to the
 * next.
 */
export async function planOf(
  unit: Unit,
  request: Row,
  lines: readonly (Row & { id: number })[],
): Promise<PlannedLine[]> {
  const store = typeof request.from_stock_point_id === 'number' ? request.from_stock_point_id : null;
  const others = store === null ? [] : await suppliersOf(unit, store);
  const itemOf = (line: Row) => Number(line.approved_item_id ?? line.item_id ?? 0);
  const free = await freeAt(unit, store === null ? [] : [store, ...others], lines.map(itemOf));
  const take = (point: number, item: number, qty: string) => {
    const key = `${point}/${item}`;
    free.set(key, new Exact(free.get(key) ?? 0).minus(qty).toString());
  };
  return lines.map((line) => {
    const item = itemOf(line);
    const need = new Exact(String(line.approved_qty ?? line.qty ?? 0)).minus(String(line.issued_qty ?? 0));
    const plan = supplyPlan(
      need.toString(),
      store === null ? '0' : (free.get(`${store}/${item}`) ?? '0'),
      others.map((stockPoint) => ({ stockPoint, free: free.get(`${stockPoint}/${item}`) ?? '0' })),
    );
    if (store !== null) take(store, item, plan.reserve);
    for (const { from, qty } of plan.indents) take(from, item, qty);
    return { line: line.id, item, ...plan };
  });
}

/** One indent per supplying store, with its lines. */
export async function indentOthers(unit: Unit, request: Row, plans: readonly PlannedLine[]): Promise<void> {
  const uoms = new Map(
    (
      await unit.query<{ id: number; uom: number }>(
        'select id, stock_uom_id as uom from {item_mstr} where id = any($1::bigint[])',
        [plans.map(({ item }) => item)],
      )
    ).map(({ id, uom }) => [Number(id), uom]),
  );
  for (const from of new Set(plans.flatMap(({ indents }) => indents.map((one) => one.from))))
    await unit.elevated().create('mr_indent', {
      kind: 'mr',
      mr_no: request.mr_no ?? null,
      for_stock_point_id: request.from_stock_point_id,
      from_stock_point_id: from,
      needed_by: dayOfAct(unit, request, typeof request.needed_by === 'string' ? new Date(request.needed_by) : unit.at),
      lines: plans.flatMap(({ line, item, indents }) =>
        indents
          .filter((one) => one.from === from)
          .map(({ qty }) => ({
            item_id: item,
            condition: 'new',
            qty,
            uom_id: uoms.get(item),
            mr_id: request.id,
            mr_line_id: line,
          })),
      ),
    });
}
