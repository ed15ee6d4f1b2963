import { DateTime } from 'luxon';
import { dayIn, placeOf } from '../../../services/clock/client_day.ts';
import type { Subscriber } from '../../../engine/modules.ts';
import { generateChecklists } from '../generate.ts';
import { takeOutUntouched } from '../untouched.ts';

/** After an active checklist changes, its untouched tasks are created again; others are unchanged. */
export const checklistChanged: Subscriber = {
  async run({ event, unit }) {
    const id = event.of!.id;
    const [checklist] = await unit.query<{ state: string }>(
      'select state from {master_checklist} where id = $1 and active for update',
      [id],
    );
    if (checklist?.state !== 'active') return;
    await takeOutUntouched(unit, id, 'remove');
    const yesterday = DateTime.fromISO(dayIn(placeOf(unit.session).timezone), { zone: 'utc' })
      .minus({ days: 1 })
      .toISODate();
    await unit.query(
      'update {master_checklist} set generated_through = least(generated_through, $2::date) where id = $1 and generated_through is not null',
      [id, yesterday],
    );
    await generateChecklists(unit, [id]);
  },
};
