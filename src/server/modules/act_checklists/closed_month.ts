import { DateTime } from 'luxon';
import type { Unit } from '../../engine/records/unit.ts';

/** The month of a day as text, if its scores are frozen; null = it is open. */
export async function closedMonth(unit: Unit, day: string): Promise<string | null> {
  const [row] = await unit.query<{ month: string }>(
    `select month from {compliance_period} where month = left($1, 7) and state = 'closed' and entity_id = $2 and active`,
    [day, unit.session.entityId],
  );
  return row ? DateTime.fromISO(`${row.month}-01`, { zone: 'utc' }).toFormat('LLLL yyyy') : null;
}
