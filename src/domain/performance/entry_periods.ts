import { DateTime } from 'luxon';

/** Days or weeks of a month for which a figure is entered. */
export interface EntryPeriod {
  from_day: string;
  to_day: string;
  /** W01 for weeks; empty for days. */
  label: string | null;
}

const day = (date: string) => DateTime.fromISO(date, { zone: 'utc' });
const text = (date: DateTime) => date.toISODate()!;

/** The first Thursday on or after a day. */
const thursdayFrom = (date: DateTime) => date.plus({ days: (4 - date.weekday + 7) % 7 });

/**
 * The weeks of a month (performance.md §5.1): from Monday to Sunday, in the month that has their Thursday, numbered from the
 * beginning of the financial year. @param month YYYY-MM
 */
export function weeksOf(month: string, startMonth: number): EntryPeriod[] {
  const first = day(`${month}-01`);
  const yearStart = DateTime.utc(first.month < startMonth ? first.year - 1 : first.year, startMonth, 1);
  const firstOfYear = thursdayFrom(yearStart);
  const weeks: EntryPeriod[] = [];
  for (let thursday = thursdayFrom(first); thursday.month === first.month; thursday = thursday.plus({ weeks: 1 })) {
    const number = Math.round(thursday.diff(firstOfYear, 'weeks').weeks) + 1;
    weeks.push({
      from_day: text(thursday.minus({ days: 3 })),
      to_day: text(thursday.plus({ days: 3 })),
      label: `W${String(number).padStart(2, '0')}`,
    });
  }
  return weeks;
}

/** The working days of a month. */
export function daysOf(month: string, works: (day: string) => boolean): EntryPeriod[] {
  const first = day(`${month}-01`);
  return Array.from({ length: first.daysInMonth! }, (_, at) => text(first.plus({ days: at })))
    .filter(works)
    .map((one) => ({ from_day: one, to_day: one, label: null }));
}
