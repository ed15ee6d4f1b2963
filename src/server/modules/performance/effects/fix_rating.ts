import { bandOf } from '../../../../domain/performance/achievement.ts';
import { incrementPercent } from '../../../../domain/performance/appraisal.ts';
import type { Effect } from '../../../engine/modules.ts';
import { ratingBands } from '../appraisal_settings.ts';
import { numberOf } from '../sheet_lines.ts';

/** Fixes the final score, its band and the band's suggested increment. */
export const fixRating: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    const stored = await unit.read('appraisal', record.id);
    const score = numberOf(stored.rated_score);
    if (score === null)
      unit.refuse([{ field: 'rated_score', message: 'There is no score yet. The manager rates the member first.' }]);
    const band = bandOf(score!, await ratingBands(unit, stored.rating_scheme_id as number | null));
    await unit.update('appraisal', record.id, {
      final_score: score,
      band_code: band?.code ?? null,
      band: band?.label ?? null,
      increment_percent: band && incrementPercent(score!, band),
      needs_plan: band?.improvement_plan === true,
    });
  },
};
