import type { Unit } from '../../engine/records/unit.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import { dayOf } from '../../services/clock/zones.ts';

/**
 * The day of a point in time (default: of the action, on a device too) in the time zone of a document's branch, otherwise of the
 * company. YYYY-MM-DD.
 */
export function dayOfAct(unit: Unit, record: Readonly<Record<string, unknown>>, at: Date = unit.at): string {
  const { session } = unit;
  return dayOf(placeOf(session).zones, { branchId: record.branch_id, entityId: session.entityId }, at.getTime());
}

/** A day plus a number of days. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

/** A day plus a number of months; clipped to the last day of a shorter month. */
export function addMonths(day: string, months: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10);
}

/** A day in Indian format: 05-04-2026. */
export const shownDay = (day: string): string => day.slice(0, 10).split('-').reverse().join('-');
