import type { Queryable } from './database.ts';
import { preparedStatement } from './sql_text.ts';

/** The existing tables of a tenant: missing ones have no rows that could refer to anything. */
export async function existingTables(on: Queryable, schema: string): Promise<Set<string>> {
  const rows = await on.query<{ name: string }>(
    preparedStatement(
      'select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relkind = $2',
      [schema, 'r'],
    ),
  );
  return new Set(rows.map((row) => row.name));
}
