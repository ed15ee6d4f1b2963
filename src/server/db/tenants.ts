import type { Screen } from '../../descriptor/types.ts';
import { announce } from './announce.ts';
import type { Tenant } from './tenant.ts';
import { AppError } from './errors.ts';
import type { Applied, ApplyOptions, Refusal } from './apply.ts';
import { alterSchema, applyConcurrently, applyInTransaction, describeRefusal, lockSchema } from './apply.ts';
import { readCatalogue, readState } from './catalogue.ts';
import { createTablesScript } from './create_script.ts';
import { dropClientRole, forgetClientRoles } from './client_roles.ts';
import type { Database, Queryable } from './database.ts';
import type { Directory, TenantRow } from './directory.ts';
import { openTenant, selectTenants } from './directory.ts';
import { literal, quoted, schemaName } from './names.ts';
import type { Change } from './change.ts';
import { planSchema } from './plan.ts';
import { keepSpare, takeSpare } from './spare_schema.ts';
import { migratePlatform, migrateSystemTables, newTenantSystemTables } from './system_tables.ts';
import type { TypeShape } from './table_shapes.ts';
import { shapesOf } from './table_shapes.ts';

export interface NewTenant {
  /** 2–30 lower-case letters, digits and dashes; first a letter. */
  subDomain: string;
  name: string;
  /** Product suffixes bought, e.g. FMS. */
  products: string[];
  /** Default: the sub-domain in capitals. */
  code?: string;
  /** Name in the tenant directory; default "main". */
  database?: string;
  timezone?: string;
  licensedUsers?: number;
  active?: boolean;
  /** It may use the spare schema, which includes the initial lists of every client. */
  mayTakeSpare?: boolean;
  /**
   * The record types whose tables are created at once; default: those of its products. The others are created on first
   * use.
   */
  types?: readonly string[];
}

const reserved = new Set([
  'www',
  'app',
  'api',
  'admin',
  'mail',
  'static',
  'cdn',
  'analytics',
  'status',
  'localhost',
  'public',
]);

/** The initial tables of a client with these products. */
function shapesFor(screens: ReadonlyMap<string, Screen>, products: readonly string[]): TypeShape[] {
  const types = [...screens.values()]
    .filter(
      ({ scope, access }) =>
        scope !== 'platform' &&
        (access.products.length === 0 || access.products.some((code) => products.includes(code))),
    )
    .map((screen) => screen.name);
  return closure(shapesOf(screens), types);
}

/**
 * Creates the spare schema for the next client with these products.
 * @param fill writes the initial data of every client
 * @returns whether it was created now
 */
export function keepSpareFor(
  { main }: Pick<Directory, 'main'>,
  screens: ReadonlyMap<string, Screen>,
  products: readonly string[],
  fill: (tx: Queryable, schema: string) => Promise<unknown>,
): Promise<boolean> {
  const shapes = shapesFor(screens, products);
  return keepSpare(main, shapes, (schema) => newSchemaScript(schema, shapes), fill);
}

/**
 * Creates a tenant: its row in the directory, its schema, the system tables and the tables of its products: from the
 * spare schema (`keepSpareFor`), or in one script. The other tables are created on first use (`ensureTables`). Throws
 * AppError 422 `invalid` (bad sub-domain) or 409 `duplicate`.
 */
