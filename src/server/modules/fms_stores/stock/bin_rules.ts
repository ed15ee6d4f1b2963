import { Exact } from '../../../../descriptor/exact.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import type { Leg } from './ledger_rows.ts';
import { plainQuantity } from './lookups.ts';

interface BinState {
  id: number;
  code: string;
  blocked: boolean;
  single: boolean;
  kept_for: number[] | null;
  most: string | null;
  /** Weight of its content in kg. */
  weight: string;
  items: number[] | null;
}

/** Bins that receive goods are open, kept for the item, and able to carry it. @throws AppError 409 */
export async function checkBins(unit: Unit, legs: readonly Leg[]): Promise<void> {
  const incoming = legs.filter(({ bin, qty }) => bin !== null && qty.isPositive());
  if (incoming.length === 0) return;
  // Two receipts at once would both fit, and exceed the bin together.
  await unit.query('select id from {bin_mstr} where id = any($1::bigint[]) order by id for no key update', [
    incoming.map(({ bin }) => bin),
  ]);
  const bins = await unit.query<BinState>(
    `select b.id, b.code, coalesce(b.blocked, false) as blocked, coalesce(b.single_item, false) as single, b.item_ids as kept_for,
       nullif(b.max_weight_kg, 0)::text as most, coalesce(sum(x.on_hand * coalesce(i.weight_kg, 0)), 0)::text as weight,
       array_agg(distinct x.item_id) filter (where x.on_hand > 0) as items
     from {bin_mstr} b left join {bin_balance} x on x.bin_id = b.id left join {item_mstr} i on i.id = x.item_id
     where b.id = any($1::bigint[]) group by b.id`,
    [incoming.map(({ bin }) => bin)],
  );
  const weights = await unit.query<{ id: number; kg: string }>(
    'select id, coalesce(weight_kg, 0)::text as kg from {item_mstr} where id = any($1::bigint[])',
    [incoming.map(({ item }) => item)],
  );
  const added = new Map<number, InstanceType<typeof Exact>>();
  for (const { bin, item, qty } of incoming) {
    const into = bins.find(({ id }) => id === bin);
    if (!into) continue;
    const refuse = (message: string) =>
      unit.refuse([{ field: 'lines', message: `${message} Choose another bin.` }], 409);
    if (into.blocked) refuse(`Bin ${into.code} is blocked.`);
    if (into.kept_for && into.kept_for.length > 0 && !into.kept_for.includes(item))
      refuse(`Bin ${into.code} is reserved for other items.`);
    if (into.single && (into.items ?? []).some((other) => other !== item))
      refuse(`Bin ${into.code} takes a single item and already holds another.`);
    (into.items ??= []).push(item);
    const kg = weights.find(({ id }) => id === item)?.kg ?? '0';
    const total = (added.get(into.id) ?? new Exact(into.weight)).plus(new Exact(kg).times(qty.toString()));
    added.set(into.id, total);
    if (into.most !== null && total.greaterThan(into.most))
      refuse(
        `Bin ${into.code} takes at most ${plainQuantity(into.most)} kg; it would hold ${plainQuantity(total)} kg.`,
      );
  }
}

interface Content {
  item: number;
  condition: string;
  point: number;
  batch: number | null;
  bin: number;
  left: InstanceType<typeof Exact>;
}

/**
 * Names the bins of issues that name none: in their picking order, as long as they hold the item. What is in no bin
 * stays without one. The balances of the items are locked, so that nobody empties the bins meanwhile.
 */
export async function pickBins(unit: Unit, legs: readonly Leg[], changes: ReadonlySet<number>): Promise<Leg[]> {
  const open = legs.filter(({ bin, qty, point }) => bin === null && point !== null && qty.isNegative());
  if (open.length === 0) return [...legs];
  const rows = await unit.query<Omit<Content, 'left'> & { on_hand: string }>(
    `select x.item_id as item, lower(x.condition) as condition, x.stock_point_id as point, x.batch_id as batch, x.bin_id as bin, x.on_hand::text
     from {bin_balance} x join {bin_mstr} b on b.id = x.bin_id
     where x.entity_id = $1 and x.item_id = any($2::bigint[]) and x.stock_point_id = any($3::bigint[]) and x.on_hand > 0 and not coalesce(b.blocked, false)
     order by b.pick_sequence, b.code, x.id`,
    [unit.session.entityId, open.map(({ item }) => item), open.map(({ point }) => point)],
  );
  if (rows.length === 0) return [...legs];
  const contents = rows.map(({ on_hand: held, ...row }): Content => ({ ...row, left: new Exact(held) }));
  // What other legs of this posting take from their own bins is not there any more.
  for (const { item, condition, point, batch, bin, qty } of legs)
    for (const one of contents)
      if (qty.isNegative() && one.bin === bin && isSame(one, { item, condition, point, batch }))
        one.left = one.left.plus(qty);
  return legs.flatMap((leg) => {
    if (!open.includes(leg)) return [leg];
    const from = contents.filter((one) => isSame(one, leg) && one.left.isPositive() && !one.left.isZero());
    // A piece that changes its condition takes its value along in one entry.
    if (changes.has(leg.movement)) {
      const whole = from.find(({ left }) => left.greaterThanOrEqualTo(leg.qty.abs()));
      if (!whole) return [leg];
      whole.left = whole.left.plus(leg.qty);
      return [{ ...leg, bin: whole.bin }];
    }
    const pieces: Leg[] = [];
    let rest = leg.qty.abs();
    for (const one of from) {
      if (rest.isZero()) break;
      const taken = one.left.lessThan(rest) ? one.left : rest;
      one.left = one.left.minus(taken);
      rest = rest.minus(taken);
      pieces.push({ ...leg, bin: one.bin, qty: taken.negated() });
    }
    return rest.isZero() ? pieces : [...pieces, { ...leg, qty: rest.negated() }];
  });
}

const isSame = (
  one: Pick<Content, 'item' | 'condition' | 'point' | 'batch'>,
  leg: Pick<Leg, 'item' | 'condition' | 'point' | 'batch'>,
): boolean =>
  one.item === leg.item && one.condition === leg.condition && one.point === leg.point && one.batch === leg.batch;
