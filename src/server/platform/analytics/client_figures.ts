import type { Tenant } from '../../db/tenant.ts';
import type { Directory, TenantRow } from '../../db/directory.ts';
import { quoted, tableName } from '../../db/names.ts';
import type { ClientAccess } from '../../../domain/client_figures.ts';
import type { ClientDashboardDefinition, KpiDefinition } from './definitions.ts';

/** The number of schemas per statement. */
const AT_ONCE = 200;
const MONTHS = 12;
const LISTED = 10;

/** The clients of a dashboard: those it names, then those with one of its collections. */
export async function clientsOf(directory: Directory, dashboard: ClientDashboardDefinition): Promise<TenantRow[]> {
  const all = (await directory.tenants()).filter(({ active }) => active);
  const named = (row: TenantRow) => dashboard.clients.includes(row.subDomain);
  const holding = new Set<string>();
  for (const [name, tenants] of Map.groupBy(all, ({ database }) => database)) {
    const database = await directory.get(name);
    for (let from = 0; from < tenants.length; from += AT_ONCE) {
      const schemas = tenants.slice(from, from + AT_ONCE).map(({ schema }) => schema);
      const having = await database.query<{ schema: string }>(
        `select n.nspname as schema from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relname = 'analytics_collection' and n.nspname = any($1)`,
        [schemas],
      );
      if (having.length === 0) continue;
      const found = await database.query<{ schema: string }>(
        having
          .map(
            ({ schema }, at) =>
              `select $${at + 2}::text as schema where exists (select 1 from ${quoted(schema)}.analytics_collection where lower(code) = any($1) and active)`,
          )
          .join(' union all '),
        [dashboard.of, ...having.map(({ schema }) => schema)],
      );
      for (const { schema } of found) holding.add(schema);
    }
  }
  return all
    .filter((row) => named(row) || holding.has(row.schema))
    .sort((a, b) => Number(named(b)) - Number(named(a)) || a.name.localeCompare(b.name));
}

/** The row counts of a client's collections, and their age. The caller must have checked access. */
export async function freshnessOf({ schema, db }: Tenant, codes: string[]): Promise<ClientAccess['collections']> {
  return db.query(
    `select lower(c.code) as code, c.title, (select count(*)::int from ${quoted(schema)}.collection_row r where r.collection_id = c.id) as rows, c.last_run_at as refreshed_at
     from ${tableName(schema, 'analytics_collection')} c where lower(c.code) = any($1) and c.active order by c.code`,
    [codes],
  );
}

/** The number of a KPI's collection, as SQL. */
const collectionOf = (schema: string, { collection }: KpiDefinition, values: unknown[]) =>
  `(select c.id from ${tableName(schema, 'analytics_collection')} c where lower(c.code) = ${bind(values, collection)} and c.active limit 1)`;

/**
 * A figure of one client by month, the newest first; without a date its current value. The caller must have checked
 * access.
 */
export async function monthsOf(
  { schema, db }: Tenant,
  one: KpiDefinition,
): Promise<{ month: string; value: string }[]> {
  const values: unknown[] = [];
  const month = one.date === undefined ? `''` : `left(r.data ->> ${bind(values, one.date)}, 7)`;
  return db.query<{ month: string; value: string }>(
    `select month, ${totalOf(one)} as value from (select ${month} as month, ${amounts(one, values)} from ${quoted(schema)}.collection_row r where ${narrowed(one, collectionOf(schema, one, values), values)}) x
     where ${one.date === undefined ? 'true' : `month ~ '^[0-9]{4}-[0-9]{2}$'`} and value is not null group by month order by month desc limit ${MONTHS}`,
    values,
  );
}

/** A figure of one client grouped by a column, the largest first. The caller must have checked access. */
export async function largestOf(
  { schema, db }: Tenant,
  one: KpiDefinition,
  by: string,
): Promise<{ name: string; value: string }[]> {
  const values: unknown[] = [];
  const name = `coalesce(nullif(r.data ->> ${bind(values, by)}, ''), '–')`;
  return db.query<{ name: string; value: string }>(
    `select name, round(sum(value), 2)::text as value from (select ${name} as name, ${amounts(one, values)} from ${quoted(schema)}.collection_row r where ${narrowed(one, collectionOf(schema, one, values), values)}) x
     where value is not null group by name having sum(value) <> 0 order by sum(value) desc, name limit ${LISTED}`,
    values,
  );
}

function bind(values: unknown[], value: unknown): string {
  return `$${values.push(value)}`;
}

/** The columns `value` and, for a percentage, `base` of a KPI's rows. */
export function amounts({ value, per }: KpiDefinition, values: unknown[]): string {
  return `${amount(value, values)} as value, ${per === undefined ? 'null::numeric' : amount(per, values)} as base`;
}

/** The value of a KPI over its rows, as exact text with 2 decimals, half up. */
export function totalOf({ total, per }: Pick<KpiDefinition, 'total' | 'per'>): string {
  return `round(${per === undefined ? `${total}(value)` : '100 * sum(value) / nullif(sum(base), 0)'}, 2)::text`;
}

/** Imported rows contain texts: non-numeric ones are ignored. */
function amount(column: string, values: unknown[]): string {
  const text = `r.data ->> ${bind(values, column)}`;
  return `case when ${text} ~ '^-?[0-9]+(\\.[0-9]+)?$' then (${text})::numeric end`;
}

/** The condition of a KPI's rows; `collection` is the number of its collection, as SQL. */
export function narrowed({ where }: KpiDefinition, collection: string, values: unknown[]): string {
  return [
    `r.collection_id = ${collection}`,
    ...Object.entries(where ?? {}).map(([name, value]) => `r.data ->> ${bind(values, name)} = ${bind(values, value)}`),
  ].join(' and ');
}
