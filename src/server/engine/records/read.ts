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
import { Values, named, onceForAll } from '../../db/sql_text.ts';

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

/** A record that the session has just written; the change may have moved it out of the person's sight. */
export async function readWritten(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  id: number,
): Promise<WireRecord> {
  const [record] = await readRecords(session, screen, screens, [id], true);
  if (!record) throw notFound();
  return record;
}

/** What a record is read by, without its child rows and stamps' labels: columns, and labels beside them. */
function recordColumns(screen: Screen, screens: Map<string, Screen>, schema: string, alias: string): string[] {
  const shown = columnFields(screen.fields).filter((field) => !field.secret);
  return [...readColumns(screen, alias), ...secretColumns(screen, alias), ...labels(screens, schema, shown, alias)];
}

/** Stands for the place of whoever inserts. */
const ANYBODY = '{user}';

/** Reads a record that has no child rows, by the alias of what its insert returned. `user` is where the statement binds who made it, and changed it last. */
export function insertedSelect(
  screen: Screen,
  screens: Map<string, Screen>,
  schema: string,
  alias: string,
  user: string,
): string {
  const text = onceForAll(screens, screen, schema, `inserted ${alias}`, (any) => {
    const rows = screen.fields.filter((field) => field.rows).map((field) => `'[]'::jsonb as ${quoted(field.name)}`);
    const name = stampLabel(screens, schema, 'u');
    const stamps = name === null ? [] : STAMPS_OF_PEOPLE.map((stamp) => `w.label as ${quoted(`${stamp}__label`)}`);
    // Looked up once, and by itself: joined, PostgreSQL sorts and merges for one row.
    const person =
      name === null
        ? ''
        : ` cross join (select (select ${name} from ${peopleTable(any)} u where u.id = ${ANYBODY}) as label offset 0) w`;
    return `select ${[...recordColumns(screen, screens, any, alias), ...stamps, ...rows].join(', ')} from ${alias}${person}`;
  });
  return text.replace(ANYBODY, `${user}::bigint`);
}

/** Records by id, those of them that the session may see. */
export async function readRecords(
  session: Session,
  screen: Screen,
  screens: Map<string, Screen>,
  ids: number[],
  written = false,
): Promise<WireRecord[]> {
  const { schema, db } = session.tenant;
  const values = new Values();
  const where = [
    `t.id = any(${values.bind(ids)})`,
    ...(written ? companyScope(session, screen, 't', values) : rowScope(session, screen, screens, 't', values)),
  ];
  const columns = onceForAll(screens, screen, schema, 'record', (any) => {
    const rows = screen.fields
      .filter((field) => field.rows)
      .map((field) => `${rowsJson(field, screen, screens, any, 't')} as ${quoted(field.name)}`);
    return [...recordColumns(screen, screens, any, 't'), ...stampLabels(screens, any, 't'), ...rows].join(', ');
  });
  const text = `select ${columns} from ${tableName(schema, screen.name)} t where ${where.join(' and ')}`;
  return db.query<WireRecord>(named(text, values.list));
}

/** Names with values that one call of jsonb_build_object takes: PostgreSQL allows 100 arguments. */
const MAX_PAIRS = 50;

/** An object of any number of `'name', value` pairs. */
export function jsonObject(pairs: string[]): string {
  const parts = Array.from({ length: Math.ceil(pairs.length / MAX_PAIRS) }, (_, at) =>
    pairs.slice(at * MAX_PAIRS, (at + 1) * MAX_PAIRS).join(', '),
  );
  return parts.map((part) => `jsonb_build_object(${part})`).join(' || ');
}

/**
 * Child rows of the record `outer` as one JSON value, with their own; exact decimals as texts, because JSON numbers would
 * become floats. Parts tell their version, too.
 */
function rowsJson(
  field: Field,
  screen: Screen,
  screens: Map<string, Screen>,
  schema: string,
  outer: string,
  row = 'r',
): string {
  const inner = field.rows!.filter((column) => !column.secret && !column.rows);
  const label = labels(screens, schema, inner, row);
  const pairs = [
    `'id', ${row}.id`,
    ...(field.part ? [`'version', ${row}.version`] : []),
    ...inner.map((column) => `'${column.name}', ${rowValue(column, row)}`),
  ];
  const named = label.map((column) => {
    const at = column.lastIndexOf(' as ');
    return `'${column.slice(at + 4).replaceAll('"', '')}', ${column.slice(0, at)}`;
  });
  const part = field.part && screens.get(field.part.type);
  const deeper = field.rows!.flatMap((column) =>
    column.rows && part ? [`'${column.name}', ${rowsJson(column, part, screens, schema, row, `${row}r`)}`] : [],
  );
  const from = field.part ? tableName(schema, field.part.type) : childTable(schema, screen.name, field.name);
  const parent = field.part ? quoted(field.part.by) : 'parent_id';
  return `(select coalesce(jsonb_agg(${jsonObject([...pairs, ...named, ...deeper])} order by ${row}."position", ${row}.id), '[]') from ${from} ${row} where ${row}.${parent} = ${outer}.id)`;
}

function rowValue(field: Field, row: string): string {
  const column = `${row}.${quoted(field.name)}`;
  if (fieldType(field.type).can.exact) return `${column}::text`;
  if (field.type === 'time') return `to_char(${column}, 'HH24:MI')`;
  if (field.type === 'datetime') return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  return column;
}
