import { financialYear, firstYear } from '../../descriptor/financial_year.ts';
import { monthNames, monthTitle } from '../month_names.ts';

/** The periods of a scorecard, besides months those that are made of them. */
export const SCORECARD_PERIODS = ['month', 'quarter', 'half_year', 'year', 'ytd'] as const;
export type ScorecardPeriod = (typeof SCORECARD_PERIODS)[number];

const MONTHS_IN = { month: 1, quarter: 3, half_year: 6, year: 12 } as const;

/** Shorter periods, of KPIs that are entered day by day or week by week. */
export const SHORT_PERIODS = ['day', 'week'] as const;
export type ShortPeriod = (typeof SHORT_PERIODS)[number];

/** A period by its first and last month, YYYY-MM. */
export interface PeriodSpan {
  from: string;
  to: string;
  title: string;
}

const monthAt = (count: number): string => `${Math.floor(count / 12)}-${String((count % 12) + 1).padStart(2, '0')}`;

/**
 * The period that a month belongs to (performance.md §5.1): quarters and halves of the financial year nest, a year to date
 * ends with the month. @param startMonth the first month of the financial year, 1 to 12
 */
export function periodWith(month: string, period: ScorecardPeriod, startMonth: number): PeriodSpan {
  const first = firstYear(`${month}-01`, startMonth) * 12 + startMonth - 1;
  const place = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 - first;
  const year = startMonth === 1 ? month.slice(0, 4) : financialYear(`${month}-01`, startMonth);
  if (period === 'ytd') {
    const from = monthAt(first);
    const begins = place === 0 ? '' : `${monthNames[startMonth - 1]} to `;
    return { from, to: month, title: `${begins}${monthTitle(month)}` };
  }
  const length = MONTHS_IN[period];
  const number = Math.floor(place / length);
  const from = monthAt(first + number * length);
  const to = monthAt(first + (number + 1) * length - 1);
  const short = (one: string) => monthNames[Number(one.slice(5, 7)) - 1]!.slice(0, 3);
  const title = {
    month: () => monthTitle(month),
    quarter: () => `Q${number + 1} ${year} (${short(from)}–${short(to)})`,
    half_year: () => `H${number + 1} ${year} (${short(from)}–${short(to)})`,
    year: () => year,
  }[period]();
  return { from, to, title };
}

const dayText = (day: string): string =>
  `${Number(day.slice(8))} ${monthNames[Number(day.slice(5, 7)) - 1]!.slice(0, 3)}`;

/** The day, or the week from Monday to Sunday, that a day belongs to. */
export function shortPeriodWith(day: string, period: ShortPeriod): PeriodSpan {
  if (period === 'day') return { from: day, to: day, title: `${dayText(day)} ${day.slice(0, 4)}` };
  const date = new Date(`${day}T00:00:00Z`);
  const at = (back: number) => new Date(date.getTime() + back * 86_400_000).toISOString().slice(0, 10);
  const sinceMonday = (date.getUTCDay() + 6) % 7;
  const [from, to] = [at(-sinceMonday), at(6 - sinceMonday)];
  return { from, to, title: `${dayText(from)} to ${dayText(to)} ${to.slice(0, 4)}` };
}
