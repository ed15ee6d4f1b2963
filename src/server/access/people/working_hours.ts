import { DateTime } from 'luxon';
import { zoneOf } from '../../../descriptor/place.ts';
import { shiftWorkingDays } from '../../../domain/working_days.ts';
import type { WorkingHours } from '../../../domain/working_hours.ts';
import { WEEKDAYS, addWorkingMinutes } from '../../../domain/working_hours.ts';
import type { Tenant } from '../../db/tenant.ts';
import { childTable, tableName } from '../../db/names.ts';
import { isTimeZone } from '../../db/subscription.ts';
import { zonesOf } from '../../services/clock/zones.ts';
import type { Place } from './working_calendar.ts';
import { worksOn } from './working_calendar.ts';

const TYPE = 'business_calendar';
/** The default if no working hours are set. */
const OPENS = '09:00';
const CLOSES = '18:00';
/** How far ahead days off are read: a time limit is at most 999 hours or days. */
const AHEAD_DAYS = 3 * 366;

/** A duration in working hours or working days. */
export interface WorkingSpan {
  count: number;
  unit: 'minutes' | 'hours' | 'days';
}

/**
 * The given working hours, otherwise those of a branch: its own, otherwise the default ones, otherwise 9 to 18 on
 * working days.
 */
async function hoursOf(
  { db, schema }: Tenant,
  branchId: number | null,
  zone: string,
  calendar: number | null,
): Promise<WorkingHours & { optionalOff: boolean }> {
  const usual = {
    timezone: zone,
    roundTheClock: false,
    optionalOff: false,
    hours: WEEKDAYS.map((weekday) => ({ weekday, from: OPENS, to: CLOSES })),
  };
  const table = tableName(schema, TYPE);
  const [there] = await db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table]);
  if (!there?.there) return usual;
  const [row] = await db.query<{
    timezone: string | null;
    round_the_clock: boolean | null;
    count_optional: boolean | null;
    hours: WorkingHours['hours'];
  }>(
    `select c.timezone, c.round_the_clock, c.count_optional,
       coalesce((select json_agg(json_build_object('weekday', h.weekday, 'from', to_char(h.from_time, 'HH24:MI'), 'to', to_char(h.to_time, 'HH24:MI'))) from ${childTable(schema, TYPE, 'hours')} h where h.parent_id = c.id), '[]') as hours
     from ${table} c where c.id = $2 or $2::bigint is null and c.active and ($1 = any(c.branch_ids) or c.is_default or coalesce(cardinality(c.branch_ids), 0) = 0 and not coalesce(c.round_the_clock, false))
     order by coalesce($1 = any(c.branch_ids), false) desc, c.is_default desc nulls last, c.id limit 1`,
    [branchId, calendar],
  );
  if (!row) return usual;
  return {
    timezone: isTimeZone(row.timezone ?? '') ? row.timezone! : zone,
    roundTheClock: row.round_the_clock === true,
    optionalOff: row.count_optional === true,
    hours: row.hours,
  };
}

/** The times at which these durations of working time have elapsed, at a place; `calendar`: by these hours. */
export async function afterWorkingTime(
  tenant: Tenant,
  place: Place,
  from: Date,
  spans: readonly (WorkingSpan | null)[],
  calendar: number | null = null,
): Promise<(Date | null)[]> {
  if (spans.every((span) => span === null)) return spans.map(() => null);
  const zone = zoneOf(place, await zonesOf(tenant)) ?? tenant.timezone;
  const hours = await hoursOf(tenant, place.branchId, zone, calendar);
  const begin = DateTime.fromJSDate(from, { zone: hours.timezone });
  const works = await worksOn(
    tenant,
    place,
    begin.toISODate()!,
    begin.plus({ days: AHEAD_DAYS }).toISODate()!,
    hours.optionalOff,
  );
  return spans.map((span) => {
    if (span === null) return null;
    if (span.unit !== 'days')
      return addWorkingMinutes(from, span.unit === 'hours' ? span.count * 60 : span.count, hours, works);
    const day = DateTime.fromISO(shiftWorkingDays(begin.toISODate()!, span.count, works), { zone: hours.timezone });
    return day.set({ hour: begin.hour, minute: begin.minute, second: begin.second }).toJSDate();
  });
}

/** Whether a place is open at a given time: by its working hours, week-offs and holidays; by default from 9 to 18. */
export async function isWorkingMinute(tenant: Tenant, place: Place, at: Date): Promise<boolean> {
  const zone = zoneOf(place, await zonesOf(tenant)) ?? tenant.timezone;
  const hours = await hoursOf(tenant, place.branchId, zone, null);
  if (hours.roundTheClock) return true;
  const local = DateTime.fromJSDate(at, { zone: hours.timezone });
  const time = local.toFormat('HH:mm');
  const weekday = WEEKDAYS[local.weekday - 1];
  if (!hours.hours.some((one) => one.weekday === weekday && one.from <= time && time < one.to)) return false;
  const day = local.toISODate()!;
  return (await worksOn(tenant, place, day, day, hours.optionalOff))(day);
}
