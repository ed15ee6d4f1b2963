import type { Unit } from './unit.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import { dayOf } from '../../services/clock/zones.ts';

/**
 * The day of a point in time (default: of the transaction) at a record's location: by its branch, otherwise by the
 * company.
 */
export function dayOfRecord(
  { session, now }: Pick<Unit, 'session' | 'now'>,
  { branch_id: branchId }: Readonly<Record<string, unknown>>,
  at: Date = now,
): string {
  return dayOf(placeOf(session).zones, { branchId, entityId: session.entityId }, at.getTime());
}
