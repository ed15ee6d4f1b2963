import type { Decimal } from 'decimal.js';
import { Exact } from '../../../../descriptor/exact.ts';
import type { StockState } from '../../../../domain/fms_stores/moving_average.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import type { Leg } from './ledger_rows.ts';
import type { Condition } from './movement.ts';
import { plainQuantity } from './lookups.ts';

/** The key of a balance. */
export interface BalanceKey {
  item: number;
  condition: Condition;
  point: number;
  batch: number | null;
}

export interface Balance extends BalanceKey {
  id: number;
  onHand: Decimal;
  reserved: Decimal;
}

const textOf = ({ item, condition, point, batch }: BalanceKey): string =>
  `${item} ${condition} ${point} ${batch ?? ''}`;

const inOrder = (one: BalanceKey, other: BalanceKey): number =>
  one.item - other.item ||
  (one.condition < other.condition ? -1 : one.condition > other.condition ? 1 : 0) ||
  one.point - other.point ||
  (one.batch ?? 0) - (other.batch ?? 0);

const distinct = <T extends BalanceKey>(keys: readonly T[]): BalanceKey[] =>
  [
    ...new Map(
      keys.map(({ item, condition, point, batch }) => [
        textOf({ item, condition, point, batch }),
        { item, condition, point, batch },
      ]),
    ).values(),
  ].sort(inOrder);

/** Balances locked by this posting; they are written when it ends. */
export class Balances {
  readonly #rows: Map<string, Balance>;

  constructor(rows: readonly Balance[]) {
    this.#rows = new Map(rows.map((row) => [textOf(row), row]));
  }

  of(key: BalanceKey): Balance {
    const row = this.#rows.get(textOf(key));
    if (!row) throw new Error(`The balance ${textOf(key)} is not locked.`);
    return row;
  }

  all(): Balance[] {
    return [...this.#rows.values()];
  }
}

const arrays = (keys: readonly BalanceKey[]) => [
  keys.map(({ item }) => item),
  keys.map(({ condition }) => condition),
  keys.map(({ point }) => point),
  keys.map(({ batch }) => batch),
];

/** Locks balances in the same order as all postings, to avoid deadlocks; missing ones are created empty. */
export async function lockBalances(unit: Unit, wanted: readonly BalanceKey[]): Promise<Balances> {
  const keys = distinct(wanted);
  if (keys.length === 0) return new Balances([]);
  const company = unit.session.entityId;
  await unit.query(
    `insert into {stock_balance} (entity_id, item_id, condition, stock_point_id, batch_id, on_hand, reserved)
     select $1, x.item, x.condition, x.point, x.batch, 0, 0
     from unnest($2::bigint[], $3::text[], $4::bigint[], $5::bigint[]) with ordinality x(item, condition, point, batch, place)
     where not exists (select 1 from {stock_balance} b where b.entity_id = $1 and b.item_id = x.item and lower(b.condition) = x.condition and b.stock_point_id = x.point and b.batch_id is not distinct from x.batch)
     order by x.place on conflict do nothing`,
    [company, ...arrays(keys)],
  );
  const rows = await unit.query<{
    id: number;
    item: number;
    condition: Condition;
    point: number;
    batch: number | null;
    on_hand: string;
    reserved: string;
  }>(
    `select b.id, b.item_id as item, b.condition, b.stock_point_id as point, b.batch_id as batch, b.on_hand, b.reserved
     from {stock_balance} b
     join unnest($2::bigint[], $3::text[], $4::bigint[], $5::bigint[]) x(item, condition, point, batch)
       on b.item_id = x.item and lower(b.condition) = x.condition and b.stock_point_id = x.point and b.batch_id is not distinct from x.batch
     where b.entity_id = $1
     order by b.item_id, b.condition collate "C", b.stock_point_id, coalesce(b.batch_id, 0) for update of b`,
    [company, ...arrays(keys)],
  );
  return new Balances(
    rows.map(({ on_hand: onHand, reserved, ...row }) => ({
      ...row,
      onHand: new Exact(onHand),
      reserved: new Exact(reserved),
    })),
  );
}

export async function writeBalances(unit: Unit, balances: Balances, at: string | null): Promise<void> {
  const rows = balances.all();
  if (rows.length === 0) return;
  await unit.query(
    `update {stock_balance} b set on_hand = x.on_hand, reserved = x.reserved, last_moved_at = greatest(b.last_moved_at, $4::timestamptz)
     from unnest($1::bigint[], $2::numeric[], $3::numeric[]) x(id, on_hand, reserved) where b.id = x.id`,
    [
      rows.map(({ id }) => id),
      rows.map(({ onHand }) => onHand.toString()),
      rows.map(({ reserved }) => reserved.toString()),
      at,
    ],
  );
}

/** The company's total of an item in a condition, locked. */
export interface LockedValue extends StockState {
  id: number;
  item: number;
  condition: Condition;
  lastRate: string | null;
}

export async function lockValues(unit: Unit, legs: readonly Leg[]): Promise<Map<string, LockedValue>> {
  const keys = distinct(legs.map(({ item, condition }) => ({ item, condition, point: 0, batch: null })));
  if (keys.length === 0) return new Map();
  const given = [unit.session.entityId, keys.map(({ item }) => item), keys.map(({ condition }) => condition)];
  await unit.query(
    `insert into {stock_value} (entity_id, item_id, condition, qty, value)
     select $1, x.item, x.condition, 0, 0 from unnest($2::bigint[], $3::text[]) with ordinality x(item, condition, place)
     where not exists (select 1 from {stock_value} v where v.entity_id = $1 and v.item_id = x.item and lower(v.condition) = x.condition)
     order by x.place on conflict do nothing`,
    given,
  );
  const rows = await unit.query<{
    id: number;
    item: number;
    condition: Condition;
    qty: string;
    value: string;
    last_rate: string | null;
  }>(
    `select v.id, v.item_id as item, v.condition, v.qty, v.value, v.last_rate
     from {stock_value} v join unnest($2::bigint[], $3::text[]) x(item, condition) on v.item_id = x.item and lower(v.condition) = x.condition
     where v.entity_id = $1 order by v.item_id, v.condition collate "C" for update of v`,
    given,
  );
  return new Map(
    rows.map(({ qty, value, last_rate: lastRate, ...row }) => [
      `${row.item} ${row.condition}`,
      { ...row, qty: new Exact(qty), value: new Exact(value), lastRate },
    ]),
  );
}

export async function writeValues(unit: Unit, values: ReadonlyMap<string, LockedValue>): Promise<void> {
  const rows = [...values.values()];
  if (rows.length === 0) return;
  await unit.query(
    `update {stock_value} v set qty = x.qty, value = x.value, last_rate = x.rate
     from unnest($1::bigint[], $2::numeric[], $3::numeric[], $4::numeric[]) x(id, qty, value, rate) where v.id = x.id`,
    [
      rows.map(({ id }) => id),
      rows.map(({ qty }) => qty.toString()),
      rows.map(({ value }) => value.toFixed(2)),
      rows.map(({ lastRate }) => lastRate),
    ],
  );
}

interface Bin extends BalanceKey {
  id: number;
  bin: number;
  onHand: Decimal;
}

/** The bins that a posting takes from and puts into. */
class Bins {
  readonly rows: Map<string, Bin>;

