import { today } from './days.ts';

const two = (value: number) => String(value).padStart(2, '0');

/** The day here of a moment in UTC. */
export function localDay(moment: string): string {
  return today(new Date(moment));
}

/** HH:MM here of a moment in UTC. */
export function localTime(moment: string): string {
  const date = new Date(moment);
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The moment in UTC of a day and time here. */
export function localMoment(day: string, time: string): string {
  return new Date(`${day}T${time}:00`).toISOString();
}
