import { monthTitle } from '../../../domain/month_names.ts';
import type { ScorecardLine } from '../../../domain/performance/scorecard.ts';
import type { ReportAnswer } from '../../../domain/report.ts';

const numberOf = (value: string | null) => (value === null ? null : Number(value));

/**
 * Actual and target of the last months of a KPI; null = there are not two actuals, or it is a date or done or not, which
 * have no line.
 */
export function monthsChart({ method, past }: Pick<ScorecardLine, 'method' | 'past'>): ReportAnswer['chart'] {
  const isMeasured = method !== 'milestone' && method !== 'binary';
  if (!isMeasured || past.filter(({ actual }) => actual !== null).length < 2) return null;
  return {
    along: 'Month',
    x: past.map(({ month }) => monthTitle(month)),
    series: [
      { title: 'Actual', values: past.map(({ actual }) => numberOf(actual)) },
      { title: 'Target', values: past.map(({ target }) => numberOf(target)) },
    ],
  };
}
