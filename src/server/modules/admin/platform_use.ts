import type { Database } from '../../db/database.ts';
import { tableName } from '../../db/names.ts';
import { notFound } from '../../db/errors.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import type { ReportCall } from '../../engine/reports/report_source.ts';
import type { ClientUsage, ReadPlatformUse } from '../../platform/clients/platform_use.ts';

/** Per platform database: how its clients' usage is measured. */
const readers = new WeakMap<Database, ReadPlatformUse>();

/** Registers how the usage of clients is measured, which are in their own databases. */
export function readPlatformUseBy(main: Database, read: ReadPlatformUse): void {
  readers.set(main.owner, read);
}

/**
 * The usage of the clients that the reader may list; clients made by a command have no record and belong to no partner.
 */
export async function clientsInSight({ session, scoped }: ReportCall): Promise<ClientUsage[]> {
  const { db, schema } = session.tenant;
  const read = readers.get(db.owner);
  if (!read) throw notFound();
  const all = await read();
  if (!session.partnerId) return all;
  const values = new SqlParams();
  const where = scoped('client_account', 'c', values);
  const rows = await db.query<{ sub_domain: string }>(
    preparedStatement(
      `select c.sub_domain from ${tableName(schema, 'client_account')} c where ${where.join(' and ') || 'true'}`,
      values.list,
    ),
  );
  const own = new Set(rows.map(({ sub_domain: one }) => one));
  return all.filter((row) => own.has(row.sub_domain));
}
