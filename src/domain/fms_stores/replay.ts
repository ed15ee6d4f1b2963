import type { Decimal } from 'decimal.js';
import type { StockState, ValuedEntry } from './moving_average.ts';
import { valueOfEntry } from './moving_average.ts';

/** A ledger entry with its corrected value, including adjustments; new ones have no id yet. */
export interface ReplayedEntry extends ValuedEntry {
  id: number | null;
  /** Signed, the current ledger value; null for a new entry. */
  known: Decimal | null;
}

/** The result of the replay: the values of new entries, and the differences of existing ones. */
export interface Replayed {
  /** Signed values of the new entries, in their order. */
  added: Decimal[];
  /** Ledger entries whose value has changed, with the difference. */
  adjusted: { id: number; difference: Decimal }[];
  end: StockState;
}

/**
 * Revalues all movements of an item from a point in time (5.4). Receipts keep their stated value; issues at the average
 * take the average at their place. Nothing is changed: the differences must be added to the ledger, each at the time of
 * the entry that it adjusts.
 */
export function replay(
  before: StockState,
  entries: readonly ReplayedEntry[],
  lastRate: Decimal.Value | null = null,
): Replayed {
  let state = before;
  const added: Decimal[] = [];
  const adjusted: { id: number; difference: Decimal }[] = [];
  for (const entry of entries) {
    const isNew = entry.id === null;
    const stated: ValuedEntry =
      isNew || entry.kind === 'out'
        ? entry.fixed && entry.known && !entry.value
          ? { ...entry, value: entry.known.abs() }
          : entry
        : { ...entry, value: entry.known };
    const { delta, after } = valueOfEntry(state, stated, lastRate);
    state = after;
    if (isNew) added.push(delta);
    else if (!delta.equals(entry.known!)) adjusted.push({ id: entry.id!, difference: delta.minus(entry.known!) });
  }
  return { added, adjusted, end: state };
}
