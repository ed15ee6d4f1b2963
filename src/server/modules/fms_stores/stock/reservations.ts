import { Exact } from '../../../../descriptor/exact.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import type { BalanceKey, Balances } from './balances.ts';
import { lockBalances, writeBalances } from './balances.ts';
import { plainQuantity, stockItems, stockPoints, storesSetting } from './lookups.ts';
import type { Condition, Movement } from './movement.ts';
import { substitutesFree } from './posting_checks.ts';
import { dayOfMoment } from './posting_time.ts';

/** Stock reserved for a line of a document. */
export interface Wanted {
  document: { type: string; id: number; line: number };
  item: number;
  condition: Condition;
  point: number;
  batch: number | null;
  qty: InstanceType<typeof Exact>;
  /** The last day; default: the stores' number of days for reservations. */
  until?: string | null;
  /** Where less is free, only that is reserved. */
  upToFree?: boolean;
}

interface Kept {
  id: number;
  item: number;
  condition: Condition;
  point: number;
  batch: number | null;
  left: string;
}

const FIELDS = `r.id, r.item_id as item, r.condition, r.stock_point_id as point, r.batch_id as batch, (r.qty - r.consumed_qty)::text as left`;

/**
 * Reserves stock for lines of documents: nobody else can be issued it (5.9).
 * @throws AppError 409 if less is available and all of it is wanted
 */
export async function reserve(unit: Unit, lines: readonly Wanted[]): Promise<void> {
  if (lines.length === 0) return;
  const balances = await lockBalances(unit, lines);
  const wanted: Wanted[] = [];
  const { reservation_days: days } = await storesSetting(unit);
  const until = new Date(Date.parse(dayOfMoment(unit, unit.now)) + days * 86_400_000).toISOString().slice(0, 10);
  for (const one of lines) {
    const balance = balances.of(one);
    const free = balance.onHand.minus(balance.reserved);
    const qty = one.upToFree && free.lessThan(one.qty) ? free : one.qty;
    if (free.lessThan(qty)) {
      const item = (await stockItems(unit, [one.item])).get(one.item)!;
      const point = (await stockPoints(unit, [one.point])).get(one.point)!;
      const instead = await substitutesFree(unit, one.item, one.point);
      unit.refuse(
        [
          {
            field: 'lines',
            message: `Only ${plainQuantity(free)} ${item.uom} of ${item.item_code} ${item.name} is free at ${point.code}.${instead}`,
          },
        ],
        409,
      );
    }
    if (!qty.isPositive() || qty.isZero()) continue;
    balance.reserved = balance.reserved.plus(qty);
    wanted.push({ ...one, qty });
  }
  await unit.query(
    `insert into {stock_reservation} (entity_id, document_type, document_id, document_line_id, item_id, condition, stock_point_id, batch_id, qty, consumed_qty, expires_on, state, created_by, updated_by)
     select $1, x.type, x.document, x.line, x.item, x.condition, x.point, x.batch, x.qty, 0, coalesce(x.until, $2::date), 'active', $3, $3
     from unnest($4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[], $9::bigint[], $10::bigint[], $11::numeric[], $12::date[])
       x(type, document, line, item, condition, point, batch, qty, until)`,
    [
      unit.session.entityId,
      until,
      unit.session.userId || null,
      wanted.map(({ document }) => document.type),
      wanted.map(({ document }) => document.id),
      wanted.map(({ document }) => document.line),
      wanted.map(({ item }) => item),
      wanted.map(({ condition }) => condition),
      wanted.map(({ point }) => point),
      wanted.map(({ batch }) => batch),
      wanted.map(({ qty }) => qty.toString()),
      wanted.map(({ until: day }) => day ?? null),
    ],
  );
  await writeBalances(unit, balances, null);
}

/**
 * Releases the remaining reservations of lines of a document, or of a whole document. @returns the number of
 * reservations that ended
 */
export async function release(
  unit: Unit,
  of: { type: string; id?: number; lines?: readonly number[]; ids?: readonly number[] },
  state: 'released' | 'expired' = 'released',
): Promise<number> {
  const rows = await unit.query<Kept>(
    `select ${FIELDS} from {stock_reservation} r
     where r.entity_id = $1 and r.state = 'active' and ($2 = '' or r.document_type = $2) and ($3::bigint is null or r.document_id = $3)
       and ($4::bigint[] is null or r.document_line_id = any($4)) and ($5::bigint[] is null or r.id = any($5)) order by r.id`,
    [unit.session.entityId, of.type, of.id ?? null, of.lines ?? null, of.ids ?? null],
  );
  if (rows.length === 0) return 0;
  const balances = await lockBalances(unit, rows);
  // Others may have used or released them before the balances were locked.
  const now = await unit.query<Kept>(
    `select ${FIELDS} from {stock_reservation} r where r.id = any($1::bigint[]) and r.state = 'active'`,
    [rows.map(({ id }) => id)],
  );
  for (const one of now) {
    const balance = balances.of(one);
    balance.reserved = balance.reserved.minus(one.left);
  }
  await unit.query('update {stock_reservation} set state = $2, updated_at = now() where id = any($1::bigint[])', [
    now.map(({ id }) => id),
    state,
  ]);
  await writeBalances(unit, balances, null);
  return now.length;
}

/** Makes stock from a posting's own reservations available to it and unreserved. The balances are locked. */
export async function takeReserved(unit: Unit, movements: readonly Movement[], balances: Balances): Promise<void> {
  for (const { reserved, from, item, condition, batch, qty } of movements) {
    if (!reserved || from === null) continue;
    const rows = await unit.query<Kept>(
      `select ${FIELDS} from {stock_reservation} r
       where r.entity_id = $1 and r.state = 'active' and r.document_type = $2 and r.document_line_id = $3 and r.item_id = $4
         and r.condition = $5 and r.stock_point_id = $6 and r.batch_id is not distinct from $7 order by r.id`,
      [unit.session.entityId, reserved.type, reserved.line, item, condition, from, batch],
    );
    let left = qty;
    for (const row of rows) {
      const taken = left.lessThan(row.left) ? left : new Exact(row.left);
      if (taken.isZero()) break;
      left = left.minus(taken);
      const key: BalanceKey = { item, condition, point: from, batch };
      const balance = balances.of(key);
      balance.reserved = balance.reserved.minus(taken);
      await unit.query(
        `update {stock_reservation} set consumed_qty = consumed_qty + $2, state = case when consumed_qty + $2 >= qty then 'consumed' else state end, updated_at = now() where id = $1`,
        [row.id, taken.toString()],
      );
    }
  }
}

/** Releases the latest reservations of a place until they fit its stock: after a count found less (5.15). */
export async function freeBeyond(
  unit: Unit,
  keys: readonly (BalanceKey & { onHand: InstanceType<typeof Exact> })[],
): Promise<number[]> {
  const freed: number[] = [];
  for (const { item, condition, point, batch, onHand } of keys) {
    const rows = await unit.query<Kept>(
      `select ${FIELDS} from {stock_reservation} r where r.entity_id = $1 and r.state = 'active' and r.item_id = $2 and r.condition = $3
         and r.stock_point_id = $4 and r.batch_id is not distinct from $5 order by r.id`,
      [unit.session.entityId, item, condition, point, batch],
    );
    let kept = new Exact(0);
    for (const row of rows) {
      kept = kept.plus(row.left);
      if (kept.greaterThan(onHand)) freed.push(row.id);
    }
  }
  if (freed.length > 0) await release(unit, { type: '', ids: freed });
  return freed;
}
