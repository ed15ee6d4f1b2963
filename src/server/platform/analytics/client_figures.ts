import type { Tenant } from '../../db/tenant.ts';
import type { Directory, TenantRow } from '../../db/directory.ts';
import { quoted, tableName } from '../../db/names.ts';
import type { ClientFigures } from '../../../domain/client_figures.ts';
import type { ClientDashboardDefinition, Definitions, KpiDefinition } from './definitions.ts';

/** Schemas asked in one statement. */
const AT_ONCE = 200;
const MONTHS = 12;
const LISTED = 10;

/** The clients that a dashboard is for: those it names, then those that hold one of its collections. */
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

/** The figures of one client, of all its companies. Whoever asks must have been allowed to. */
export async function figuresOf(
  { schema, db }: Tenant,
  { kpis }: Definitions,
  dashboard: ClientDashboardDefinition,
): Promise<ClientFigures> {
  const kpi = (id: number) => kpis.find((one) => one.id === id)!;
  const codes = [...new Set(dashboard.kpis.map((id) => kpi(id).collection))];
  const rows = `${quoted(schema)}.collection_row`;
  const held = await db.query<{ id: number; code: string; title: string; rows: number; refreshed_at: string | null }>(
    `select c.id, lower(c.code) as code, c.title, (select count(*)::int from ${rows} r where r.collection_id = c.id) as rows, c.last_run_at as refreshed_at
     from ${tableName(schema, 'analytics_collection')} c where lower(c.code) = any($1) and c.active order by c.code`,
    [codes],
  );
  const idOf = (one: KpiDefinition) => held.find(({ code }) => code === one.collection)?.id ?? null;

  const answer: ClientFigures = {
    kpis: [],
    top: [],
    collections: held.map(({ code, title, rows: count, refreshed_at }) => ({ code, title, rows: count, refreshed_at })),
  };
  for (const one of dashboard.kpis.map(kpi)) {
    const values: unknown[] = [idOf(one)];
    const month = one.date === undefined ? `''` : `left(r.data ->> ${bind(values, one.date)}, 7)`;
    const found = await db.query<{ month: string; value: string }>(
      `select month, ${totalOf(one)} as value from (select ${month} as month, ${amounts(one, values)} from ${rows} r where ${narrowed(one, '$1::bigint', values)}) x
       where ${one.date === undefined ? 'true' : `month ~ '^[0-9]{4}-[0-9]{2}$'`} and value is not null group by month order by month desc limit ${MONTHS}`,
      values,
    );
    const [latest, before] = found;
    answer.kpis.push({
      id: one.id,
      name: one.name,
      unit: one.unit,
      value: latest?.value ?? null,
      month: latest?.month || null,
      before: before?.value ?? null,
      months: one.date === undefined ? [] : found.toReversed(),
    });
  }
  for (const { title, kpi: id, by } of dashboard.top) {
    const one = kpi(id);
    const values: unknown[] = [idOf(one)];
    const name = `coalesce(nullif(r.data ->> ${bind(values, by)}, ''), '–')`;
    answer.top.push({
      title,
      unit: one.unit,
      rows: await db.query<{ name: string; value: string }>(
        `select name, round(sum(value), 2)::text as value from (select ${name} as name, ${amounts(one, values)} from ${rows} r where ${narrowed(one, '$1::bigint', values)}) x
         where value is not null group by name having sum(value) <> 0 order by sum(value) desc, name limit ${LISTED}`,
        values,
      ),
    });
  }
  return answer;
}

function bind(values: unknown[], value: unknown): string {
  return `$${values.push(value)}`;
}

/** The columns `value` and, of a figure of a hundred, `base` of a KPI's rows. */
export function amounts({ value, per }: KpiDefinition, values: unknown[]): string {
  return `${amount(value, values)} as value, ${per === undefined ? 'null::numeric' : amount(per, values)} as base`;
}

/** What the rows of a KPI come to, as exact text with 2 decimals, half up. */
export function totalOf({ total, per }: Pick<KpiDefinition, 'total' | 'per'>): string {
  return `round(${per === undefined ? `${total}(value)` : '100 * sum(value) / nullif(sum(base), 0)'}, 2)::text`;
}

/** Imported rows hold texts: what is no number counts for nothing. */
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
