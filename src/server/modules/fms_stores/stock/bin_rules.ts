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
