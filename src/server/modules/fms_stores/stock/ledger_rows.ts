import type { Decimal } from 'decimal.js';
import type { Unit } from '../../../engine/records/unit.ts';
import type { Condition } from './movement.ts';

/** One ledger entry before it is stored. */
export interface Leg {
  item: number;
  condition: Condition;
  /** Null for a revaluation. */
  point: number | null;
  batch: number | null;
  serial: number | null;
  bin: number | null;
  /** Signed. */
  qty: Decimal;
  kind: 'in' | 'out' | 'move' | 'revalue';
  fixed: boolean;
  valued: boolean;
  line: number | null;
  reason: string | null;
  /** The position of its movement in the posting. */
  movement: number;
  /** The entry that it reverses. */
  reverses?: number;
}

/** An adjustment of an existing entry, at the moment of that entry. */
export interface Adjustment {
  id: number;
  difference: Decimal;
}

/** Stores the entries of a posting, followed by the adjustments of later entries. */
export async function insertLegs(
  unit: Unit,
  move: number,
  at: string,
  legs: readonly Leg[],
  deltas: readonly Decimal[],
  adjustments: readonly Adjustment[],
): Promise<void> {
  const recorded = unit.now.toISOString();
  const by = unit.session.userId || null;
  await unit.query(
    `insert into {stock_ledger} (entity_id, move_id, item_id, condition, stock_point_id, batch_id, serial_id, bin_id, qty, kind, value_delta,
       value_fixed, valued, posting_at, recorded_at, line_id, reason, reverses_id, created_by, updated_by)
     select $1, $2, x.item, x.condition, x.point, x.batch, x.serial, x.bin, x.qty, x.kind, x.value, x.fixed, x.valued, $3, greatest($4::timestamptz, $3::timestamptz), x.line, x.reason, x.reverses, $5, $5
     from unnest($6::bigint[], $7::text[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::numeric[], $13::text[], $14::numeric[], $15::boolean[], $16::boolean[], $17::bigint[], $18::text[], $19::bigint[])
       with ordinality x(item, condition, point, batch, serial, bin, qty, kind, value, fixed, valued, line, reason, reverses, place) order by x.place`,
    [
      unit.session.entityId,
      move,
      at,
      recorded,
      by,
      legs.map(({ item }) => item),
      legs.map(({ condition }) => condition),
      legs.map(({ point }) => point),
      legs.map(({ batch }) => batch),
      legs.map(({ serial }) => serial),
      legs.map(({ bin }) => bin),
      legs.map(({ qty }) => qty.toString()),
      legs.map(({ kind }) => kind),
      deltas.map((delta) => delta.toFixed(2)),
      legs.map(({ fixed }) => fixed),
      legs.map(({ valued }) => valued),
      legs.map(({ line }) => line),
      legs.map(({ reason }) => reason),
      legs.map(({ reverses }) => reverses ?? null),
    ],
  );
  if (adjustments.length === 0) return;
  await unit.query(
    `insert into {stock_ledger} (entity_id, move_id, item_id, condition, stock_point_id, batch_id, serial_id, bin_id, qty, kind, value_delta,
       value_fixed, valued, posting_at, recorded_at, line_id, adjusts_id, reason, created_by, updated_by)
     select l.entity_id, $1, l.item_id, l.condition, l.stock_point_id, l.batch_id, l.serial_id, l.bin_id, 0, l.kind, x.difference,
       l.value_fixed, l.valued, l.posting_at, $2, l.line_id, l.id, 'Dated back', $3, $3
     from unnest($4::bigint[], $5::numeric[]) x(id, difference) join {stock_ledger} l on l.id = x.id order by l.id`,
    [move, recorded, by, adjustments.map(({ id }) => id), adjustments.map(({ difference }) => difference.toFixed(2))],
  );
}
