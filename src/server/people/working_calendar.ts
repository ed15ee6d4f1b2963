import { DateTime } from 'luxon';
import type { HolidaySpan, WeekOffPolicy } from '../../domain/working_days.ts';
import { workOf } from '../../domain/working_days.ts';
import type { Tenant } from '../context.ts';
import { quoted } from '../db/names.ts';

/** The types whose tables this reads. */
export const CALENDAR_TYPES = ['branch', 'weekoff', 'holiday'];

/** A holiday by its name. */
export interface NamedHoliday extends HolidaySpan {
  id: number;
  name: string;
  holiday_type: string;
}

export interface RestDays {
  policies: WeekOffPolicy[];
  /** Also the optional ones, which are working days. */
  holidays: NamedHoliday[];
}

/** Optional holidays are working days. */
export const holidaysThatCount = (holidays: NamedHoliday[]): NamedHoliday[] => holidays.filter(({ holiday_type: type }) => type !== 'optional');

/** Whose days are asked for: a company's, a branch's, or one member's, whose own week-off and holiday list come before the branch's. */
export interface Place {
  entityId: number | null;
  branchId: number | null;
  employeeId?: number | null;
}

/**
 * The week-offs and holidays of a place.
 * @returns null for a branch that is not the company's
 */
export async function restDays({ db, schema }: Pick<Tenant, 'db' | 'schema'>, { entityId, branchId: branch, employeeId = null }: Place, from: string, to: string): Promise<RestDays | null> {
  const s = quoted(schema);
  // The table of members may not be there yet; nobody is a member then.
  const [member] = employeeId === null ? [] : await db.query<{ policy: number | null; list: string | null }>(`select weekoff_policy_id as policy, holiday_group as list from ${s}.employee where id = $1`, [employeeId]);
  const rows =
    branch === null
      ? [{ state_id: null, holiday_group: null }]
      : await db.query<{ state_id: number | null; holiday_group: string | null }>(`select state_id, holiday_group from ${s}.branch where id = $1 and entity_id = $2`, [branch, entityId]);
  const [place] = rows;
  if (!place) return null;
  const [policies, holidays] = await Promise.all([
    db.query<WeekOffPolicy & { own: boolean; personal: boolean }>(
      `select effective_from::text, coalesce(id = $2::bigint, false) as personal, coalesce($1::bigint = any(branches), false) as own,
         coalesce((select json_agg(json_build_object('weekday', r.weekday, 'weeks', to_jsonb(r.weeks), 'part', r.part)) from ${s}.weekoff__rules r where r.parent_id = w.id), '[]') as rules,
         coalesce((select json_agg(json_build_object('date', x.date::text, 'working', coalesce(x.working, true))) from ${s}.weekoff__exceptions x where x.parent_id = w.id), '[]') as exceptions
       from ${s}.weekoff w where active and (id = $2::bigint or coalesce($1::bigint = any(branches), false) or is_default or coalesce(cardinality(branches), 0) = 0)
       order by is_default desc nulls last, id`,
      [branch, member?.policy ?? null],
    ),
    db.query<NamedHoliday>(
      `select id, name, holiday_type, date::text, to_date::text from ${s}.holiday where active and entity_id = $1 and date <= $3::date and coalesce(to_date, date) >= $2::date
         and (coalesce(cardinality(branches), 0) = 0 or $4::bigint = any(branches)) and (coalesce(cardinality(states), 0) = 0 or $5::bigint = any(states))
         and (lower(holiday_group) = 'all' or lower(holiday_group) = lower($6::text)) order by date, id`,
      [entityId, from, to, branch, place.state_id, member?.list ?? place.holiday_group],
    ),
  ]);
  // A person's own policy beats the branch's, and that the one for all.
  const [personal, own] = [policies.filter((policy) => policy.personal), policies.filter((policy) => policy.own)];
  return { policies: personal.length > 0 ? personal : own.length > 0 ? own : policies, holidays };
}

/**
 * Whether a place works on a day of the span: by its week-offs and holidays; where nobody has said when it rests, from
 * Monday to Saturday. Half a day is a working day. A branch that is not the company's has the company's days.
 */
export async function worksOn(tenant: Pick<Tenant, 'db' | 'schema'>, place: Place, from: string, to: string): Promise<(day: string) => boolean> {
  const rest = (await restDays(tenant, place, from, to)) ?? (await restDays(tenant, { ...place, branchId: null }, from, to))!;
  const holidays = holidaysThatCount(rest.holidays);
  return (day) => {
    if (holidays.some(({ date, to_date: until }) => date <= day && day <= (until ?? date))) return false;
    const planned = rest.policies.some(({ effective_from: begins }) => begins <= day);
    return planned ? workOf(day, rest.policies) > 0 : DateTime.fromISO(day, { zone: 'utc' }).weekday !== 7;
  };
}
