import { AsyncLocalStorage } from 'node:async_hooks';
import { DateTime } from 'luxon';
import type { OpenHours } from '../../../domain/open_hours.ts';
import { partOff } from '../../../domain/working_days.ts';
import { quoted } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Place } from './working_calendar.ts';
import { CALENDAR_TYPES, holidaysThatCount, restDays } from './working_calendar.ts';

/** The types with the data of business hours. */
export const HOURS_TYPES = ['business_calendar', ...CALENDAR_TYPES];

const WEEKDAYS = ['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su'];
/** How far back before the requested time holidays are read. */
const YEARS_AHEAD = 3;

interface Calendar {
  timezone: string;
  round_the_clock: boolean;
  count_optional: boolean;
  hours: { weekday: string; from: string; to: string }[];
}

const ALWAYS: OpenHours = { timezone: null, roundTheClock: true, hours: [], off: () => 'none' };

/** The hours that a sweep of many records has read, with the time from which they are known and that of reading them. */
const shared = new AsyncLocalStorage<Map<string, { from: number; readAt: number; hours: Promise<OpenHours> }>>();
/** Changed hours take effect after this time even in a long sweep. */
const SHARED_MS = 5_000;
/** Hours are read from so far back that they serve most records of a sweep. */
const SHARED_BACK_MS = 92 * 86_400_000;

/** Runs a sweep of many records, most of which are at the same places: their hours are read once. */
export function sharingHours<T>(work: () => T): T {
  return shared.getStore() ? work() : shared.run(new Map(), work);
}

/** The working hours of a place, as {@link readHours} finds them; a sweep reads them once for all its records. */
export async function businessHours(
  tenant: Tenant,
  place: Place,
  asked: { calendar: number | 'always' | null; from: number },
): Promise<OpenHours> {
  const known = shared.getStore();
  if (!known || asked.calendar === 'always') return readHours(tenant, place, asked);
  const key = `${tenant.schema} ${place.entityId} ${place.branchId} ${asked.calendar}`;
  const now = Date.now();
  const found = known.get(key);
  if (found && found.from <= asked.from && now - found.readAt < SHARED_MS) return found.hours;
  const from = Math.min(asked.from, now - SHARED_BACK_MS);
  const hours = readHours(tenant, place, { ...asked, from });
  known.set(key, { from, readAt: now, hours });
  // A failed reading belongs to the transaction that failed, not to the next one.
  hours.catch(() => known.delete(key));
  return hours;
}

/**
 * The working hours of a place: by the given calendar, otherwise that of its branch, otherwise the default one, without
 * holidays and week-offs. Without any calendar it is always open. `from`: the earliest relevant time.
 */
async function readHours(
  tenant: Tenant,
  place: Place,
  { calendar, from }: { calendar: number | 'always' | null; from: number },
): Promise<OpenHours> {
  if (calendar === 'always') return ALWAYS;
  const s = quoted(tenant.schema);
  const [found] = await tenant.db.query<Calendar>(
    `select timezone, coalesce(round_the_clock, false) as round_the_clock, coalesce(count_optional, false) as count_optional,
       coalesce((select json_agg(json_build_object('weekday', h.weekday, 'from', to_char(h.from_time, 'HH24:MI'), 'to', to_char(h.to_time, 'HH24:MI')) order by h.from_time)
         from ${s}.business_calendar__hours h where h.parent_id = c.id), '[]') as hours
     from ${s}.business_calendar c
     where c.id = $1 or ($1::bigint is null and c.active and ($2::bigint = any(branch_ids) or is_default or coalesce(cardinality(branch_ids), 0) = 0))
     order by coalesce($2::bigint = any(branch_ids), false) desc, is_default desc nulls last, c.id limit 1`,
    [calendar, place.branchId],
  );
  if (!found || found.round_the_clock) return { ...ALWAYS, timezone: found?.timezone ?? null };
  const begins = DateTime.fromMillis(from, { zone: 'utc' });
  const first = begins.minus({ days: 1 }).toISODate()!;
  const last = DateTime.max(begins, DateTime.utc()).plus({ years: YEARS_AHEAD }).toISODate()!;
  const rest =
    (await restDays(tenant, place, first, last)) ??
    (await restDays(tenant, { ...place, branchId: null }, first, last))!;
  const holidays = found.count_optional ? rest.holidays : holidaysThatCount(rest.holidays);
  return {
    timezone: found.timezone,
    roundTheClock: false,
    hours: WEEKDAYS.map((weekday) =>
      found.hours.filter((one) => one.weekday === weekday).map(({ from: opens, to }): [string, string] => [opens, to]),
    ),
    off: (day) =>
      holidays.some(({ date, to_date: until }) => date <= day && day <= (until ?? date))
        ? 'full'
        : partOff(day, rest.policies),
  };
}