export async function createTenant(
  directory: Directory,
  screens: ReadonlyMap<string, Screen>,
  tenant: NewTenant,
): Promise<Tenant> {
  const subDomain = tenant.subDomain.trim().toLowerCase();
  if (!/^[a-z][a-z0-9-]{0,28}[a-z0-9]$/.test(subDomain) || reserved.has(subDomain))
    throw new AppError(
      422,
      'invalid',
      `"${tenant.subDomain}" cannot be a sub-domain: 2 to 30 lower-case letters, digits and dashes, beginning with a letter, and none of ${[...reserved].join(', ')}.`,
      { field: 'sub_domain' },
    );
  const schema = schemaName(subDomain);
  const name = tenant.database ?? 'main';
  const database = await directory.get(name);
  const wanted = tenant.types ? closure(shapesOf(screens), tenant.types) : shapesFor(screens, tenant.products);

  const addRow = async (on: Queryable, state: 'creating' | 'ready'): Promise<void> => {
    const [row] = await on.query<{ state: string }>(
      `insert into public.client as c (code, name, sub_domain, schema_name, database, products, timezone, licensed_users, active, state)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       on conflict (sub_domain) do update set name = excluded.name, products = excluded.products, code = excluded.code,
         timezone = excluded.timezone, licensed_users = excluded.licensed_users, active = excluded.active
         where c.state = 'creating' and c.database = excluded.database
       returning state`,
      [
        tenant.code ?? subDomain.toUpperCase(),
        tenant.name,
        subDomain,
        schema,
        name,
        tenant.products,
        tenant.timezone ?? 'Asia/Kolkata',
        tenant.licensedUsers ?? 50,
        tenant.active ?? true,
        state,
      ],
    );
    if (!row) throw new AppError(409, 'duplicate', `The sub-domain "${subDomain}" is taken.`, { field: 'sub_domain' });
    await announce(on, { kind: 'client' });
  };
  try {
    if (database === directory.main) {
      await database.transaction(async (tx) => {
        await addRow(tx, 'ready');
        const open = tenant.mayTakeSpare ? await takeSpare(tx, schema, wanted) : null;
        if (open === null) await tx.query(newSchemaScript(schema, wanted));
        else if (open.length > 0)
          await tx.query(
            [
              createTablesScript(
                schema,
                open.flatMap(({ tables }) => tables),
              ),
              stateSql(schema, open),
            ].join('\n'),
          );
      });
    } else {
      // Two databases cannot commit together: the row is written first, marked as unfinished, so that a second attempt
      // completes it.
      await directory.main.transaction((tx) => addRow(tx, 'creating'));
      await database.transaction(async (tx) => {
        await lockSchema(tx, schema);
        const [there] = await tx.query('select 1 from pg_namespace where nspname = $1', [schema]);
        if (!there) await tx.query(newSchemaScript(schema, wanted));
      });
      await directory.main.transaction(async (tx) => {
        await tx.query(`update public.client set state = 'ready' where sub_domain = $1`, [subDomain]);
        await announce(tx, { kind: 'client' });
      });
    }
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string };
    if (code === '23505' && constraint === 'client_code_key')
      throw new AppError(409, 'duplicate', 'Another client has this code.', { field: 'code' });
    throw error;
  }
  const created = await findTenant(directory, subDomain);
  if (!created) throw new Error(`The tenant ${subDomain} was made but is not in the directory.`);
  return created;
}

/** The tenant of a sub-domain, or null. */
export async function findTenant(directory: Directory, subDomain: string): Promise<Tenant | null> {
  const [row] = await selectTenants(directory.main, `sub_domain = $1 and state = 'ready'`, [subDomain]);
  return row ? openTenant(directory, row) : null;
}

/** All tenants with their databases; `only` narrows to some sub-domains. */
export async function allTenants(directory: Directory, only?: ReadonlySet<string>): Promise<Tenant[]> {
  const rows = (await directory.tenants()).filter(({ subDomain }) => !only || only.has(subDomain));
  return Promise.all(rows.map((row: TenantRow) => openTenant(directory, row)));
}

/** Erases a tenant: its schema with all rows, and its row in the directory. The caller deletes the files. */
export async function dropTenant(directory: Directory, subDomain: string): Promise<void> {
  const [row] = await selectTenants(directory.main, 'sub_domain = $1', [subDomain]);
  if (!row) return;
  const database: Database = await directory.get(row.database);
  await database.query(`drop schema if exists ${quoted(row.schema)} cascade`);
  await dropClientRole(database, row.schema);
  ready.get(database)?.delete(row.schema);
  await directory.main.transaction(async (tx) => {
    await tx.query('delete from public.client where id = $1', [row.id]);
    await announce(tx, { kind: 'client' });
  });
}

/** Types whose tables are known to match their screens, by database and schema. */
let ready = new WeakMap<Database, Map<string, Map<string, Screen>>>();

/**
 * A client was dropped, archived or restored, here or in another process: the cached state of tables is invalidated.
 */
export function forgetTables(): void {
  ready = new WeakMap();
  forgetClientRoles();
}

