import type { Field, Screen } from '../../../descriptor/types.ts';
import type { Database } from '../../db/database.ts';
import { childTable, quoted, tableName } from '../../db/names.ts';
import { columnSql, labelExpression } from '../../db/columns.ts';

const PLATFORM = 'public';
/** A library is a list to choose from, not a table of millions. */
const MAX_ROWS = 5_000;
/** The state in which a record with a workflow is offered. */
const PUBLISHED = 'published';

export interface LibraryRow {
  id: number;
  code: string;
  label: string;
  /** The record that it is a row of. */
  within?: string;
  /** The values of the fields that are mapped; rows as lists. */
  values: Record<string, unknown>;
}

/** The industry of a client, which restricts libraries; null = unknown. */
export async function industryOf(main: Database, subDomain: string): Promise<{ id: number; name: string } | null> {
  const [row] = await main.query<{ id: number; name: string }>(
    'select i.id, i.name from public.client_account c join public.industry i on i.id = c.industry_id where c.sub_domain = $1 and c.active',
    [subDomain],
  );
  return row ?? null;
}

/**
 * The records that a library offers: active ones; if it has the field or the state, only published ones; if it has
 * industries, only those for the industry. `ids`:
 * only these, regardless of the industry: records that a chosen row refers to.
 */
export async function libraryRows(
  main: Database,
  library: Screen,
  names: string[],
  { industry, ids = null }: { industry: number | null; ids?: number[] | null },
): Promise<LibraryRow[]> {
  const table = tableName(PLATFORM, library.name);
  const has = (name: string, type: string) =>
    library.fields.some((field) => field.name === name && field.type === type);
  const fields = names.flatMap((name) => library.fields.find((field) => field.name === name) ?? []);
  const columns = fields.filter((field) => !field.rows && !field.secret);
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const { workflow } = library;
  const where = [
    't.active',
    ...(has('published', 'boolean') ? ['t.published'] : []),
    ...(workflow?.states.some(({ name }) => name === PUBLISHED)
      ? [`t.${quoted(workflow.field)} = '${PUBLISHED}'`]
      : []),
  ];
  if (ids !== null) where.push(`t.id = any(${bind(ids)}::bigint[])`);
  else if (industry !== null && has('industries', 'refs'))
    where.push(`(coalesce(cardinality(t.industries), 0) = 0 or ${bind(industry)}::bigint = any(t.industries))`);
  const label = labelExpression(library, 't', { screens: new Map(), schema: PLATFORM });
  const rows = await main.query<LibraryRow & Record<string, unknown>>(
    `select t.id, t.code, ${label} as label${columns.map((field, at) => `, ${columnSql(field, 't')} as "v${at}"`).join('')} from ${table} t where ${where.join(' and ')} order by lower(${label}), t.id limit ${MAX_ROWS}`,
    values,
  );
  const made = rows.map((row): LibraryRow => ({
    id: row.id,
    code: row.code,
    label: row.label,
    values: Object.fromEntries(columns.map(({ name }, at) => [name, row[`v${at}`] ?? null])),
  }));
  for (const field of fields) if (field.rows) await addRows(main, library, field, made);
  return made;
}

async function addRows(main: Database, library: Screen, field: Field, rows: LibraryRow[]): Promise<void> {
  const columns = field.rows!.filter((column) => !column.secret).map((column) => quoted(column.name));
  const found = await main.query<Record<string, unknown> & { parent_id: number }>(
    `select id, parent_id, ${columns.join(', ')} from ${childTable(PLATFORM, library.name, field.name)} where parent_id = any($1::bigint[]) order by parent_id, position`,
    [rows.map(({ id }) => id)],
  );
  const byParent = Map.groupBy(found, ({ parent_id: parent }) => parent);
  for (const row of rows)
    row.values[field.name] = (byParent.get(row.id) ?? []).map(({ parent_id: _parent, ...rest }) => rest);
}

/**
 * The rows of the records that a library offers, each code once, from the first record that has it. `named`: the column
 * with their name.
 */
export async function libraryChildRows(
  main: Database,
  library: Screen,
  { rows: field, named }: { rows: string; named: string | undefined },
  industry: number | null,
): Promise<LibraryRow[]> {
  const records = await libraryRows(main, library, [field], { industry });
  const found = new Map<string, LibraryRow>();
  for (const { label, values } of records)
    for (const row of values[field] as (Record<string, unknown> & { id: number; code: string | null })[]) {
      const key = row.code?.toLowerCase();
      if (key === undefined || found.has(key)) continue;
      const name = named === undefined ? null : row[named];
      const made = { id: row.id, code: row.code!, label: typeof name === 'string' ? name : row.code!, within: label };
      found.set(key, { ...made, values: row });
    }
  return [...found.values()].toSorted((a, b) => a.label.localeCompare(b.label));
}
