import type { Unit } from '../../../engine/records/unit.ts';
import { placeOf } from '../../../services/clock/client_day.ts';
import { indianDay, storesSetting } from './lookups.ts';

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** Postings and closings of a company are serialised: a closing waits for postings in progress. */
export async function lockMonths(unit: Unit, how: 'post' | 'close'): Promise<void> {
  const lock = how === 'post' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  await unit.query(`select ${lock}(hashtextextended($1, 0))`, [
    `stock ${unit.session.tenant.schema} ${unit.session.entityId}`,
  ]);
}

/** The last day of the last month that is closed; null = none is. */
export async function closedUntil(unit: Unit): Promise<string | null> {
  const [row] = await unit.query<{ day: string | null }>(
    `select max(month_end)::text as day from {stock_period} where entity_id = $1 and state = 'closed' and active`,
    [unit.session.entityId],
  );
  return row?.day ?? null;
}

const nextDay = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

export const zoneOfCompany = (unit: Unit): string => placeOf(unit.session).timezone;

/** The day of a moment in the company's time zone. */
export function dayOfMoment(unit: Unit, moment: Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zoneOfCompany(unit) }).format(moment);
}

/**
 * The moment of a posting in the ledger; null = now, after the locks. A past day means its last second or, for receipts
 * only, its first. What a device sends too late for its own day is posted now (fms_stores.md 10).
 * @throws AppError 422 in the future, in a closed month, or beyond the person's back-dating limit
 */
export async function postingTime(
  unit: Unit,
  at: string | null,
  field: string,
  comesIn: boolean,
): Promise<string | null> {
  if (at === null) return null;
  const isDay = at.length === 10;
  const today = dayOfMoment(unit, unit.now);
  const day = isDay ? at : dayOfMoment(unit, new Date(at));
  if (day > today || (!isDay && Date.parse(at) > unit.now.getTime() + 60_000))
    unit.refuse([{ field, message: 'A movement cannot be dated in the future.' }]);
  if (isDay && day === today) return null;
  if (!isDay && unit.now.getTime() - Date.parse(at) < 60_000) return null;
  const isSentLate = unit.session.origin === 'device';
  const closed = await closedUntil(unit);
  if (closed !== null && day <= closed) {
    if (isSentLate) return null;
    const [year, month] = day.split('-');
    unit.refuse([
      {
        field,
        message: `${MONTHS[Number(month) - 1]} ${year} is closed. Use a date from ${indianDay(nextDay(closed))} or ask accounts to reopen it.`,
      },
    ]);
  }
  const { backdate_days: days } = await storesSetting(unit);
  const earliest = new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10);
  if (day < earliest && unit.session.rights.refuseAction('STOCK_BACKDATE') !== null) {
    if (isSentLate) return null;
    unit.refuse([
      {
        field,
        message: `A posting may be back-dated by ${days} ${days === 1 ? 'day' : 'days'}, to ${indianDay(earliest)}. Ask somebody with the right to back-date further.`,
      },
    ]);
  }
  if (!isDay) return new Date(at).toISOString();
  const [row] = await unit.query<{ at: string }>(
    `select to_char((($1::date + $2::interval)::timestamp at time zone $3) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at`,
    [day, comesIn ? '0' : '23 hours 59 minutes 59 seconds', zoneOfCompany(unit)],
  );
  return row!.at;
}
