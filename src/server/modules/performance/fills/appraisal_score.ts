import { bandOf } from '../../../../domain/performance/achievement.ts';
import { competencyScore, computedScore, finalScore } from '../../../../domain/performance/appraisal.ts';
import type { Fill } from '../../../engine/modules.ts';
import { ratedKpiScore, rowsOf } from '../appraisal_facts.ts';
import { appraisalSettings, ratingBands } from '../appraisal_settings.ts';
import { performanceSettings } from '../performance_settings.ts';
import { numberOf } from '../sheet_lines.ts';

const level = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** Score and band of an appraisal, from the parts that it has (performance.md §5.11). */
export const appraisalScore: Fill = {
  async run({ unit, record }) {
    const settings = await appraisalSettings(unit);
    const { cap_percent: cap, sheet_cap_percent: most } = await performanceSettings(unit);
    const competencies = rowsOf(record, 'competency_lines').map((row) => ({
      weight: numberOf(row.weight) ?? '0',
      expected: level(row.expected_level) ?? 1,
      manager: level(row.manager_level),
      self: level(row.self_level),
    }));
    const competency = competencyScore(competencies, cap, settings.self_weight);
    const replaced = await ratedKpiScore(unit, record);
    const isRated = competencies.every(({ manager }) => manager !== null);
    const computed = isRated
      ? computedScore([
          { weight: numberOf(record.kpi_weight) ?? '0', score: replaced ?? numberOf(record.kpi_score) },
          { weight: numberOf(record.competency_weight) ?? '0', score: competency },
          { weight: numberOf(record.feedback_weight) ?? '0', score: numberOf(record.feedback_score) },
        ])
      : null;
    const rated = finalScore(
      { computed, adjust: numberOf(record.manager_adjust), moderated: numberOf(record.moderated_score) },
      most,
    );
    const bands = await ratingBands(unit, record.rating_scheme_id as number | null);
    return {
      kpi_rated_score: replaced,
      competency_score: competency,
      computed_score: computed,
      rated_score: rated,
      rated_band: rated === null ? null : (bandOf(rated, bands)?.label ?? null),
    };
  },
};
