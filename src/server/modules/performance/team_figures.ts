import { Decimal } from 'decimal.js';
import type { AchievementMethod, Direction } from '../../../domain/performance/achievement.ts';
import { achievement } from '../../../domain/performance/achievement.ts';
import { overTime } from '../../../domain/performance/over_time.ts';
import type { Aggregation } from '../../../domain/performance/over_time.ts';
import type { RollUp } from '../../../domain/performance/roll_up.ts';
import { rollUp } from '../../../domain/performance/roll_up.ts';
import type { TeamFigures, TeamLine } from '../../../domain/performance/scorecard.ts';
import type { FigureStyle } from '../../../domain/performance/shown_figure.ts';
import type { SourceReader } from '../../engine/reports/source_reader.ts';
import { WHOLE } from './line_part.ts';
import { colourOf } from './performance_settings.ts';
import { figuresOfPeriod, lineKey } from './scorecard_figures.ts';
import type { Chosen } from './scorecard_rows.ts';
import { inPeriod, scoresOf } from './scorecard_rows.ts';

interface Update extends Record<string, unknown> {
  sheet_id: number;
  employee_id: number;
  kpi_id: number;
  part_key: string;
  kpi: string;
  type: string;
  unit: string;
  style: FigureStyle;
  decimals: number;
  method: AchievementMethod;
  direction: Direction;
  rolled: RollUp | 'none';
  aggregation: Aggregation;
  weighted_by: number | null;
  isRolledUp: boolean;
  counts: boolean;
  not_applicable: boolean;
  value: string | null;
  /** What a manager has added to the figures below. */
  own: string | null;
  target: string | null;
  achievement: string | null;
  weight: string;
  at: string;
}

/** Methods whose figures of several people have one target together. */
const TOGETHER: readonly AchievementMethod[] = ['linear', 'inverse'];

/** How parts add up that have no figures of a sheet around them. */
const SIMPLE: Partial<Record<Aggregation, Aggregation>> = { weighted: 'average', formula: 'average' };

/** A KPI of one member over the period. */
interface MemberLine {
  update: Update;
  value: string | null;
  own: string | null;
  target: string | null;
  achievement: string | null;
  isNone: boolean;
}

/** The KPIs of everybody below a member, added up as each KPI says (performance.md §5.7): of the figures that were entered. */
export async function teamFigures(reader: SourceReader, chosen: Chosen, member: number): Promise<TeamFigures | null> {
  const { span, settings, period } = chosen;
  const below = (alias: string, bind: (value: unknown) => string) =>
    `${alias}.employee_id in (select b.descendant_id from {employee_tree} b where b.ancestor_id = ${bind(member)} and b.depth > 0)`;
  const updates = await reader.query<Update>(
    (values) => `select a.sheet_id, a.employee_id, a.kpi_id, a.part_key, k.name as kpi, t.name as type, u.name as unit,
        jsonb_build_object('symbol', u.symbol, 'scale', coalesce(u.display_scale, 'one')) as style, k.decimals, a.method, k.direction,
        k.org_rollup as rolled, k.period_aggregation as aggregation, k.weight_kpi_id as weighted_by, a.source = 'rollup' as "isRolledUp",
        a.counts, a.not_applicable, case when a.counts then a.value::text end as value,
        case when a.own_status = 'approved' then a.own_value::text end as own, a.target::text,
        case when a.counts then a.achievement::text end as achievement, coalesce(a.contribution_weight, 1)::text as weight,
        a.updated_at::text as at
      from {kpi_actual} a join {kpi} k on k.id = a.kpi_id join {kpi_type} t on t.id = k.kpi_type_id join {uom} u on u.id = k.uom_id
      where ${below('a', (value) => values.bind(value))} and a.month between ${values.bind(span.from)} and ${values.bind(span.to)}
        and ${reader.seen('kpi_actual', 'a', values)}
      order by t.sort_order, t.name, k.name, a.sheet_id, a.part_key, a.month`,
  );
  if (updates.length === 0) return null;
  const bySheet = Map.groupBy(updates, lineKey);
  const sheets = [...new Set(updates.map(({ sheet_id: id }) => id))];
  const figures =
    period === 'month'
      ? null
      : (await figuresOfPeriod(reader, sheets, span, settings))(sheets).lines.map(
          (line) => [lineKey(line), line] as const,
        );
  const overPeriod = new Map(figures ?? []);
  const lines = [...bySheet].map(([key, own]): MemberLine => {
    const update = own.at(-1)!;
    const parts = own.flatMap(({ own: one }) => (one === null ? [] : [{ actual: one, target: null }]));
    const isNone = own.every(({ counts, not_applicable: none }) => counts && none);
    const figure = figures ? overPeriod.get(key) : undefined;
    return {
      update,
      value: figures ? (figure?.actual ?? null) : update.value,
      own: parts.length === 0 ? null : overTime(parts, SIMPLE[update.aggregation] ?? update.aggregation).actual,
      target: figures ? (figure?.target ?? null) : update.target,
      achievement: figures ? (figure?.achievement ?? null) : update.achievement,
      isNone,
    };
  });
  const known = new Map(lines.map((line) => [lineKey(line.update), line]));
  const scores = await scoresOf(
    reader,
    chosen,
    (values) => `${below('t', (value) => values.bind(value))} and ${inPeriod(span, values)}`,
  );
  const scored = scores.flatMap(({ score }) => (score === null ? [] : [score]));
  const bands = Map.groupBy(
    scores.flatMap(({ band }) => band ?? []),
    (band) => band,
  );
  return {
    members: scored.length,
    average:
      scored.length === 0
        ? null
        : scored
            .reduce((sum, one) => sum.plus(one), new Decimal(0))
            .dividedBy(scored.length)
            .toFixed(2),
    bands: [...bands].map(([label, all]) => ({ label, count: all.length })),
    lines: [...Map.groupBy(lines, ({ update }) => update.kpi_id).values()].map((own) =>
      lineOf(own, (update, kpi) => weighing(known, update, kpi), settings),
    ),
  };
}

