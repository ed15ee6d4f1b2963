import { firstYear, yearSpan } from '../../../descriptor/financial_year.ts';
import { addDays, addMonths, weekday } from '../fields/calendar/days.ts';
import { localDay, localMoment } from '../fields/calendar/moments.ts';

export interface DatePreset {
  label: string;
  from: string;
  to: string;
}

/** Common ranges relative to today. Weeks begin on Monday, financial years in the company's month. */
export function datePresets(today: string, fyStartMonth: number): DatePreset[] {
  const monday = addDays(today, -weekday(today));
  const month = `${today.slice(0, 7)}-01`;
  const year = firstYear(today, fyStartMonth);
  const range = (label: string, from: string, to: string): DatePreset => ({ label, from, to });
  return [
    range('Today', today, today),
    range('Yesterday', addDays(today, -1), addDays(today, -1)),
    range('This week', monday, addDays(monday, 6)),
    range('This month', month, addDays(addMonths(month, 1), -1)),
    range('Last month', addMonths(month, -1), addDays(month, -1)),
    { label: 'This financial year', ...yearSpan(year, fyStartMonth) },
    { label: 'Last financial year', ...yearSpan(year - 1, fyStartMonth) },
  ];
}

/** The start of a day in local time; days are YYYY-MM-DD. */
export function startOfDay(day: string): string {
  return localMoment(day, '00:00:00');
}

/** The end of a local day. */
export function endOfDay(day: string): string {
  return new Date(Date.parse(startOfDay(addDays(day, 1))) - 1).toISOString();
}

/** The local day of a point in time; a day is unchanged. */
export function dayOf(moment: string): string {
  return moment.length > 10 ? localDay(moment) : moment;
}
