import { Exact } from '../../../../descriptor/exact.ts';
import type { Effect } from '../../../engine/modules.ts';
import type { Condition, Movement, Posted } from '../stock/movement.ts';
import { pointOfSite } from '../stock/points.ts';
import { post } from '../stock/posting.ts';

/**
 * Lent parts of a quotation that the customer buys leave the stock on loan. @throws AppError 409 if they were returned
 */
export const sellLent: Effect = {
  elevated: true,
  async apply({ unit, type, record }): Promise<Posted | null> {
    const sold = await unit.query<{ line: number; item: number; qty: string; store: number }>(
      `select q.id as line, q.item_id as item, q.qty::text as qty, m.from_stock_point_id as store
       from {mr_quotation.lines} q join {mr.lines} l on l.id = q.mr_line join {mr} m on m.id = l.parent_id
       where q.parent_id = $1 and l.cover = 'loan' and l.used_qty > coalesce(l.loan_back_qty, 0) order by q.id`,
      [record.id],
    );
    if (sold.length === 0) return null;
    const point = await pointOfSite(unit, 'on_loan', Number(sold[0]!.store));
    const items = sold.map(({ item }) => item);
    const places = await unit.query<{ item: number; condition: Condition; batch: number | null; qty: string }>(
      `select item_id as item, condition, batch_id as batch, on_hand::text as qty from {stock_balance}
       where entity_id = $1 and stock_point_id = $2 and item_id = any($3::bigint[]) and on_hand > 0 order by id`,
      [unit.session.entityId, point, items],
    );
    const serials = await unit.query<{ id: number; item: number; condition: string }>(
      `select id, item_id as item, condition from {stock_serial}
       where entity_id = $1 and stock_point_id = $2 and item_id = any($3::bigint[]) order by id`,
      [unit.session.entityId, point, items],
    );
    const movements: Movement[] = [];
    for (const { line, item, qty } of sold) {
      let left = new Exact(qty);
      for (const place of places.filter((one) => one.item === item)) {
        const part = left.lessThan(place.qty) ? left : new Exact(place.qty);
        if (part.isZero()) continue;
        const pieces = serials
          .filter((one) => one.item === item && one.condition === place.condition)
          .slice(0, part.toNumber());
        movements.push({
          item: Number(item),
          condition: place.condition,
          qty: part,
          from: point,
          to: null,
          batch: place.batch === null ? null : Number(place.batch),
          serials: pieces.map(({ id }) => Number(id)),
          line: Number(line),
          reason: 'Sold to the customer it was lent to',
        });
        left = left.minus(part);
        // Another line may sell the same item: only the rest is left for it.
        place.qty = new Exact(place.qty).minus(part).toString();
        for (const piece of pieces) serials.splice(serials.indexOf(piece), 1);
      }
      if (!left.isZero())
        unit.refuse([{ field: 'lines', message: 'The lent part is no longer on loan: it was returned.' }], 409);
    }
    return post(unit, {
      event: 'consumption',
      document: { type, id: record.id, no: (record.quotation_no as string | null) ?? null },
      key: `${type}/${record.id}/sold`,
      at: null,
      movements,
      leaves: { state: 'with_customer', lift: null },
    });
  },
};
