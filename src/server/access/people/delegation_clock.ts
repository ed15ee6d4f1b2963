import type { Tenant } from '../../db/tenant.ts';
import { announceRights } from '../../db/announce.ts';
import { queueWebhooks } from '../../services/live/webhook_events.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted } from '../../db/names.ts';
import type { Jobs } from '../../services/jobs/jobs.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import { Values } from '../../db/sql_text.ts';
import { zoneSql, zonesOf } from '../../services/clock/zones.ts';

export const DELEGATION_TYPE = 'delegation';

interface Told {
  id: number;
  entity_id: number;
  version: number;
  from_name: string;
  to_name: string;
  until: string;
  reason: string | null;
  by_mail: boolean;
  people: number[];
}

/** Moves delegations on and tells both people and the giver's manager. @returns how many */
async function move(
  tx: Queryable,
  tenant: Tenant,
  notifications: Notifications,
  by: { userId: number | null; what: string },
  to: 'active' | 'expired' | 'revoked',
  where: string,
  values: unknown[],
): Promise<number> {
  const s = quoted(tenant.schema);
  const rows = await tx.query<Told & { before: string }>(
    `with old as (select d.id, d.state from ${s}.delegation d where ${where} for update),
     moved as (update ${s}.delegation d set state = '${to}', version = d.version + 1, updated_at = now() from old where d.id = old.id
       returning d.*, old.state as before)
     select m.id, m.entity_id, m.version, m.before, f.name as from_name, t.name as to_name, to_char(m.to_date, 'DD-MM-YYYY') as until, m.reason, coalesce(m.notify, true) as by_mail,
       array(select u.id from ${s}.users u where u.employee_id in (m.from_employee_id, m.to_employee_id, f.reporting_to_id)) as people
     from moved m join ${s}.employee f on f.id = m.from_employee_id join ${s}.employee t on t.id = m.to_employee_id`,
    values,
  );
  for (const row of rows) {
    await tx.query(
      `insert into ${s}.history (record_type, record_id, entity_id, version, op, by, what, change) values ('${DELEGATION_TYPE}', $1, $2, $3, 'U', $4, $5, $6)`,
      [row.id, row.entity_id, row.version, by.userId, by.what, JSON.stringify({ state: [row.before, to] })],
    );
    // What never began need not be told to have ended.
    if (to !== 'active' && row.before !== 'active') continue;
    await notifications.notify(tx, tenant, {
      event: to === 'active' ? 'delegation.started' : 'delegation.ended',
      to: row.people.filter((id) => id !== by.userId),
      entityId: row.entity_id,
      values: { from: row.from_name, to: row.to_name, date: row.until, reason: row.reason ?? '' },
      link: `/Delegation/view/${row.id}`,
      record: { type: DELEGATION_TYPE, id: row.id },
      channels: { inApp: true, mail: row.by_mail, push: row.by_mail },
    });
  }
  if (rows.length > 0) {
    await announceRights(tx, tenant.schema);
    await queueWebhooks(
      tx,
      tenant.schema,
      rows.map(({ id }) => [DELEGATION_TYPE, id]),
    );
  }
  return rows.length;
}

/** Begins what begins and ends what has ended, by the day of the company; each is told once. @returns how many began and ended */
export async function carryOutDelegations(
  notifications: Notifications,
  tenant: Tenant,
): Promise<{ begun: number; ended: number }> {
  const [there] = await tenant.db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    `${quoted(tenant.schema)}.${DELEGATION_TYPE}`,
  ]);
  if (!there?.there) return { begun: 0, ended: 0 };
  const s = quoted(tenant.schema);
  const clock = { userId: null, what: 'job' };
  const here = `(select 1 from ${s}.employee e where e.id in (d.from_employee_id, d.to_employee_id) and (not e.active or e.status = 'left'))`;
  const values = new Values();
  const today = `(now() at time zone ${zoneSql(await zonesOf(tenant), values, { entity: 'd.entity_id' })})::date`;
  return tenant.db.transaction(async (tx) => ({
    ended: await move(
      tx,
      tenant,
      notifications,
      clock,
      'expired',
      `d.state in ('draft', 'active') and (d.to_date < ${today} or (d.state = 'active' and exists ${here}))`,
      values.list,
    ),
    begun: await move(
      tx,
      tenant,
      notifications,
      clock,
      'active',
      `d.active and d.state = 'draft' and ${today} between d.from_date and d.to_date and not exists ${here}`,
      values.list,
    ),
  }));
}

/** Ends a delegation before its time. @returns whether it was still to end */
export async function revokeDelegation(
  notifications: Notifications,
  tenant: Tenant,
  id: number,
  userId: number,
): Promise<boolean> {
  return tenant.db.transaction(
    async (tx) =>
      (await move(
        tx,
        tenant,
        notifications,
        { userId, what: 'action' },
        'revoked',
        `d.id = $1 and d.active and d.state in ('draft', 'active')`,
        [id],
      )) > 0,
  );
}

export function defineDelegationJob(jobs: Jobs, notifications: Notifications): void {
  jobs.define({
    name: 'delegations',
    title: 'Begin and end delegations',
    cron: '*/15 * * * *',
    after: DELEGATION_TYPE,
    run: async ({ tenant }) => {
      if (!tenant) return undefined;
      const { begun, ended } = await carryOutDelegations(notifications, tenant);
      return `${begun} began, ${ended} ended.`;
    },
  });
}
