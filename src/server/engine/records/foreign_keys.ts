import type { Queryable, Statement } from '../../db/database.ts';
import { quoted } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';

type Row = Record<string, unknown>;

/** The values of many new rows, by column. */
export interface NewRows {
  rows: readonly Row[];
  /** The columns that are written. */
  written: readonly string[];
  /** Values shared by all rows, also written. */
  same: Row;
}

/** The number of rows from which a combined check pays off. */
const MANY = 200;

interface ForeignKey {
  name: string;
  /** `schema.table` of the referenced rows. */
  target: string;
  columns: string[];
  /** The columns of the target, in the same order, and their types. */
  keys: string[];
  types: string[];
}

/** The checks and locks of a transaction so far; only for a transaction that rolls back as a whole. */
export interface HeldKeys {
  table?: TableKeys;
  /** The values whose rows are locked, by foreign key. */
  values: Map<string, Set<string>>;
}

interface TableKeys {
  /** The current role of this connection. */
  role: string;
  /** Whether the connection may skip the checks, and foreign keys are the only checks and triggers on new rows. */
  may: boolean;
  keys: ForeignKey[];
}

/**
 * PostgreSQL checks the foreign keys of new rows one by one, which takes half the time of a large insert. This does the
 * same once for all rows: it takes the same lock on each referenced row (nobody can delete it before the transaction
 * ends), and counts them.
 * @param held kept between calls of one transaction on one table, so that nothing is queried twice
 * @returns how to write the rows without further checks, null = write normally: the database does not allow it
 * @throws an error like PostgreSQL's own (`23503` and the constraint) if a referenced row does not exist
 */
export async function withForeignKeysHeld(
  tx: Queryable,
  schema: string,
  table: string,
  added: NewRows,
  held: HeldKeys = { values: new Map() },
): Promise<((statement: Statement) => Promise<Row[]>) | null> {
  if (added.rows.length < MANY) return null;
  const { role, may, keys } = (held.table ??= await keysOf(tx, schema, table));
  // A column that is not written has a value that only the database knows.
  const known = new Set([...added.written, ...Object.keys(added.same)]);
  if (!may || keys.some(({ columns }) => columns.some((column) => !known.has(column)))) return null;
  for (const key of keys) await hold(tx, key, added, held);
  return (statement) => withoutChecks(tx, role, statement);
}

async function keysOf(tx: Queryable, schema: string, table: string): Promise<TableKeys> {
  const [found] = await tx.query<TableKeys>(
    preparedStatement(
      `select current_user as role,
         has_parameter_privilege(session_user, 'session_replication_role', 'set') and not exists (
           select 1 from pg_trigger g where g.tgrelid = t.oid and g.tgtype::integer & 4 <> 0 and g.tgfoid <> 'pg_catalog."RI_FKey_check_ins"'::regproc) as may,
         coalesce((select json_agg(json_build_object('name', c.conname, 'target', format('%I.%I', n.nspname, r.relname),
             'columns', (select json_agg(a.attname order by k.at) from unnest(c.conkey) with ordinality k(num, at) join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.num),
             'keys', (select json_agg(quote_ident(a.attname) order by k.at) from unnest(c.confkey) with ordinality k(num, at) join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.num),
             'types', (select json_agg(format_type(a.atttypid, a.atttypmod) order by k.at) from unnest(c.confkey) with ordinality k(num, at) join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.num)
           ) order by c.conname)
           from pg_constraint c join pg_class r on r.oid = c.confrelid join pg_namespace n on n.oid = r.relnamespace where c.conrelid = t.oid and c.contype = 'f'), '[]') as keys
       from pg_class t join pg_namespace s on s.oid = t.relnamespace where s.nspname = $1 and t.relname = $2`,
      [schema, table],
    ),
  );
  return found ?? { role: '', may: false, keys: [] };
}

async function hold(
  tx: Queryable,
  { name, target, columns, keys, types }: ForeignKey,
  { rows, same }: NewRows,
  held: HeldKeys,
): Promise<void> {
  let known = held.values.get(name);
  if (!known) held.values.set(name, (known = new Set()));
  const wanted = new Map<string, unknown[]>();
  for (const row of rows) {
    const values = columns.map((column) => (column in same ? same[column] : row[column]));
    // An incomplete key is not checked.
    if (values.some((value) => value === null || value === undefined)) continue;
    const text = values.join('\n');
    if (!known.has(text)) wanted.set(text, values);
  }
  if (wanted.size === 0) return;
  const lists = columns.map((_, at) => [...wanted.values()].map((values) => values[at]));
  const text = `select count(*)::int as found from (select 1 from ${target}
    where (${keys.join(', ')}) in (select * from unnest(${types.map((type, at) => `$${at + 1}::${type}[]`).join(', ')})) for key share) held`;
  const [{ found }] = (await tx.query<{ found: number }>(preparedStatement(text, lists))) as [{ found: number }];
  if (found < wanted.size)
    throw Object.assign(new Error(`${name}: ${wanted.size - found} of the rows referred to are not there.`), {
      code: '23503',
      constraint: name,
    });
  for (const text of wanted.keys()) known.add(text);
}

/**
 * The three are sent together, so that no other statement of this transaction comes between them. Only the connection's
 * own user may do this, not the client's role.
 */
async function withoutChecks(tx: Queryable, role: string, statement: Statement): Promise<Row[]> {
  const checks = (mode: 'replica' | 'origin') =>
    tx.query(`set local role none; set local session_replication_role = ${mode}; set local role ${quoted(role)}`);
  const [, rows] = await Promise.all([checks('replica'), tx.query(statement), checks('origin')]);
  return rows;
}
