import { Exact } from '../../../../descriptor/exact.ts';

type Row = Record<string, unknown>;

/** A quantity of an item, to be allocated to lines of another document. */
export interface Taken {
  item: number;
  condition?: string;
  batch?: number | null;
  qty: string;
}

/**
 * Adds quantities to a column of a document's lines: to lines of the same item (and condition, and batch, if both have
 * one), earlier lines first, each up to its `open` quantity.
 * @returns the changed lines, the places and amounts, and the unallocated rest
 */
export function addToLines(
  lines: readonly Row[],
  taken: readonly Taken[],
  column: string,
  open: (line: Row) => string,
): { lines: Row[]; matched: { place: number; taken: number; qty: string }[]; left: { taken: Taken; open: string }[] } {
  const next = lines.map((line) => ({ ...line }));
  const rest = next.map((line) => new Exact(open(line)));
  const matched: { place: number; taken: number; qty: string }[] = [];
  const left: { taken: Taken; open: string }[] = [];
  taken.forEach((one, index) => {
    let missing = new Exact(one.qty);
    let there = new Exact(0);
    next.forEach((line, place) => {
      const fits =
        line.item_id === one.item &&
        (one.condition === undefined || line.condition === undefined || line.condition === one.condition) &&
        (one.batch === undefined ||
          one.batch === null ||
          line.batch_id === undefined ||
          line.batch_id === null ||
          line.batch_id === one.batch);
      if (!fits) return;
      there = there.plus(Exact.max(0, rest[place]!));
      const part = Exact.min(missing, Exact.max(0, rest[place]!));
      if (part.isZero()) return;
      missing = missing.minus(part);
      rest[place] = rest[place]!.minus(part);
      line[column] = new Exact(String(line[column] ?? 0)).plus(part).toString();
      matched.push({ place, taken: index, qty: part.toString() });
    });
    if (!missing.isZero()) left.push({ taken: one, open: there.toString() });
  });
  return { lines: next, matched, left };
}
