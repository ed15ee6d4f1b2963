import { DateTime } from 'luxon';

export const WEEKDAYS = ['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su'] as const;

/** The working hours of a place for each weekday, in its time zone. */
export interface WorkingHours {
  timezone: string;
  /** Day and night, including days off. */
  roundTheClock: boolean;
  /** From and to as HH:MM. */
  hours: { weekday: (typeof WEEKDAYS)[number]; from: string; to: string }[];
}

/** The limit of the search for a working minute. */
const FAR_DAYS = 366;

/**
 * The time after this many working minutes. If a place never works within a year, they are counted as ordinary minutes.
 * `works` tells whether a day, YYYY-MM-DD, is a working day.
 */
export function addWorkingMinutes(
  from: Date,
  minutes: number,
  { timezone, roundTheClock, hours }: WorkingHours,
  works: (day: string) => boolean,
): Date {
  const begin = DateTime.fromJSDate(from, { zone: timezone });
  const plain = begin.plus({ minutes }).toJSDate();
  if (roundTheClock || minutes <= 0) return plain;
  let left = minutes;
  for (let offset = 0; offset <= FAR_DAYS; offset++) {
    const day = begin.startOf('day').plus({ days: offset });
    if (!works(day.toISODate()!)) continue;
    const spans = hours
      .filter(({ weekday }) => weekday === WEEKDAYS[day.weekday - 1])
      .map((span) => ({ start: timeOn(day, span.from), end: timeOn(day, span.to) }))
      .toSorted((a, b) => a.start.toMillis() - b.start.toMillis());
    for (const { start, end } of spans) {
      const first = start < begin ? begin : start;
      const there = end.diff(first, 'minutes').minutes;
      if (there <= 0) continue;
      if (left <= there) return first.plus({ minutes: left }).toJSDate();
      left -= there;
    }
  }
  return plain;
}

const timeOn = (day: DateTime, time: string): DateTime => {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return day.set({ hour, minute });
};
