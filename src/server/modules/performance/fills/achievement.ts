import type { AchievementSlab, Direction } from '../../../../domain/performance/achievement.ts';
import { achievement as reach, lineScore, weightedScore } from '../../../../domain/performance/achievement.ts';
import type { AchievementMethod } from '../../../../domain/performance/achievement.ts';
import type { Fill } from '../../../engine/modules.ts';
import { dayOfRecord } from '../../../engine/records/day_of_record.ts';
import { colourOf, performanceSettings } from '../performance_settings.ts';
import { numberOf } from '../sheet_lines.ts';

const NONE = { achievement: null, score: null, weighted: null, colour: null };

/** Achievement, score and colour of an update (performance.md §5.3, 5.4); empty without an actual. */
export const achievement: Fill = {
  async run({ unit, record }) {
    if (record.not_applicable === true) return NONE;
    const [kpi] = await unit.query<{ direction: Direction; tolerance: string | null }>(
      'select direction, tolerance::text from {kpi} where id = $1',
      [record.kpi_id],
    );
    if (!kpi) return NONE;
    const slabs =
      record.method === 'slab'
        ? await unit.query<AchievementSlab>(
            `select from_percent::text as "from", to_percent::text as "to", achievement::text from {kpi.slabs}
             where parent_id = $1 order by from_percent`,
            [record.kpi_id],
          )
        : [];
    const settings = await performanceSettings(unit);
    const cap = numberOf(record.cap_percent) ?? settings.cap_percent;
    const endsOn = String(record.ends_on);
    const today = dayOfRecord(unit, record);
    const result = reach({
      method: record.method as AchievementMethod,
      direction: kpi.direction,
      actual: numberOf(record.value),
      target: numberOf(record.target),
      base: numberOf(record.base_value),
      rangeLow: numberOf(record.range_low),
      rangeHigh: numberOf(record.range_high),
      tolerance: kpi.tolerance,
      slabs,
      done: record.done === null || record.done === undefined ? null : record.done === 'yes',
      targetDay: numberOf(record.target_day),
      doneOn: numberOf(record.done_on),
      periodEnd: today < endsOn ? today : endsOn,
      cap,
    });
    if (!('percent' in result)) return NONE;
    const score = lineScore(result.percent, numberOf(record.threshold_percent) ?? settings.threshold_percent, cap);
    return {
      achievement: result.percent,
      score,
      weighted: weightedScore(score, numberOf(record.weight) ?? 0),
      colour: colourOf(result.percent, settings),
    };
  },
};
