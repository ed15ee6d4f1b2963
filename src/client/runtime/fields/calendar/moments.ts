import { clockIn, momentIn, place } from '../../../../descriptor/place.ts';

/** The local day of a point in time. */
export function localDay(moment: string): string {
  return clockIn(place().timezone, Date.parse(moment)).slice(0, 10);
}

/** The local time of a point in time, HH:MM or HH:MM:SS. */
export function localTime(moment: string, seconds = false): string {
  return clockIn(place().timezone, Date.parse(moment)).slice(11, seconds ? 19 : 16);
}

/** The UTC time of a local day and time. */
export function localMoment(day: string, time: string): string {
  return new Date(momentIn(place().timezone, `${day}T${time}`)).toISOString();
}
