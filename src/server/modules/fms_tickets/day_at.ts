import type { Unit } from '../../engine/records/unit.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import { dayOf } from '../../services/clock/zones.ts';
import { zoneOf } from '../../../descriptor/place.ts';

type Row = Readonly<Record<string, unknown>>;

/** The day of a moment in the time zone of a record's branch, otherwise of the company. */
export function dayAt({ session, now }: Unit, { branch_id: branchId }: Row, moment: unknown): string {
  const at = typeof moment === 'string' ? Date.parse(moment) : now.getTime();
  return dayOf(placeOf(session).zones, { branchId, entityId: session.entityId }, at);
}

/** The time of day of a moment, HH:MM, in the time zone of a record's branch, otherwise of the company. */
export function clockAt({ session }: Unit, { branch_id: branchId }: Row, moment: Date): string {
  const place = placeOf(session);
  const timeZone = zoneOf({ branchId, entityId: session.entityId }, place.zones) ?? place.timezone;
  return new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hour12: false }).format(
    moment,
  );
}
