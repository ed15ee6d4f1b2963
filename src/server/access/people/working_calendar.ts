import { DateTime } from 'luxon';
import type { HolidaySpan, WeekOffPolicy } from '../../../domain/working_days.ts';
import { workOf } from '../../../domain/working_days.ts';
import type { Tenant } from '../../db/tenant.ts';
import { quoted } from '../../db/names.ts';

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
  /** Including the optional ones, which are working days. */
  holidays: NamedHoliday[];
}

/** Optional holidays are working days. */
export const holidaysThatCount = (holidays: NamedHoliday[]): NamedHoliday[] =>
  holidays.filter(({ holiday_type: type }) => type !== 'optional');

/**
 * The scope of the days: a company's, a branch's, or one member's, whose own week-off and holiday list take precedence
 * over the branch's.
 */
export interface Place {
  entityId: number | null;
  branchId: number | null;
  employeeId?: number | null;
}

/**
 * The week-offs and holidays of a place.
 * @returns null for a branch that does not belong to the company
 */
export async function restDays(
  tenant: Pick<Tenant, 'db' | 'schema'>,
  place: Place,
  from: string,
  to: string,
): Promise<RestDays | null> {
  const [rest] = await restDaysOf(tenant, [place], from, to);
  return rest!;
}

/** The same for several places, in the same number of statements as for one. */
export async function restDaysOf(
  { db, schema }: Pick<Tenant, 'db' | 'schema'>,
  places: readonly Place[],
  from: string,
  to: string,
): Promise<(RestDays | null)[]> {
  const s = quoted(schema);
  const ids = (one: (place: Place) => number | null | undefined) => [
    ...new Set(places.flatMap((place) => one(place) ?? [])),
  ];
  // The members table may not exist yet; then there are no members.
  const employees = ids(({ employeeId }) => employeeId);
  const members = new Map(
    (employees.length === 0
      ? []
      : await db.query<{ id: number; policy: number | null; list: string | null }>(
          `select id, weekoff_policy_id as policy, holiday_group as list from ${s}.employee where id = any($1)`,
          [employees],
        )
    ).map((row) => [row.id, row]),
  );
  const named = ids(({ branchId }) => branchId);
  const branches = new Map(
    (named.length === 0
      ? []
      : await db.query<{ id: number; entity_id: number; state_id: number | null; list: string | null }>(
          `select id, entity_id, state_id, holiday_group as list from ${s}.branch where id = any($1)`,
          [named],
        )
    ).map((row) => [row.id, row]),
  );
  const located = places.flatMap(({ entityId, branchId, employeeId }, at) => {
    const branch = branchId === null ? null : branches.get(branchId);
    if (branch === undefined || (branch && branch.entity_id !== entityId)) return [];
    const member = members.get(employeeId ?? 0);
    return [
      {
        at,
        entity_id: entityId,
        branch_id: branchId,
        policy: member?.policy ?? null,
        state_id: branch?.state_id ?? null,
        list: member?.list ?? branch?.list ?? null,
      },
    ];
  });
  const placeRows =
    '(select * from jsonb_to_recordset($1::jsonb) x(at int, entity_id bigint, branch_id bigint, policy bigint, state_id bigint, list text)) p';
  const given = JSON.stringify(located);
  const [policies, holidays] = await Promise.all([
    db.query<WeekOffPolicy & { at: number; own: boolean; personal: boolean }>(
      `select p.at, effective_from::text, coalesce(w.id = p.policy, false) as personal, coalesce(p.branch_id = any(branches), false) as own,
         coalesce((select json_agg(json_build_object('weekday', r.weekday, 'weeks', to_jsonb(r.weeks), 'part', r.part)) from ${s}.weekoff__rules r where r.parent_id = w.id), '[]') as rules,
         coalesce((select json_agg(json_build_object('date', x.date::text, 'working', coalesce(x.working, true))) from ${s}.weekoff__exceptions x where x.parent_id = w.id), '[]') as exceptions
       from ${placeRows} join ${s}.weekoff w on w.active and (w.id = p.policy or coalesce(p.branch_id = any(branches), false) or is_default or coalesce(cardinality(branches), 0) = 0)
       order by is_default desc nulls last, w.id`,
      [given],
    ),
    db.query<NamedHoliday & { at: number }>(
      `select p.at, h.id, name, holiday_type, date::text, to_date::text from ${placeRows} join ${s}.holiday h on h.active and h.entity_id = p.entity_id and date <= $3::date and coalesce(to_date, date) >= $2::date
         and (coalesce(cardinality(branches), 0) = 0 or p.branch_id = any(branches)) and (coalesce(cardinality(states), 0) = 0 or p.state_id = any(states))
         and (lower(holiday_group) = 'all' or lower(holiday_group) = lower(p.list)) order by date, h.id`,
      [given, from, to],
    ),
  ]);
  const known = new Set(located.map(({ at }) => at));
  const [policiesAt, holidaysAt] = [Map.groupBy(policies, ({ at }) => at), Map.groupBy(holidays, ({ at }) => at)];
  return places.map((_place, at) => {
    if (!known.has(at)) return null;
    const found = policiesAt.get(at) ?? [];
    // A person's own policy takes precedence over the branch's, and that over the general one.
    const [personal, own] = [found.filter((policy) => policy.personal), found.filter((policy) => policy.own)];
    return {
      policies: personal.length > 0 ? personal : own.length > 0 ? own : found,
      holidays: (holidaysAt.get(at) ?? []).map(({ at: _at, ...holiday }) => holiday),
    };
  });
}

