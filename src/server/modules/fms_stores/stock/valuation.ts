import type { Decimal } from 'decimal.js';
import { Exact } from '../../../../descriptor/exact.ts';
import { replay } from '../../../../domain/fms_stores/replay.ts';
import type { ReplayedEntry } from '../../../../domain/fms_stores/replay.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import type { LockedValue } from './balances.ts';
import type { Adjustment } from './ledger_rows.ts';

/** A new entry and its position among the legs of the posting. */
export interface EntryOf {
  index: number;
  kind: 'in' | 'out' | 'revalue';
  qty: Decimal;
  value: Decimal | null;
  fixed: boolean;
}

interface StoredEntry {
  id: number;
  kind: 'in' | 'out' | 'revalue';
  qty: string;
  value: string;
  fixed: boolean;
}

/**
 * Values new entries of one item in one condition, and updates its locked state. A back-dated entry is inserted at its
 * time and all later entries are valued again (5.4): the differences become adjustments.
 */
export async function valueEntries(
  unit: Unit,
  locked: LockedValue,
  entries: readonly EntryOf[],
  at: string,
  isBack: boolean,
): Promise<{ added: Decimal[]; adjustments: Adjustment[] }> {
  const fresh: ReplayedEntry[] = entries.map(({ kind, qty, value, fixed }) => ({
    id: null,
    known: null,
    kind,
    qty,
    value,
    fixed,
  }));
  const before = isBack ? await stateBefore(unit, locked, at, true) : locked;
  const later = isBack ? await entriesFrom(unit, locked, at, false, []) : [];
  const found = replay(before, [...fresh, ...later], locked.lastRate);
  rememberRate(locked, entries, found.added);
  locked.qty = found.end.qty;
  locked.value = found.end.value;
  return { added: found.added, adjustments: found.adjusted };
}

function rememberRate(locked: LockedValue, entries: readonly EntryOf[], added: readonly Decimal[]): void {
  entries.forEach(({ kind, qty, value }, at) => {
    if (kind === 'in' && value !== null && !qty.isZero() && added[at]!.isPositive())
      locked.lastRate = added[at]!.dividedBy(qty).toFixed(4);
  });
}

/** Quantity and value of an item up to a moment, including or excluding entries at that moment. */
export async function stateBefore(
  unit: Unit,
  { item, condition }: LockedValue,
  at: string,
  inclusive: boolean,
): Promise<{ qty: Decimal; value: Decimal }> {
  const [row] = await unit.query<{ qty: string; value: string }>(
    `select coalesce(sum(case when kind <> 'move' then qty else 0 end), 0) as qty, coalesce(sum(value_delta), 0) as value from {stock_ledger}
     where entity_id = $1 and item_id = $2 and condition = $3 and valued and posting_at ${inclusive ? '<=' : '<'} $4`,
    [unit.session.entityId, item, condition, at],
  );
  return { qty: new Exact(row!.qty), value: new Exact(row!.value) };
}

/**
 * The entries of an item from a moment on that affect its value, each with its adjustments; pairs of entry and reversal
 * cancel out.
 */
export async function entriesFrom(
  unit: Unit,
  { item, condition }: LockedValue,
  at: string,
  inclusive: boolean,
  without: readonly number[],
): Promise<ReplayedEntry[]> {
  const rows = await unit.query<StoredEntry>(
    `select l.id, l.kind, abs(l.qty) as qty, l.value_fixed as fixed,
       l.value_delta + coalesce((select sum(a.value_delta) from {stock_ledger} a where a.adjusts_id = l.id), 0) as value
     from {stock_ledger} l
     where l.entity_id = $1 and l.item_id = $2 and l.condition = $3 and l.valued and l.kind <> 'move' and l.adjusts_id is null
       and l.posting_at ${inclusive ? '>=' : '>'} $4 and l.reverses_id is null and not (l.id = any($5::bigint[]))
       and not exists (select 1 from {stock_ledger} r where r.reverses_id = l.id)
     order by l.posting_at, l.id`,
    [unit.session.entityId, item, condition, at, without],
  );
  return rows.map(({ id, kind, qty, value, fixed }) => ({
    id: Number(id),
    kind,
    qty: new Exact(qty),
    value: null,
    fixed,
    known: new Exact(value),
  }));
}
