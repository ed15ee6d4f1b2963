import type { AchievementMethod, AchievementSlab, Direction } from '../../../domain/performance/achievement.ts';
import { achievement, lineScore, weightedScore } from '../../../domain/performance/achievement.ts';
import type { Colour, PerformanceSettings } from './performance_settings.ts';
import { colourOf } from './performance_settings.ts';
import { numberOf } from './sheet_lines.ts';

/** How a KPI turns an actual into an achievement. */
export interface KpiMeasure {
  direction: Direction;
  tolerance: string | null;
  slabs: readonly AchievementSlab[];
}

/** The figures of an update that follow from its actual; empty without one. */
export interface UpdateScore {
  achievement: string | null;
  score: string | null;
  weighted: string | null;
  colour: Colour | null;
}

const NONE: UpdateScore = { achievement: null, score: null, weighted: null, colour: null };

/** Achievement, score and colour of an update (performance.md §5.3, 5.4). @param today the company's day */
export function updateScore(
  update: Readonly<Record<string, unknown>>,
  { direction, tolerance, slabs }: KpiMeasure,
  settings: PerformanceSettings,
  today: string,
): UpdateScore {
  if (update.not_applicable === true) return NONE;
  const cap = numberOf(update.cap_percent) ?? settings.cap_percent;
  const endsOn = String(update.ends_on);
  const result = achievement({
    method: update.method as AchievementMethod,
    direction,
    actual: numberOf(update.value),
    target: numberOf(update.target),
    base: numberOf(update.base_value),
    rangeLow: numberOf(update.range_low),
    rangeHigh: numberOf(update.range_high),
    tolerance: numberOf(update.tolerance) ?? tolerance,
    slabs,
    done: update.done === null || update.done === undefined ? null : update.done === 'yes',
    targetDay: numberOf(update.target_day),
    doneOn: numberOf(update.done_on),
    periodEnd: today < endsOn ? today : endsOn,
    cap,
  });
  if (!('percent' in result)) return NONE;
  const score = lineScore(
    result.percent,
    numberOf(update.threshold_percent) ?? settings.threshold_percent,
    cap,
    numberOf(update.stretch_percent),
  );
  return {
    achievement: result.percent,
    score,
    weighted: weightedScore(score, numberOf(update.weight) ?? 0),
    colour: colourOf(result.percent, settings),
  };
}
