import { existingTables } from '../../../db/existing_tables.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import type { Leg } from './ledger_rows.ts';
import { indianDay } from './lookups.ts';
import type { Known } from './lookups.ts';
import type { Movement, Posting } from './movement.ts';
import { dayOfMoment, postingTime } from './posting_time.ts';

interface Count {
  id: number;
  no: string | null;
  at: string;
}

/** The first or the last posted count of a stock after a moment. */
async function countAfter(
  unit: Unit,
  of: { item: number; condition: string; point: number | null; batch: number | null },
  moment: string,
  which: 'first' | 'last',
): Promise<Count | null> {
  const [count] = await unit.query<Count>(
    `select c.id, c.count_no as no, to_char(c.counted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
     from {stock_count} c join {stock_count.lines} l on l.parent_id = c.id
     where c.entity_id = $1 and c.active and c.state = 'posted' and c.stock_point_id = $2 and c.counted_at > $3::timestamptz
       and l.item_id = $4 and l.condition = $5 and l.batch_id is not distinct from $6 order by c.counted_at ${which === 'last' ? 'desc' : 'asc'} limit 1`,
    [unit.session.entityId, of.point, moment, of.item, of.condition, of.batch],
  );
  return count ?? null;
}

async function areCounts(unit: Unit): Promise<boolean> {
  const { db, schema } = unit.session.tenant;
  return (await existingTables(db, schema)).has('stock_count');
}

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
  if (!(await areCounts(unit))) return;
  for (const leg of legs) {
    const count = await countAfter(unit, leg, at, 'last');
    if (!count) continue;
    const day = indianDay(dayOfMoment(unit, new Date(count.at)));
    const named = count.no === null ? '' : ` (${count.no})`;
    unit.refuse(
      [
        {
          field: 'lines',
          message: `${items.get(leg.item)!.item_code} at ${points.get(leg.point!)!.code} was counted on ${day}${named}. Use a moment after the count, or state that it was included in the count (for people with the right to adjust stock).`,
        },
      ],
      409,
    );
  }
}

/**
 * Postings that correct counts for a movement that was included in them (5.15): at the moment of the first count after
 * it, what came in goes out again, and what went out comes in. @throws AppError 403, 409
 */
export async function correctionsOfCounts(
  unit: Unit,
  posting: Posting,
  { items }: Known,
): Promise<{ before: Posting[]; after: Posting[] }> {
  const refusal = unit.session.rights.refuseAction('STOCK_ADJUST');
  if (refusal !== null)
    unit.refuse([
      {
        field: 'was_counted',
        message: 'Only people with the right to adjust stock state that something was included in a count.',
      },
    ]);
  const comesIn = posting.movements.every(({ from, revalues }) => from === null && !revalues);
  const at = await postingTime(unit, posting.at, '', comesIn);
  const corrections: { before: Posting[]; after: Posting[] } = { before: [], after: [] };
  if (at === null || !(await areCounts(unit))) return corrections;
  for (const movement of posting.movements) {
    if (movement.revalues) continue;
    for (const side of ['from', 'to'] as const) {
      const point = movement[side];
      if (point === null) continue;
      const { item, batch, qty, line } = movement;
      const condition = side === 'to' ? (movement.toCondition ?? movement.condition) : movement.condition;
      const count = await countAfter(unit, { item, condition, point, batch }, at, 'first');
      if (!count) continue;
      if (items.get(item)?.tracking === 'serial')
        unit.refuse(
          [
            {
              field: 'lines',
              message: `${items.get(item)!.item_code} has serial numbers, which are counted one by one. Use a moment after the count.`,
            },
          ],
          409,
        );
      const opposite: Movement = {
        item,
        condition,
        qty,
        batch,
        line,
        from: side === 'to' ? point : null,
        to: side === 'to' ? null : point,
        serials: [],
        reason: `Included in the count ${count.no ?? ''}`.trim(),
      };
      const list = side === 'to' ? corrections.after : corrections.before;
      list.push({
        event: 'count',
        document: posting.document,
        key: `${posting.key}/${side}/${list.length}`,
        at: count.at,
        movements: [opposite],
      });
    }
  }
  return corrections;
}
