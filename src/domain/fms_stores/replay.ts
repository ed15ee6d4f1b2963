import type { Decimal } from 'decimal.js';
import type { StockState, ValuedEntry } from './moving_average.ts';
import { valueOfEntry } from './moving_average.ts';

/** An entry of the ledger with what it is worth now, adjustments among it; new ones have no number yet. */
export interface ReplayedEntry extends ValuedEntry {
  id: number | null;
  /** Signed, as the ledger has it now; null of a new entry. */
  known: Decimal | null;
}

/** What the replay found: the values of new entries, and by how much those that are there differ. */
export interface Replayed {
  /** Signed values of the new entries, in their order. */
  added: Decimal[];
  /** Entries of the ledger whose value is another now, with the difference. */
  adjusted: { id: number; difference: Decimal }[];
  end: StockState;
}

/**
 * Values all movements of an item from a moment on again (5.4). What came in keeps the value that it was stated at; what
 * went out at the average takes the average of its place. Nothing is changed: the differences are to be added to the
 * ledger, each at the moment of the entry that it adjusts.
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
