import type { HolidaySpan, WeekOffPolicy, WorkingDays } from '../../domain/working_days.ts';
import { workingDays } from '../../domain/working_days.ts';
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

/**
 * The week-offs and holidays of a branch, or of the company without one.
 * @returns null for a branch that is not the company's
 */
export async function restDays({ db, schema }: Pick<Tenant, 'db' | 'schema'>, { entityId, branchId: branch }: { entityId: number | null; branchId: number | null }, from: string, to: string): Promise<RestDays | null> {
  const s = quoted(schema);
  const rows =
    branch === null
      ? [{ state_id: null, holiday_group: null }]
      : await db.query<{ state_id: number | null; holiday_group: string | null }>(`select state_id, holiday_group from ${s}.branch where id = $1 and entity_id = $2`, [branch, entityId]);
  const [place] = rows;
  if (!place) return null;
  const [policies, holidays] = await Promise.all([
    db.query<WeekOffPolicy & { own: boolean }>(
      `select effective_from::text, coalesce($1::bigint = any(branches), false) as own,
         coalesce((select json_agg(json_build_object('weekday', r.weekday, 'weeks', to_jsonb(r.weeks), 'part', r.part)) from ${s}.weekoff__rules r where r.parent_id = w.id), '[]') as rules,
         coalesce((select json_agg(json_build_object('date', x.date::text, 'working', coalesce(x.working, true))) from ${s}.weekoff__exceptions x where x.parent_id = w.id), '[]') as exceptions
       from ${s}.weekoff w where active and (coalesce($1::bigint = any(branches), false) or is_default or coalesce(cardinality(branches), 0) = 0)
       order by is_default desc nulls last, id`,
      [branch],
    ),
    db.query<NamedHoliday>(
      `select id, name, holiday_type, date::text, to_date::text from ${s}.holiday where active and entity_id = $1 and date <= $3::date and coalesce(to_date, date) >= $2::date
         and (coalesce(cardinality(branches), 0) = 0 or $4::bigint = any(branches)) and (coalesce(cardinality(states), 0) = 0 or $5::bigint = any(states))
         and (lower(holiday_group) = 'all' or lower(holiday_group) = lower($6::text)) order by date, id`,
      [entityId, from, to, branch, place.state_id, place.holiday_group],
    ),
  ]);
  // A branch's own policy beats the one for all.
  const own = policies.filter((policy) => policy.own);
  return { policies: own.length > 0 ? own : policies, holidays };
}

/**
 * The working days of a branch, or of the company without one. `planned`: whether anybody has said when the
 * branch rests.
 * @returns null for a branch that is not the company's
 */
export async function workingCalendar(tenant: Pick<Tenant, 'db' | 'schema'>, at: { entityId: number | null; branchId: number | null }, from: string, to: string): Promise<(WorkingDays & { planned: boolean }) | null> {
  const rest = await restDays(tenant, at, from, to);
  return rest && { ...workingDays(from, to, rest.policies, holidaysThatCount(rest.holidays)), planned: rest.policies.some(({ effective_from: begins }) => begins <= to) };
}
