import type { Guard } from '../../../engine/modules.ts';
import { appraisalSettings } from '../appraisal_settings.ts';

/** Where moderation is required, a rating is final only after a session about the member. */
export const sessionIsHeld: Guard = {
  elevated: true,
  async check({ unit: person, record }) {
    const unit = person.elevated();
    if (record.launch_id === null || (await appraisalSettings(unit)).moderation !== 'required') return [];
    const [held] = await unit.query(
      `select 1 from {moderation_session} where launch_id = $1 and active and status = 'held'
       and (cardinality(coalesce(member_ids, '{}')) = 0 or $2 = any(member_ids)) limit 1`,
      [record.launch_id, record.employee_id],
    );
    return held ? [] : [{ field: 'status', message: 'No moderation session about this member has been held yet.' }];
  },
};
