import { quoted } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';

/**
 * Changes or deletes rows of a client that are older than this many days. In the statement `{s}` is the client's schema
 * and $1 the number of days. @returns the number of rows
 */
export async function changeOldRows({ db, schema }: Tenant, statement: string, days: number): Promise<number> {
  const text = statement.replaceAll('{s}', quoted(schema));
  const [row] = await db.query<{ n: number }>(
    `with gone as (${text} returning 1) select count(*)::int as n from gone`,
    [days],
  );
  return row?.n ?? 0;
}