/**
 * Creates the tables of these record types, and of all they refer to, if they do not exist; alters them if their
 * descriptors have changed. Repeated calls cost nothing.
 */
export async function ensureTables(
  tenant: Pick<Tenant, 'db' | 'schema'>,
  screens: ReadonlyMap<string, Screen>,
  types: Iterable<string>,
): Promise<Refusal[]> {
  const {
    db: { owner: db },
    schema,
  } = tenant;
  let schemas = ready.get(db);
  if (!schemas) ready.set(db, (schemas = new Map()));
  let known = schemas.get(schema);
  if (!known) schemas.set(schema, (known = new Map()));
  const open = [...types].filter((type) => known.get(type) !== screens.get(type));
  if (open.length === 0) return [];
  const needed = closure(shapesOf(screens), open);
  const { refused } = await bringUpToDate(db, schema, screens, needed);
  for (const { type } of needed) {
    const screen = screens.get(type);
    if (screen) known.set(type, screen);
  }
  return refused;
}

/** The shapes that differ from the last applied ones. */
export async function staleShapes(on: Queryable, schema: string, shapes: TypeShape[]): Promise<TypeShape[]> {
  const state = await readState(on, schema);
  return shapes.filter(({ type, hash }) => state.get(type) !== hash);
}

/** The record types with tables at a client, and all that they need. */
export async function presentShapes(
  on: Queryable,
  schema: string,
  shapes: ReadonlyMap<string, TypeShape>,
): Promise<TypeShape[]> {
  return closure(shapes, (await readState(on, schema)).keys());
}

/** The current record types of the platform, and those when they were last applied. */
export async function platformShapes(on: Queryable, screens: ReadonlyMap<string, Screen>): Promise<TypeShape[]> {
  const shapes = shapesOf(screens);
  const [found] = await on.query<{ there: boolean }>(`select to_regclass('public.schema_state') is not null as there`);
  const known = found?.there ? await readState(on, 'public') : new Map<string, string>();
  return [...screens.values()]
    .filter(({ scope, name }) => scope === 'platform' || known.has(name))
    .flatMap(({ name }) => shapes.get(name) ?? []);
}

/**
 * Applies to one schema the differences from the last applied shapes; unchanged types are skipped. A type is marked as
 * done when it was applied completely: refused changes are retried and reported again at the next start.
 */
async function bringUpToDate(
  db: Database,
  schema: string,
  screens: ReadonlyMap<string, Screen>,
  shapes: TypeShape[],
  options: ApplyOptions = {},
): Promise<Applied> {
  if ((await staleShapes(db, schema, shapes)).length === 0) return { applied: [], refused: [] };
  const outcome = await alterSchema(db, schema, async (tx) => {
    // Another process may have done it while this one waited for the lock.
    const pending = await staleShapes(tx, schema, shapes);
    if (pending.length === 0) return { result: { applied: [], refused: [] } as Applied, changes: [], pending };
    await tx.query('set local citus.enable_schema_based_sharding to on');
    const types = pending.map(({ type }) => type);
    const changes = planSchema(screens, schema, await readCatalogue(tx, schema, types), types);
    const result = await applyInTransaction(tx, changes, options);
    if (!changes.some((change) => change.concurrently)) await remember(tx, schema, pending, changes, result);
    return { result, changes, pending };
  });
  const { result, changes, pending } = outcome;
  if (changes.some((change) => change.concurrently)) {
    await applyConcurrently(db, schema, changes, result);
    await remember(db, schema, pending, changes, result);
  }
  return result;
}

async function remember(
  on: Queryable,
  schema: string,
  shapes: TypeShape[],
  changes: Change[],
  { applied }: Applied,
): Promise<void> {
  const done = new Set(applied);
  const open = new Set(changes.filter((change) => !done.has(change)).map(({ type }) => type));
  const whole = shapes.filter(({ type }) => !open.has(type));
  if (whole.length > 0) await on.query(stateSql(schema, whole));
  // First seen incomplete: stored as known, without a matching descriptor.
  if (open.size > 0)
    await on.query(
      `insert into ${quoted(schema)}.schema_state (type, hash) select unnest($1::text[]), '' on conflict (type) do nothing`,
      [[...open]],
    );
}

