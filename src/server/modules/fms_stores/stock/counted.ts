import { existingTables } from '../../../db/existing_tables.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import type { Leg } from './ledger_rows.ts';
import { indianDay } from './lookups.ts';
import type { Known } from './lookups.ts';
import { dayOfMoment } from './posting_time.ts';

/**
 * Refuses a movement dated before a posted count of the same stock: the counted quantity would no longer be what was
 * there (5.15). @throws AppError 409
 */
export async function refuseBeforeCount(
  unit: Unit,
  legs: readonly Leg[],
  at: string,
  { items, points }: Known,
): Promise<void> {
  const { db, schema } = unit.session.tenant;
  if (!(await existingTables(db, schema)).has('stock_count')) return;
  for (const { item, condition, point, batch } of legs) {
    const [count] = await unit.query<{ no: string | null; at: string }>(
      `select c.count_no as no, c.counted_at as at from {stock_count} c join {stock_count.lines} l on l.parent_id = c.id
       where c.entity_id = $1 and c.active and c.state = 'posted' and c.stock_point_id = $2 and c.counted_at > $3::timestamptz
         and l.item_id = $4 and l.condition = $5 and l.batch_id is not distinct from $6 order by c.counted_at desc limit 1`,
      [unit.session.entityId, point, at, item, condition, batch],
    );
    if (!count) continue;
    const day = indianDay(dayOfMoment(unit, new Date(count.at)));
    const named = count.no === null ? '' : ` (${count.no})`;
    unit.refuse(
      [
        {
          field: 'lines',
          message: `${items.get(item)!.item_code} at ${points.get(point!)!.code} was counted on ${day}${named}. Use a moment after the count, or adjust the stock.`,
        },
      ],
      409,
    );
  }
}
