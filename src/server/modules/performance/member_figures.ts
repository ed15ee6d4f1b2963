import type { AchievementMethod, AchievementSlab, Direction } from '../../../domain/performance/achievement.ts';
import { achievement } from '../../../domain/performance/achievement.ts';
import type { SheetFigures } from '../../../domain/performance/over_time.ts';
import type { SqlParams } from '../../db/sql_text.ts';
import type { SourceReader } from '../../engine/reports/source_reader.ts';
import { WHOLE, placeKey } from './line_part.ts';
import type { ScoredUpdate } from './month_score.ts';
import { scoreOfMonth } from './month_score.ts';
import type { PerformanceSettings } from './performance_settings.ts';
import type { PeriodUpdate } from './period_score.ts';
import { kpiOverPeriod, updatesSql } from './period_score.ts';
import { FIGURES_BY_CODE, figuresFromSql } from './sheet_figures.ts';

/** Figures of members in percent, by member and column. */
export type MemberFigures = Map<number, Map<string, string>>;

/** Conditions on the updates `a`. */
type Chosen = (values: SqlParams) => string;

interface Totals extends Record<string, unknown> {
  employee_id: number;
  key: string;
  method: AchievementMethod;
  direction: Direction;
  actual: string | null;
  target: string | null;
  base: string | null;
  range_low: string | null;
  range_high: string | null;
  tolerance: string | null;
  cap: string;
  slabs: AchievementSlab[];
  /** Of methods whose actuals cannot be added up. */
  reached: string | null;
}

/** A KPI, or a part of it that has its own line, as a column's key. */
export const LINE_KEY = "a.kpi_id || ' ' || a.part_key";

/** Whether a KPI's longer periods follow from other KPIs. */
const OF_OTHERS = "k.period_aggregation in ('weighted', 'formula')";

/** These KPIs, and those that they may follow from: what weights them, and the codes in formulas. */
const INPUTS = `select k.id from {kpi} k where ${OF_OTHERS} or exists (
    select 1 from {kpi} f where f.weight_kpi_id = k.id or (f.source = 'formula' and f.formula ~ ('\\m' || k.code || '\\M')))`;

function put(figures: MemberFigures, id: number, key: string, percent: string | null): void {
  if (percent === null) return;
  const own = figures.get(id) ?? new Map<string, string>();
  figures.set(id, own.set(key, percent));
}

/**
 * The achievements of members over the chosen months, by KPI or by month: actual and target are totalled first, as each
 * KPI says, and the achievement is computed once from both (§5.6). The totals are made by the database, so that 300
 * members with 40 KPIs take less than a second.
 */
