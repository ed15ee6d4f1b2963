import { Decimal } from 'decimal.js';
import type { Unit } from '../../../engine/records/unit.ts';
import { lastDay } from '../kpi_months.ts';
import type { PerformanceSettings } from '../performance_settings.ts';
import type { PeriodUpdate } from '../period_score.ts';
import { kpiOverPeriod, meansOfMonths, scoreOf, sheetDays, updatesSql } from '../period_score.ts';

/** The result of a KPI in a period: the actual, and its percentage of the target. */
export interface KpiFigure {
  actual: string | null;
  achievement: string | null;
}

const mean = (values: readonly (string | null)[]): string | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0
    ? null
    : Decimal.sum(...known)
        .dividedBy(known.length)
        .toFixed(4);
};

/**
 * The result of a KPI of one member. Lines by channel or the like are added up where months are, with one target for all;
 * otherwise their results are averaged, each achievement by the weight of its line.
 */
function together(own: readonly PeriodUpdate[]): KpiFigure {
  const parts = [...Map.groupBy(own, ({ part_key: part }) => part).values()];
  const { aggregation, method } = own[0]!;
  if (parts.length === 1 || (aggregation === 'sum' && ['linear', 'inverse'].includes(method)))
    return kpiOverPeriod(own, 'exclude');
  const lines = parts.map((updates) => kpiOverPeriod(updates, 'exclude'));
  const reached = lines.flatMap(({ achievement, weight }) => (achievement === null ? [] : [{ achievement, weight }]));
  const weights = Decimal.sum(0, ...reached.map(({ weight }) => weight));
  return {
    actual: mean(lines.map(({ actual }) => actual)),
    achievement: weights.isZero()
      ? mean(reached.map(({ achievement }) => achievement))
      : Decimal.sum(...reached.map(({ achievement, weight }) => new Decimal(achievement).times(weight)))
          .dividedBy(weights)
          .toFixed(4),
  };
}

/** The figures of a company's members over some months: the same as on scorecards and appraisals. */
export class PeriodFigures {
  /** By member: a run asks for thousands of them one after the other. */
  readonly #members: ReadonlyMap<number, readonly PeriodUpdate[]>;
  readonly #score: (employeeId: number) => string | null;

  private constructor(
    updates: readonly (PeriodUpdate & { employee_id: number })[],
    score: (own: readonly PeriodUpdate[], employeeId: number) => string | null,
  ) {
    this.#members = Map.groupBy(updates, ({ employee_id: id }) => id);
    this.#score = (id) => score(this.#members.get(id) ?? [], id);
  }

  /** Reads a company's figures for the months from `from` to `to`. */
  static async read(unit: Unit, from: string, to: string, settings: PerformanceSettings): Promise<PeriodFigures> {
    const updates = await unit.query<PeriodUpdate & { employee_id: number }>(
      updatesSql('a.entity_id = $1 and a.employee_id is not null and a.active and a.month between $2 and $3', {
        threshold: '$4',
        cap: '$5',
      }),
      [unit.session.entityId, from, to, settings.threshold_percent, settings.cap_percent],
    );
    const days = { from: `${from}-01`, to: lastDay(to) };
    if (settings.year_score === 'average_of_periods') {
      const means = await meansOfMonths(
        unit,
        [...new Set(updates.map(({ employee_id: id }) => id))],
        days.from,
        days.to,
      );
      return new PeriodFigures(updates, (_, id) => means.get(id) ?? null);
    }
    const sheets = await sheetDays(unit, updates);
    const ofMember = Map.groupBy(sheets, ({ employee_id: id }) => id);
    return new PeriodFigures(updates, (own, id) => {
      const weighted = own.filter(({ weight }) => Number(weight) > 0);
      return scoreOf(weighted, ofMember.get(id) ?? [], days, settings).score;
    });
  }

  /** The result of a member's KPI, from approved updates. */
  kpi(employeeId: number, kpiId: number): KpiFigure {
    const own = (this.#members.get(employeeId) ?? []).filter(
      ({ kpi_id: id, counts, not_applicable: isLeftOut }) => id === kpiId && counts && !isLeftOut,
    );
    return own.length === 0 ? { actual: null, achievement: null } : together(own);
  }

  /** The result of a KPI in the whole company: the mean of the members' achievements. */
  kpiOfCompany(kpiId: number): string | null {
    return mean([...this.#members.keys()].map((id) => this.kpi(id, kpiId).achievement));
  }

  /** The score of a member over the period (§5.6, 5.9); null = nothing counts. */
  score(employeeId: number): string | null {
    return this.#score(employeeId);
  }

  /** The mean of all members' scores, with 2 decimals. */
  scoreOfCompany(): string | null {
    const all = mean([...this.#members.keys()].map((id) => this.score(id)));
    return all === null ? null : new Decimal(all).toFixed(2);
  }
}
