import type { Unit } from '../../engine/records/unit.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import { dayOf } from '../../services/clock/zones.ts';

/**
 * The day of a point in time (default: of the transaction) at a document's place: by its branch, otherwise by the
 * company. YYYY-MM-DD.
 */
export function dayOfAct(unit: Unit, record: Readonly<Record<string, unknown>>, at: Date = unit.now): string {
  const { session } = unit;
  return dayOf(placeOf(session).zones, { branchId: record.branch_id, entityId: session.entityId }, at.getTime());
}

/** The day a number of days later. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

/** The day a number of months later; the last day of a month that is too short. */
export function addMonths(day: string, months: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10);
}

/** A day as people in India read it: 05-04-2026. */
export const shownDay = (day: string): string => day.slice(0, 10).split('-').reverse().join('-');