export async function achievementsOf(
  reader: SourceReader,
  chosen: Chosen,
  by: 'kpi' | 'month',
  settings: PerformanceSettings,
): Promise<MemberFigures> {
  const key = by === 'kpi' ? LINE_KEY : 'a.month';
  const figures: MemberFigures = new Map();
  const [totals, others] = await Promise.all([
    reader.query<Totals>((values) => {
      const counted = `x.value is not null${settings.missing_actual === 'zero' ? ' or x.frozen' : ''}`;
      const last = (column: string, when: string) =>
        `(array_agg(x.${column} order by x.month desc) filter (where ${when}))[1]`;
      const total = (column: string, when: string) => `case x.aggregation
          when 'sum' then sum(x.${column}) filter (where ${when})
          when 'average' then round(avg(x.${column}) filter (where x.value is not null), 6)
          when 'min' then min(x.${column}) filter (where x.value is not null)
          when 'max' then max(x.${column}) filter (where x.value is not null)
          else ${last(column, `x.value is not null and x.${column} is not null`)} end`;
      return `select t.employee_id, t.key, l.method, k.direction, t.actual::text, t.target::text, l.base_value::text as base,
          l.range_low::text, l.range_high::text, coalesce(l.tolerance, k.tolerance)::text as tolerance,
          coalesce(l.cap_percent, ${values.bind(settings.cap_percent)})::text as cap,
          case l.method when 'binary' then t.mean::text when 'milestone' then t.newest::text end as reached,
          case when l.method <> 'slab' then '[]' else coalesce((select jsonb_agg(jsonb_build_object('from', s.from_percent::text,
            'to', s.to_percent::text, 'achievement', s.achievement::text) order by s.from_percent)
            from {kpi.slabs} s where s.parent_id = k.id), '[]') end as slabs
        from (
          select x.employee_id, x.key, ${total('value', 'x.value is not null')} as actual, ${total('target', counted)} as target,
            round(avg(x.achievement), 4) as mean, ${last('achievement', 'x.achievement is not null')} as newest,
            (array_agg(x.id order by x.month desc))[1] as last
          from (
            select a.id, a.employee_id, ${key} as key, a.month, k.period_aggregation as aggregation, a.target,
              case when a.counts then a.value end as value, case when a.counts then a.achievement end as achievement,
              a.status = 'frozen' as frozen
            from {kpi_actual} a join {kpi} k on k.id = a.kpi_id
            where ${chosen(values)} and not (a.counts and a.not_applicable) and not ${OF_OTHERS}) x
          group by x.employee_id, x.key, x.aggregation) t
        join {kpi_actual} l on l.id = t.last join {kpi} k on k.id = l.kpi_id`;
    }),
    reader.query<PeriodUpdate & { employee_id: number }>((values) =>
      updatesSql(
        `${chosen(values)} and a.kpi_id in (select k.id from {kpi} k where ${OF_OTHERS})`,
        { threshold: values.bind(settings.threshold_percent), cap: values.bind(settings.cap_percent) },
        'null::jsonb',
      ),
    ),
  ]);
  for (const { employee_id: id, key: column, reached, method, ...facts } of totals) {
    const hasTotal = method !== 'binary' && method !== 'milestone';
    const result = hasTotal
      ? achievement({ ...facts, method, rangeLow: facts.range_low, rangeHigh: facts.range_high })
      : null;
    put(figures, id, column, result === null ? reached : 'percent' in result ? result.percent : null);
  }
  const sheets = [...new Set(others.map(({ sheet_id: id }) => id))];
  const months = [...new Set(others.map(({ month }) => month))];
  const around = new Map(
    others.length === 0
      ? []
      : (
          await reader.query<{ sheet_id: number; month: string; part_key: string; figures: SheetFigures }>(
            (
              values,
            ) => `select ia.sheet_id, ia.month, ia.part_key, ${FIGURES_BY_CODE} as figures from ${figuresFromSql()}
              and ia.kpi_id in (${INPUTS}) and ia.sheet_id = any(${values.bind(sheets)}) and ia.month = any(${values.bind(months)})
              group by 1, 2, 3`,
          )
        ).map((one) => [`${one.sheet_id} ${one.month} ${one.part_key}`, one.figures] as const),
  );
  // Of a part its own figures, otherwise those of the whole KPI.
  const aroundOf = ({ sheet_id: sheet, month, part_key: part }: PeriodUpdate): SheetFigures | null => {
    const [whole, own] = [around.get(`${sheet} ${month} ${WHOLE}`), around.get(`${sheet} ${month} ${part}`)];
    return whole || own ? { ...whole, ...own } : null;
  };
  const columnOf = (one: PeriodUpdate) => (by === 'kpi' ? placeKey(one.kpi_id, one.part_key) : one.month);
  for (const [id, own] of Map.groupBy(others, ({ employee_id: member }) => member))
    for (const [column, updates] of Map.groupBy(own, columnOf)) {
      const inOrder = updates
        .map((one) => ({ ...one, around: aroundOf(one) }))
        .toSorted((a, b) => a.month.localeCompare(b.month));
      put(figures, id, column, kpiOverPeriod(inOrder, settings.missing_actual).achievement);
    }
  return figures;
}

/** The scores of members by month, of the chosen updates (§5.4). */
export async function monthScoresOf(
  reader: SourceReader,
  chosen: Chosen,
  settings: PerformanceSettings,
): Promise<MemberFigures> {
  const updates = await reader.query<ScoredUpdate & { employee_id: number; month: string }>(
    (
      values,
    ) => `select a.employee_id, a.month, a.achievement::text, a.weight::text, a.threshold_percent::text, a.cap_percent::text,
        a.stretch_percent::text, a.not_applicable, a.counts, a.status = 'frozen' as frozen
      from {kpi_actual} a where ${chosen(values)} and a.weight > 0`,
  );
  const figures: MemberFigures = new Map();
  for (const [id, own] of Map.groupBy(updates, ({ employee_id: member }) => member))
    for (const [month, lines] of Map.groupBy(own, (one) => one.month))
      put(figures, id, month, scoreOfMonth(lines, settings)?.score ?? null);
  return figures;
}
