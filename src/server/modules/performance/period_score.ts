import { Decimal } from 'decimal.js';
import type { AchievementMethod, AchievementSlab, Direction } from '../../../domain/performance/achievement.ts';
import { achievement, lineScore, sheetScore } from '../../../domain/performance/achievement.ts';
import type { Aggregation, SheetFigures } from '../../../domain/performance/over_time.ts';
import { overTime, scoreOfSheets } from '../../../domain/performance/over_time.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { daysFromTo } from './kpi_months.ts';
import type { PerformanceSettings } from './performance_settings.ts';
import { placeKey } from './line_part.ts';
import { sheetFiguresSql } from './sheet_figures.ts';

/** A KPI of a sheet over a period. */
export interface PeriodLine {
  sheet_id: number;
  kpi_id: number;
  /** What the line is limited to, by name; null = it is of the whole KPI. */
  part: string | null;
  part_key: string;
  weight: string;
  target: string | null;
  actual: string | null;
  achievement: string | null;
  score: string | null;
}

export interface PeriodScore {
  /** With 2 decimals; null = nothing is approved. */
  score: string | null;
  /** The weight of the lines that count, in percent, of the last sheet of the period. */
  covered: string;
  lines: PeriodLine[];
  /** The first month that is not frozen; null = all are frozen. */
  open: string | null;
}

/** An update as a period's figures need it. */
export interface PeriodUpdate extends Record<string, unknown> {
  sheet_id: number;
  kpi_id: number;
  part: string | null;
  part_key: string;
  month: string;
  weight: string;
  actual: string | null;
  target: string | null;
  base: string | null;
  range_low: string | null;
  range_high: string | null;
  achievement: string | null;
  threshold: string;
  cap: string;
  stretch: string | null;
  counts: boolean;
  not_applicable: boolean;
  frozen: boolean;
  method: AchievementMethod;
  direction: Direction;
  aggregation: Aggregation;
  code: string;
  around: SheetFigures | null;
  tolerance: string | null;
  slabs: AchievementSlab[];
}

/** Methods whose actual cannot be aggregated: their achievements are averaged instead. */
const BY_ACHIEVEMENT: readonly AchievementMethod[] = ['milestone', 'binary'];

/**
 * A KPI over its periods: actual and target are aggregated first, and the achievement is computed once from both
 * (§5.6).
 */
export function kpiOverPeriod(
  updates: readonly PeriodUpdate[],
  missing: PerformanceSettings['missing_actual'],
): PeriodLine {
  const last = updates.at(-1)!;
  const applicable = updates.filter(({ counts, not_applicable: isNone }) => !(counts && isNone));
  const known = applicable.map((one) => (one.counts ? one : { ...one, actual: null, achievement: null }));
  const { sheet_id, kpi_id, part, part_key, weight } = last;
  const base = { sheet_id, kpi_id, part, part_key, weight };
  if (BY_ACHIEVEMENT.includes(last.method)) {
    const reached = known.flatMap(({ achievement: one }) => (one === null ? [] : [one]));
    const mean =
      last.method === 'milestone'
        ? (reached.at(-1) ?? null)
        : overTime(
            reached.map((actual) => ({ actual, target: null })),
            'average',
          ).actual;
    const percent = mean === null ? null : new Decimal(mean).toFixed(4);
    return {
      ...base,
      target: null,
      actual: null,
      achievement: percent,
      score: percent && lineScore(percent, last.threshold, last.cap, last.stretch),
    };
  }
  // Absent is not zero before the freeze: a month without an actual has no target either.
  const { actual, target } = overTime(
    known.filter((one) => one.actual !== null || (one.frozen && missing === 'zero')),
    last.aggregation,
    last.code,
  );
  const result = achievement({
    method: last.method,
    direction: last.direction,
    actual,
    target,
    base: last.base,
    rangeLow: last.range_low,
    rangeHigh: last.range_high,
    tolerance: last.tolerance,
    slabs: last.slabs,
    cap: last.cap,
  });
  const percent = 'percent' in result ? result.percent : null;
  return {
    ...base,
    target,
    actual,
    achievement: percent,
    score: percent && lineScore(percent, last.threshold, last.cap, last.stretch),
  };
}

