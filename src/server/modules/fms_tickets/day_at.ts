import type { Unit } from '../../engine/records/unit.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import { dayOf } from '../../services/clock/zones.ts';

/** The day of a moment in the time zone of a record's branch, otherwise of the company. */
export function dayAt(
  { session, now }: Unit,
  { branch_id: branchId }: Readonly<Record<string, unknown>>,
  moment: unknown,
): string {
  const at = typeof moment === 'string' ? Date.parse(moment) : now.getTime();
  return dayOf(placeOf(session).zones, { branchId, entityId: session.entityId }, at);
}
