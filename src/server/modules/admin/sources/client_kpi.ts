import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { grouped } from '../../../../descriptor/money.ts';
import { monthsOf } from '../../../platform/analytics/client_figures.ts';
import { opened } from '../client_access.ts';

/** A figure of a client as it is now, or of the newest month that there is. */
const clientKpi: ReportSource = {
  reads: {},
  async rows(call) {
    const { tenant, kpi } = await opened(call);
    const [latest, before] = await monthsOf(tenant, kpi);
    if (!latest) return { rows: [{ value: null }], note: 'Nothing was gathered yet' };
    const month = latest.month === '' ? 'Now' : `In ${latest.month}`;
    return {
      rows: [{ value: latest.value }],
      note: before ? `${month}, ${grouped(before.value)} the month before` : month,
    };
  },
};

export default clientKpi;
