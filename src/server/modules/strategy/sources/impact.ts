import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { readImpact } from '../read_impact.ts';

/** What the impact chart and the bullseye are drawn of; the browser computes the rest by the same arithmetic. */
const impact: ReportSource = {
  reads: {
    kpi_impact_tree: [],
    kpi_actual: ['value', 'target'],
    kpi: [],
    kpi_impact_weight: [],
    kpi_impact_pin: [],
    uom: [],
  },
  async rows(call) {
    return { rows: [], widget: await readImpact(call) };
  },
};

export default impact;
