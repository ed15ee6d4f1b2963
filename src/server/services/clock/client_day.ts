import { AsyncLocalStorage } from 'node:async_hooks';
import type { Place, Zones } from '../../../descriptor/place.ts';
import { USUAL_PLACE, setPlace, zoneOf } from '../../../descriptor/place.ts';
import type { Caller } from '../../db/tenant.ts';

export { dayIn } from '../../../descriptor/place.ts';

/**
 * Where the work of a call is done: where the caller's company is, not where the machine is. Between midnight and half
 * past five in India a machine that runs in UTC would refuse today as a day in the future.
 */
const current = new AsyncLocalStorage<Place>();
/** Where work belongs to no client's call. */
let usual: Place = USUAL_PLACE;

/** Does something at a place: its day, its financial year, its money. */
export function atPlace<T>(place: Place, work: () => T): T {
  return current.run(place, work);
}

/** Does something for a client of which only the time zone is known: what day it is, is the day there. */
export function inZone<T>(timezone: string, work: () => T): T {
  return inZones({ ...USUAL_PLACE.zones, client: timezone }, work);
}

/** Does something for a client, its companies and branches: what day a record has, is the day where it belongs. */
export function inZones<T>(zones: Zones, work: () => T): T {
  return current.run({ ...USUAL_PLACE, timezone: zones.client, zones }, work);
}

/** Does what belongs together where its session is: what is asked of the clock meanwhile is one moment. */
export function atMoment<T>(session: Parameters<typeof placeOf>[0], moment: () => number, work: () => T): T {
  return current.run({ ...placeOf(session), moment }, work);
}

/** A process that works for one client at a time: it works at this place from now on. */
export function stayAt(place: Place): void {
  usual = place;
}

/** Where a session's company is, or else its client; what follows by itself knows the zones of the client that it runs for. */
export function placeOf({
  place,
  tenant,
  entityId,
}: Omit<Caller, 'userId'> & { place?: Place }): Place & { timezone: string } {
  const running = (current.getStore() ?? usual).zones;
  const zones =
    place?.zones ?? (running.client === tenant.timezone ? running : { ...USUAL_PLACE.zones, client: tenant.timezone });
  return {
    ...USUAL_PLACE,
    zones,
    entityId,
    fyStartMonth: zones.yearStarts?.[entityId ?? 0] ?? USUAL_PLACE.fyStartMonth,
    currency: zones.currencies?.[entityId ?? 0] ?? USUAL_PLACE.currency,
    ...place,
    timezone: place?.timezone ?? zoneOf({ entityId }, zones) ?? tenant.timezone,
  };
}

setPlace(() => current.getStore() ?? usual);
