import { Exact } from '../../../../descriptor/exact.ts';
import type { Action } from '../../../engine/modules.ts';
import { ratiosOf } from '../stock/described_movements.ts';
import { plainQuantity, stockItems } from '../stock/lookups.ts';

type Row = Record<string, unknown>;

/**
 * Leaves out of an order what its store has: the free stock, and what is reserved there for the document from which the
 * order is created. Stock counts once, for the first line that needs it.
 */
export const leaveOutStock: Action = {
  async run({ unit, record, madeFrom }) {
    const point = record?.ship_to_stock_point_id;
    if (typeof point !== 'number')
      unit.refuse([{ field: 'ship_to_stock_point_id', message: 'Choose the place of delivery first.' }]);
    const lines = (record?.lines ?? []) as Row[];
    const ids = lines.flatMap(({ item_id: id }) => (typeof id === 'number' ? [id] : []));
    const there = new Map(
      (
        await unit.query<{ item: number; qty: string }>(
          `select item, sum(qty)::text as qty from (
             select b.item_id as item, b.on_hand - b.reserved as qty from {stock_balance} b left join {stock_batch} t on t.id = b.batch_id
             where b.entity_id = $1 and b.stock_point_id = $2 and b.condition = 'new' and b.item_id = any($3::bigint[])
               and not coalesce(t.blocked, false) and t.owner_customer_id is null
             union all
             select r.item_id, r.qty - r.consumed_qty from {stock_reservation} r
             where r.entity_id = $1 and r.stock_point_id = $2 and r.state = 'active' and r.item_id = any($3::bigint[])
               and r.document_type = $4 and r.document_id = $5
           ) s group by item`,
          [unit.session.entityId, point, ids, madeFrom?.type ?? '', madeFrom?.id ?? 0],
        )
      ).map(({ item, qty }) => [Number(item), new Exact(qty)]),
    );
    const ratioOf = await ratiosOf(unit, await stockItems(unit, ids));
    const kept = lines.flatMap((line) => {
      const item = Number(line.item_id);
      const ratio = ratioOf(item, Number(line.uom_id)) ?? { from_qty: '1', to_qty: '1' };
      const wanted = new Exact(String(line.qty ?? 0)).times(ratio.to_qty).dividedBy(ratio.from_qty);
      const has = there.get(item) ?? new Exact(0);
      const taken = has.lessThan(wanted) ? has : wanted;
      there.set(item, has.minus(taken));
      const missing = wanted.minus(taken).times(ratio.from_qty).dividedBy(ratio.to_qty);
      return missing.isPositive() && !missing.isZero() ? [{ ...line, qty: plainQuantity(missing) }] : [];
    });
    return {
      set: { lines: kept },
      done:
        kept.length === 0 ? 'The store has all of it: nothing is left to order.' : 'What the store has is left out.',
    };
  },
};
