import { closeSessions, keepDisabled } from '../../access/people/disabled_account.ts';
import { quoted } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';

/** Disables the accounts whose last day has passed; the last administrator stays: nobody could let them in again. */
export function disableEnded(tenant: Tenant): Promise<{ id: number; version: number }[]> {
  const { schema } = tenant;
  const s = quoted(schema);
  return tenant.db.transaction(async (tx) => {
    const rows = await tx.query<{ id: number; version: number }>(
      `update ${s}.users u set status = 'disabled', version = version + 1, updated_at = now()
       where status = 'active' and valid_to < (now() at time zone $1)::date
         and (not coalesce(is_admin, false) or exists (select 1 from ${s}.users o where o.id <> u.id and o.is_admin and o.active and o.status = 'active' and (o.valid_to is null or o.valid_to >= (now() at time zone $1)::date)))
       returning id, version`,
      [tenant.timezone],
    );
    if (rows.length === 0) return rows;
    await keepDisabled(tx, schema, rows, 'job');
    for (const { id } of rows) await closeSessions(tx, schema, id);
    return rows;
  });
}
