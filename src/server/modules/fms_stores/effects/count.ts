import { Exact } from '../../../../descriptor/exact.ts';
import { countVariance } from '../../../../domain/fms_stores/count_variance.ts';
import type { Effect } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { lineChanges } from '../stock/line_changes.ts';
import { storesSetting } from '../stock/lookups.ts';
import type { Condition } from '../stock/movement.ts';
import { post } from '../stock/posting.ts';
import { freeBeyond } from '../stock/reservations.ts';
import { stockAsOf } from '../stock/stock_as_of.ts';

type Row = Record<string, unknown>;

const keyOf = (row: Row): string => `${String(row.item_id)} ${String(row.condition)} ${String(row.batch_id ?? '')}`;

/** Makes the count sheet: the book quantities of the stock point within the scope. */
export const countSheet: Effect = {
  elevated: true,
  async apply({ unit, record }): Promise<void> {
    const scope = String(record.scope);
    const chosen = scope === 'items' ? ((record.item_ids ?? []) as number[]) : [];
    if (scope === 'items' && chosen.length === 0)
      unit.refuse([{ field: 'item_ids', message: 'Choose the items to count.' }]);
    if (scope === 'full') await unit.elevated().update('stock_point', Number(record.stock_point_id), { frozen: true });
    const book = await stockAsOf(unit, Number(record.stock_point_id), unit.now.toISOString());
    const classes = scope === 'abc' ? await itemsOfClass(unit, String(record.abc)) : null;
    const wanted = book.filter(({ item }) =>
      classes ? classes.has(item) : chosen.length === 0 || chosen.includes(item),
    );
    const missing = chosen.filter((id) => !wanted.some(({ item }) => item === id));
    await unit.elevated().update('stock_count', record.id, {
      lines: {
        add: [
          ...wanted.map(({ item, condition, batch, qty }) => ({
            item_id: item,
            condition,
            batch_id: batch,
            book_qty: qty,
          })),
          ...missing.map((id) => ({ item_id: id, condition: 'new', book_qty: '0' })),
        ],
      },
    });
  },
};

async function itemsOfClass(unit: Unit, abc: string): Promise<Set<number>> {
  const rows = await unit.query<{ id: number }>('select id from {item_mstr} where abc = $1', [abc]);
  return new Set(rows.map(({ id }) => Number(id)));
}

/** Compares a count with the book at the time of the count, and lists the items to count again (5.15). */
export const countedVariance: Effect = {
  elevated: true,
  async apply({ unit, record }): Promise<void> {
    const point = Number(record.stock_point_id);
    const at = String(record.counted_at);
    if (Date.parse(at) > unit.now.getTime() + 60_000)
      unit.refuse([{ field: 'counted_at', message: 'A movement cannot be dated in the future.' }]);
    const book = new Map(
      (await stockAsOf(unit, point, at)).map((one) => [
        keyOf({ item_id: one.item, condition: one.condition, batch_id: one.batch }),
        one.qty,
      ]),
    );
    const setting = await storesSetting(unit);
    const lines = record.lines as Row[];
    const rates = await unit.query<{ item: number; condition: string; qty: string; value: string }>(
      'select item_id as item, condition, qty, value from {stock_value} where entity_id = $1 and item_id = any($2::bigint[]) and qty > 0',
      [unit.session.entityId, lines.map(({ item_id: id }) => id)],
    );
    const next = lines.map((line) => {
      const qty = book.get(keyOf(line)) ?? '0';
      const known = rates.find((one) => one.item === line.item_id && one.condition === line.condition);
      const bookValue = known ? new Exact(known.value).times(qty).dividedBy(known.qty).toFixed(2) : '0.00';
      const found = countVariance(qty, String(line.final_count ?? 0), bookValue, {
        percent: setting.count_tolerance_percent,
        value: setting.count_tolerance_value,
      });
      return {
        ...line,
        book_qty: qty,
        book_value: bookValue,
        variance: found.variance,
        variance_value: found.value,
        outside: found.isOutside,
      };
    });
    await unit.elevated().update('stock_count', record.id, {
      lines: lineChanges(next, 'book_qty', 'book_value', 'variance', 'variance_value', 'outside'),
      difference_value: next.reduce((sum, { variance_value: value }) => sum.plus(value), new Exact(0)).toFixed(2),
    });
  },
};

/** The end of a full count that was begun: movements are possible again. */
async function thaw(unit: Unit, record: Row): Promise<void> {
  if (record.scope === 'full' && record.count_no !== null)
    await unit.elevated().update('stock_point', Number(record.stock_point_id), { frozen: false });
}

/** A cancelled count no longer stops movements. */
export const endCount: Effect = {
  elevated: true,
  async apply({ unit, record }): Promise<void> {
    await thaw(unit, record);
  },
};

/** Posts the differences at the time of the count, so that later movements remain correct (5.15). */
export const postCount: Effect = {
  elevated: true,
  async apply({ unit, type, record }): Promise<unknown> {
    const point = Number(record.stock_point_id);
    await thaw(unit, record);
    const differing = (record.lines as Row[]).filter(({ variance }) => Number(variance ?? 0) !== 0);
    if (differing.length === 0) return null;
    // Reservations beyond the counted quantity are released first, the latest ones.
    const less = differing.filter(({ variance }) => Number(variance) < 0);
    const balances = await unit.query<{ key: string; on_hand: string }>(
      `select concat_ws(' ', item_id, condition, coalesce(batch_id::text, '')) as key, on_hand::text from {stock_balance}
       where entity_id = $1 and stock_point_id = $2 and item_id = any($3::bigint[])`,
      [unit.session.entityId, point, less.map(({ item_id: id }) => id)],
    );
    const onHand = new Map(balances.map(({ key, on_hand: qty }) => [key, qty]));
    await freeBeyond(
      unit,
      less.map((line) => ({
        item: Number(line.item_id),
        condition: line.condition as Condition,
        point,
        batch: (line.batch_id as number | null) ?? null,
        onHand: new Exact(onHand.get(keyOf(line)) ?? 0).plus(String(line.variance)),
      })),
    );
    return post(unit, {
      event: 'count',
      document: { type, id: record.id, no: (record.count_no as string | null) ?? null },
      key: `stock_count/${record.id}`,
      at: String(record.counted_at),
      movements: differing.map((line) => {
        const isLess = Number(line.variance) < 0;
        return {
          item: Number(line.item_id),
          condition: line.condition as Condition,
          qty: new Exact(String(line.variance)).abs(),
          from: isLess ? point : null,
          to: isLess ? null : point,
          batch: (line.batch_id as number | null) ?? null,
          serials: [],
          line: Number(line.id),
          reason: (line.reason as string | null) ?? null,
        };
      }),
    });
  },
};
