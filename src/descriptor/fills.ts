import type { FieldFill } from './words/fills.ts';
import type { Screen } from './types.ts';

type Row = Record<string, unknown>;

/** The columns of a rows field that a list of `rows.column` names. */
export function columnsOf(names: readonly string[], rows: string): string[] {
  return names.flatMap((name) => (name.startsWith(`${rows}.`) ? [name.slice(rows.length + 1)] : []));
}

/** The fields of the record itself in a list of names. */
export function ownFields(names: readonly string[]): string[] {
  return names.filter((name) => !name.includes('.'));
}

/** The rows fields with columns in a list of names. */
export function rowsFields(names: readonly string[]): string[] {
  return [...new Set(names.flatMap((name) => (name.includes('.') ? [name.split('.')[0]!] : [])))];
}

const list = (value: unknown): Row[] => (Array.isArray(value) ? (value as Row[]) : []);
const differs = (one: unknown, other: unknown) => JSON.stringify(one ?? null) !== JSON.stringify(other ?? null);

/** The triggers of a fill: the fields it depends on, and those that people may enter instead. */
function watchedNames({ on, sets, over }: FieldFill): string[] {
  return over === undefined ? on : [...on, ...sets];
}

/** The scope of a fill: the whole record, or only some of its rows; null = none of its triggers has changed. */
export type Touched = 'all' | ReadonlySet<Row> | null;

/** The part of a fill affected by a change. Rows are identified by their ids; `stored` null = the record is new. */
export function touchedBy(fill: FieldFill, record: Row, stored: Row | null): Touched {
  const on = watchedNames(fill);
  if (!stored || ownFields(on).some((name) => differs(record[name], stored[name]))) return 'all';
  const rows = new Set<Row>();
  for (const field of rowsFields(on)) {
    const before = new Map(list(stored[field]).map((row) => [row.id, row]));
    for (const row of list(record[field])) {
      const old = row.id === undefined || row.id === null ? undefined : before.get(row.id);
      if (!old || columnsOf(on, field).some((column) => differs(row[column], old[column]))) rows.add(row);
    }
  }
  return rows.size > 0 ? rows : null;
}

/** The trigger values of a form as one text: when it changes, the fills are requested again. */
export function watchedBy(fills: readonly FieldFill[], values: Readonly<Row>): string {
  return JSON.stringify(
    fills.flatMap((fill) =>
      watchedNames(fill).map((name) => {
        const [first = '', column] = name.split('.');
        return column === undefined ? values[first] : list(values[first]).map((row) => row[column] ?? null);
      }),
    ),
  );
}

/** The fields and columns that the fills of a screen set. */
export function filledNames({ fills = [] }: Pick<Screen, 'fills'>): string[] {
  return fills.flatMap(({ sets }) => sets);
}
