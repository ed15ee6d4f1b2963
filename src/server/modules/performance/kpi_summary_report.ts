import { Decimal } from 'decimal.js';
import { lineScore } from '../../../domain/performance/achievement.ts';
import type { ReportRow } from '../../../domain/report.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';
import { inChosenMonths } from './chosen_months.ts';
import { totalsOfKpis } from './kpi_totals.ts';
import { colourLimits, colourOf } from './performance_settings.ts';

/**
 * Target, actual and achievement by KPI (performance.md §7): the figures are aggregated first, and the achievement is
 * computed once.
 */
const kpiSummary: ReportSource = {
  reads: {
    kpi_actual: ['value', 'target', 'achievement'],
    kpi: [],
    kpi_type: [],
    uom: [],
    base_performance: [],
    calc_settings: [],
  },
  async rows(call) {
    const { session, parameters } = call;
    const [totals, limits] = await Promise.all([
      totalsOfKpis(call, (values) => inChosenMonths(parameters, values)),
      colourLimits(session.tenant, session.entityId),
    ]);
    const rows = totals.map(({ kpi, members, target, actual, percent }): ReportRow => ({
      kpi_id: kpi.id,
      kpi: kpi.kpi,
      unit: kpi.unit,
      members,
      target,
      actual,
      variance:
        percent !== null && actual !== null && target !== null ? new Decimal(actual).minus(target).toFixed() : null,
      achievement: percent === null ? null : new Decimal(percent).toFixed(2),
      score: percent === null ? null : new Decimal(lineScore(percent, kpi.threshold, kpi.cap)).toFixed(2),
      colour: percent === null ? null : colourOf(percent, limits),
    }));
    return { rows };
  },
};

export default kpiSummary;
