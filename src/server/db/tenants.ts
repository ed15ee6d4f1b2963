import type { Screen } from '../../descriptor/types.ts';
import type { Tenant } from '../context.ts';
import { AppError } from '../errors.ts';
import { createTablesScript } from './create_script.ts';
import type { Database, Queryable } from './database.ts';
import type { Directory, TenantRow } from './directory.ts';
import { openTenant, selectTenants } from './directory.ts';
import { literal, quoted, schemaName } from './names.ts';
import { newTenantSystemTables } from './system_tables.ts';
import type { TypeShape } from './tables.ts';
import { shapesOf } from './tables.ts';

export interface NewTenant {
  /** 2–30 small letters, digits and dashes; first a letter. */
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
}

const reserved = new Set(['www', 'app', 'api', 'admin', 'mail', 'static', 'cdn', 'analytics', 'status', 'localhost', 'public']);

/** Serialises schema changes of one tenant among all processes; held until the transaction ends. */
export function lockSchema(tx: Queryable, schema: string): Promise<unknown> {
  return tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`mainstay:${schema}`]);
}

/**
 * Makes a tenant: its row in the directory, its schema, the system tables and the tables of its products,
 * in one script. The other tables come on first use (`ensureTables`).
 * Throws AppError 422 `invalid` (bad sub-domain) or 409 `duplicate`.
 */
export async function createTenant(directory: Directory, screens: ReadonlyMap<string, Screen>, tenant: NewTenant): Promise<Tenant> {
  const subDomain = tenant.subDomain.trim().toLowerCase();
  if (!/^[a-z][a-z0-9-]{0,28}[a-z0-9]$/.test(subDomain) || reserved.has(subDomain))
    throw new AppError(422, 'invalid', `"${tenant.subDomain}" cannot be a sub-domain: 2 to 30 small letters, digits and dashes, beginning with a letter, and none of ${[...reserved].join(', ')}.`, { field: 'sub_domain' });
  const schema = schemaName(subDomain);
  const name = tenant.database ?? 'main';
  const database = await directory.get(name);
  const shapes = shapesOf(screens);
  const types = [...screens.values()]
    .filter(({ scope, access }) => scope !== 'platform' && (access.products.length === 0 || access.products.some((code) => tenant.products.includes(code))))
    .map((screen) => screen.name);
  const script = newSchemaScript(schema, closure(shapes, types));

  const addRow = async (on: Queryable, state: 'creating' | 'ready'): Promise<void> => {
    const [row] = await on.query<{ state: string }>(
      `insert into public.client as c (code, name, sub_domain, schema_name, database, products, timezone, licensed_users, active, state)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       on conflict (sub_domain) do update set name = excluded.name, products = excluded.products, code = excluded.code,
         timezone = excluded.timezone, licensed_users = excluded.licensed_users, active = excluded.active
         where c.state = 'creating' and c.database = excluded.database
       returning state`,
      [tenant.code ?? subDomain.toUpperCase(), tenant.name, subDomain, schema, name, tenant.products, tenant.timezone ?? 'Asia/Kolkata',
        tenant.licensedUsers ?? 50, tenant.active ?? true, state],
    );
    if (!row) throw new AppError(409, 'duplicate', `The sub-domain "${subDomain}" is taken.`, { field: 'sub_domain' });
  };
  try {
    if (database === directory.main) {
      await database.transaction(async (tx) => {
        await addRow(tx, 'ready');
        await tx.query(script);
      });
    } else {
      // Two databases cannot commit as one: the row first, marked unfinished, so that a second try completes it.
      await addRow(directory.main, 'creating');
      await database.transaction(async (tx) => {
        await lockSchema(tx, schema);
        const [there] = await tx.query('select 1 from pg_namespace where nspname = $1', [schema]);
        if (!there) await tx.query(script);
      });
      await directory.main.query(`update public.client set state = 'ready' where sub_domain = $1`, [subDomain]);
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

/** All tenants with their databases. */
export async function allTenants(directory: Directory): Promise<Tenant[]> {
  return Promise.all((await directory.tenants()).map((row: TenantRow) => openTenant(directory, row)));
}

/** Erases a tenant: its schema with all rows, and its row in the directory. Files are the caller's. */
export async function dropTenant(directory: Directory, subDomain: string): Promise<void> {
  const [row] = await selectTenants(directory.main, 'sub_domain = $1', [subDomain]);
  if (!row) return;
  const database: Database = await directory.get(row.database);
  await database.query(`drop schema if exists ${quoted(row.schema)} cascade`);
  await directory.main.query('delete from public.client where id = $1', [row.id]);
}

/** The types and all that their foreign keys need. */
export function closure(shapes: ReadonlyMap<string, TypeShape>, types: Iterable<string>): TypeShape[] {
  const found = new Map<string, TypeShape>();
  const add = (type: string): void => {
    const shape = shapes.get(type);
    if (!shape || found.has(type)) return;
    found.set(type, shape);
    shape.needs.forEach(add);
  };
  for (const type of types) add(type);
  return [...found.values()];
}

/** Remembers what the tables of these types look like now. */
export function stateSql(schema: string, shapes: TypeShape[]): string {
  if (shapes.length === 0) return '';
  const rows = shapes.map(({ type, hash }) => `(${literal(type)}, ${literal(hash)})`);
  return `insert into ${quoted(schema)}.schema_state (type, hash) values ${rows.join(', ')}
    on conflict (type) do update set hash = excluded.hash, applied_at = excluded.applied_at;`;
}

function newSchemaScript(schema: string, shapes: TypeShape[]): string {
  return [
    // Makes the schema a distributed one on Citus; PostgreSQL alone takes the name and ignores it.
    'set local citus.enable_schema_based_sharding to on;',
    `create schema ${quoted(schema)};`,
    newTenantSystemTables(schema),
    createTablesScript(schema, shapes.flatMap(({ tables }) => tables)),
    stateSql(schema, shapes),
  ].join('\n');
}
