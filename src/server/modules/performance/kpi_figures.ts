import type { AchievementMethod, AchievementSlab, Direction } from '../../../domain/performance/achievement.ts';
import type { Aggregation, SheetFigures } from '../../../domain/performance/over_time.ts';
import { overTime } from '../../../domain/performance/over_time.ts';
import type { Tenant } from '../../db/tenant.ts';
import { childTable, tableName } from '../../db/names.ts';
import { preparedStatement } from '../../db/sql_text.ts';
import { sheetFiguresSql } from './sheet_figures.ts';

/** The figures of a member's KPI for one month; amounts are exact decimals as text. */
export interface KpiUpdate extends Record<string, unknown> {
  kpi_id: number;
  part_key: string;
  employee_id: number;
  actual: string | null;
  target: string | null;
  base: string | null;
  around: SheetFigures | null;
}

/** How a KPI is measured. */
export interface KpiScale extends Record<string, unknown> {
  id: number;
  code: string;
  kpi: string;
  unit: string;
  direction: Direction;
  method: AchievementMethod;
  aggregation: Aggregation;
  tolerance: string | null;
  cap: string;
  slabs: AchievementSlab[];
  /** The achievement from which it counts. */
  threshold: string;
}

/** Reads updates as figures that may be aggregated. @param where conditions on `a`, the update, and `k`, its KPI */
export const updatesOfKpisSql = (table: (type: string) => string, where: readonly string[]): string =>
  `select a.month, a.kpi_id, a.part_key, a.employee_id, a.value::text as actual, a.target::text, a.base_value::text as base,
     ${sheetFiguresSql(table)} as around
   from ${table('kpi_actual')} a join ${table('kpi')} k on k.id = a.kpi_id where ${where.join(' and ')} order by a.month`;

/** The KPIs of these updates by name; those without a cap get the company's. */
export function kpisOf(
  { db, schema }: Tenant,
  entityId: number | null,
  updates: readonly { kpi_id: number }[],
): Promise<KpiScale[]> {
  const table = (type: string) => tableName(schema, type);
  return db.query<KpiScale>(
    preparedStatement(
      `select k.id, k.code, k.name as kpi, u.name as unit, k.direction, k.achievement_method as method, k.period_aggregation as aggregation,
         k.tolerance::text, coalesce(k.cap_percent, p.cap_percent, 120)::text as cap,
         coalesce(k.threshold_percent, p.threshold_percent, 50)::text as threshold,
         coalesce((select jsonb_agg(jsonb_build_object('from', s.from_percent::text, 'to', s.to_percent::text, 'achievement', s.achievement::text) order by s.from_percent)
           from ${childTable(schema, 'kpi', 'slabs')} s where s.parent_id = k.id), '[]') as slabs
       from ${table('kpi')} k join ${table('uom')} u on u.id = k.uom_id
       left join ${table('base_performance')} p on p.entity_id = $2
       where k.id = any($1) order by k.name`,
      [[...new Set(updates.map(({ kpi_id: id }) => id))], entityId],
    ),
  );
}

/** Whether the KPIs around some updates that a figure may follow from add up over months. */
const addUp = (around: readonly SheetFigures[], code: string): boolean =>
  around.every((one) => Object.entries(one).every(([own, { aggregation }]) => own === code || aggregation === 'sum'));

/**
 * The updates of one KPI as one figure: first each line of a member over the months, then the lines. Their totals add up if
 * months do; otherwise the group's figure is their average. What is weighted, or calculated of totals, is computed of all
 * updates at once: a mean of ratios would be wrong (§5.7).
 */
export function groupFigure(
  updates: readonly KpiUpdate[],
  { aggregation, code }: { aggregation: Aggregation; code: string },
) {
  const members = Map.groupBy(updates, ({ employee_id: id }) => id);
  const isOfAll =
    aggregation === 'weighted' ||
    (aggregation === 'formula' &&
      addUp(
        updates.flatMap(({ around }) => (around ? [around] : [])),
        code,
      ));
  if (isOfAll) return { members: members.size, ...overTime(updates, aggregation, code) };
  const lines = Map.groupBy(updates, ({ employee_id: id, part_key: part }) => `${id} ${part}`);
  const each = [...lines.values()].map((own) => overTime(own, aggregation, code));
  return { members: members.size, ...overTime(each, aggregation === 'sum' ? 'sum' : 'average') };
}