/** The line of a KPI by which an update is weighted: of the same part, otherwise of the whole. */
const weighing = (known: ReadonlyMap<string, MemberLine>, { sheet_id, part_key }: Update, kpi_id: number) =>
  known.get(lineKey({ sheet_id, kpi_id, part_key })) ?? known.get(lineKey({ sheet_id, kpi_id, part_key: WHOLE }));

/** A KPI of all who have it. */
function lineOf(
  all: readonly MemberLine[],
  weigher: (update: Update, kpi: number) => MemberLine | undefined,
  settings: Chosen['settings'],
): TeamLine {
  const [{ update: first }] = all as [MemberLine];
  const counted = all.filter(({ isNone }) => !isNone);
  const weightOf = ({ update }: MemberLine, which: 'value' | 'own') =>
    update.weighted_by === null
      ? which === 'own'
        ? '1'
        : update.weight
      : (weigher(update, update.weighted_by)?.[which] ?? null);
  // What was added up already stands for figures that are counted themselves.
  const leaves = counted.filter(({ update }) => !update.isRolledUp);
  const entered = [
    ...leaves.map((line) => ({ value: line.value, weight: weightOf(line, 'value'), at: line.update.at })),
    ...counted
      .filter(({ update }) => update.isRolledUp)
      .map((line) => ({ value: line.own, weight: weightOf(line, 'own'), at: line.update.at })),
  ].flatMap(({ value, ...one }) => (value === null ? [] : [{ ...one, value }]));
  // Absent is not zero: where some have figures, the others have no target either.
  const measured = leaves.filter(({ value }) => value !== null);
  const goals = (measured.length > 0 ? measured : leaves).flatMap(({ target, update }) =>
    target === null ? [] : [{ value: target, weight: '1', at: update.at }],
  );
  const { rolled, method, direction } = first;
  const isTogether = rolled !== 'none' && TOGETHER.includes(method) && direction !== 'range';
  const actual = isTogether ? rollUp(entered, rolled) : null;
  const target = isTogether ? rollUp(goals, rolled === 'weighted' ? 'average' : rolled) : null;
  const reached = achievement({ method, direction, actual, target, cap: settings.cap_percent });
  const percent = isTogether && 'percent' in reached ? reached.percent : null;
  const colours = { red: 0, amber: 0, green: 0, blue: 0 };
  for (const line of counted) if (line.achievement !== null) colours[colourOf(line.achievement, settings)]++;
  const { kpi, type, unit, style, decimals } = first;
  return {
    kpi,
    type,
    unit,
    style,
    decimals,
    members: new Set(all.map(({ update }) => update.employee_id)).size,
    entered: counted.filter((line) => line.achievement !== null).length,
    target,
    actual,
    achievement: percent,
    colour: percent === null ? null : colourOf(percent, settings),
    colours,
  };
}
