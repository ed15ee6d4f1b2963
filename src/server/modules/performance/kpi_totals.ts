import type { AchievementMethod } from '../../../domain/performance/achievement.ts';
import { achievement } from '../../../domain/performance/achievement.ts';
import { tableName } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import type { ReportCall } from '../../engine/reports/report_source.ts';
import type { KpiScale, KpiUpdate } from './kpi_figures.ts';
import { groupFigure, kpisOf, updatesOfKpisSql } from './kpi_figures.ts';
import { peopleChoices } from './people_choices.ts';

/** Methods whose actual is a number that can be aggregated. */
const WITH_NUMBER: readonly AchievementMethod[] = ['linear', 'inverse', 'base_to_target', 'slab'];

/** The figures of a KPI over members and months; amounts are decimals as text. */
interface KpiGroup extends Record<string, unknown> {
  kpi_id: number;
  members: number;
  actual: string | null;
  target: string | null;
  base: string | null;
}

/**
 * An aggregate of a column by the KPI's own way; averages, and targets of those that are not sums, look at months with
 * an actual.
 */
const together = (column: string) => `case k.period_aggregation when 'sum' then sum(a.${column})
  when 'average' then round(avg(a.${column}) filter (where a.value is not null), 6)
  when 'last' then (array_agg(a.${column} order by a.month desc) filter (where a.value is not null))[1]
  when 'min' then min(a.${column}) filter (where a.value is not null) else max(a.${column}) filter (where a.value is not null) end`;

/**
 * First each line of a member over the months, then the lines: totals add up if months do, otherwise they are averaged (§5.6,
 * 5.7).
 */
const groupedFigures = (table: (type: string) => string, where: readonly string[]): string =>
  `select m.kpi_id, count(distinct m.employee_id)::int as members,
     (case when m.is_sum then sum(m.actual) else round(avg(m.actual), 6) end)::text as actual,
     (case when m.is_sum then sum(m.target) else round(avg(m.target) filter (where m.actual is not null), 6) end)::text as target,
     (array_agg(m.base order by m.last desc))[1]::text as base
   from (
     select a.kpi_id, a.employee_id, k.period_aggregation = 'sum' as is_sum, ${together('value')} as actual, ${together('target')} as target,
       (array_agg(a.base_value order by a.month desc))[1] as base, max(a.month) as last
     from ${table('kpi_actual')} a join ${table('kpi')} k on k.id = a.kpi_id where ${where.join(' and ')}
     group by a.kpi_id, a.part_key, a.employee_id, k.period_aggregation) m
   group by m.kpi_id, m.is_sum`;

/** A KPI over members and months. */
export interface KpiTotal {
  kpi: KpiScale;
  members: number;
  target: string | null;
  actual: string | null;
  /** In per cent, of the totals; null = it cannot be computed of totals. */
  percent: string | null;
}

/**
 * The KPIs of members in the chosen months by name: the figures are totalled first, and each achievement is computed once
 * from the totals (performance.md §5.6). `inMonths`: the conditions on the month of `a`.
 */
export async function totalsOfKpis(call: ReportCall, inMonths: (values: SqlParams) => string[]): Promise<KpiTotal[]> {
  const { session, scoped } = call;
  const { tenant } = session;
  const table = (type: string) => tableName(tenant.schema, type);
  const values = new SqlParams();
  const where = [
    'a.active',
    "a.status in ('approved', 'frozen')",
    'a.counts',
    'not a.not_applicable',
    'a.employee_id is not null',
    ...scoped('kpi_actual', 'a', values),
    ...peopleChoices(call, 'a', values),
    ...inMonths(values),
  ];
  const isOfOthers = "k.period_aggregation in ('weighted', 'formula')";
  const read = <Row extends object>(text: string) =>
    tenant.db.query<Row & Record<string, unknown>>(preparedStatement(text, values.list));
  const [groups, updates] = await Promise.all([
    read<KpiGroup>(groupedFigures(table, [...where, `not ${isOfOthers}`])),
    read<KpiUpdate>(updatesOfKpisSql(table, [...where, isOfOthers])),
  ]);
  const kpis = await kpisOf(tenant, session.entityId, [...groups, ...updates]);
  const byKpi = new Map(groups.map((group) => [group.kpi_id, group]));
  for (const [id, own] of Map.groupBy(updates, ({ kpi_id: kpi }) => kpi)) {
    const figure = groupFigure(
      own,
      kpis.find((kpi) => kpi.id === id)!,
    );
    byKpi.set(id, { kpi_id: id, ...figure, base: own.at(-1)!.base });
  }
  return kpis.map((kpi) => {
    const { members, actual, target, base } = byKpi.get(kpi.id)!;
    const result = WITH_NUMBER.includes(kpi.method) ? achievement({ ...kpi, actual, target, base }) : null;
    return { kpi, members, target, actual, percent: result && 'percent' in result ? result.percent : null };
  });
}
