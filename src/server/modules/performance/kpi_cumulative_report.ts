import { Decimal } from 'decimal.js';
import { achievement } from '../../../domain/performance/achievement.ts';
import type { ReportRow } from '../../../domain/report.ts';
import { tableName } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';
import type { KpiScale, KpiUpdate } from './kpi_figures.ts';
import { groupFigure, kpisOf, updatesOfKpisSql } from './kpi_figures.ts';
import { MANY_KPIS, achievementLines, monthTitle } from './kpi_lines.ts';
import { monthsOfChosenYear } from './chosen_months.ts';
import { peopleChoices } from './people_choices.ts';

interface MonthUpdate extends KpiUpdate {
  month: string;
}

/** Cumulative target and actual of each KPI by month since the start of the year (performance.md §7). */
const kpiCumulative: ReportSource = {
  reads: { kpi_actual: ['value', 'target', 'achievement'], kpi: [], uom: [], base_performance: [] },
  async rows(call) {
    const { session, parameters, scoped } = call;
    const { tenant } = session;
    const table = (type: string) => tableName(tenant.schema, type);
    const months = monthsOfChosenYear(parameters);
    const values = new SqlParams();
    const ofYear = [
      'a.active',
      'not a.not_applicable',
      'a.employee_id is not null',
      `a.month between ${values.bind(months[0])} and ${values.bind(months.at(-1))}`,
      "a.method not in ('milestone', 'binary', 'range')",
    ];
    const chosen = [...scoped('kpi_actual', 'a', values), ...peopleChoices(call, 'a', values)];
    const where = [...ofYear, "a.status in ('approved', 'frozen')", 'a.counts', ...chosen];
    const updates = await tenant.db.query<MonthUpdate>(preparedStatement(updatesOfKpisSql(table, where), values.list));
    const kpis = await kpisOf(tenant, session.entityId, updates);
    // The targets of the whole year, of months to come too.
    const planned = await tenant.db.query<{ kpi_id: number; month: string; target: string | null }>(
      preparedStatement(
        `select a.kpi_id, a.month, sum(a.target)::text as target from ${table('kpi_actual')} a join ${table('kpi')} k on k.id = a.kpi_id
         where k.period_aggregation = 'sum' and ${[...ofYear, ...chosen].join(' and ')} group by a.kpi_id, a.month`,
        values.list,
      ),
    );
    /** The target of a KPI up to a month; null of KPIs that do not add up. */
    const plannedUntil = (id: number, month: string): string | null => {
      const own = planned.filter((one) => one.kpi_id === id && one.month <= month && one.target !== null);
      return own.length === 0 ? null : own.reduce((sum, one) => sum.plus(one.target!), new Decimal(0)).toFixed();
    };
    const yearOf = new Map(planned.map(({ kpi_id: id }) => [id, plannedUntil(id, months.at(-1)!)]));
    const shown = months.filter((month) => updates.some((one) => one.month === month));
    const byKpi = Map.groupBy(updates, ({ kpi_id: id }) => id);
    const until = (kpi: KpiScale, month: string) => {
      const own = byKpi.get(kpi.id)!;
      const { actual, target } = groupFigure(
        own.filter((one) => one.month <= month),
        kpi,
      );
      return { actual, target, base: own.at(-1)!.base };
    };
    const rows = kpis.flatMap((kpi) =>
      shown.map((month): ReportRow => {
        const { actual, target, base } = until(kpi, month);
        const result = achievement({ ...kpi, actual, target, base });
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
    // One KPI is drawn with its expected path to the end of the year, several by their achievement.
    const [only] = kpis;
    const number = (text: string | null | undefined) => (text === null || text === undefined ? null : Number(text));
    const chart =
      kpis.length === 1
        ? {
            x: months.map(monthTitle),
            series: [
              {
                title: 'Actual',
                values: months.map((month) => number(shown.includes(month) ? until(only!, month).actual : null)),
              },
              {
                title: 'Expected path',
                values: months.map((month) =>
                  number(plannedUntil(only!.id, month) ?? (shown.includes(month) ? until(only!, month).target : null)),
                ),
              },
            ],
          }
        : achievementLines(kpis, shown, until);
    return {
      rows,
      ...(chart ? { chart } : rows.length > 0 && { note: MANY_KPIS }),
      pivot: shown.map((month) => ({ value: monthTitle(month), title: monthTitle(month) })),
    };
  },
};

export default kpiCumulative;
