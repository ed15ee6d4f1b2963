import { DateTime } from 'luxon';
import { dayIn, placeOf } from '../../../services/clock/client_day.ts';
import type { Effect } from '../../../engine/modules.ts';
import { generateChecklists } from '../generate.ts';

/** A resumed checklist continues from today; occurrences in the pause are created only on request. */
export const resume: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    const yesterday = DateTime.fromISO(dayIn(placeOf(unit.session).timezone), { zone: 'utc' })
      .minus({ days: 1 })
      .toISODate();
    await unit.query(
      `update {master_checklist} set generated_through = case when $3 then generated_through else greatest(generated_through, $2::date) end, backfill = false where id = $1`,
      [record.id, yesterday, record.backfill === true],
    );
    await generateChecklists(unit, [record.id]);
  },
};
