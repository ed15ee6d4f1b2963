import { Decimal } from 'decimal.js';
import type { AchievementMethod, AchievementSlab, Direction } from '../../../../domain/performance/achievement.ts';
import { achievement, sheetScore } from '../../../../domain/performance/achievement.ts';
import type { Aggregation, SheetFigures } from '../../../../domain/performance/over_time.ts';
import { overTime, scoreOfSheets } from '../../../../domain/performance/over_time.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import type { PerformanceSettings } from '../performance_settings.ts';
import { sheetFiguresSql } from '../sheet_figures.ts';

/** A month's update as counted for a longer period. */
interface Update {
  kpi_id: number;
  sheet_id: number;
  employee_id: number;
  value: string | null;
  target: string | null;
  base_value: string | null;
  range_low: string | null;
  range_high: string | null;
  reached: string | null;
  weight: string;
  threshold: string | null;
  cap: string | null;
  stretch: string | null;
  counts: boolean;
  frozen: boolean;
  not_applicable: boolean;
  method: AchievementMethod;
  direction: Direction;
  tolerance: string | null;
  aggregation: Aggregation;
  code: string;
  around: SheetFigures | null;
  slabs: AchievementSlab[];
  from: string;
  to: string;
}

/** The result of a KPI in a period: the actual, and its percentage of the target. */
export interface KpiFigure {
  actual: string | null;
  achievement: string | null;
}

const mean = (values: readonly string[]): string | null =>
  values.length === 0
    ? null
    : Decimal.sum(...values)
        .dividedBy(values.length)
        .toFixed(4);

/** The updates of some months; figures use only the approved ones. */
export class PeriodFigures {
  /** By member: a run asks for thousands of them one after the other. */
  readonly #members: ReadonlyMap<number, readonly Update[]>;
  readonly #settings: PerformanceSettings;

  private constructor(updates: readonly Update[], settings: PerformanceSettings) {
    this.#members = Map.groupBy(updates, ({ employee_id: id }) => id);
    this.#settings = settings;
  }

  #of(employeeId: number): readonly Update[] {
    return this.#members.get(employeeId) ?? [];
  }

  /** Reads a company's figures for the months from `from` to `to`. */
  static async read(unit: Unit, from: string, to: string, settings: PerformanceSettings): Promise<PeriodFigures> {
    const updates = await unit.query<Update>(
      `select a.kpi_id, a.sheet_id, a.employee_id, a.value::text, a.target::text, a.base_value::text, a.range_low::text,
         a.range_high::text, a.achievement::text as reached, a.weight::text, a.threshold_percent::text as threshold,
         a.cap_percent::text as cap, a.stretch_percent::text as stretch, a.counts, a.status = 'frozen' as frozen, a.not_applicable, a.method, k.direction,
         coalesce(a.tolerance, k.tolerance)::text as tolerance, k.period_aggregation as aggregation, k.code, ${sheetFiguresSql()} as around, s.valid_from::text as "from", s.valid_to::text as "to",
         coalesce((select jsonb_agg(jsonb_build_object('from', b.from_percent::text, 'to', b.to_percent::text,
           'achievement', b.achievement::text) order by b.from_percent)
           from {kpi.slabs} b where b.parent_id = k.id), '[]') as slabs
       from {kpi_actual} a join {kpi} k on k.id = a.kpi_id join {kpi_sheet} s on s.id = a.sheet_id
       where a.entity_id = $1 and a.employee_id is not null and a.active and a.month between $2 and $3 order by a.employee_id, a.month, a.id`,
      [unit.session.entityId, from, to],
    );
    return new PeriodFigures(updates, settings);
  }

  /**
   * One KPI over the period: its months are aggregated first, and the achievement is computed once from the two totals
   * (§5.6).
   */
  #figure(updates: readonly Update[]): KpiFigure {
    const last = updates.at(-1);
    if (!last) return { actual: null, achievement: null };
    if (last.method === 'milestone' || last.method === 'binary')
      return { actual: null, achievement: mean(updates.flatMap(({ reached }) => (reached === null ? [] : [reached]))) };
    const { actual, target } = overTime(
      updates.map(({ value, target: goal, around }) => ({ actual: value, target: goal, around })),
      last.aggregation,
      last.code,
    );
    const result = achievement({
      ...last,
      actual,
      target,
      base: last.base_value,
      rangeLow: last.range_low,
      rangeHigh: last.range_high,
      cap: last.cap ?? this.#settings.cap_percent,
    });
    return { actual, achievement: 'percent' in result ? result.percent : null };
  }

  /** The result of a member's KPI, from approved updates. */
  kpi(employeeId: number, kpiId: number): KpiFigure {
    return this.#figure(this.#of(employeeId).filter((one) => one.kpi_id === kpiId && counted(one)));
  }

  /** The result of a KPI in the whole company: the mean of the members' achievements. */
  kpiOfCompany(kpiId: number): string | null {
    return mean(
      [...this.#members.keys()].flatMap((id) => {
        const reached = this.kpi(id, kpiId).achievement;
        return reached === null ? [] : [reached];
      }),
    );
  }

  /** The score of a member over the period, each sheet weighted by its days in force (§5.9); null = nothing counts. */
  score(employeeId: number, firstDay: string, lastDay: string): string | null {
    const sheets = Map.groupBy(
      this.#of(employeeId).filter(({ weight }) => Number(weight) > 0),
      ({ sheet_id: id }) => id,
    );
    const scores = [...sheets.values()].flatMap((updates) => {
      const isFrozen = updates.every(({ frozen }) => frozen);
      const lines = [...Map.groupBy(updates, ({ kpi_id: id }) => id).values()].map((own) => {
        const last = own.at(-1)!;
        // Before the freeze, a month without an actual is left out; after it, its target counts, as the rule requires.
        const looked = own.filter((one) => counted(one) || (isFrozen && !one.not_applicable));
        return {
          achievement: this.#figure(looked.map((one) => (counted(one) ? one : { ...one, value: null, reached: null })))
            .achievement,
          weight: last.weight,
          threshold: last.threshold ?? this.#settings.threshold_percent,
          cap: last.cap ?? this.#settings.cap_percent,
          stretch: last.stretch,
          notApplicable: own.every(({ not_applicable: isLeftOut, counts }) => isLeftOut && counts),
        };
      });
      const missing = isFrozen ? this.#settings.missing_actual : 'exclude';
      const { score } = sheetScore(lines, missing, this.#settings.sheet_cap_percent);
      const { from, to } = updates[0]!;
      const days = daysBetween(from > firstDay ? from : firstDay, to < lastDay ? to : lastDay);
      return score === null || days < 1 ? [] : [{ score, days }];
    });
    return scoreOfSheets(scores);
  }

  /** The mean of all members' scores, with 2 decimals. */
  scoreOfCompany(firstDay: string, lastDay: string): string | null {
    const scores = [...this.#members.keys()].flatMap((id) => {
      const score = this.score(id, firstDay, lastDay);
      return score === null ? [] : [score];
    });
    const all = mean(scores);
    return all === null ? null : new Decimal(all).toFixed(2);
  }
}

const counted = ({ counts, not_applicable: isLeftOut }: Update): boolean => counts && !isLeftOut;

/** The number of days from one day to another, both included; 0 or less if the second is earlier. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;
