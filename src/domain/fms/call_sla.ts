import { Decimal } from 'decimal.js';

export type Priority = 'p1' | 'p2' | 'p3' | 'p4';

/** What the times of a call depend on; in a line of promised times an empty criterion stands for all. */
export interface CallPlace {
  priority: Priority;
  building_type_id: number | null;
  customer_grade_id: number | null;
}

/** One line of the times that a type of ticket promises. */
export interface PromisedTimes extends CallPlace {
  respond_min: number;
  restore_min: number;
  round_the_clock: boolean;
}

/** The line that holds for a call: of those that fit, the one with most criteria; of equal ones the first (C12). Null = none fits. */
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

/** Minutes that a customer is promised: those of the line times the factor of the customer's grade, in whole minutes (C12). */
export function limitMinutes(minutes: number, slaFactor: string | number | null): number {
  return new Decimal(minutes)
    .times(slaFactor ?? 1)
    .toDecimalPlaces(0, Decimal.ROUND_HALF_UP)
    .toNumber();
}

const ORDER: readonly Priority[] = ['p1', 'p2', 'p3', 'p4'];

/** The priority of a call: that of its category, raised by the steps of the building's type; people inside make it P1. */
export function callPriority(category: Priority | null, boost: number, trapped: boolean): Priority {
  if (trapped) return 'p1';
  const at = ORDER.indexOf(category ?? 'p3') - Math.max(0, boost);
  return ORDER[Math.max(0, at)]!;
}
