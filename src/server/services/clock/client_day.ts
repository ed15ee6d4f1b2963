import { AsyncLocalStorage } from 'node:async_hooks';
import type { Place, Zones } from '../../../descriptor/place.ts';
import { USUAL_PLACE, setPlace, zoneOf } from '../../../descriptor/place.ts';
import type { Caller } from '../../db/tenant.ts';

export { dayIn } from '../../../descriptor/place.ts';

/**
 * Sets the place of a call's work: the caller's company, not the machine. Between midnight and 5:30 in India, a machine
 * that runs in UTC would refuse today as a day in the future.
 */
const current = new AsyncLocalStorage<Place>();
/** The place of work that belongs to no client's call. */
let usual: Place = USUAL_PLACE;

/** Runs a function at a place: its current day, financial year and currency. */
export function atPlace<T>(place: Place, work: () => T): T {
  return current.run(place, work);
}

/** Runs a function for a client of which only the time zone is known: it decides the current day. */
export function inZone<T>(timezone: string, work: () => T): T {
  return inZones({ ...USUAL_PLACE.zones, client: timezone }, work);
}

/** Runs a function for a client, its companies and branches: a record's current day is that of its own place. */
export function inZones<T>(zones: Zones, work: () => T): T {
  return current.run({ ...USUAL_PLACE, timezone: zones.client, zones }, work);
}

/** Runs related work at its session's place, with one shared current time. */
export function atMoment<T>(session: Parameters<typeof placeOf>[0], moment: () => number, work: () => T): T {
  return current.run({ ...placeOf(session), moment }, work);
}

/** For a process that works for one client at a time: sets its place from now on. */
export function stayAt(place: Place): void {
  usual = place;
}

/** The place of a session's company, or otherwise its client; automatic work uses the zones of its client. */
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
