import type { YearHoliday } from '../../../domain/working_days.ts';
import { copyOfYear } from '../../../domain/working_days.ts';
import { firstYear, yearName } from '../../../descriptor/financial_year.ts';
import type { Tenant } from '../../db/tenant.ts';
import { quoted } from '../../db/names.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import { dayOf, zonesOf } from '../../services/clock/zones.ts';

/**
 * Reminds the administrators of each company that this year's holidays can be copied to the next. Nothing is copied
 * automatically, because most holidays move. @returns the number of companies
 */
export async function proposeHolidays(notifications: Notifications, tenant: Tenant, now: Date): Promise<number> {
  const { db, schema } = tenant;
  const s = quoted(schema);
  const [found] = await db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [`${s}.holiday`]);
  if (!found?.there) return 0;
  const rows = await db.query<
    YearHoliday & { entity_id: number; company: string; start: number; financial_year: string }
  >(
    `select h.id, h.name, h.date::text, h.to_date::text, h.holiday_group, coalesce(h.fixed_date, false) as fixed_date, h.entity_id, e.name as company, e.fy_start_month as start, h.financial_year
     from ${s}.holiday h join ${s}.entity e on e.id = h.entity_id where h.active and e.active order by h.entity_id, h.date`,
  );
  const admins = await db.query<{ id: number; companies: number[] }>(
    `select u.id, array(select c.entity_id from ${s}.users__companies c where c.parent_id = u.id) as companies from ${s}.users u where u.active and u.is_admin and u.status = 'active'`,
  );
  const zones = await zonesOf(tenant);
  let proposed = 0;
  for (const [entityId, own] of Map.groupBy(rows, (row) => row.entity_id)) {
    const first = firstYear(dayOf(zones, { entityId }, now.getTime()), own[0]!.start);
    const [year, next] = [yearName(first), yearName(first + 1)];
    const copies = copyOfYear(
      own.filter((row) => row.financial_year === year),
      own.filter((row) => row.financial_year === next),
    ).filter(({ exists }) => !exists);
    const to = admins.filter(({ companies }) => companies.includes(entityId)).map(({ id }) => id);
    if (copies.length === 0 || to.length === 0) continue;
    const fixed = copies.filter(({ date }) => date !== null).length;
    await db.transaction((tx) =>
      notifications.notify(tx, tenant, {
        event: 'holiday.roll',
        to,
        entityId,
        link: `/holiday/copy?year=${first}`,
        values: {
          company: own[0]!.company,
          year: next,
          count: String(copies.length),
          fixed: String(fixed),
          open: String(copies.length - fixed),
        },
      }),
    );
    proposed++;
  }
  return proposed;
}