  constructor(rows: readonly Bin[]) {
    this.rows = new Map(rows.map((row) => [`${textOf(row)} ${row.bin}`, row]));
  }

  apply(unit: Unit, legs: readonly Leg[]): void {
    for (const leg of legs) {
      if (leg.bin === null) continue;
      const row = this.rows.get(
        `${textOf({ item: leg.item, condition: leg.condition, point: leg.point!, batch: leg.batch })} ${leg.bin}`,
      )!;
      const left = row.onHand.plus(leg.qty);
      if (left.isNegative())
        unit.refuse(
          [{ field: 'lines', message: `Only ${plainQuantity(row.onHand)} is in this bin. Choose another bin.` }],
          409,
        );
      row.onHand = left;
    }
  }
}

export async function lockBins(unit: Unit, legs: readonly Leg[]): Promise<Bins> {
  const wanted = legs.filter(({ bin }) => bin !== null);
  if (wanted.length === 0) return new Bins([]);
  const keys = [
    ...new Map(
      wanted.map(({ item, condition, point, batch, bin }) => [
        `${textOf({ item, condition, point: point!, batch })} ${bin}`,
        { item, condition, point: point!, batch, bin: bin! },
      ]),
    ).values(),
  ].sort((one, other) => inOrder(one, other) || one.bin - other.bin);
  const given = [unit.session.entityId, ...arrays(keys), keys.map(({ bin }) => bin)];
  await unit.query(
    `insert into {bin_balance} (entity_id, item_id, condition, stock_point_id, batch_id, bin_id, on_hand)
     select $1, x.item, x.condition, x.point, x.batch, x.bin, 0
     from unnest($2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[]) with ordinality x(item, condition, point, batch, bin, place)
     order by x.place on conflict do nothing`,
    given,
  );
  const rows = await unit.query<Omit<Bin, 'onHand'> & { on_hand: string }>(
    `select b.id, b.item_id as item, b.condition, b.stock_point_id as point, b.batch_id as batch, b.bin_id as bin, b.on_hand
     from {bin_balance} b join unnest($2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[]) x(item, condition, point, batch, bin)
       on b.item_id = x.item and lower(b.condition) = x.condition and b.stock_point_id = x.point and b.batch_id is not distinct from x.batch and b.bin_id = x.bin
     where b.entity_id = $1 order by b.item_id, b.condition collate "C", b.stock_point_id, coalesce(b.batch_id, 0), b.bin_id for update of b`,
    given,
  );
  return new Bins(rows.map(({ on_hand: onHand, ...row }) => ({ ...row, onHand: new Exact(onHand) })));
}

export async function writeBins(unit: Unit, { rows }: Bins): Promise<void> {
  const bins = [...rows.values()];
  if (bins.length === 0) return;
  await unit.query(
    'update {bin_balance} b set on_hand = x.on_hand from unnest($1::bigint[], $2::numeric[]) x(id, on_hand) where b.id = x.id',
    [bins.map(({ id }) => id), bins.map(({ onHand }) => onHand.toString())],
  );
}
