import { Decimal } from 'decimal.js';

export type Priority = 'p1' | 'p2' | 'p3' | 'p4';

/** The criteria for the times of a call; in a line of promised times an empty criterion matches all. */
export interface CallPlace {
  priority: Priority;
  building_type_id: number | null;
  customer_grade_id: number | null;
}

/** One line of the promised times of a ticket type. */
export interface PromisedTimes extends CallPlace {
  respond_min: number;
  restore_min: number;
  round_the_clock: boolean;
}

/**
 * The line that applies to a call: of the matching ones, the one with the most criteria; on a tie the first (C12). Null
 * = none matches.
 */
export function promisedTimes(lines: readonly PromisedTimes[], call: CallPlace): PromisedTimes | null {
  const fits = lines.filter(
    (line) =>
      line.priority === call.priority &&
      (line.building_type_id === null || line.building_type_id === call.building_type_id) &&
      (line.customer_grade_id === null || line.customer_grade_id === call.customer_grade_id),
  );
  const criteria = (line: PromisedTimes) =>
    Number(line.building_type_id !== null) + Number(line.customer_grade_id !== null);
  return fits.reduce<PromisedTimes | null>(
    (best, line) => (best === null || criteria(line) > criteria(best) ? line : best),
    null,
  );
}

/** Promised minutes: those of the line times the factor of the customer's grade, in whole minutes (C12). */
export function limitMinutes(minutes: number, slaFactor: string | number | null): number {
  return new Decimal(minutes)
    .times(slaFactor ?? 1)
    .toDecimalPlaces(0, Decimal.ROUND_HALF_UP)
    .toNumber();
}

const ORDER: readonly Priority[] = ['p1', 'p2', 'p3', 'p4'];

/** The priority of a call: that of its category, raised by the building type; people trapped make it P1. */
export function callPriority(category: Priority | null, boost: number, trapped: boolean): Priority {
  if (trapped) return 'p1';
  const at = ORDER.indexOf(category ?? 'p3') - Math.max(0, boost);
  return ORDER[Math.max(0, at)]!;
}
