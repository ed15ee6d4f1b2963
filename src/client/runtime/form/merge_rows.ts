import type { Field } from '../../../descriptor/types.ts';
import type { Values } from './values.ts';
import { sameValue } from './values.ts';

const isNew = ({ id }: Values) => id === undefined || id === null;

/**
 * Merges child rows changed by two people, by id: rows and cells changed by one side have that side's value.
 * `conflict`: both changed the same cell differently, or one removed a row that the other changed; `rows` then has
 * mine.
 */
export function mergeRows(
  columns: Field[],
  base: readonly Values[],
  mine: readonly Values[],
  theirs: readonly Values[],
): { rows: Values[]; conflict: boolean } {
  const before = new Map(base.map((row) => [row.id, row]));
  const own = new Map(mine.flatMap((row) => (isNew(row) ? [] : [[row.id, row]])));
  const other = new Map(theirs.map((row) => [row.id, row]));
  let conflict = false;
  const isChanged = (row: Values, old: Values) =>
    columns.some((column) => !column.readOnly && !sameValue(column, row[column.name], old[column.name]));

  const together = new Map<Values, Values>();
  for (const row of mine) {
    const old = before.get(row.id);
    const now = other.get(row.id);
    if (isNew(row) || !old) together.set(row, row);
    else if (now) {
      const cells = mergeCells(columns, old, row, now);
      conflict ||= cells.conflict;
      together.set(row, cells.row);
    } else if (isChanged(row, old)) {
      // Removed by the others: my version becomes a new row.
      conflict = true;
      const { id: _gone, ...again } = row;
      together.set(row, again);
    }
  }
  for (const row of theirs) {
    const old = before.get(row.id);
    if (own.has(row.id)) continue;
    if (!old) together.set(row, row);
    else if (isChanged(row, old)) conflict = true;
  }

  const common = new Set(base.map(({ id }) => id).filter((id) => own.has(id) && other.has(id)));
  const orderOf = (rows: readonly Values[]) => rows.flatMap(({ id }) => (common.has(id) ? [id] : [])).join();
  const isReordered = orderOf(mine) !== orderOf(base);
  const [first, second] = isReordered ? [mine, theirs] : [theirs, mine];
  const mineOf = (row: Values) => (isNew(row) ? row : (own.get(row.id) ?? row));
  const rows = first.map((row) => together.get(mineOf(row))).filter((row) => row !== undefined);
  // A row that only the other side has goes after the row it followed there.
  let behind: Values | undefined;
  for (const row of second) {
    const merged = together.get(mineOf(row));
    if (merged === undefined) continue;
    if (!rows.includes(merged)) rows.splice(behind === undefined ? 0 : rows.indexOf(behind) + 1, 0, merged);
    behind = merged;
  }
  return { rows, conflict };
}

function mergeCells(columns: Field[], old: Values, mine: Values, theirs: Values): { row: Values; conflict: boolean } {
  const row: Record<string, unknown> = { ...theirs };
  let conflict = false;
  for (const column of columns) {
    const { name } = column;
    const label = `${name}__label`;
    // A secret that was not typed is not known here.
    if (column.readOnly || (column.secret && mine[name] === undefined)) continue;
    if (sameValue(column, mine[name], old[name])) continue;
    if (!sameValue(column, theirs[name], old[name]) && !sameValue(column, theirs[name], mine[name])) conflict = true;
    row[name] = mine[name];
    if (label in mine || label in row) row[label] = mine[label] ?? null;
  }
  return { row, conflict };
}
