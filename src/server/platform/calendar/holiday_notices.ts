import { SqlParams } from '../../db/sql_text.ts';
import { zoneSql, zonesOf } from '../../services/clock/zones.ts';
import type { Tenant } from '../../db/tenant.ts';
import { quoted } from '../../db/names.ts';
import type { Notifications } from '../../services/notifications/notify.ts';

export const HOLIDAY = 'holiday';
/** The number of holidays named in one message. */
const NAMED = 5;

/**
 * Notifies readers of the activity log that holidays on past days were entered or changed: working days already counted
 * and closed are not recalculated, so somebody may have to check. `what`: one record's version, or an import.
 * @returns the number of people notified
 */
export async function notifyPastHolidays(
  notifications: Notifications,
  tenant: Tenant,
  userId: number,
  what: { id: number; version: number } | { run: number },
): Promise<number> {
  const s = quoted(tenant.schema);
  const one = 'run' in what ? null : what;
  const values = new SqlParams();
  for (const value of [one?.id ?? null, one?.version ?? null, 'run' in what ? `import ${what.run}` : ''])
    values.bind(value);
  const zone = zoneSql(await zonesOf(tenant), values, { entity: 'h.entity_id' });
  const rows = await tenant.db.query<{ id: number; entity_id: number; name: string; day: string }>(
    `select h.id, h.entity_id, h.name, to_char(h.date, 'DD-MM-YYYY') as day from ${s}.history l join ${s}.${quoted(HOLIDAY)} h on h.id = l.record_id
     where l.record_type = '${HOLIDAY}' and l.op in ('I', 'U') and (case when $1::bigint is null then l.what = $3 else l.record_id = $1 and l.version = $2 end)
       and least(h.date, (l.change -> 'date' ->> 0)::date) < (now() at time zone ${zone})::date order by h.date, h.id`,
    values.list,
  );
  let notified = 0;
  for (const [entityId, holidays] of Map.groupBy(rows, ({ entity_id: company }) => company)) {
    const people = await tenant.db.query<{ id: number }>(
      `select u.id from ${s}.users u where u.active and u.status = 'active' and u.id <> $2 and exists (select 1 from ${s}.users__companies c where c.parent_id = u.id and c.entity_id = $1
         and (u.is_admin or exists (select 1 from ${s}.role_action a where a.role_id = any(c.role_ids) and a.action_code = 'VIEW_AUDIT'))) order by u.id`,
      [entityId, userId],
    );
    if (people.length === 0) continue;
    const [actor] = await tenant.db.query<{ name: string }>(`select name from ${s}.users where id = $1`, [userId]);
    const named = holidays
      .slice(0, NAMED)
      .map(({ name, day }) => `${name} (${day})`)
      .join(', ');
    const more = holidays.length - NAMED;
    await tenant.db.transaction((tx) =>
      notifications.notify(tx, tenant, {
        event: 'holiday.changed',
        to: people.map(({ id }) => id),
        entityId,
        link: holidays.length === 1 ? `/holiday/view/${holidays[0]!.id}` : '/holiday',
        ...(holidays.length === 1 && { record: { type: HOLIDAY, id: holidays[0]!.id } }),
        values: { holidays: more > 0 ? `${named} and ${more} more` : named, actor: actor?.name ?? 'Somebody' },
      }),
    );
    notified += people.length;
  }
  return notified;
}
