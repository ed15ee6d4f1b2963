import type { Field, Screen } from '../../descriptor/types.ts';
import type { Tenant } from './tenant.ts';
import { columnType } from './column_type.ts';
import { constraintName, quoted, tableName } from './names.ts';

/** The number of rows from which a 'contains' search is slow without an index (100,000 rows: 80 ms). */
export const WORTHWHILE_ROWS = 50_000;

/** The fields of the quick search: label fields and short texts of the grid. */
export function searchedFields(screen: Screen): Field[] {
  const wanted = new Set([...screen.label, ...screen.grid.map(({ field }) => field)]);
  return screen.fields.filter(
    (field) =>
      wanted.has(field.name) &&
      !field.secret &&
      !field.custom &&
      !field.masked &&
      field.visible === undefined &&
      !field.options &&
      columnType(field) === 'text',
  );
}

/** The texts of fields combined for searching. */
export function textsExpression(fields: readonly Field[], alias?: string): string {
  const prefix = alias ? `${alias}.` : '';
  return `lower(${fields.map(({ name }) => `coalesce(${prefix}${quoted(name)}, '')`).join(` || ' ' || `)})`;
}

/** The searched text; null = none. Index and query must use the identical expression. */
export function searchExpression(screen: Screen, alias?: string): string | null {
  const fields = searchedFields(screen);
  return fields.length === 0 ? null : textsExpression(fields, alias);
}

/**
 * Creates the trigram index for 'contains' searches once a table has more than 50,000 rows, without blocking writers.
 * Returns true if it was created. For maintenance.ts: a table of a million rows takes half a minute; `signal` cancels
 * it.
 */
export async function ensureSearchIndex(
  tenant: Pick<Tenant, 'db' | 'schema'>,
  screen: Screen,
  { threshold = WORTHWHILE_ROWS, signal }: { threshold?: number; signal?: AbortSignal } = {},
): Promise<boolean> {
  const expression = searchExpression(screen);
  if (expression === null) return false;
  const {
    db: { owner: db },
    schema,
  } = tenant;
  const name = constraintName(screen.name, [], 'search');
  const [table] = await db.query<{ rows: number; there: boolean }>(
    `select greatest(c.reltuples, 0)::float8 as rows,
       exists (select 1 from pg_index x join pg_class i on i.oid = x.indexrelid where x.indrelid = c.oid and i.relname = $3 and x.indisvalid) as there
     from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2`,
    [schema, screen.name, name],
  );
  if (!table || table.there || table.rows < threshold || signal?.aborted) return false;
  const client = await db.connect();
  let broken = false;
  const giveUp = (): void => {
    const { processID } = client as unknown as { processID: number };
    db.query('select pg_cancel_backend($1)', [processID]).catch(() => undefined);
  };
  signal?.addEventListener('abort', giveUp, { once: true });
  try {
    await client.query(`drop index concurrently if exists ${quoted(schema)}.${quoted(name)}`);
    if (signal?.aborted) return false;
    await client.query(
      `create index concurrently if not exists ${quoted(name)} on ${tableName(schema, screen.name)} using gin ((${expression}) public.gin_trgm_ops)`,
    );
    return true;
  } catch (error) {
    broken = true; // what was given up leaves an invalid index: the next run drops it
    throw error;
  } finally {
    signal?.removeEventListener('abort', giveUp);
    client.release(broken);
  }
}
