import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { monthsOf } from '../../../platform/analytics/client_figures.ts';
import { opened } from '../client_access.ts';

/** A figure of a client by month. */
const clientKpiMonths: ReportSource = {
  reads: {},
  async rows(call) {
    const { tenant, kpi } = await opened(call);
    return { rows: (await monthsOf(tenant, kpi)).toReversed() };
  },
};

export default clientKpiMonths;
