import type { Decimal } from 'decimal.js';
import { Exact } from '../../../../descriptor/exact.ts';
import { BelowZero } from '../../../../domain/fms_stores/moving_average.ts';
import { replay } from '../../../../domain/fms_stores/replay.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { lockBalances, lockBins, lockValues, writeBalances, writeBins, writeValues } from './balances.ts';
import { leastFrom } from './later_balance.ts';
import type { Adjustment, Leg } from './ledger_rows.ts';
import { insertLegs } from './ledger_rows.ts';
import { plainQuantity, stockItems, stockPoints } from './lookups.ts';
import type { Condition } from './movement.ts';
import { closedUntil, dayOfMoment, lockMonths } from './posting_time.ts';
import { entriesFrom, stateBefore, valueEntries } from './valuation.ts';

interface Stored {
  id: number;
  item_id: number;
  condition: Condition;
  stock_point_id: number | null;
  batch_id: number | null;
  serial_id: number | null;
  bin_id: number | null;
  qty: string;
  kind: Leg['kind'];
  value: string;
  value_fixed: boolean;
  valued: boolean;
  line_id: number | null;
  posting_at: string;
}

/**
 * Reverses a posting (5.6). In an open month the entries and their reversals have the same moment and are left out of
 * the replay; in a closed month the reversal is dated today, and the stock returns at its issued value.
 * @throws AppError 409 if the posted stock has been used since
 */
export async function reverseMove(unit: Unit, move: number): Promise<number> {
  await lockMonths(unit, 'post');
  const rows = await unit.query<Stored>(
    `select l.id, l.item_id, l.condition, l.stock_point_id, l.batch_id, l.serial_id, l.bin_id, l.qty, l.kind, l.value_fixed, l.valued, l.line_id,
       (l.value_delta + coalesce((select sum(a.value_delta) from {stock_ledger} a where a.adjusts_id = l.id), 0))::text as value,
       to_char(l.posting_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as posting_at
     from {stock_ledger} l where l.move_id = $1 and l.entity_id = $2 and l.adjusts_id is null order by l.id`,
    [move, unit.session.entityId],
  );
  if (rows.length === 0) return move;
  const posted = rows[0]!.posting_at;
  const closed = await closedUntil(unit);
  const isOpen = closed === null || dayOfMoment(unit, new Date(posted)) > closed;
  const [reversal] = await unit.query<{ id: number; event: string }>(
    `insert into {stock_move} (entity_id, posting_key, document_type, document_id, document_no, event, posting_at, recorded_at, reverses_id, created_by, updated_by)
     select entity_id, 'reverse ' || id, document_type, document_id, document_no, event, $3, $3, id, $4, $4 from {stock_move} where id = $1 and entity_id = $2
     on conflict (entity_id, lower(posting_key)) do nothing returning id, event`,
    [move, unit.session.entityId, isOpen ? posted : unit.now.toISOString(), unit.session.userId || null],
  );
  if (!reversal) unit.refuse([{ field: '', message: 'This posting has already been reversed.' }], 409);
  const legs: Leg[] = rows.map((row) => ({
    item: Number(row.item_id),
    condition: row.condition,
    point: row.stock_point_id,
    batch: row.batch_id,
    serial: row.serial_id,
    bin: row.bin_id,
    qty: new Exact(row.qty).negated(),
    kind: row.kind === 'in' ? 'out' : row.kind === 'out' ? 'in' : row.kind,
    fixed: row.kind === 'in',
    valued: row.valued,
    line: row.line_id,
    reason: 'Reversal',
    movement: 0,
    ...(isOpen && { reverses: Number(row.id) }),
  }));
  const stocked = legs.filter(({ point }) => point !== null);
  const keyOf = ({ item, condition, point, batch }: Leg) => ({ item, condition, point: point!, batch });
  const values = await lockValues(
    unit,
    legs.filter(({ kind, valued }) => valued && kind !== 'move'),
  );
  const balances = await lockBalances(unit, stocked.map(keyOf));
  const bins = await lockBins(unit, stocked);
  const at = isOpen ? posted : await unit.stamp();
  await refuseUsed(unit, legs, balances, { since: isOpen ? posted : null, event: reversal!.event });
  for (const leg of stocked) {
    const balance = balances.of(keyOf(leg));
    balance.onHand = balance.onHand.plus(leg.qty);
  }
  bins.apply(unit, stocked);

  const deltas: Decimal[] = rows.map(({ value }) => new Exact(value).negated());
  const adjustments: Adjustment[] = [];
  const ids = rows.map(({ id }) => Number(id));
  try {
    for (const locked of values.values()) {
      const own = legs.flatMap((leg, index) =>
        leg.valued && leg.kind !== 'move' && leg.item === locked.item && leg.condition === locked.condition
          ? [index]
          : [],
      );
      if (isOpen) {
        // Entry and reversal are left out of the replay, so later entries are valued as if neither existed.
        const before = await stateBefore(unit, locked, at, false);
        const later = await entriesFrom(unit, locked, at, true, ids);
        const pairsAt = await pairsFrom(unit, locked, at, ids);
        const found = replay(before, later, locked.lastRate);
        adjustments.push(...found.adjusted);
        locked.qty = found.end.qty.plus(pairsAt.qty);
        locked.value = found.end.value.plus(pairsAt.value);
      } else {
        const found = await valueEntries(
          unit,
          locked,
          own.map((index) => ({
            index,
            kind: legs[index]!.kind as 'in' | 'out' | 'revalue',
            qty: legs[index]!.qty.abs(),
            value: legs[index]!.kind === 'revalue' ? deltas[index]! : deltas[index]!.abs(),
            fixed: legs[index]!.fixed,
          })),
          at,
          false,
        );
        own.forEach((index, one) => (deltas[index] = found.added[one]!));
        adjustments.push(...found.adjustments);
      }
    }
  } catch (error) {
    if (error instanceof BelowZero)
      await refuseUsedBy(unit, legs.find(({ qty }) => qty.isNegative()) ?? legs[0]!, new Exact(0), reversal!.event);
    throw error;
  }
  await insertLegs(unit, Number(reversal!.id), at, legs, deltas, adjustments);
  await writeBalances(unit, balances, unit.now.toISOString());
  await writeBins(unit, bins);
  await writeValues(unit, values);
  await takeSerialsBack(unit, legs);
  return Number(reversal!.id);
}

