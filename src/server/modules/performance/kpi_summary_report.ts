import { Decimal } from 'decimal.js';
import type { AchievementMethod } from '../../../domain/performance/achievement.ts';
import { achievement } from '../../../domain/performance/achievement.ts';
import type { ReportRow } from '../../../domain/report.ts';
import { tableName } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';
import type { KpiUpdate } from './kpi_figures.ts';
import { UPDATE_COLUMNS, groupFigure, kpisOf } from './kpi_figures.ts';

/** Methods whose actual is a number that can be aggregated. */
const WITH_NUMBER: readonly AchievementMethod[] = ['linear', 'inverse', 'base_to_target', 'slab'];

/**
 * Target, actual and achievement by KPI (performance.md §7): the figures are aggregated first, and the achievement is
 * computed once.
 */
const kpiSummary: ReportSource = {
  reads: { kpi_actual: ['value', 'target', 'achievement'], kpi: [], kpi_type: [], uom: [], base_performance: [] },
  async rows({ session, parameters, scoped }) {
    const { tenant } = session;
    const table = (type: string) => tableName(tenant.schema, type);
    const values = new SqlParams();
    const where = [
      'a.active',
      "a.status in ('approved', 'frozen')",
      'a.counts',
      'not a.not_applicable',
      ...scoped('kpi_actual', 'a', values),
      ...(['department_id', 'branch_id', 'employee_id'] as const).flatMap((name) =>
        parameters[name] === null ? [] : [`a.${name} = ${values.bind(parameters[name])}`],
      ),
      ...(parameters.from === null ? [] : [`a.month >= ${values.bind(parameters.from)}`]),
      ...(parameters.to === null ? [] : [`a.month <= ${values.bind(parameters.to)}`]),
    ];
    const updates = await tenant.db.query<KpiUpdate>(
      preparedStatement(
        `select ${UPDATE_COLUMNS}
         from ${table('kpi_actual')} a where ${where.join(' and ')} order by a.month`,
        values.list,
      ),
    );
    const kpis = await kpisOf(tenant, session.entityId, updates);
    const byKpi = Map.groupBy(updates, ({ kpi_id: id }) => id);
    const rows = kpis.map((kpi): ReportRow => {
      const own = byKpi.get(kpi.id)!;
      const { members, actual, target } = groupFigure(own, kpi.aggregation);
      const result = WITH_NUMBER.includes(kpi.method)
        ? achievement({ ...kpi, actual, target, base: own.at(-1)!.base })
        : { reason: 'Its achievements cannot be aggregated.' };
      const isNumber = 'percent' in result && actual !== null && target !== null;
      return {
        kpi_id: kpi.id,
        kpi: kpi.kpi,
        unit: kpi.unit,
        members,
        target,
        actual,
        variance: isNumber ? new Decimal(actual).minus(target).toFixed() : null,
        achievement: 'percent' in result ? new Decimal(result.percent).toFixed(2) : null,
      };
    });
    return { rows };
  },
};

export default kpiSummary;
