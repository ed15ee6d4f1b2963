import { tableName } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';

/** The kinds of documents of requests; at most two. */
export async function kindsOfRequests({ db, schema }: Tenant, ids: readonly number[]): Promise<string[]> {
  const rows = await db.query<{ transaction_type: string }>(
    `select distinct transaction_type from ${tableName(schema, 'approval_request')} where id = any($1::bigint[]) limit 2`,
    [ids],
  );
  return rows.map((row) => row.transaction_type);
}
