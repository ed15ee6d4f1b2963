import { DateTime } from 'luxon';
import type { Zones } from '../../../descriptor/place.ts';
import { zoneOf } from '../../../descriptor/place.ts';
import { shiftWorkingDays } from '../../../domain/working_days.ts';
import type { WorkingHours } from '../../../domain/working_hours.ts';
import { WEEKDAYS, addWorkingMinutes } from '../../../domain/working_hours.ts';
import type { Tenant } from '../../db/tenant.ts';
import { childTable, tableName } from '../../db/names.ts';
import { isTimeZone } from '../../db/subscription.ts';
import { zonesOf } from '../../services/clock/zones.ts';
import type { Place } from './working_calendar.ts';
import { WorkingDaysOfAll, worksOn } from './working_calendar.ts';

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

interface StoredHours {
  id: number;
  active: boolean;
  branch_ids: number[];
  is_default: boolean;
  timezone: string | null;
  round_the_clock: boolean;
  count_optional: boolean;
  hours: WorkingHours['hours'];
}

/** The working hours of a client. */
async function storedHours({ db, schema }: Tenant): Promise<StoredHours[]> {
  const table = tableName(schema, TYPE);
  const [there] = await db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table]);
  if (!there?.there) return [];
  return db.query<StoredHours>(
    `select c.id, c.active, coalesce(c.branch_ids, '{}') as branch_ids, coalesce(c.is_default, false) as is_default, c.timezone,
       coalesce(c.round_the_clock, false) as round_the_clock, coalesce(c.count_optional, false) as count_optional,
       coalesce((select json_agg(json_build_object('weekday', h.weekday, 'from', to_char(h.from_time, 'HH24:MI'), 'to', to_char(h.to_time, 'HH24:MI'))) from ${childTable(schema, TYPE, 'hours')} h where h.parent_id = c.id), '[]') as hours
     from ${table} c order by c.id`,
  );
}

/**
 * The given working hours, otherwise those of a branch: its own, otherwise the default ones, otherwise 9 to 18 on
 * working days.
 */
function chosenHours(
  stored: readonly StoredHours[],
  branchId: number | null,
  zone: string,
  calendar: number | null,
): WorkingHours & { optionalOff: boolean } {
  const isOwn = ({ branch_ids: branches }: StoredHours) => branchId !== null && branches.includes(branchId);
  const rank = (one: StoredHours) => (isOwn(one) ? 2 : 0) + (one.is_default ? 1 : 0);
  const [row] =
    calendar === null
      ? stored
          .filter((one) => one.active && (rank(one) > 0 || (one.branch_ids.length === 0 && !one.round_the_clock)))
          .toSorted((one, other) => rank(other) - rank(one) || one.id - other.id)
      : stored.filter(({ id }) => id === calendar);
  if (!row)
    return {
      timezone: zone,
      roundTheClock: false,
      optionalOff: false,
      hours: WEEKDAYS.map((weekday) => ({ weekday, from: OPENS, to: CLOSES })),
    };
  return {
    timezone: isTimeZone(row.timezone ?? '') ? row.timezone! : zone,
    roundTheClock: row.round_the_clock,
    optionalOff: row.count_optional,
    hours: row.hours,
  };
}

/**
 * Whether a place works on a day in the period by the given working hours: on days on which they are open, without its
 * week-offs and holidays; round the clock on every day. `calendar` null: as {@link worksOn} says.
 */
export async function worksByHours(
  tenant: Tenant,
  place: Place,
  calendar: number | null,
  from: string,
  to: string,
): Promise<(day: string) => boolean> {
  if (calendar === null) return worksOn(tenant, place, from, to);
  const { roundTheClock, optionalOff, hours } = chosenHours(await storedHours(tenant), null, '', calendar);
  if (roundTheClock) return () => true;
  const open = new Set(hours.map(({ weekday }) => weekday));
  const works = await worksOn(tenant, place, from, to, optionalOff);
  return (day) => open.has(WEEKDAYS[DateTime.fromISO(day, { zone: 'utc' }).weekday - 1]!) && works(day);
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
  const hours = chosenHours(await storedHours(tenant), place.branchId, zone, calendar);
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

/**
 * Which places of a client are open at a given time: by their working hours, week-offs and holidays; by default from 9
 * to 18. What places have in common is read once.
 */
export class OpenPlaces {
  readonly #tenant: Tenant;
  readonly #at: Date;
  readonly #zones: Zones;
  readonly #days: WorkingDaysOfAll;
  #calendars: Promise<StoredHours[]> | undefined;
  readonly #known = new Map<string, Promise<boolean>>();

  constructor(tenant: Tenant, zones: Zones, at: Date) {
    this.#tenant = tenant;
    this.#zones = zones;
    this.#at = at;
    const day = DateTime.fromJSDate(at, { zone: 'utc' });
    this.#days = new WorkingDaysOfAll(tenant, day.minus({ days: 1 }).toISODate()!, day.plus({ days: 1 }).toISODate()!);
  }

  isOpen(entityId: number | null, branchId: number | null): Promise<boolean> {
    const key = `${entityId} ${branchId}`;
    const asked = this.#known.get(key) ?? this.#ask({ entityId, branchId });
    this.#known.set(key, asked);
    return asked;
  }

  async #ask(place: Place): Promise<boolean> {
    const zone = zoneOf(place, this.#zones) ?? this.#tenant.timezone;
    const hours = chosenHours(await (this.#calendars ??= storedHours(this.#tenant)), place.branchId, zone, null);
    if (hours.roundTheClock) return true;
    const local = DateTime.fromJSDate(this.#at, { zone: hours.timezone });
    const time = local.toFormat('HH:mm');
    const weekday = WEEKDAYS[local.weekday - 1];
    if (!hours.hours.some((one) => one.weekday === weekday && one.from <= time && time < one.to)) return false;
    return (await this.#days.of(place, hours.optionalOff))(local.toISODate()!);
  }
}
