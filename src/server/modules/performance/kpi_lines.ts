import { achievement } from '../../../domain/performance/achievement.ts';
import { monthNames } from '../../../domain/month_names.ts';
import type { ReportRows } from '../../engine/reports/report_source.ts';
import type { KpiScale } from './kpi_figures.ts';

/** A chart with more lines is not readable. */
const MAX_LINES = 12;

/** The note in place of the chart. */
export const MANY_KPIS = 'Choose a KPI or a KPI type to see the chart: it draws up to 12 KPIs.';

/** A month as the heading of its column: Apr 2025. */
export const monthTitle = (month: string): string =>
  `${monthNames[Number(month.slice(5, 7)) - 1]!.slice(0, 3)} ${month.slice(0, 4)}`;

/** The achievement of several KPIs by month as lines, beside 100 %; none of more than 12 KPIs. */
export function achievementLines(
  kpis: readonly KpiScale[],
  months: readonly string[],
  figures: (kpi: KpiScale, month: string) => { actual: string | null; target: string | null; base: string | null },
): ReportRows['chart'] {
  if (kpis.length === 0 || kpis.length > MAX_LINES) return undefined;
  const percent = (kpi: KpiScale, month: string) => {
    const result = achievement({ ...kpi, ...figures(kpi, month) });
    return 'percent' in result ? Number(result.percent) : null;
  };
  return {
    x: months.map(monthTitle),
    series: [
      ...kpis.map((kpi) => ({ title: `${kpi.kpi}, %`, values: months.map((month) => percent(kpi, month)) })),
      { title: 'Target, %', values: months.map(() => 100) },
    ],
  };
}
