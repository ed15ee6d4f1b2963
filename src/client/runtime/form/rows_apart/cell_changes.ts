import type { Field } from '../../../../descriptor/types.ts';
import type { Values } from '../values.ts';
import { isEmpty, sameRow, sameValue } from '../values.ts';

/** For a row that is not stored yet: its temporary key. */
export const NEW = '_new';

/** A cell, or with `field` null a row, that somebody else changed at the same time. */
export interface CellConflict {
  id: number;
  field: string | null;
  yours: unknown;
  theirs: unknown;
  by: string | null;
  at: string | null;
}

/** The sent changes: for each cell the value that the person saw, and the new value. */
export interface Changes {
  cells: { id: number; set: Record<string, [unknown, unknown]> }[];
  insert: Values[];
  remove: number[];
}

/** The returned rows: added, changed and removed ones; or all. */
export type RowsAnswer = { set: Record<string, Values>; add: Values[]; remove: number[] } | Values[];

const idOf = ({ id }: Values): number | null => (typeof id === 'number' ? id : null);
const plain = (value: unknown) => (isEmpty(value) ? null : value);
const entered = (columns: readonly Field[]) => columns.filter(({ readOnly, formula }) => !readOnly && !formula);

/** A person's unresolved changes. `held`: `id` or `id.column` of those waiting for a decision or a correction. */
export function changesOf(
  columns: Field[],
  base: readonly Values[],
  values: readonly Values[],
  held: ReadonlySet<string>,
): Changes {
  const before = new Map(base.map((row) => [row.id, row]));
  const left = new Set(values.map(({ id }) => id));
  const own = entered(columns);
  const cells: Changes['cells'] = [];
  const insert: Values[] = [];
  for (const row of values) {
    const id = idOf(row);
    if (id === null) {
      const filled = own.some(({ name }) => !isEmpty(row[name]));
      if (filled && !held.has(String(row[NEW])) && own.every(({ name, required }) => !required || !isEmpty(row[name])))
        insert.push(row);
      continue;
    }
    const old = before.get(id);
    if (!old || old === row || held.has(String(id))) continue;
    const set: Record<string, [unknown, unknown]> = {};
    for (const column of own)
      if (!held.has(`${id}.${column.name}`) && !sameValue(column, row[column.name], old[column.name]))
        set[column.name] = [plain(old[column.name]), plain(row[column.name])];
    if (Object.keys(set).length > 0) cells.push({ id, set });
  }
  const remove = base.flatMap((row) => (left.has(row.id) ? [] : [Number(row.id)]));
  return { cells, insert, remove };
}

export const isNothing = ({ cells, insert, remove }: Changes): boolean =>
  cells.length + insert.length + remove.length === 0;

interface Applied {
  base: Values[];
  values: Values[];
  /** Rows that others removed and this person had changed. */
  gone: Values[];
}

/**
 * Merges the server's rows under the values that the person typed in the meantime. A cell that they changed keeps their
 * value, and is still compared with the value they saw. `sent`: the response to this person's own save.
 */
export function applied(
  columns: Field[],
  base: readonly Values[],
  values: readonly Values[],
  answer: RowsAnswer,
  sent: Changes | null = null,
): Applied {
  const before = new Map(base.map((row) => [idOf(row), row]));
  const { set, add, removed } = partOf(answer, before);
  const sentCells = new Map(sent?.cells.map((one) => [one.id, one.set]));
  const nextBase = new Map<number | null, Values>();
  const removedByMe = new Set(sent?.remove);
  for (const [id, row] of before) {
    if (removed.has(Number(id)) || removedByMe.has(Number(id))) continue;
    // The response omits a row that already has the sent values.
    const saved = set.has(Number(id)) ? undefined : sentCells.get(Number(id));
    nextBase.set(
      id,
      saved ? { ...row, ...Object.fromEntries(Object.entries(saved).map(([name, [, to]]) => [name, to])) } : row,
    );
  }
  const gone: Values[] = [];
  const fresh = new Map(sent?.insert.map((row, at) => [row[NEW], { row, stored: add[at] }]));
  const nextValues: Values[] = [];
  const known = new Set<number | null>();
  for (const row of values) {
    const id = idOf(row);
    const made = id === null ? fresh.get(row[NEW]) : undefined;
    if (id === null) {
      if (!made?.stored) {
        nextValues.push(row);
        continue;
      }
      const laid = lay(columns, made.row, row, made.stored, null);
      nextBase.set(idOf(made.stored), made.stored);
      known.add(idOf(made.stored));
      nextValues.push(laid.row);
      continue;
    }
    known.add(id);
    const old = before.get(id);
    const theirs = set.get(id);
    if (removed.has(id)) {
      if (old && !sameRow(entered(columns), row, old)) gone.push(row);
      continue;
    }
    if (!theirs || !old) {
      nextValues.push(row);
      continue;
    }
    const laid = lay(columns, old, row, theirs, sentCells.get(id) ?? null);
    nextBase.set(id, laid.base);
    nextValues.push(laid.row);
  }
  // Rows that this person removed, and that are not sent yet, are also compared with the values they saw.
  for (const [id, row] of set) if (!known.has(id) && nextBase.has(id)) nextBase.set(id, row);
  for (const row of add) {
    if (known.has(idOf(row)) || before.has(idOf(row))) continue;
    nextBase.set(idOf(row), row);
    nextValues.push(row);
  }
  return { base: [...nextBase.values()], values: nextValues, gone };
}

/** Any response as added, changed and removed rows. */
function partOf(answer: RowsAnswer, before: ReadonlyMap<number | null, Values>) {
  if (!Array.isArray(answer))
    return {
      set: new Map(Object.entries(answer.set).map(([id, row]) => [Number(id), row])),
      add: answer.add,
      removed: new Set(answer.remove),
    };
  const now = new Set(answer.map(idOf));
  return {
    set: new Map(answer.flatMap((row) => (before.has(idOf(row)) ? [[Number(row.id), row] as const] : []))),
    add: answer.filter((row) => !before.has(idOf(row))),
    removed: new Set([...before.keys()].flatMap((id) => (id === null || now.has(id) ? [] : [id]))),
  };
}

/** One row: the person's cells over the stored ones, and the values with which they will be compared. */
function lay(
  columns: Field[],
  old: Values,
  mine: Values,
  theirs: Values,
  sent: Readonly<Record<string, [unknown, unknown]>> | null,
): { base: Values; row: Values } {
  const base: Record<string, unknown> = { ...theirs };
  const row: Record<string, unknown> = { ...theirs, ...(NEW in mine && { [NEW]: mine[NEW] }) };
  for (const column of entered(columns)) {
    const { name } = column;
    if (sameValue(column, mine[name], old[name]) || sameValue(column, mine[name], theirs[name])) continue;
    const own = sent?.[name];
    row[name] = mine[name];
    if (`${name}__label` in mine) row[`${name}__label`] = mine[`${name}__label`];
    // Changed again after it was sent: it continues from the value just saved, if that was saved.
    if (!own || !sameValue(column, theirs[name], own[1])) base[name] = old[name];
  }
  return { base, row };
}
