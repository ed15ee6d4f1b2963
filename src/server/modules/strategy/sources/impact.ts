import { AppError } from '../../../db/errors.ts';
import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { readImpact } from '../read_impact.ts';

/** The data of the impact chart and the bullseye; the browser computes the rest with the same arithmetic. */
const impact: ReportSource = {
  // Percentages, pins and units need no list right: people who may see the tree see it complete.
  reads: { kpi_impact_tree: [], kpi_actual: ['value', 'target'] },
  counts: ['kpi_impact_pin', 'kpi_impact_weight'],
  async rows(call) {
    const view = await readImpact(call);
    // A page without a pinned tree for the reader has no such tile.
    if (call.args?.place !== undefined && view.nodes.length === 0)
      throw new AppError(403, 'forbidden', 'No tree is pinned to this page for you.', { reason: 'row' });
    return { rows: [], widget: view };
  },
};

export default impact;
