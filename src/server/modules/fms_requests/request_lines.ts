import type { WireRecord } from '../../../descriptor/types.ts';
import { Exact } from '../../../descriptor/exact.ts';
import type { Unit } from '../../engine/records/unit.ts';

type Row = Record<string, unknown>;

/** Rows of a document by their ids. */
export const rowsOf = (record: Row, field = 'lines'): (Row & { id: number })[] =>
  (record[field] ?? []) as (Row & { id: number })[];

/**
 * Changes columns of some rows of a document on behalf of the product, and takes the automatic transitions that follow.
 */
export async function setRows(
  unit: Unit,
  type: 'mr' | 'mr_contract' | 'mr_receipt',
  id: number,
  rows: ReadonlyMap<number, Row>,
): Promise<WireRecord | null> {
  if (rows.size === 0) return null;
  return unit.elevated().update(type, id, { lines: { set: Object.fromEntries(rows) } });
}

/** Amounts to add to columns of rows, such as issued_qty. */
export type Amounts = Record<string, string | InstanceType<typeof Exact>>;

/** Adds quantities to columns of some rows, and sets other columns from the results. */
export async function addToRows(
  unit: Unit,
  type: 'mr' | 'mr_contract',
  id: number,
  amounts: ReadonlyMap<number, Amounts>,
  then: (row: Row) => Row = () => ({}),
): Promise<void> {
  const record = await unit.elevated().read(type, id, { lock: true });
  const changes = new Map<number, Row>();
  for (const row of rowsOf(record)) {
    const more = amounts.get(row.id);
    if (!more) continue;
    const set: Row = {};
    for (const [name, amount] of Object.entries(more))
      set[name] = new Exact((row[name] as string | null) ?? 0).plus(amount).toString();
    changes.set(row.id, { ...set, ...then({ ...row, ...set }) });
  }
  await setRows(unit, type, id, changes);
}

/** Adds up amounts by row. */
export function sumByRow(
  entries: readonly { row: number | null; qty: string }[],
  column: string,
): Map<number, Amounts> {
  const sums = new Map<number, Amounts>();
  for (const { row, qty } of entries)
    if (row !== null) {
      const known = sums.get(row)?.[column] ?? '0';
      sums.set(row, { [column]: new Exact(known).plus(qty) });
    }
  return sums;
}
