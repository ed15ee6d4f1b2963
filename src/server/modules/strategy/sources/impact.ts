import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { readImpact } from '../read_impact.ts';

/** The data of the impact chart and the bullseye; the browser computes the rest with the same arithmetic. */
const impact: ReportSource = {
  // Percentages, pins and units need no list right: people who may see the tree see it complete.
  reads: { kpi_impact_tree: [], kpi_actual: ['value', 'target'] },
  async rows(call) {
    return { rows: [], widget: await readImpact(call) };
  },
};

export default impact;
