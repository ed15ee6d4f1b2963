import type { Effect } from '../../../engine/modules.ts';
import { dayOfRecord } from '../../../engine/records/day_of_record.ts';
import { appraisalSettings } from '../appraisal_settings.ts';
import { daysAfter } from '../kpi_months.ts';

/** Releases an appraisal: the parts shown to the member, and the deadline for the answer. */
export const releaseAppraisal: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    const settings = await appraisalSettings(unit);
    const today = dayOfRecord(unit, record);
    const shows = (what: string) => settings.release_shows.includes(what);
    await unit.update('appraisal', record.id, {
      released_on: today,
      acknowledge_by: daysAfter(today, settings.acknowledge_days),
      appeal_until: daysAfter(today, settings.appeal_days),
      due_on: daysAfter(today, settings.acknowledge_days),
      shows_rating: shows('rating'),
      shows_score: shows('score'),
      shows_increment: shows('increment'),
      shows_comments: shows('comments'),
    });
  },
};
