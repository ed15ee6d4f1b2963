import type { Screen } from '../../../descriptor/types.ts';
import { takeStoredStep } from '../../db/stored_step.ts';
import { announceDisabled, closeSessions } from '../../access/people/disabled_account.ts';
import { quoted } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';

/** Disables the accounts whose last day has passed, except the last administrator, who nobody could re-enable. */
export function disableEnded(
  tenant: Tenant,
  screens: ReadonlyMap<string, Screen>,
): Promise<{ id: number; version: number }[]> {
  const { schema } = tenant;
  const s = quoted(schema);
  return tenant.db.transaction(async (tx) => {
    const rows = await takeStoredStep(tx, schema, screens.get('users'), 'close', {
      which(bind) {
        const today = `(now() at time zone ${bind(tenant.timezone)})::date`;
        return `r.status = 'active' and r.valid_to < ${today}
          and (not coalesce(r.is_admin, false) or exists (select 1 from ${s}.users o where o.id <> r.id and o.is_admin and o.active and o.status = 'active' and (o.valid_to is null or o.valid_to >= ${today})))`;
      },
      cause: 'job',
    });
    if (rows.length === 0) return rows;
    await announceDisabled(tx, schema, rows);
    for (const { id } of rows) await closeSessions(tx, schema, id);
    return rows;
  });
}
