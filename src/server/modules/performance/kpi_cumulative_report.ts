import { Decimal } from 'decimal.js';
import { yearName } from '../../../descriptor/financial_year.ts';
import type { AchievementMethod, AchievementSlab, Direction } from '../../../domain/performance/achievement.ts';
import { achievement } from '../../../domain/performance/achievement.ts';
import type { Aggregation } from '../../../domain/performance/over_time.ts';
import { overTime } from '../../../domain/performance/over_time.ts';
import { monthNames } from '../../../domain/month_names.ts';
import type { ReportRow } from '../../../domain/report.ts';
import { childTable, tableName } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';
import { monthsOfYear } from './kpi_months.ts';

interface Update extends Record<string, unknown> {
  kpi_id: number;
  employee_id: number;
  month: string;
  actual: string | null;
  target: string | null;
  base: string | null;
}

interface Kpi extends Record<string, unknown> {
  id: number;
  kpi: string;
  unit: string;
  direction: Direction;
  method: AchievementMethod;
  aggregation: Aggregation;
  tolerance: string | null;
  cap: string;
  slabs: AchievementSlab[];
}

const monthTitle = (month: string): string =>
  `${monthNames[Number(month.slice(5, 7)) - 1]!.slice(0, 3)} ${month.slice(0, 4)}`;

/** Members' months up to one: each member over the months first, then the members. */
function upTo(updates: readonly Update[], month: string, aggregation: Aggregation) {
  const members = Map.groupBy(
    updates.filter((one) => one.month <= month),
    ({ employee_id: id }) => id,
  );
  const each = [...members.values()].map((own) => overTime(own, aggregation));
  return overTime(each, aggregation === 'sum' ? 'sum' : 'average');
}

/** Target and actual of each KPI from the start of the year up to each month that has figures (performance.md §7). */
const kpiCumulative: ReportSource = {
  reads: { kpi_actual: ['value', 'target', 'achievement'], kpi: [], uom: [], base_performance: [] },
  async rows({ session, parameters, scoped }) {
    const { tenant } = session;
    const table = (type: string) => tableName(tenant.schema, type);
    const [company] = await tenant.db.query<{ start: number }>(
      preparedStatement(`select fy_start_month as start from ${table('entity')} where id = $1`, [session.entityId]),
    );
    const year = (parameters.financial_year as string | null) ?? yearName(new Date().getFullYear());
    const months = monthsOfYear(year, company?.start ?? 4);
    const values = new SqlParams();
    const where = [
      'a.active',
      "a.status in ('approved', 'frozen')",
      'a.counts',
      'not a.not_applicable',
      `a.month between ${values.bind(months[0])} and ${values.bind(months.at(-1))}`,
      "a.method not in ('milestone', 'binary', 'range')",
      ...scoped('kpi_actual', 'a', values),
      ...(['department_id', 'branch_id', 'employee_id', 'kpi_id'] as const).flatMap((name) =>
        parameters[name] === null ? [] : [`a.${name} = ${values.bind(parameters[name])}`],
      ),
    ];
    const updates = await tenant.db.query<Update>(
      preparedStatement(
        `select a.kpi_id, a.employee_id, a.month, a.value::text as actual, a.target::text, a.base_value::text as base
         from ${table('kpi_actual')} a where ${where.join(' and ')} order by a.month`,
        values.list,
      ),
    );
    const kpis = await tenant.db.query<Kpi>(
      preparedStatement(
        `select k.id, k.name as kpi, u.name as unit, k.direction, k.achievement_method as method, k.period_aggregation as aggregation,
           k.tolerance::text, coalesce(k.cap_percent, p.cap_percent, 120)::text as cap,
           coalesce((select jsonb_agg(jsonb_build_object('from', s.from_percent::text, 'to', s.to_percent::text, 'achievement', s.achievement::text) order by s.from_percent)
             from ${childTable(tenant.schema, 'kpi', 'slabs')} s where s.parent_id = k.id), '[]') as slabs
         from ${table('kpi')} k join ${table('uom')} u on u.id = k.uom_id
         left join ${table('base_performance')} p on p.entity_id = $2
         where k.id = any($1) order by k.name`,
        [[...new Set(updates.map(({ kpi_id: id }) => id))], session.entityId],
      ),
    );
    const shown = months.filter((month) => updates.some((one) => one.month === month));
    const byKpi = Map.groupBy(updates, ({ kpi_id: id }) => id);
    const rows = kpis.flatMap((kpi) =>
      shown.map((month): ReportRow => {
        const own = byKpi.get(kpi.id)!;
        const { actual, target } = upTo(own, month, kpi.aggregation);
        const result = achievement({ ...kpi, actual, target, base: own.at(-1)!.base });
        return {
          kpi: kpi.kpi,
          unit: kpi.unit,
          month: monthTitle(month),
          target,
          actual,
          achievement: 'percent' in result ? new Decimal(result.percent).toFixed(2) : null,
        };
      }),
    );
    return { rows, pivot: shown.map((month) => ({ value: monthTitle(month), title: monthTitle(month) })) };
  },
};

export default kpiCumulative;
