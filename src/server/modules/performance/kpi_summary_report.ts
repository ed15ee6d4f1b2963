import { Decimal } from 'decimal.js';
import type { AchievementMethod, AchievementSlab, Direction } from '../../../domain/performance/achievement.ts';
import { achievement } from '../../../domain/performance/achievement.ts';
import type { Aggregation } from '../../../domain/performance/over_time.ts';
import { overTime } from '../../../domain/performance/over_time.ts';
import type { ReportRow } from '../../../domain/report.ts';
import { childTable, tableName } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import type { ReportSource } from '../../engine/reports/report_source.ts';

interface Update extends Record<string, unknown> {
  kpi_id: number;
  employee_id: number;
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

/** Methods whose actual is a number that can be brought together. */
const WITH_NUMBER: readonly AchievementMethod[] = ['linear', 'inverse', 'base_to_target', 'slab'];

/** The updates of one KPI brought together: each member over the months first, then the members. */
function together(updates: readonly Update[], aggregation: Aggregation) {
  const members = Map.groupBy(updates, ({ employee_id: id }) => id);
  const each = [...members.values()].map((own) => overTime(own, aggregation));
  // Members' own totals add up where months do; of all others the mean is the figure of the group.
  return { members: members.size, ...overTime(each, aggregation === 'sum' ? 'sum' : 'average') };
}

/** Target, actual and achievement by KPI (performance.md §7): the figures come together first, the achievement is computed once. */
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
    const updates = await tenant.db.query<Update>(
      preparedStatement(
        `select a.kpi_id, a.employee_id, a.value::text as actual, a.target::text, a.base_value::text as base
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
    const byKpi = Map.groupBy(updates, ({ kpi_id: id }) => id);
    const rows = kpis.map((kpi): ReportRow => {
      const own = byKpi.get(kpi.id)!;
      const { members, actual, target } = together(own, kpi.aggregation);
      const result = WITH_NUMBER.includes(kpi.method)
        ? achievement({ ...kpi, actual, target, base: own.at(-1)!.base })
        : { reason: 'Its achievements do not come together.' };
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
