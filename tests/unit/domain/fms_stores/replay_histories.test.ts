import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Exact } from '../../../../src/descriptor/exact.ts';
import { valueOfEntry } from '../../../../src/domain/fms_stores/moving_average.ts';
import type { StockState } from '../../../../src/domain/fms_stores/moving_average.ts';
import { replay } from '../../../../src/domain/fms_stores/replay.ts';
import type { ReplayedEntry } from '../../../../src/domain/fms_stores/replay.ts';

// Random histories with back-dated receipts and issues: what the ledger adds up to at every date equals a valuation from
// nothing, quantity and value are never below 0, and nothing is worth nothing (5.19). HISTORIES=10000 runs that many.

interface Entry {
  id: number;
  day: number;
  kind: 'in' | 'out';
  qty: number;
  stated: string | null;
  /** What the ledger has of it, its adjustments among it. */
  value: InstanceType<typeof Exact>;
}

const nothing: StockState = { qty: new Exact(0), value: new Exact(0) };
const act = fc.record({
  day: fc.integer({ min: 1, max: 30 }),
  isIn: fc.boolean(),
  qty: fc.integer({ min: 1, max: 9 }),
  value: fc.integer({ min: 0, max: 99_999 }),
});
const inOrder = (one: Entry, other: Entry) => one.day - other.day || one.id - other.id;

function leastFrom(ledger: readonly Entry[], day: number): number {
  let balance = 0;
  let least: number | null = null;
  for (const entry of ledger.toSorted(inOrder)) {
    if (entry.day > day) least ??= balance;
    balance += entry.kind === 'in' ? entry.qty : -entry.qty;
    if (entry.day > day) least = Math.min(least!, balance);
  }
  return least ?? balance;
}

describe('histories of stock', () => {
  it('add up at every date, with any back-dated entries', () => {
    fc.assert(
      fc.property(fc.array(act, { minLength: 5, maxLength: 40 }), (acts) => {
        const ledger: Entry[] = [];
        acts.forEach(({ day, isIn, qty, value }, id) => {
          if (!isIn && leastFrom(ledger, day) < qty) return;
          const before = ledger.filter((one) => one.day <= day).toSorted(inOrder);
          const after = ledger.filter((one) => one.day > day).toSorted(inOrder);
          const state = before.reduce(
            (sum, one) => ({
              qty: sum.qty.plus(one.kind === 'in' ? one.qty : -one.qty),
              value: sum.value.plus(one.value),
            }),
            nothing,
          );
          const stated = isIn ? new Exact(value).dividedBy(100) : null;
          const entries: ReplayedEntry[] = [
            { id: null, known: null, kind: isIn ? 'in' : 'out', qty: new Exact(qty), value: stated },
            ...after.map((one) => ({
              id: one.id,
              known: one.value,
              kind: one.kind,
              qty: new Exact(one.qty),
              value: null,
            })),
          ];
          const { added, adjusted } = replay(state, entries);
          for (const { id: of, difference } of adjusted) {
            const entry = ledger.find((one) => one.id === of)!;
            entry.value = entry.value.plus(difference);
          }
          ledger.push({
            id,
            day,
            kind: isIn ? 'in' : 'out',
            qty,
            stated: stated?.toFixed(2) ?? null,
            value: added[0]!,
          });
        });
        // From nothing, in the order of dates.
        let state = nothing;
        let sum = nothing;
        for (const entry of ledger.toSorted(inOrder)) {
          state = valueOfEntry(state, {
            kind: entry.kind,
            qty: new Exact(entry.qty),
            value: entry.stated === null ? null : new Exact(entry.stated),
          }).after;
          sum = { qty: sum.qty.plus(entry.kind === 'in' ? entry.qty : -entry.qty), value: sum.value.plus(entry.value) };
          expect([sum.qty.toString(), sum.value.toFixed(2)]).toEqual([state.qty.toString(), state.value.toFixed(2)]);
          expect(sum.qty.isNegative() || sum.value.isNegative()).toBe(false);
          if (sum.qty.isZero()) expect(sum.value.isZero()).toBe(true);
        }
      }),
      { numRuns: Number(process.env.HISTORIES ?? 300) },
    );
  });
});
