import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { largestOf } from '../../../platform/analytics/client_figures.ts';
import { opened } from '../client_access.ts';

/** A client's figure by a column, largest first. */
const clientLargest: ReportSource = {
  reads: {},
  async rows(call) {
    const { tenant, kpi } = await opened(call);
    return { rows: await largestOf(tenant, kpi, String(call.args?.by)) };
  },
};

export default clientLargest;