/** The KPI score of a member over a period, each sheet weighted by its days in force (§5.6, 5.9). */
export async function periodScore(
  unit: Unit,
  employeeId: number,
  period: { from: string; to: string },
  settings: PerformanceSettings,
): Promise<PeriodScore> {
  return (await periodScores(unit, [employeeId], period, settings)).get(employeeId)!;
}

export interface SheetDays extends Record<string, unknown> {
  id: number;
  /** null = the sheet of a unit. */
  employee_id: number | null;
  valid_from: string;
  valid_to: string;
}

/** The days of the sheets that updates are from, the earliest first. */
export const sheetDays = (unit: Unit, updates: readonly PeriodUpdate[]): Promise<SheetDays[]> =>
  unit.query<SheetDays>(
    'select id, employee_id, valid_from::text, valid_to::text from {kpi_sheet} where id = any($1) order by valid_from, id',
    [[...new Set(updates.map(({ sheet_id: id }) => id))]],
  );

/**
 * Reads the updates that meet a condition on `a`, as a period's figures need them.
 * @param around the figures of each sheet; many updates of a sheet read them once instead
 */
export const updatesSql = (
  condition: string,
  usual: { threshold: string; cap: string },
  around = sheetFiguresSql(),
): string => `
  with k as materialized (
    select id, code, weight_kpi_id, direction, period_aggregation, tolerance::text, case when achievement_method = 'slab' then (
      select jsonb_agg(jsonb_build_object('from', s.from_percent::text, 'to', s.to_percent::text, 'achievement', s.achievement::text)
        order by s.from_percent) from {kpi.slabs} s where s.parent_id = q.id) end as slabs
    from {kpi} q)
  select a.employee_id, a.sheet_id, a.kpi_id, a.part, a.part_key, a.month, a.weight::text, a.value::text as actual, a.target::text, a.base_value::text as base,
    a.range_low::text, a.range_high::text, a.achievement::text, coalesce(a.threshold_percent, ${usual.threshold})::text as threshold,
    coalesce(a.cap_percent, ${usual.cap})::text as cap, a.stretch_percent::text as stretch, a.counts, a.not_applicable, a.status = 'frozen' as frozen, a.method,
    k.direction, k.period_aggregation as aggregation, k.code, ${around} as around, coalesce(a.tolerance::text, k.tolerance) as tolerance, coalesce(k.slabs, '[]') as slabs
  from {kpi_actual} a join k on k.id = a.kpi_id
  where ${condition} order by a.sheet_id, a.kpi_id, a.part_key, a.month`;

/** The updates of members in a period. */
const updatesOf = (
  unit: Unit,
  employeeIds: readonly number[],
  { from, to }: { from: string; to: string },
  settings: PerformanceSettings,
): Promise<(PeriodUpdate & { employee_id: number })[]> =>
  unit.query(
    updatesSql('a.employee_id = any($1) and a.active and a.ends_on between $2 and $3 and a.weight > 0', {
      threshold: '$4',
      cap: '$5',
    }),
    [employeeIds, from, to, settings.threshold_percent, settings.cap_percent],
  );

/** The KPI score of a member over a period with scores that were given by hand: always of the KPIs, never a mean of months. */
export async function scoreWithGiven(
  unit: Unit,
  employeeId: number,
  period: { from: string; to: string },
  settings: PerformanceSettings,
  given: GivenScores,
): Promise<string | null> {
  const updates = await updatesOf(unit, [employeeId], period, settings);
  return scoreOf(updates, await sheetDays(unit, updates), period, settings, given).score;
}

