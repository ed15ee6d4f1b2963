import type { Tenant } from './tenant.ts';
import type { ProductTerm } from './subscription.ts';
import { subscriptionOf } from './subscription.ts';
import type { Database, Queryable } from './database.ts';
import { openPool } from './pool.ts';

/** A row of `public.client`: the tenant and the location of its rows. */
export interface TenantRow {
  id: number;
  code: string;
  name: string;
  subDomain: string;
  schema: string;
  /** Name in `public.tenant_database`; "main" is the platform's own database. */
  database: string;
  products: string[];
  active: boolean;
  /** A restored copy: it sends and runs nothing until an administrator enables it. */
  held: boolean;
  timezone: string;
  licensedUsers: number;
  /** Last day of the subscription, YYYY-MM-DD; null = unlimited. */
  validTo: string | null;
  graceDays: number;
  /** By product, the start and end of its purchase, if they differ from the subscription. */
  terms: Record<string, ProductTerm>;
}

/** The tenants and the databases that hold them. */
export interface Directory {
  /** The platform's own database, which holds the directory itself. */
  main: Database;
  /** The database of that name; opened when first asked for. */
  get(name: string): Promise<Database>;
  /** All tenants whose schema is complete, by id. */
  tenants(): Promise<TenantRow[]>;
  close(): Promise<void>;
}

const columns = `id, code, name, sub_domain as "subDomain", schema_name as "schema", database, products, active, held, timezone, licensed_users as "licensedUsers",
  valid_to::text as "validTo", grace_days as "graceDays", product_terms as terms`;

/** Rows of the directory; `where` uses unqualified columns of `public.client`. */
export function selectTenants(on: Queryable, where: string, values: unknown[] = []): Promise<TenantRow[]> {
  return on.query<TenantRow>(`select ${columns} from public.client where ${where} order by id`, values);
}

/** The prerequisites of every database for tenants. */
export async function prepareDatabase(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtextextended('mainstay:extensions', 0))`);
    const [server] = await tx.query<{ version: number; missing: boolean }>(
      `select current_setting('server_version_num')::int as version,
        (select count(*) from pg_extension where extname in ('btree_gist', 'pg_trgm')) < 2 as missing`,
    );
    if (!server || server.version < 150000) throw new Error('PostgreSQL 15 or later is needed.');
    if (server.missing)
      await tx.query(
        'create extension if not exists btree_gist with schema public; create extension if not exists pg_trgm with schema public',
      );
  });
}

/** A directory of an opened main database; `closeServer` ends everything started for it. */
export function createDirectory(
  main: Database,
  options: { poolSize?: number | undefined; onError?: (error: Error) => void; closeServer?: () => Promise<void> } = {},
): Directory {
  const others = new Map<string, Promise<Database>>();
  const open = async (name: string): Promise<Database> => {
    const [row] = await main.query<{ url: string }>('select url from public.tenant_database where name = $1', [name]);
    if (!row) throw new Error(`There is no database "${name}" in public.tenant_database.`);
    const database = openPool({
      name,
      url: row.url,
      ...(options.poolSize !== undefined && { size: options.poolSize }),
      ...(options.onError && { onError: options.onError }),
    });
    try {
      await prepareDatabase(database);
    } catch (error) {
      await database.close();
      throw error;
    }
    return database;
  };
  return {
    main,
    get(name) {
      if (name === main.name) return Promise.resolve(main);
      let database = others.get(name);
      if (!database) {
        database = open(name);
        others.set(name, database);
        // An unavailable database must be retried, not remembered as broken.
        database.catch(() => others.delete(name));
      }
      return database;
    },
    tenants: () => selectTenants(main, `state = 'ready'`),
    async close() {
      const opened = await Promise.allSettled(others.values());
      await Promise.all(opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value.close()] : [])));
      await main.close();
      await options.closeServer?.();
    },
  };
}

/** The tenant of a row, with its database. */
export async function openTenant(directory: Directory, row: TenantRow): Promise<Tenant> {
  const { id, subDomain, schema, name, active, held, timezone, licensedUsers } = row;
  const { products, ended, notices, until } = subscriptionOf(row);
  const productUsers = Object.fromEntries(
    Object.entries(row.terms).flatMap(([code, { users }]) => (users === undefined ? [] : [[code, users]])),
  );
  return {
    id,
    subDomain,
    schema,
    name,
    products,
    active,
    timezone,
    licensedUsers,
    productUsers,
    until,
    db: (await directory.get(row.database)).of(schema),
    ...(ended && { ended }),
    ...(held && { held }),
    ...(notices.length > 0 && { notices }),
  };
}
