import type { Decimal } from 'decimal.js';
import { Exact } from '../../../../descriptor/exact.ts';
import { BelowZero } from '../../../../domain/fms_stores/moving_average.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { checkBins, pickBins } from './bin_rules.ts';
import { lockBalances, lockBins, lockValues, writeBalances, writeBins, writeValues } from './balances.ts';
import type { Balance, BalanceKey, Balances } from './balances.ts';
import type { Known } from './lookups.ts';
import { stockBatches, stockItems, stockPoints } from './lookups.ts';
import type { Leg } from './ledger_rows.ts';
import { insertLegs } from './ledger_rows.ts';
import type { Movement, Posted, Posting } from './movement.ts';
import { lockMonths, postingTime } from './posting_time.ts';
import { checkMovements, notFree } from './posting_checks.ts';
import { takeReserved } from './reservations.ts';
import { checkSerials, moveSerials } from './serials.ts';
import { refuseBelowZeroLater } from './later_balance.ts';
import { correctionsOfCounts, refuseBeforeCount } from './counted.ts';
import { valueEntries } from './valuation.ts';
import type { EntryOf } from './valuation.ts';

/** The items, batches and stock points that the movements of a posting refer to. */
export async function knownOf(unit: Unit, movements: readonly Movement[]): Promise<Known> {
  return {
    items: await stockItems(
      unit,
      movements.map(({ item }) => item),
    ),
    points: await stockPoints(
      unit,
      movements.flatMap(({ from, to }) => [from, to].filter((id) => id !== null)),
    ),
    batches: await stockBatches(
      unit,
      movements.flatMap(({ batch }) => batch ?? []),
    ),
  };
}

/** The ledger legs of a movement: one that leaves and one that arrives; each serial number separately. */
export function legsOf(movement: Movement, at: number, { batches }: Known): Leg[] {
  const { item, condition, from, to, qty, line, serials, reason = null } = movement;
  const batch = movement.batch;
  const valued = batch === null || batches.get(batch)?.owner_customer_id === null;
  const own = { item, batch, line, reason, valued, movement: at };
  if (movement.revalues)
    return [{ ...own, condition, point: null, serial: null, bin: null, qty, kind: 'revalue', fixed: false }];
  const becomes = movement.toCondition ?? condition;
  const moves = from !== null && to !== null && becomes === condition;
  const pieces: (number | null)[] = serials.length > 0 ? serials : [null];
  const each = serials.length > 0 ? new Exact(1) : qty;
  return pieces.flatMap((serial): Leg[] => [
    ...(from === null
      ? []
      : [
          {
            ...own,
            condition,
            point: from,
            serial,
            bin: movement.bin ?? null,
            qty: each.negated(),
            kind: moves ? ('move' as const) : ('out' as const),
            fixed: movement.fixed === true,
          },
        ]),
    ...(to === null
      ? []
      : [
          {
            ...own,
            condition: becomes,
            point: to,
            serial,
            bin: movement.toBin ?? (from === null ? (movement.bin ?? null) : null),
            qty: each,
            kind: moves ? ('move' as const) : ('in' as const),
            fixed: false,
          },
        ]),
  ]);
}

/** The movements that change the condition of pieces, by position. */
const conditionChanges = (movements: readonly Movement[]): Set<number> =>
  new Set(
    movements.flatMap(({ to, condition, toCondition }, at) =>
      to !== null && (toCondition ?? condition) !== condition ? [at] : [],
    ),
  );

const keyOf = ({ item, condition, point, batch }: Leg): BalanceKey => ({ item, condition, point: point!, batch });

/**
 * Posts the movements of a document. What was already counted is balanced by an equal opposite movement at the count:
 * a receipt before it, so that nothing is issued twice, an issue after it (5.15).
 * @throws AppError 409 if the stock does not allow it, 422 for invalid input
 */
export async function post(unit: Unit, posting: Posting): Promise<Posted> {
  if (posting.wasCounted !== true) return postMovements(unit, posting);
  const known = await knownOf(unit, posting.movements);
  const { before, after } = await correctionsOfCounts(unit, posting, known);
  const first = await postAll(unit, before);
  const posted = await postMovements(unit, posting);
  const last = await postAll(unit, after);
  return { ...posted, counts: { before: first, after: last } };
}

