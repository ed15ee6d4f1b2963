import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { readImpact } from '../read_impact.ts';

/** What the impact chart and the bullseye are drawn of; the browser computes the rest by the same arithmetic. */
const impact: ReportSource = {
  // Percentages, pins and units are no lists of the reader: who may see the tree sees it drawn.
  reads: { kpi_impact_tree: [], kpi_actual: ['value', 'target'] },
  async rows(call) {
    return { rows: [], widget: await readImpact(call) };
  },
};

export default impact;
