import { Decimal } from 'decimal.js';
import type { ReportRow } from '../../../../domain/report.ts';
import type { ReportCall, ReportSource } from '../../../engine/reports/report_source.ts';
import { totalsOfKpis } from '../kpi_totals.ts';

const LISTED = 5;
/** KPIs in the chart of all. */
const CHARTED = 60;

/**
 * The KPIs with the best or the worst achievement over the members and months that the reader may see, or all of them by
 * name. Achievements are those of totals, as in the KPI summary (performance.md §5.6).
 */
async function kpis(call: ReportCall, as: 'all' | 'best' | 'worst'): Promise<ReportRow[]> {
  const { month } = call.parameters;
  const totals = await totalsOfKpis(call, (values) =>
    typeof month === 'string' ? [`a.month = ${values.bind(month)}`] : [],
  );
  const reached = totals.flatMap(({ kpi, percent }) =>
    percent === null ? [] : [{ kpi, percent: new Decimal(percent) }],
  );
  const [sign, listed] = as === 'best' ? [-1, LISTED] : [1, as === 'worst' ? LISTED : CHARTED];
  const ordered = as === 'all' ? reached : reached.toSorted((a, b) => sign * a.percent.cmp(b.percent));
  return ordered.slice(0, listed).map(({ kpi, percent }) => ({
    kpi: kpi.kpi,
    achievement: percent.toFixed(1),
    achievement__to: `/kpi_detailed_report_view?kpi_id=${kpi.id}`,
    kpi_id: kpi.id,
  }));
}

/** The best and the weakest KPIs, and all of them (performance.md §2.7). */
const bestAndWorst: ReportSource = {
  reads: { kpi_actual: ['value', 'target', 'achievement'], kpi: [] },
  // The scale of an achievement, and whose it is: readers of the dashboard need not see these lists.
  counts: ['uom', 'base_performance', 'employee'],
  rows: async (call) => ({ rows: await kpis(call, call.args?.as as 'all' | 'best' | 'worst') }),
};

export default bestAndWorst;
