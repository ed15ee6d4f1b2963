import type { Screen } from '../../descriptor/types.ts';
import { applyInTransaction, changeName } from './apply.ts';
import type { BackupTable } from './backup.ts';
import { readCatalogue, storedType } from './catalogue.ts';
import type { Queryable } from './database.ts';
import { literal, quoted, requiredCheck } from './names.ts';
import { planSchema } from './plan.ts';
import type { Refusal } from './apply.ts';
import { systemTables } from './system_tables.ts';
import type { ColumnShape, TableShape } from './table_shapes.ts';
import { shapesOf } from './table_shapes.ts';
import { closure, stateSql } from './tenants.ts';

/** Column types allowed in a backup; any other is not a type of the product. */
const TYPES =
  /^(bigint|integer|smallint|boolean|text|uuid|date|jsonb?|character\(1\)|double precision|numeric(\(\d{1,3},\d{1,3}\))?|timestamp with(out)? time zone|time without time zone)(\[\])?$/;
const NAME = /^[a-z_][a-z0-9_]{0,62}$/;

const damaged = (what: string): Error => new Error(`The backup is damaged: ${what}. Nothing was restored.`);

/** A table of a backup with valid names and types; everything else in its definition is ignored. */
export function checkedTable(line: Record<string, unknown>): BackupTable {
  const { table, columns, next } = line as unknown as BackupTable;
  if (typeof table !== 'string' || !NAME.test(table)) throw damaged(`"${String(table)}" cannot be a table`);
  if (!Array.isArray(columns) || columns.length === 0) throw damaged(`table ${table} has no columns`);
  for (const column of columns) {
    if (typeof column?.name !== 'string' || !NAME.test(column.name))
      throw damaged(`"${String(column?.name)}" of ${table} cannot be a column`);
    if (typeof column.type !== 'string' || !TYPES.test(column.type))
      throw damaged(`"${String(column.type)}" of ${table}.${column.name} is not a type of values`);
  }
  if (new Set(columns.map(({ name }) => name)).size < columns.length)
    throw damaged(`table ${table} has two columns of one name`);
  if (next !== null && next !== undefined && !(Number.isSafeInteger(next) && next >= 1))
    throw damaged(`"${String(next)}" of ${table} is not a number`);
  return { table, columns: columns.map(({ name, type }) => ({ name, type })), next: next ?? null };
}

/** System tables whose rows the restore itself writes. */
const LEFT_ASIDE: ReadonlySet<string> = new Set(['system_version']);

/**
 * Creates the tables of one schema as named in a backup, in the schema's new system tables and from its descriptors.
 */