/**
 * The net value of entry and reversal pairs from a moment on: zero, unless rounding of a closed month is among them.
 */
async function pairsFrom(
  unit: Unit,
  { item, condition }: { item: number; condition: Condition },
  at: string,
  without: readonly number[],
): Promise<{ qty: Decimal; value: Decimal }> {
  const [row] = await unit.query<{ qty: string; value: string }>(
    `with pair as (
       select l.id from {stock_ledger} l where l.entity_id = $1 and l.item_id = $2 and l.condition = $3 and l.valued and l.posting_at >= $4
         and l.kind <> 'move' and not (l.id = any($5::bigint[]))
         and (l.reverses_id is not null or exists (select 1 from {stock_ledger} r where r.reverses_id = l.id))
     )
     select coalesce(sum(l.qty), 0) as qty, coalesce(sum(l.value_delta), 0) as value from {stock_ledger} l
     where l.id in (select id from pair) or l.adjusts_id in (select id from pair)`,
    [unit.session.entityId, item, condition, at, without],
  );
  return { qty: new Exact(row!.qty), value: new Exact(row!.value) };
}

/** Events by which goods come from a vendor, or are the first stock. */
const RECEIVED = ['receipt', 'opening'];

/** Received stock that is reversed must be available now and at every moment since. */
async function refuseUsed(
  unit: Unit,
  legs: readonly Leg[],
  balances: {
    of(key: { item: number; condition: Condition; point: number; batch: number | null }): {
      onHand: Decimal;
      reserved: Decimal;
    };
  },
  { since, event }: { since: string | null; event: string },
): Promise<void> {
  const takes = legs.filter(({ point, qty }) => point !== null && qty.isNegative());
  for (const same of Map.groupBy(
    takes,
    ({ item, condition, point, batch }) => `${item} ${condition} ${point} ${batch ?? ''}`,
  ).values()) {
    const [leg] = same as [Leg];
    const out = same.reduce((sum, { qty }) => sum.minus(qty), new Exact(0));
    const { onHand, reserved } = balances.of({
      item: leg.item,
      condition: leg.condition,
      point: leg.point!,
      batch: leg.batch,
    });
    const later = since === null ? null : new Exact((await leastFrom(unit, leg, since)).least);
    const left = later && later.lessThan(onHand.minus(reserved)) ? later : onHand.minus(reserved);
    if (left.lessThan(out)) await refuseUsedBy(unit, { ...leg, qty: out.negated() }, left, event);
  }
}

async function refuseUsedBy(unit: Unit, leg: Leg, left: Decimal, event: string): Promise<never> {
  const item = (await stockItems(unit, [leg.item])).get(leg.item);
  const point = leg.point === null ? undefined : (await stockPoints(unit, [leg.point])).get(leg.point);
  const all = leg.qty.abs();
  const rest = left.isNegative() ? new Exact(0) : left;
  const back = !RECEIVED.includes(event)
    ? 'Reverse what was done with them first'
    : rest.isZero()
      ? 'Correct the price'
      : `Return ${plainQuantity(rest)} to the vendor, or correct the price`;
  unit.refuse(
    [
      {
        field: '',
        message: `${plainQuantity(all.minus(rest))} of ${plainQuantity(all)} were used${item ? ` (${item.item_code}${point ? ` at ${point.code}` : ''})` : ''}. ${back}.`,
      },
    ],
    409,
  );
}

/** Restores the previous places of the serial numbers. */
async function takeSerialsBack(unit: Unit, legs: readonly Leg[]): Promise<void> {
  const serials = [...new Set(legs.flatMap(({ serial }) => serial ?? []))];
  if (serials.length === 0) return;
  const rows = serials.map((id) => {
    const back = legs.find(({ serial, qty }) => serial === id && qty.isPositive());
    return { id, point: back?.point ?? null, condition: back?.condition ?? null };
  });
  await unit.query(
    `update {stock_serial} s set stock_point_id = x.point, condition = coalesce(x.condition, s.condition), lift_id = null, fitted_on = null, updated_at = now(),
       state = case when p.kind is null then 'scrapped' when p.kind = 'transit' then 'in_transit' when p.kind = 'technician' then 'with_technician'
         when p.kind = 'repairer' then 'at_vendor' when p.kind = 'scrap' then 'scrapped' when x.condition = 'faulty' then 'returned_faulty' else 'in_stock' end
     from unnest($1::bigint[], $2::bigint[], $3::text[]) x(id, point, condition) left join {stock_point} p on p.id = x.point where s.id = x.id`,
    [rows.map(({ id }) => id), rows.map(({ point }) => point), rows.map(({ condition }) => condition)],
  );
}