/**
 * Whether a place works on a day in the period: by its week-offs and holidays; without a policy, from Monday to
 * Saturday. Half a day is a working day. A branch that does not belong to the company has the company's days.
 * `optionalOff`: optional holidays are days off too.
 */
export async function worksOn(
  tenant: Pick<Tenant, 'db' | 'schema'>,
  place: Place,
  from: string,
  to: string,
  optionalOff = false,
): Promise<(day: string) => boolean> {
  const rest =
    (await restDays(tenant, place, from, to)) ?? (await restDays(tenant, { ...place, branchId: null }, from, to))!;
  return worksBy(rest, optionalOff);
}

function worksBy(rest: RestDays, optionalOff: boolean): (day: string) => boolean {
  const holidays = optionalOff ? rest.holidays : holidaysThatCount(rest.holidays);
  const known = new Map<string, boolean>();
  const works = (day: string): boolean => {
    if (holidays.some(({ date, to_date: until }) => date <= day && day <= (until ?? date))) return false;
    const planned = rest.policies.some(({ effective_from: begins }) => begins <= day);
    return planned ? workOf(day, rest.policies) > 0 : DateTime.fromISO(day, { zone: 'utc' }).weekday !== 7;
  };
  return (day) => {
    const is = known.get(day) ?? works(day);
    known.set(day, is);
    return is;
  };
}

/** The working days of each place in a period. A branch that does not belong to its company works as if it had no rest days of its own. */
export async function daysWorked(
  tenant: Pick<Tenant, 'db' | 'schema'>,
  places: readonly Place[],
  from: string,
  to: string,
): Promise<string[][]> {
  const rest = await restDaysOf(tenant, places, from, to);
  const [first, last] = [from, to].map((day) => DateTime.fromISO(day, { zone: 'utc' }));
  const days = Array.from({ length: last!.diff(first!, 'days').days + 1 }, (_, at) =>
    first!.plus({ days: at }).toISODate()!,
  );
  return rest.map((own) => days.filter(worksBy(own ?? { policies: [], holidays: [] }, false)));
}

/** The working days of every company and branch of a client in a period, read at once for a sweep of many records. */
export class WorkingDaysOfAll {
  readonly #tenant: Pick<Tenant, 'db' | 'schema'>;
  readonly #from: string;
  readonly #to: string;
  #rest: Promise<Map<string, RestDays>> | undefined;
  readonly #works = new Map<string, (day: string) => boolean>();

  constructor(tenant: Pick<Tenant, 'db' | 'schema'>, from: string, to: string) {
    this.#tenant = tenant;
    this.#from = from;
    this.#to = to;
  }

  /** Whether a place works on a day, as {@link worksOn} says. */
  async of({ entityId, branchId }: Place, optionalOff = false): Promise<(day: string) => boolean> {
    const key = `${entityId} ${branchId} ${optionalOff}`;
    const known = this.#works.get(key);
    if (known) return known;
    const all = await (this.#rest ??= this.#load());
    const rest = all.get(`${entityId} ${branchId}`) ?? all.get(`${entityId} null`);
    const works = rest
      ? worksBy(rest, optionalOff)
      : await worksOn(this.#tenant, { entityId, branchId }, this.#from, this.#to, optionalOff);
    this.#works.set(key, works);
    return works;
  }

  /** The working days of each company and branch. */
  async each(): Promise<((day: string) => boolean)[]> {
    const all = await (this.#rest ??= this.#load());
    return [...all.values()].map((rest) => worksBy(rest, false));
  }

  async #load(): Promise<Map<string, RestDays>> {
    const s = quoted(this.#tenant.schema);
    const places = await this.#tenant.db.query<{ entityId: number; branchId: number | null }>(
      `select id as "entityId", null::bigint as "branchId" from ${s}.entity union all select entity_id, id from ${s}.branch`,
    );
    const rest = await restDaysOf(this.#tenant, places, this.#from, this.#to);
    return new Map(places.map(({ entityId, branchId }, at) => [`${entityId} ${branchId}`, rest[at]!]));
  }
}
