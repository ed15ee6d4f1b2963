import type { Field } from './types.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * The changes in child rows, by row: `{"41": {"qty": ["2", "3"]}, "+57": {…}, "-40": {…}}`. A changed row has its
 * changed columns, from and to; an added or removed row has its values. `position` is the place in the list; for a
 * moved row, from and to.
 */
export type RowsChange = Readonly<Record<string, Row>>;

const PLACE = 'position';

/** Whether the history of a field has rows by id; older entries have both lists, `[from, to]`. */
export function isRowsChange(value: unknown): value is RowsChange {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** Whether a key of such a change is that of a row, not of a group. */
export const isRowKey = (key: string): boolean => !key.startsWith('=');

const isNew = (row: Row) => row.id === undefined || row.id === null;

function valuesOf(columns: readonly Field[], row: Row, at: number): Row {
  const values: Record<string, unknown> = { [PLACE]: at };
  for (const { name } of columns) if (row[name] !== undefined && row[name] !== null) values[name] = row[name];
  return values;
}

/** Whether no row was added, removed or moved, as in most saves. */
const inSamePlaces = (from: readonly Row[], to: readonly Row[]): boolean =>
  from.length === to.length && to.every((row, at) => !isNew(row) && row.id === from[at]!.id);

type IsSame = (column: Field, a: unknown, b: unknown) => boolean;

/** The changed columns of a row, from and to. */
function changedColumns(columns: readonly Field[], old: Row, row: Row, same: IsSame): Row {
  const changed: Record<string, unknown> = {};
  for (const column of old === row ? [] : columns) {
    if (column.rows) {
      const inner = partsChange(column.rows, listOf(old[column.name]), listOf(row[column.name]), same);
      if (Object.keys(inner).length > 0) changed[column.name] = inner;
      continue;
    }
    const pair = [old[column.name] ?? null, row[column.name] ?? null] as const;
    if (!same(column, ...pair)) changed[column.name] = pair;
  }
  return changed;
}

/** The changes of rows that kept their places. */
function changedRows(columns: readonly Field[], from: readonly Row[], to: readonly Row[], same: IsSame): RowsChange {
  const known: Record<string, Row> = {};
  to.forEach((row, at) => {
    if (row === from[at]) return;
    const changed = changedColumns(columns, from[at]!, row, same);
    if (Object.keys(changed).length > 0) known[String(row.id)] = changed;
  });
  return known;
}

/**
 * The differences between two lists of rows. New rows have no id yet: they are identified by position until they are
 * stored.
 */
export function rowsChange(
  columns: readonly Field[],
  from: readonly Row[],
  to: readonly Row[],
  same: IsSame,
): { known: RowsChange; added: ReadonlyMap<number, Row> } {
  if (inSamePlaces(from, to)) return { known: changedRows(columns, from, to, same), added: new Map() };
  const before = new Map(from.map((row, at) => [row.id, { row, at }]));
  const kept = to.flatMap((row, at) => {
    const old = isNew(row) ? undefined : before.get(row.id);
    return old ? [{ row, at, old: old.row, was: old.at }] : [];
  });
  const staying = longestRise(kept.map(({ was }) => was));
  const known: Record<string, Row> = {};
  kept.forEach(({ row, at, old, was }, index) => {
    const changed = {
      ...(!staying.has(index) && { [PLACE]: [was, at] }),
      ...changedColumns(columns, old, row, same),
    };
    if (Object.keys(changed).length > 0) known[String(row.id)] = changed;
  });
  const left = new Set(kept.map(({ row }) => row.id));
  from.forEach((row, at) => {
    if (!left.has(row.id)) known[`-${String(row.id)}`] = valuesOf(columns, row, at);
  });
  const added = new Map(to.flatMap((row, at) => (isNew(row) ? [[at, valuesOf(columns, row, at)] as const] : [])));
  return { known, added };
}

const listOf = (value: unknown): Row[] => (Array.isArray(value) ? (value as Row[]) : []);

/** The differences between two lists of stored rows; added rows by id. */
export function partsChange(
  columns: readonly Field[],
  from: readonly Row[],
  to: readonly Row[],
  same: IsSame,
): RowsChange {
  const before = new Set(from.map(({ id }) => id));
  const { known, added } = rowsChange(
    columns,
    from,
    to.map((row) => (before.has(row.id) ? row : { ...row, id: null })),
    same,
  );
  return {
    ...known,
    ...Object.fromEntries([...added].map(([at, values]) => [`+${String(to[at]?.id ?? at)}`, values])),
  };
}

/** Which of these positions can remain: a longest increasing subsequence, by index. */
function longestRise(places: readonly number[]): ReadonlySet<number> {
  const ends: number[] = [];
  const previous: number[] = [];
  places.forEach((place, index) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (places[ends[middle]!]! < place) low = middle + 1;
      else high = middle;
    }
    previous[index] = low > 0 ? ends[low - 1]! : -1;
    ends[low] = index;
  });
  const staying = new Set<number>();
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at]!) staying.add(at);
  return staying;
}

/** The rows before a change, reconstructed from the rows after it. */
export function rowsBefore(change: RowsChange, after: readonly Row[]): Row[] {
  const moved: { at: number; row: Row }[] = [];
  const rows: Row[] = [];
  for (const row of after) {
    const id = String(row.id);
    if (`+${id}` in change) continue;
    const own = change[id];
    if (!own) {
      rows.push(row);
      continue;
    }
    const old: Record<string, unknown> = { ...row };
    for (const [name, pair] of Object.entries(own))
      if (isRowsChange(pair)) old[name] = rowsBefore(pair as RowsChange, listOf(old[name]));
      else if (name !== PLACE && Array.isArray(pair)) {
        old[name] = pair[0] as unknown;
        delete old[`${name}__label`];
      }
    if (Array.isArray(own[PLACE])) moved.push({ at: Number(own[PLACE][0]), row: old });
    else rows.push(old);
  }
  for (const [key, values] of Object.entries(change)) {
    if (!key.startsWith('-')) continue;
    const { [PLACE]: at, ...own } = values;
    moved.push({ at: Number(at), row: { id: Number(key.slice(1)), ...own } });
  }
  for (const { at, row } of moved.toSorted((a, b) => a.at - b.at)) rows.splice(at, 0, row);
  return rows;
}
