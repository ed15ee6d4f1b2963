import { clockIn, momentIn, place } from '../../../../descriptor/place.ts';

/** The day of a moment where the person works. */
export function localDay(moment: string): string {
  return clockIn(place().timezone, Date.parse(moment)).slice(0, 10);
}

/** HH:MM or HH:MM:SS of a moment where the person works. */
export function localTime(moment: string, seconds = false): string {
  return clockIn(place().timezone, Date.parse(moment)).slice(11, seconds ? 19 : 16);
}

/** The moment in UTC of a day and time where the person works. */
export function localMoment(day: string, time: string): string {
  return new Date(momentIn(place().timezone, `${day}T${time}`)).toISOString();
}
