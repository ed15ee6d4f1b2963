import { viewTable } from './view_rows.ts';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import type { Field, Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { childTable, peopleTable, quoted, tableName } from '../../db/names.ts';
import { notFound } from '../../db/errors.ts';
import {
  STAMPS_OF_PEOPLE,
  columnFields,
  labels,
  readColumns,
  secretColumns,
  stampLabel,
  stampLabels,
} from '../../db/columns.ts';
import { companyScope, rowScope } from '../../access/rights/scope.ts';
import { SqlParams, preparedStatement, memoForAllClients } from '../../db/sql_text.ts';

/** One record with its child rows and labels, if the session may see it. @throws AppError 404 */
export async function readRecord(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  id: number,
): Promise<WireRecord> {
  const [record] = await readRecords(session, screen, screens, [id]);
  if (!record) throw notFound();
  return record;
}

/** A record that the session has just written; the change may have hidden it from the person. */
export async function readWritten(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  id: number,
): Promise<WireRecord> {
  const [record] = await readRecords(session, screen, screens, [id], { written: true });
  if (!record) throw notFound();
  return record;
}

/** The columns and labels of a record, without its child rows and the labels of its stamps. */
function recordColumns(screen: Screen, screens: Map<string, Screen>, schema: string, alias: string): string[] {
  const shown = columnFields(screen.fields).filter((field) => !field.secret);
  return [...readColumns(screen, alias), ...secretColumns(screen, alias), ...labels(screens, schema, shown, alias)];
}

/** Placeholder for the position of the person who inserts. */
const ANYBODY = '{user}';

/**
 * Reads a record without child rows, by the alias of its insert's returned row. `user` is the parameter with its author
 * and last editor.
 */
export function insertedSelect(
  screen: Screen,
  screens: Map<string, Screen>,
  schema: string,
  alias: string,
  user: string,
): string {
  const text = memoForAllClients(screens, screen, schema, `inserted ${alias}`, (any) => {
    const rows = screen.fields.filter((field) => field.rows).map((field) => `'[]'::jsonb as ${quoted(field.name)}`);
    const name = stampLabel(screens, schema, 'u');
    const stamps = name === null ? [] : STAMPS_OF_PEOPLE.map((stamp) => `w.label as ${quoted(`${stamp}__label`)}`);
    // A separate sub-select: with a join, PostgreSQL sorts and merges for one row.
    const person =
      name === null
        ? ''
        : ` cross join (select (select ${name} from ${peopleTable(any)} u where u.id = ${ANYBODY}) as label offset 0) w`;
    return `select ${[...recordColumns(screen, screens, any, alias), ...stamps, ...rows].join(', ')} from ${alias}${person}`;
  });
  return text.replace(ANYBODY, `${user}::bigint`);
}

/** The rows of a field that are read completely, and the columns read of the others. */
export interface SomeRows {
  ids: readonly number[];
  columns: readonly string[];
}

/**
 * A record to be changed, its child rows without labels: a save changes few of a thousand rows, and nobody reads the
 * labels of the others. `some`: fields for whose other rows a few columns are enough. @throws AppError 404
 */
export async function readForWriting(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  id: number,
  some: ReadonlyMap<string, SomeRows>,
): Promise<WireRecord> {
  const rows = new Map([...some].map(([name, { ids }]) => [name, ids]));
  const [record] = await readRecords(session, screen, screens, [id], { bareRows: true, rows, others: some });
  if (!record) throw notFound();
  for (const [name, { columns }] of some) {
    const others = otherRows(name);
    const { id: ids = [], ...values } = (record[others] ?? {}) as Record<string, unknown[] | null>;
    delete record[others];
    const whole = new Map((record[name] as Record<string, unknown>[]).map((row) => [row.id, row]));
    const lists = columns.map((column) => [column, values[column] ?? []] as const);
    record[name] = (ids ?? []).map((id, at) => {
      const known = whole.get(id);
      if (known) return known;
      const row: Record<string, unknown> = { id };
      for (const [column, list] of lists) row[column] = list[at];
      return row;
    });
  }
  return record;
}

/** The key of the columns of the other rows of a field in the result. */
const otherRows = (field: string) => `${field}__others`;

/** Columns of the rows of the record `outer` as an object of lists, each in the order of the rows. */
function columnLists(field: Field, { screen, schema }: RowsOf, outer: string, columns: readonly string[]): string {
  const read = field.rows!.filter(({ name }) => columns.includes(name));
  const lists = ['id', ...read.map(({ name }) => name)].map((name) => `'${name}', json_agg(x.${quoted(name)})`);
  const items = ['r.id', ...read.map((column) => `${rowValue(column, 'r')} as ${quoted(column.name)}`)];
  return `(select json_build_object(${lists.join(', ')}) from (select ${items.join(', ')} from ${childTable(schema, screen.name, field.name)} r where r.parent_id = ${outer}.id order by r."position", r.id) x)`;
}

/** A record that the session has just written, with only those child rows that have these ids. */
export async function readWrittenRows(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  id: number,
  rows: ReadonlyMap<string, readonly number[]>,
): Promise<WireRecord> {
  const [record] = await readRecords(session, screen, screens, [id], { written: true, rows });
  if (!record) throw notFound();
  return record;
}

interface Reading {
  /** The session has just written them: they may be hidden from it now. */
  written?: boolean;
  /** Child rows without labels. */
  bareRows?: boolean;
  /** Only the rows with these ids, for these rows fields. */
  rows?: ReadonlyMap<string, readonly number[]>;
  /** In addition, some columns of all rows, for these rows fields. */
  others?: ReadonlyMap<string, SomeRows>;
}

/** The parameter with the ids of the rows of a field. */
const rowIds = (field: string) => `{rows ${field}}`;

/** Records by id, limited to those that the session may see. */
export async function readRecords(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  ids: number[],
  { written = false, bareRows = false, rows, others }: Reading = {},
): Promise<WireRecord[]> {
  const { schema, db } = session.tenant;
  const values = new SqlParams();
  const where = [
    // For a single id: a plan for a list is made again at each call, and takes longer than the reading.
    ids.length === 1 ? `t.id = ${values.bind(ids[0])}` : `t.id = any(${values.bind(ids)})`,
    ...(written ? companyScope(session, screen, 't', values) : rowScope(session, screen, screens, 't', values)),
  ];
  const some = [...(rows?.keys() ?? [])];
  const key = `record ${bareRows ? 'bare' : ''} ${some.join()}${others ? ' and others' : ''}`;
  let columns = memoForAllClients(screens, screen, schema, key, (any) => {
    const lists = screen.fields
      .filter((field) => field.rows)
      .map((field) => {
        const only = some.includes(field.name) ? ` and r.id = any(${rowIds(field.name)}::bigint[])` : '';
        const of = { screen, screens, schema: any, bare: bareRows };
        const beside = others?.get(field.name);
        const lists = beside
          ? `, ${columnLists(field, of, 't', beside.columns)} as ${quoted(otherRows(field.name))}`
          : '';
        return `${rowsJson(field, of, 't', 'r', only)} as ${quoted(field.name)}${lists}`;
      });
    return [...recordColumns(screen, screens, any, 't'), ...stampLabels(screens, any, 't'), ...lists].join(', ');
  });
  for (const name of some) columns = columns.replace(rowIds(name), values.bind(rows!.get(name)));
  const from = screen.reads ? viewTable(session, screen, screens, 't', values) : `${tableName(schema, screen.name)} t`;
  const text = `select ${columns} from ${from} where ${where.join(' and ')}`;
  return db.query<WireRecord>(preparedStatement(text, values.list));
}

interface RowsOf {
  screen: Screen;
  screens: Map<string, Screen>;
  schema: string;
  /** Without labels. */
  bare: boolean;
}

/**
 * Child rows of the record `outer` as one JSON value, with their own rows; exact decimals as text, because JSON numbers
 * would become floats. Parts include their version. Rows are converted to JSON as a whole: built pair by pair, as
 * jsonb, a thousand of them take PostgreSQL three times as long.
 */
function rowsJson(field: Field, of: RowsOf, outer: string, row = 'r', only = ''): string {
  const { screen, screens, schema, bare } = of;
  const inner = field.rows!.filter((column) => !column.secret && !column.rows);
  const part = field.part && screens.get(field.part.type);
  const items = [
    `${row}.id`,
    ...(field.part ? [`${row}.version`] : []),
    ...inner.map((column) => `${rowValue(column, row)} as ${quoted(column.name)}`),
    ...(bare ? [] : labels(screens, schema, inner, row)),
    ...field.rows!.flatMap((column) =>
      column.rows && part
        ? [`${rowsJson(column, { ...of, screen: part }, row, `${row}r`)} as ${quoted(column.name)}`]
        : [],
    ),
  ];
  const from = field.part ? tableName(schema, field.part.type) : childTable(schema, screen.name, field.name);
  const parent = field.part ? quoted(field.part.by) : 'parent_id';
  const rows = `select ${items.join(', ')} from ${from} ${row} where ${row}.${parent} = ${outer}.id${only} order by ${row}."position", ${row}.id`;
  return `(select coalesce(json_agg(${row}x), '[]') from (${rows}) ${row}x)`;
}

function rowValue(field: Field, row: string): string {
  const column = `${row}.${quoted(field.name)}`;
  if (fieldType(field.type).can.exact) return `${column}::text`;
  if (field.type === 'time') return `to_char(${column}, 'HH24:MI')`;
  if (field.type === 'datetime') return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  return column;
}
