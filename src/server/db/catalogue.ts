import type { Queryable } from './database.ts';
import type { Meaning } from './meaning.ts';
import { quoted } from './names.ts';

export interface StoredColumn {
  name: string;
  /** As PostgreSQL writes it: `numeric(18,2)`, `timestamp with time zone`. */
  type: string;
  notNull: boolean;
  hasDefault: boolean;
}
export interface StoredConstraint {
  name: string;
  kind: 'primary' | 'check' | 'foreign' | 'exclude' | 'unique';
  definition: string;
  columns: string[];
  validated: boolean;
}
export interface StoredIndex {
  name: string;
  unique: boolean;
  /** From the method on. */
  definition: string;
  /** False after a failed CREATE INDEX CONCURRENTLY. */
  valid: boolean;
}
export interface StoredTable {
  name: string;
  /** Rows by the last count of VACUUM or ANALYZE; −1 = never counted. */
  estimate: number;
  /** At most `smallTable` bytes: index and check in the same transaction. */
  bytes: number;
  columns: Map<string, StoredColumn>;
  constraints: Map<string, StoredConstraint>;
  indexes: Map<string, StoredIndex>;
}
/** What a schema holds now. */
export interface Catalogue {
  tables: Map<string, StoredTable>;
  /** Shape hashes applied last, by record type. */
  state: Map<string, string>;
  /** The accepted meaning of the rows of these types. */
  forms: Map<string, Meaning>;
}

const kinds: Record<string, StoredConstraint['kind']> = {
  p: 'primary',
  c: 'check',
  f: 'foreign',
  x: 'exclude',
  u: 'unique',
};

/** Reads a schema's tables in seven statements, whatever their number; `types` narrows to the tables of some record types. */
export async function readCatalogue(db: Queryable, schema: string, types?: string[]): Promise<Catalogue> {
  const narrowed = types ? `and (c.relname = any($2) or split_part(c.relname, '__', 1) = any($2))` : '';
  const values = types ? [schema, types.flatMap((type) => [type, `${type}_tree`])] : [schema];
  const of = `from pg_class c join pg_namespace n on n.oid = c.relnamespace`;
  const where = `where n.nspname = $1 and c.relkind in ('r', 'p') ${narrowed}`;
  const tables = new Map<string, StoredTable>();
  const found = await db.query<{ name: string; estimate: number; bytes: number }>(
    `select c.relname as name, c.reltuples::float8 as estimate, pg_relation_size(c.oid) as bytes ${of} ${where}`,
    values,
  );
  for (const row of found)
    tables.set(row.name, { ...row, columns: new Map(), constraints: new Map(), indexes: new Map() });
  const columns = await db.query<StoredColumn & { table: string }>(
    `select c.relname as "table", a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as "notNull", a.atthasdef as "hasDefault"
     ${of} join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped ${where} order by a.attnum`,
    values,
  );
  for (const { table, ...column } of columns) tables.get(table)?.columns.set(column.name, column);
  // PostgreSQL 18 lists NOT NULL as constraints too; here they are a property of columns.
  const constraints = await db.query<{
    table: string;
    name: string;
    kind: string;
    definition: string;
    columns: string[];
    validated: boolean;
  }>(
    `select c.relname as "table", k.conname as name, k.contype::text as kind, regexp_replace(pg_get_constraintdef(k.oid), ' NOT VALID$', '') as definition, k.convalidated as validated,
       coalesce((select array_agg(a.attname::text) from pg_attribute a where a.attrelid = k.conrelid and a.attnum = any(k.conkey)), '{}') as columns
     ${of} join pg_constraint k on k.conrelid = c.oid and k.contype in ('p', 'c', 'f', 'x', 'u') ${where}`,
    values,
  );
  for (const { table, kind, ...constraint } of constraints)
    tables.get(table)?.constraints.set(constraint.name, { ...constraint, kind: kinds[kind] ?? 'check' });
  const indexes = await db.query<StoredIndex & { table: string }>(
    `select c.relname as "table", i.relname as name, x.indisunique as "unique", x.indisvalid as valid,
       substring(pg_get_indexdef(x.indexrelid) from ' USING (.*)$') as definition
     ${of} join pg_index x on x.indrelid = c.oid join pg_class i on i.oid = x.indexrelid
     ${where} and not exists (select 1 from pg_constraint k where k.conindid = x.indexrelid and k.contype in ('p', 'x', 'u') and k.conname = i.relname)`,
    values,
  );
  for (const { table, ...index } of indexes) tables.get(table)?.indexes.set(index.name, index);
  const forms = await db.query<{ type: string; form: Meaning }>(
    `select type, form from ${quoted(schema)}.schema_state where form is not null ${types ? 'and type = any($1)' : ''}`,
    types ? [types] : [],
  );
  return {
    tables,
    state: await readState(db, schema),
    forms: new Map(forms.map(({ type, form }) => [type, form])),
  };
}

/** Shape hashes applied last, by record type; empty for a schema without any. */
export async function readState(db: Queryable, schema: string): Promise<Map<string, string>> {
  const rows = await db.query<{ type: string; hash: string }>(`select type, hash from ${quoted(schema)}.schema_state`);
  return new Map(rows.map(({ type, hash }) => [type, hash]));
}

/** Normalises SQL rewritten by PostgreSQL for comparison: without casts, brackets, quotes, spaces and keyword case. */
export function normalised(sql: string): string {
  // Text constants are kept; everything that PostgreSQL adds is removed.
  return sql
    .replaceAll(/'(-?\d+(?:\.\d+)?)'::(?:integer|bigint|numeric)/g, '$1') // how PostgreSQL writes negative numbers
    .split(/('(?:[^']|'')*')/)
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part
            .toLowerCase()
            .replaceAll(/::(character varying|timestamp with(out)? time zone|[a-z_]+)(\(\d+(,\s*\d+)?\))?(\[\])?/g, '')
            .replaceAll(/[\s()"]|public\./g, ''),
    )
    .join('');
}

const aliases: Record<string, string> = {
  timestamptz: 'timestamp with time zone',
  time: 'time without time zone',
  int: 'integer',
  int4: 'integer',
  int8: 'bigint',
  bool: 'boolean',
  varchar: 'character varying',
  decimal: 'numeric',
};

/** A column type as PostgreSQL writes it back. */
export function storedType(type: string): string {
  const [, base = type, arguments_ = '', array = ''] = /^([a-z0-9 ]+?)\s*(\([^)]*\))?(\[\])?$/i.exec(type.trim()) ?? [];
  return `${aliases[base.toLowerCase()] ?? base.toLowerCase()}${arguments_.replaceAll(' ', '')}${array}`;
}