/** The same of many members. */
export async function periodScores(
  unit: Unit,
  employeeIds: readonly number[],
  { from, to }: { from: string; to: string },
  settings: PerformanceSettings,
): Promise<Map<number, PeriodScore>> {
  const updates = await updatesOf(unit, employeeIds, { from, to }, settings);
  const sheets = await sheetDays(unit, updates);
  const means =
    settings.year_score === 'average_of_periods' ? await meansOfMonths(unit, employeeIds, from, to) : undefined;
  const byMember = Map.groupBy(updates, ({ employee_id: id }) => id);
  return new Map(
    employeeIds.map((id) => {
      const scored = scoreOf(byMember.get(id) ?? [], sheets, { from, to }, settings);
      return [id, means ? { ...scored, score: means.get(id) ?? null } : scored];
    }),
  );
}

/** The scores that a person has given instead of the computed ones, by the lines of sheets. */
export type GivenScores = readonly { sheet_id: number; kpi_id: number; part: string | null; score: string }[];

/** The score of one member or unit from their updates. @param known the sheets of the updates, by their first day */
export function scoreOf(
  updates: readonly PeriodUpdate[],
  known: readonly SheetDays[],
  { from, to }: { from: string; to: string },
  settings: PerformanceSettings,
  given: GivenScores = [],
): PeriodScore {
  const open = updates.filter(({ frozen }) => !frozen).map(({ month }) => month);
  const bySheet = Map.groupBy(updates, ({ sheet_id: id }) => id);
  const lines: PeriodLine[] = [];
  const scores: { score: string; days: number }[] = [];
  let covered = '0.00';
  for (const sheet of known) {
    const own = bySheet.get(sheet.id);
    if (!own) continue;
    const ofSheet = [...Map.groupBy(own, ({ kpi_id: id, part_key: part }) => placeKey(id, part)).values()].map(
      (some) => ({
        line: kpiOverPeriod(some, settings.missing_actual),
        some,
      }),
    );
    lines.push(...ofSheet.map(({ line }) => line));
    const counted = sheetScore(
      ofSheet.map(({ line, some }) => ({
        achievement: line.achievement,
        weight: line.weight,
        threshold: some.at(-1)!.threshold,
        cap: some.at(-1)!.cap,
        stretch: some.at(-1)!.stretch,
        given:
          given.find((one) => one.sheet_id === line.sheet_id && one.kpi_id === line.kpi_id && one.part === line.part)
            ?.score ?? null,
        notApplicable: some.every(({ counts, not_applicable: isNone }) => counts && isNone),
      })),
      own.every(({ frozen }) => frozen) ? settings.missing_actual : 'exclude',
      settings.sheet_cap_percent,
    );
    const { score } = counted;
    ({ covered } = counted);
    if (score === null) continue;
    const start = sheet.valid_from > from ? sheet.valid_from : from;
    const end = sheet.valid_to < to ? sheet.valid_to : to;
    scores.push({ score, days: daysFromTo(start, end) });
  }
  return {
    score: scoreOfSheets(scores),
    covered,
    lines,
    open: open.length === 0 ? null : open.reduce((first, month) => (month < first ? month : first)),
  };
}

/** The means of members' monthly scores of a period, if the company scores a year that way. */
export async function meansOfMonths(unit: Unit, employeeIds: readonly number[], from: string, to: string) {
  const scores = await unit.query<{ employee_id: number; score: string }>(
    `select employee_id, score::text from {kpi_score} where employee_id = any($1) and active and score is not null and month between $2 and $3`,
    [employeeIds, from.slice(0, 7), to.slice(0, 7)],
  );
  return new Map(
    [...Map.groupBy(scores, ({ employee_id: id }) => id)].map(([id, own]) => [
      id,
      scoreOfSheets(own.map(({ score }) => ({ score, days: 1 }))),
    ]),
  );
}
