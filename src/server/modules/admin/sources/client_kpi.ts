import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { formatLongDate, formatNumber } from '../../../../descriptor/format.ts';
import { monthsOf } from '../../../platform/analytics/client_figures.ts';
import { opened } from '../client_access.ts';

/** A client's current figure, or the one of its newest month. */
const clientKpi: ReportSource = {
  reads: {},
  async rows(call) {
    const { tenant, kpi } = await opened(call);
    const [latest, before] = await monthsOf(tenant, kpi);
    if (!latest) return { rows: [{ value: null }], note: 'No data yet' };
    const month = latest.month === '' ? 'Now' : `In ${formatLongDate(`${latest.month}-01`).slice(3)}`;
    return {
      rows: [{ value: latest.value }],
      note: before ? `${month}, ${formatNumber(Number(before.value), 2)} the month before` : month,
    };
  },
};

export default clientKpi;