/** Posts several, one after another. @returns their ids */
async function postAll(unit: Unit, postings: readonly Posting[]): Promise<number[]> {
  const moves: number[] = [];
  for (const posting of postings) moves.push((await postMovements(unit, posting)).move);
  return moves;
}

/**
 * Posts the movements of a document (3.1): first the posting, then the locks of values, balances, bins and serial
 * numbers in one order for all, then the moment, the values by the moving average, and the ledger entries. All of it is
 * in the caller's transaction, so that a refusal leaves nothing behind.
 * @throws AppError 409 if the stock does not allow it, 422 for invalid input
 */
async function postMovements(unit: Unit, posting: Posting): Promise<Posted> {
  const { movements } = posting;
  await lockMonths(unit, 'post');
  const known = await knownOf(unit, movements);
  checkMovements(unit, posting, known);
  const comesIn = movements.every(({ from, revalues }) => from === null && !revalues);
  const back = await postingTime(unit, posting.at, '', comesIn);
  const before = await startMove(unit, posting, back);
  if (before.isDone) return repeated(unit, before.move);

  const described = movements.flatMap((movement, at) => legsOf(movement, at, known));
  const values = await lockValues(
    unit,
    described.filter(({ kind, valued }) => valued && kind !== 'move'),
  );
  const balances = await lockBalances(unit, described.filter(({ point }) => point !== null).map(keyOf));
  const legs = await pickBins(unit, described, conditionChanges(movements));
  const stocked = legs.filter(({ point }) => point !== null);
  const bins = await lockBins(unit, stocked);
  await checkBins(unit, stocked);
  await checkSerials(unit, movements, known);
  const at = back ?? (await unit.stamp());
  if (back === null)
    await unit.query('update {stock_move} set posting_at = $2, recorded_at = $2 where id = $1', [before.move, at]);

  await takeReserved(unit, movements, balances);
  await applyLegs(unit, posting, stocked, balances, known, back);
  bins.apply(unit, stocked);
  const { deltas, adjustments } = await valued(unit, legs, values, movements, at, back !== null);
  await insertLegs(unit, before.move, at, legs, deltas, adjustments);
  await writeBalances(unit, balances, at);
  await writeBins(unit, bins);
  await writeValues(unit, values);
  await moveSerials(unit, posting, known, at);
  return { move: before.move, at, values: movements.map((_, one) => sumOf(legs, deltas, one)) };
}

/** The total value of a movement's legs; for a change of condition, received and issued. */
function sumOf(legs: readonly Leg[], deltas: readonly Decimal[], movement: number): string {
  return legs
    .reduce((sum, leg, at) => (leg.movement === movement ? sum.plus(deltas[at]!) : sum), new Exact(0))
    .toFixed(2);
}

/** Values the legs by the moving average, in order; a change of condition carries its value along if none is stated. */
async function valued(
  unit: Unit,
  legs: readonly Leg[],
  values: Awaited<ReturnType<typeof lockValues>>,
  movements: readonly Movement[],
  at: string,
  isBack: boolean,
): Promise<{ deltas: Decimal[]; adjustments: Awaited<ReturnType<typeof valueEntries>>['adjustments'] }> {
  const none = new Exact(0);
  const deltas: Decimal[] = legs.map(() => none);
  const adjustments: Awaited<ReturnType<typeof valueEntries>>['adjustments'] = [];
  const shares = statedShares(legs, movements);
  const own = (leg: Leg) => leg.valued && leg.kind !== 'move';
  // Issues first: a receipt of the same piece in another condition takes over its value.
  for (const turn of ['out', 'in'] as const)
    for (const value of values.values()) {
      const entries: EntryOf[] = legs.flatMap((leg, index) => {
        if (!own(leg) || value.item !== leg.item || value.condition !== leg.condition) return [];
        if ((turn === 'out') !== (leg.kind === 'out')) return [];
        const movement = movements[leg.movement]!;
        const carried =
          leg.kind === 'in' && movement.from !== null && movement.value == null
            ? carriedBy(legs, deltas, leg, index)
            : null;
        return [
          {
            index,
            kind: leg.kind as EntryOf['kind'],
            qty: leg.qty.abs(),
            value: carried ?? shares[index]!,
            fixed: leg.fixed,
          },
        ];
      });
      if (entries.length === 0) continue;
      try {
        const found = await valueEntries(unit, value, entries, at, isBack);
        entries.forEach(({ index }, one) => (deltas[index] = found.added[one]!));
        adjustments.push(...found.adjustments);
      } catch (error) {
        if (error instanceof BelowZero)
          unit.refuse(
            [{ field: '', message: 'The value of the stock would fall below 0. Choose a smaller value.' }],
            409,
          );
        throw error;
      }
    }
  return { deltas, adjustments };
}

