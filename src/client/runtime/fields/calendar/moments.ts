import { dayOfMoment } from '../../../../descriptor/place.ts';

const two = (value: number) => String(value).padStart(2, '0');

/** The day here of a moment in UTC. */
export function localDay(moment: string): string {
  return dayOfMoment(null, Date.parse(moment));
}

/** HH:MM or HH:MM:SS here of a moment in UTC. */
export function localTime(moment: string, seconds = false): string {
  const date = new Date(moment);
  return `${two(date.getHours())}:${two(date.getMinutes())}${seconds ? `:${two(date.getSeconds())}` : ''}`;
}

/** The moment in UTC of a day and time here. */
export function localMoment(day: string, time: string): string {
  return new Date(`${day}T${time}`).toISOString();
}
