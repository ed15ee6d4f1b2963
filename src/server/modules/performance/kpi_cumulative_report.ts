import { Decimal } from 'decimal.js';
import { achievement } from '../../../domain/performance/achievement.ts';
import { monthNames } from '../../../domain/month_names.ts';
import type { ReportRow } from '../../../domain/report.ts';
import { companyOf } from '../../access/rights/scope.ts';
import { tableName } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';
import type { KpiUpdate } from './kpi_figures.ts';
import { groupFigure, kpisOf, updatesOfKpisSql } from './kpi_figures.ts';
import { monthsOfYear } from './kpi_months.ts';

interface MonthUpdate extends KpiUpdate {
  month: string;
}

const monthTitle = (month: string): string =>
  `${monthNames[Number(month.slice(5, 7)) - 1]!.slice(0, 3)} ${month.slice(0, 4)}`;

/** Cumulative target and actual of each KPI by month since the start of the year (performance.md §7). */
const kpiCumulative: ReportSource = {
  reads: { kpi_actual: ['value', 'target', 'achievement'], kpi: [], uom: [], base_performance: [] },
  async rows({ session, parameters, scoped }) {
    const { tenant } = session;
    const table = (type: string) => tableName(tenant.schema, type);
    const [company] = await tenant.db.query<{ start: number }>(
      preparedStatement(`select fy_start_month as start from ${table('entity')} where id = $1`, [companyOf(session)]),
    );
    const months = monthsOfYear(String(parameters.financial_year), company!.start);
    const values = new SqlParams();
    const ofYear = [
      'a.active',
      'not a.not_applicable',
      'a.employee_id is not null',
      `a.month between ${values.bind(months[0])} and ${values.bind(months.at(-1))}`,
      "a.method not in ('milestone', 'binary', 'range')",
    ];
    const chosen = [
      ...scoped('kpi_actual', 'a', values),
      ...(['department_id', 'branch_id', 'employee_id', 'kpi_id'] as const).flatMap((name) =>
        parameters[name] === null ? [] : [`a.${name} = ${values.bind(parameters[name])}`],
      ),
    ];
    const where = [...ofYear, "a.status in ('approved', 'frozen')", 'a.counts', ...chosen];
    const updates = await tenant.db.query<MonthUpdate>(preparedStatement(updatesOfKpisSql(table, where), values.list));
    const kpis = await kpisOf(tenant, session.entityId, updates);
    // The targets of the whole year, of months to come too.
    const years = await tenant.db.query<{ kpi_id: number; target: string | null }>(
      preparedStatement(
        `select a.kpi_id, sum(a.target)::text as target from ${table('kpi_actual')} a join ${table('kpi')} k on k.id = a.kpi_id
         where k.period_aggregation = 'sum' and ${[...ofYear, ...chosen].join(' and ')} group by a.kpi_id`,
        values.list,
      ),
    );
    const yearOf = new Map(years.map(({ kpi_id: id, target }) => [id, target]));
    const shown = months.filter((month) => updates.some((one) => one.month === month));
    const byKpi = Map.groupBy(updates, ({ kpi_id: id }) => id);
    const rows = kpis.flatMap((kpi) =>
      shown.map((month): ReportRow => {
        const own = byKpi.get(kpi.id)!;
        const { actual, target } = groupFigure(
          own.filter((one) => one.month <= month),
          kpi,
        );
        const result = achievement({ ...kpi, actual, target, base: own.at(-1)!.base });
        return {
          kpi: kpi.kpi,
          unit: kpi.unit,
          month: monthTitle(month),
          target,
          actual,
          achievement: 'percent' in result ? new Decimal(result.percent).toFixed(2) : null,
          gap: actual === null || !yearOf.get(kpi.id) ? null : new Decimal(yearOf.get(kpi.id)!).minus(actual).toFixed(),
        };
      }),
    );
    return { rows, pivot: shown.map((month) => ({ value: monthTitle(month), title: monthTitle(month) })) };
  },
};

export default kpiCumulative;
