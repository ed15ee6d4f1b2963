import type { Unit } from './unit.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import { dayOf } from '../../services/clock/zones.ts';

/** The day of a moment (default: of the act) where a record is: by its branch, else by the company. */
export function dayOfRecord(
  { session, now }: Pick<Unit, 'session' | 'now'>,
  { branch_id: branchId }: Readonly<Record<string, unknown>>,
  at: Date = now,
): string {
  return dayOf(placeOf(session).zones, { branchId, entityId: session.entityId }, at.getTime());
}
