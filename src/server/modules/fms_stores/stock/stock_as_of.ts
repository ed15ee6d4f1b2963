import type { Unit } from '../../../engine/records/unit.ts';
import type { Condition } from './movement.ts';

/** Stock of a stock point at a moment by the ledger, without zero balances. */
export function stockAsOf(
  unit: Unit,
  point: number,
  at: string,
): Promise<{ item: number; condition: Condition; batch: number | null; qty: string }[]> {
  return unit.query(
    `select item_id as item, condition, batch_id as batch, sum(qty)::text as qty from {stock_ledger}
     where entity_id = $1 and stock_point_id = $2 and posting_at <= $3 group by item_id, condition, batch_id having sum(qty) <> 0
     order by item_id, condition, batch_id`,
    [unit.session.entityId, point, at],
  );
}
