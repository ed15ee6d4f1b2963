import type { Aggregation } from '../performance/over_time.ts';
import { overTime } from '../performance/over_time.ts';
import { addMonths } from '../dashboard_span.ts';

/** A KPI of a company's sheet in a month: what is approved, and the target, which serves as budget. */
export interface MoneyMonth {
  month: string;
  actual: string | null;
  target: string | null;
}

/** A month and its financial year up to it, each against budget and the year before; null = there is no figure. */
export interface MoneyRow {
  actual: string | null;
  budget: string | null;
  last_year: string | null;
  ytd: string | null;
  ytd_budget: string | null;
  ytd_last_year: string | null;
}

const monthsAfter = (month: string, count: number) => addMonths(`${month}-01`, count).slice(0, 7);

/** The row of a KPI (board.md §7). `startMonth`: the first month of the financial year, 1 to 12. */
export function moneyRow(
  months: readonly MoneyMonth[],
  month: string,
  startMonth: number,
  aggregation: Aggregation,
): MoneyRow {
  const first = monthsAfter(month, -((Number(month.slice(5)) - startMonth + 12) % 12));
  const within = (from: string, to: string) =>
    overTime(
      months.filter((one) => one.month >= from && one.month <= to).toSorted((a, b) => a.month.localeCompare(b.month)),
      aggregation,
    );
  const [now, before] = [within(month, month), within(monthsAfter(month, -12), monthsAfter(month, -12))];
  const [year, yearBefore] = [within(first, month), within(monthsAfter(first, -12), monthsAfter(month, -12))];
  return {
    actual: now.actual,
    budget: now.target,
    last_year: before.actual,
    ytd: year.actual,
    ytd_budget: year.target,
    ytd_last_year: yearBefore.actual,
  };
}