/** The stated value of a movement, shared among its pieces to the paisa; null = the average. */
function statedShares(legs: readonly Leg[], movements: readonly Movement[]): (Decimal | null)[] {
  const left = movements.map(({ value, qty }) => ({ value: value ?? null, qty }));
  return legs.map((leg) => {
    const movement = movements[leg.movement]!;
    if (leg.kind === 'revalue') return movement.value ?? null;
    const isStated = leg.kind === 'in' || (leg.kind === 'out' && movement.fixed);
    const rest = left[leg.movement]!;
    if (!isStated || rest.value === null) return null;
    const share = leg.qty.abs().equals(rest.qty)
      ? rest.value
      : rest.value.times(leg.qty.abs()).dividedBy(rest.qty).toDecimalPlaces(2);
    rest.value = rest.value.minus(share);
    rest.qty = rest.qty.minus(leg.qty.abs());
    return share;
  });
}

/** The value that was issued with the piece that this leg receives in another condition. */
function carriedBy(legs: readonly Leg[], deltas: readonly Decimal[], leg: Leg, index: number): Decimal | null {
  const other = legs.findIndex(
    (one, at) => at < index && one.movement === leg.movement && one.kind === 'out' && one.serial === leg.serial,
  );
  return other < 0 ? null : deltas[other]!.negated();
}

/** Subtracts and adds quantities; a refusal of unavailable stock says where it went. */
async function applyLegs(
  unit: Unit,
  posting: Posting,
  legs: readonly Leg[],
  balances: Balances,
  known: Known,
  back: string | null,
): Promise<void> {
  if (back !== null) {
    if (posting.event !== 'count' && posting.wasCounted !== true) await refuseBeforeCount(unit, legs, back, known);
    await refuseBelowZeroLater(unit, legs, back, known);
  }
  for (const leg of legs) {
    const balance: Balance = balances.of(keyOf(leg));
    const reserved = posting.movements[leg.movement]!.reserved ?? null;
    if (leg.qty.isNegative()) {
      const free = balance.onHand.minus(balance.reserved);
      if (free.lessThan(leg.qty.abs())) await notFree(unit, leg, free, known, reserved !== null);
    }
    balance.onHand = balance.onHand.plus(leg.qty);
  }
}

/** Inserts the posting, or finds the one with the same key. */
async function startMove(
  unit: Unit,
  posting: Posting,
  back: string | null,
): Promise<{ move: number; isDone: boolean }> {
  const { event, document, key } = posting;
  const now = back ?? unit.now.toISOString();
  const [made] = await unit.query<{ id: number }>(
    `insert into {stock_move} (entity_id, posting_key, document_type, document_id, document_no, event, posting_at, recorded_at, created_by, updated_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) on conflict (entity_id, lower(posting_key)) do nothing returning id`,
    [
      unit.session.entityId,
      key,
      document.type,
      document.id,
      document.no,
      event,
      now,
      unit.now.toISOString(),
      unit.session.userId || null,
    ],
  );
  if (made) return { move: Number(made.id), isDone: false };
  const [there] = await unit.query<{ id: number }>(
    'select id from {stock_move} where entity_id = $1 and lower(posting_key) = lower($2)',
    [unit.session.entityId, key],
  );
  return { move: Number(there!.id), isDone: true };
}

async function repeated(unit: Unit, move: number): Promise<Posted> {
  const rows = await unit.query<{ value: string; at: string }>(
    `select sum(l.value_delta)::text as value, min(l.posting_at)::text as at from {stock_ledger} l
     where l.move_id = $1 and l.adjusts_id is null group by coalesce(l.line_id, l.id) order by min(l.id)`,
    [move],
  );
  return { move, at: rows[0]?.at ?? '', values: rows.map(({ value }) => value) };
}
