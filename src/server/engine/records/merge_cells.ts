import { formatNumber } from '../../../descriptor/format.ts';
import type { Field } from '../../../descriptor/types.ts';
import { AppError, invalid } from '../../db/errors.ts';
import type { FieldError } from '../../../descriptor/types.ts';
import { isSame } from './history.ts';

type Row = Record<string, unknown>;

/** Cells of one row: by column the value that the person saw, and the new value. */
export interface SentCells {
  id: number;
  set: Readonly<Record<string, readonly [unknown, unknown]>>;
}

/** A person's changes in rows. */
export interface SentRows {
  cells: readonly SentCells[];
  insert: readonly Row[];
  remove: readonly number[];
}

/** A cell that somebody else changed in the meantime; `field` null = they removed the row. */
export interface CellConflict {
  id: number;
  field: string | null;
  yours: unknown;
  theirs: unknown;
}

/** The maximum number of cells at once: a thousand rows of twenty months. */
const MAX_CELLS = 20_000;

const isObject = (value: unknown): value is Row => value !== null && typeof value === 'object' && !Array.isArray(value);

/** Parses the request for the rows of a field. @throws AppError 400, 422 */
export function readCells(field: Field, body: Row): SentRows {
  const { cells = [], insert = [], remove = [] } = body;
  const bad = (name: string, message: string) => new AppError(400, 'bad_request', message, { field: name });
  if (
    !Array.isArray(cells) ||
    !cells.every((one) => isObject(one) && Number.isSafeInteger(one.id) && isObject(one.set))
  )
    throw bad(
      'cells',
      'cells is a list of {"id":41,"set":{"qty":["2","3"]}}: the value that you saw, and the new one.',
    );
  if (!Array.isArray(insert) || !insert.every(isObject)) throw bad('insert', 'insert is a list of new rows.');
  if (!Array.isArray(remove) || !remove.every((id) => Number.isSafeInteger(id)))
    throw bad('remove', 'remove is a list of ids of rows.');
  const columns = new Map(field.rows!.map((column) => [column.name, column]));
  const errors: FieldError[] = [];
  let count = 0;
  for (const { id, set } of cells as SentCells[])
    for (const [name, pair] of Object.entries(set)) {
      const column = columns.get(name);
      const path = `${field.name}.set.${id}.${name}`;
      count++;
      if (!Array.isArray(pair) || pair.length !== 2)
        throw bad(path, 'A cell is a list of two: the value that you saw, and the new one.');
      if (!column) errors.push({ field: path, message: `There is no column "${name}".` });
      else if (column.readOnly) errors.push({ field: path, message: `${column.title} cannot be entered.` });
    }
  if (count + insert.length > MAX_CELLS)
    throw bad('cells', `At most ${formatNumber(MAX_CELLS)} cells at once. Send them in several parts.`);
  if (errors.length > 0) throw invalid(errors);
  const sent = cells as SentCells[];
  const merged = new Map<number, Record<string, readonly [unknown, unknown]>>();
  for (const { id, set } of sent) merged.set(id, { ...merged.get(id), ...set });
  return {
    cells: [...merged].map(([id, set]) => ({ id, set })),
    insert: (insert as Row[]).map(({ id: _id, ...row }) => row),
    remove: [...new Set(remove as number[])],
  };
}

/**
 * Applies the cells that a person changed to the stored rows. A cell whose value differs from the one the person saw is
 * a conflict, unless it already has the new value; all other cells of its row are applied.
 */
export function mergeCells(
  columns: readonly Field[],
  stored: readonly Row[],
  { cells, remove }: Pick<SentRows, 'cells' | 'remove'>,
): { set: Map<number, Row>; remove: number[]; conflicts: CellConflict[] } {
  const rows = new Map(stored.map((row) => [Number(row.id), row]));
  const byName = new Map(columns.map((column) => [column.name, column]));
  const gone = new Set(remove);
  const set = new Map<number, Row>();
  const conflicts: CellConflict[] = [];
  for (const { id, set: sent } of cells) {
    const row = rows.get(id);
    if (gone.has(id)) continue;
    if (!row) {
      const yours = Object.fromEntries(Object.entries(sent).map(([name, [, to]]) => [name, to]));
      conflicts.push({ id, field: null, yours, theirs: null });
      continue;
    }
    const taken: Row = {};
    for (const [name, [from, to]] of Object.entries(sent)) {
      const column = byName.get(name)!;
      const now = row[name] ?? null;
      if (isSame(column, now, to)) continue;
      if (isSame(column, now, from)) taken[name] = to;
      else conflicts.push({ id, field: name, yours: to, theirs: now });
    }
    if (Object.keys(taken).length > 0) set.set(id, taken);
  }
  return { set, remove: remove.filter((id) => rows.has(id)), conflicts };
}