export function restoredTables(tx: Queryable, schema: string, screens: ReadonlyMap<string, Screen>) {
  const shapes = shapesOf(screens);
  const described = new Map<string, TableShape>(
    [...shapes.values()].flatMap(({ tables }) => tables.map((table) => [table.name, table] as const)),
  );
  const at = (table: string): string => `${quoted(schema)}.${quoted(table)}`;
  const tables = new Map<string, BackupTable>();
  /** Tables of descriptors without rows so far. Empty ones are created at the end, as for a new client. */
  const empty = new Set<string>();
  let columnsOfSystem: Map<string, Map<string, { type: string }>> | undefined;
  let systemKeys: { table: string; name: string; definition: string }[] = [];

  /** Rows come table by table in the order of the file: keys between system tables are restored at the end. */
  async function begin(): Promise<void> {
    const { tables: there } = await readCatalogue(tx, schema);
    columnsOfSystem = new Map([...there.values()].map(({ name, columns }) => [name, columns]));
    systemKeys = [...there.values()].flatMap(({ name: table, constraints }) =>
      [...constraints.values()]
        .filter(({ kind }) => kind === 'foreign')
        .map(({ name, definition }) => ({ table, name, definition })),
    );
    for (const { table, name } of systemKeys)
      await tx.query(`alter table ${at(table)} drop constraint ${quoted(name)}`);
  }

  /** Prepares a table for its rows. */
  async function add(table: BackupTable): Promise<void> {
    if (tables.has(table.table)) throw damaged(`table ${table.table} comes twice`);
    tables.set(table.table, table);
    if (LEFT_ASIDE.has(table.table)) return;
    if (systemTables.has(table.table)) {
      const known = columnsOfSystem!.get(table.table);
      for (const { name } of table.columns)
        if (!known?.has(name)) throw damaged(`the product’s table ${table.table} has no column ${name}`);
      // The product’s own types apply, whatever the file says.
      for (const column of table.columns) column.type = known!.get(column.name)!.type;
      // The initial rows of a new schema are replaced; in a table that the file does not have they stay.
      await tx.query(`delete from ${at(table.table)}`);
      return;
    }
    if (described.has(table.table)) empty.add(table.table);
    else await create(table);
  }

  /** Creates a table with the columns of the file, for its rows. */
  async function create(table: BackupTable): Promise<void> {
    const shape = described.get(table.table);
    const columns = table.columns.map((column) => {
      const wanted = shape?.columns.find(({ name }) => name === column.name);
      if (column.name === 'id') return `"id" bigint generated by default as identity`;
      const same = wanted && storedType(wanted.type) === storedType(column.type);
      return `${quoted(column.name)} ${column.type}${same && wanted.default !== undefined ? ` default ${wanted.default}` : ''}`;
    });
    const primary = shape?.constraints.find(({ kind }) => kind === 'primary');
    const key = primary
      ? [`constraint ${quoted(primary.name)} ${primary.definition}`]
      : table.columns.some(({ name }) => name === 'id')
        ? ['primary key ("id")']
        : [];
    await tx.query(`create table ${at(table.table)} (${[...columns, ...key].join(', ')})`);
  }

  async function insert(of: BackupTable, rows: unknown[]): Promise<void> {
    const { table, columns } = of;
    if (!rows.every((row) => Array.isArray(row) && row.length === columns.length))
      throw damaged(`a row of ${table} does not have its columns`);
    if (LEFT_ASIDE.has(table)) return;
    if (rows.length === 0) return;
    if (empty.delete(table)) await create(of);
    const names = columns.map(({ name }) => quoted(name)).join(', ');
    const values = columns.map(({ type }, n) => `(r.v->>${n})::${type}`).join(', ');
    await tx
      .query(
        `insert into ${at(table)} (${names}) select ${values} from json_array_elements($1::json) with ordinality as r(v, n) order by r.n`,
        [JSON.stringify(rows)],
      )
      .catch((error: { code?: string }) => {
        throw ['22', '23'].includes(error.code?.slice(0, 2) ?? '') ? damaged(`a row of ${table} is not valid`) : error;
      });
  }

  /** The requirements of a column; rows without a value stay empty. */
  async function require(table: TableShape, { name: now, notNull, identity }: ColumnShape): Promise<void> {
    const name = notNull && !identity ? storedAs(table, now) : undefined;
    if (name === undefined) return;
    const [gap] = await tx.query(`select 1 from ${at(table.name)} where ${quoted(name)} is null limit 1`);
    await tx.query(
      gap
        ? `do $do$ begin execute 'alter table ${at(table.name)} add constraint ${quoted(requiredCheck(table.name, name))} check (${quoted(name)} is not null or id <= ' || (select max(id) from ${at(table.name)}) || ') not valid'; end $do$`
        : `alter table ${at(table.name)} alter column ${quoted(name)} set not null`,
    );
  }

  /** The file's name for a column: its current one, or a former name of its field. */
  function storedAs({ name, type, rows }: TableShape, column: string): string | undefined {
    const fields = screens.get(type)?.fields ?? [];
    const { was = [] } =
      (rows === undefined ? fields : (fields.find((field) => field.name === rows)?.rows ?? [])).find(
        (field) => field.name === column,
      ) ?? {};
    const there = tables.get(name)?.columns;
    return [column, ...was].find((one) => there?.some((stored) => stored.name === one));
  }

  /**
   * Adds keys, indexes and checks: of the product, and from the descriptors.
   * @param believed whether this installation wrote the file: if its descriptors are unchanged, rows that
   *
   * violate a check were accepted on purpose, and still are
   * @returns what the rows do not allow, what has changed since the file was written, and data of fields that
   *
   * no longer exist
   */
  async function finish(believed: boolean): Promise<{ refused: Refusal[]; outgrown: Refusal[]; kept: Refusal[] }> {
    for (const { table, name, definition } of systemKeys)
      await tx.query(`alter table ${at(table)} add constraint ${quoted(name)} ${definition}`);
    for (const table of described.values())
      if (tables.has(table.name) && !empty.has(table.name))
        for (const column of table.columns) await require(table, column);
    const types = [...shapes.keys()].filter((type) => tables.has(type));
    const current = await readCatalogue(tx, schema);
    // All in this transaction, whatever the size of a table: nobody uses the schema yet.
    for (const table of current.tables.values()) table.bytes = 0;
    const wanted = closure(shapes, types).filter(({ type }) => screens.get(type)?.scope !== 'platform');
    const changes = planSchema(
      screens,
      schema,
      current,
      wanted.map(({ type }) => type),
    );
    const isAsThen = (type: string): boolean => current.state.get(type) === shapes.get(type)?.hash;
    const accepted = changes.filter(({ type, onPurpose }) => believed && onPurpose && isAsThen(type)).map(changeName);
    const { refused } = await applyInTransaction(tx as Parameters<typeof applyInTransaction>[0], changes, {
      allowDestructive: new Set(accepted),
    });
    const identities = await tx.query<{ table: string; column: string }>(
      `select c.relname as "table", a.attname as "column" from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = $1 and c.relkind = 'r' and a.attidentity <> ''`,
      [schema],
    );
    for (const { table, column } of identities) {
      const next = tables.get(table)?.next ?? null;
      if (next !== null) await tx.query(`alter table ${at(table)} alter column ${quoted(column)} restart with ${next}`);
    }
    const changed = refused.filter(({ change }) => !isAsThen(change.type));
    const open = new Set(changed.map(({ change }) => change.type));
    // The file's definitions are not trusted: tables are checked again if anything was refused.
    await tx.query(`update ${quoted(schema)}.schema_state set hash = ''`);
    await tx.query(
      stateSql(
        schema,
        wanted.filter(({ type }) => !open.has(type)),
      ) || 'select 1',
    );
    if (open.size > 0)
      await tx.query(
        `insert into ${quoted(schema)}.schema_state (type, hash) values ${[...open].map((type) => `(${literal(type)}, '')`).join(', ')} on conflict (type) do nothing`,
      );
    // A removed field keeps its values, until they are dropped on purpose.
    const kept = (one: Refusal): boolean => one.change.destructive?.always === true;
    return { refused, outgrown: changed.filter((one) => !kept(one)), kept: refused.filter(kept) };
  }

  return { begin, add, insert, finish };
}
