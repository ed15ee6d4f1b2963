import { dayIn, momentIn } from '../descriptor/place.ts';
import { addDays } from './dashboard_span.ts';

/** How often a report is sent. */
export const INTERVALS = ['daily', 'weekly', 'monthly'] as const;
export type Interval = (typeof INTERVALS)[number];

/** When a report is sent. */
export interface ReportSchedule {
  every: Interval;
  /** Weekly: the weekday, 1 is Monday; monthly: the day, in a shorter month its last one; daily: null. */
  day: number | null;
  /** The hour, 0 to 23, in the company's time zone. */
  hour: number;
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
export const weekdayName = (day: number): string => WEEKDAYS[day - 1]!;

/** Whether the day fits the interval. */
export function isDayOf(every: Interval, day: number | null): boolean {
  const within = (max: number) => day !== null && Number.isInteger(day) && day >= 1 && day <= max;
  return every === 'daily' ? day === null : within(every === 'weekly' ? 7 : 31);
}

function isDue({ every, day }: ReportSchedule, date: string): boolean {
  if (every === 'daily') return true;
  if (every === 'weekly') return (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7 === day! - 1;
  const [year, month, own] = date.split('-').map(Number) as [number, number, number];
  return own === Math.min(day!, new Date(Date.UTC(year, month, 0)).getUTCDate());
}

/** The next time after another one at which a report is due, in milliseconds. */
export function nextDue(schedule: ReportSchedule, timezone: string | null, after: number): number {
  const clock = `${String(schedule.hour).padStart(2, '0')}:00`;
  for (let date = dayIn(timezone, after); ; date = addDays(date, 1)) {
    if (!isDue(schedule, date)) continue;
    const moment = momentIn(timezone, `${date}T${clock}`);
    if (moment > after) return moment;
  }
}

/** "every Monday at 8:00" */
export function scheduleText({ every, day, hour }: ReportSchedule): string {
  const at = `at ${hour}:00`;
  if (every === 'daily') return `every day ${at}`;
  if (every === 'weekly') return `every ${weekdayName(day!)} ${at}`;
  return `on ${day === 31 ? 'the last day' : `day ${day}`} of every month ${at}`;
}