/** The result for one tenant's tables. */
export interface Migration extends Applied {
  subDomain: string;
}

/** The companies of users were formerly a system table; now they are child rows of users. */
export async function moveCompaniesOfUsers(on: Queryable, schema: string): Promise<void> {
  const s = quoted(schema);
  const [found] = await on.query<{ move: boolean }>(
    'select to_regclass($1) is not null and to_regclass($2) is not null as move',
    [`${s}.user_company`, `${s}.users__companies`],
  );
  if (!found?.move) return;
  // Both at once.
  await on.query(`insert into ${s}.users__companies (parent_id, position, entity_id, is_default, branch_id, branch_ids, role_ids)
      select user_id, row_number() over (partition by user_id order by is_default desc, entity_id) - 1, entity_id, is_default, branch_id, branch_ids, role_ids from ${s}.user_company
      where user_id in (select id from ${s}.users) on conflict do nothing;
      drop table ${s}.user_company`);
}

/**
 * Updates every tenant: system tables, and the tables of record types it already has (others are created on first use).
 * Tenants without differences cost two short statements. Refusals are returned, and logged.
 */
export async function migrateTenants(
  directory: Directory,
  screens: ReadonlyMap<string, Screen>,
  options: { log?: (text: string) => void; only?: ReadonlySet<string> } = {},
): Promise<Migration[]> {
  const shapes = shapesOf(screens);
  const log = options.log ?? (() => {});
  const done: Migration[] = [];
  await alterSchema(directory.main, 'public', migratePlatform);
  const platform = await platformShapes(directory.main, screens);
  if (platform.length > 0) {
    done.push({ subDomain: 'public', ...(await bringUpToDate(directory.main, 'public', screens, platform)) });
  }
  const waiting = await allTenants(directory, options.only);
  const next = async (): Promise<void> => {
    for (let tenant = waiting.shift(); tenant; tenant = waiting.shift()) {
      const {
        db: { owner: db },
        schema,
        subDomain,
      } = tenant;
      await alterSchema(db, schema, (tx) => migrateSystemTables(tx, schema));
      const result = await bringUpToDate(db, schema, screens, await presentShapes(db, schema, shapes));
      await moveCompaniesOfUsers(db, schema);
      if (result.applied.length > 0 || result.refused.length > 0) done.push({ subDomain, ...result });
      for (const change of result.applied) log(`${subDomain}: ${change.what}`);
      for (const refusal of result.refused) log(`${subDomain}: ${describeRefusal(refusal)}`);
    }
  };
  // A few at a time: each needs a connection, and so do the requests of a starting server.
  await Promise.all([next(), next(), next()]);
  return done;
}

/** The types and all that their foreign keys need, sorted by dependency as far as possible. */
export function closure(shapes: ReadonlyMap<string, TypeShape>, types: Iterable<string>): TypeShape[] {
  const seen = new Set<string>();
  const ordered: TypeShape[] = [];
  const add = (type: string): void => {
    const shape = shapes.get(type);
    if (!shape || seen.has(type)) return;
    seen.add(type);
    shape.needs.forEach(add);
    ordered.push(shape);
  };
  for (const type of types) add(type);
  return ordered;
}

/** Stores the current shape of these types' tables. */
export function stateSql(schema: string, shapes: TypeShape[]): string {
  if (shapes.length === 0) return '';
  const rows = shapes.map(
    ({ type, hash, meaning }) => `(${literal(type)}, ${literal(hash)}, ${literal(JSON.stringify(meaning))})`,
  );
  return `insert into ${quoted(schema)}.schema_state (type, hash, form) values ${rows.join(', ')}
    on conflict (type) do update set hash = excluded.hash, form = excluded.form, applied_at = excluded.applied_at;`;
}

function newSchemaScript(schema: string, shapes: TypeShape[]): string {
  return [
    // Makes the schema distributed on Citus; plain PostgreSQL ignores it.
    'set local citus.enable_schema_based_sharding to on;',
    `create schema ${quoted(schema)};`,
    newTenantSystemTables(schema),
    createTablesScript(
      schema,
      shapes.flatMap(({ tables }) => tables),
    ),
    stateSql(schema, shapes),
  ].join('\n');
}
