import type { Job } from '../../../engine/modules.ts';
import { dayIn, placeOf } from '../../../services/clock/client_day.ts';
import { LOCK_OF_UPDATE } from '../period_lock.ts';

const UPDATES_PER_STEP = 200;

/** Freezes updates on their freeze day, approved or not; those of a reopened month wait until it is frozen again. */
export const freezeMonths: Job = {
  elevated: true,
  async run({ company, actor, each }) {
    const today = dayIn(placeOf({ ...actor, entityId: company }).timezone);
    const frozen = await each<{ id: number }>(
      (unit, after) =>
        unit.query(
          `select a.id from {kpi_actual} a where a.entity_id = $1 and a.active and a.status <> 'frozen' and a.freezes_on <= $2 and a.id > $3
             and ${LOCK_OF_UPDATE} is distinct from 'reopened' order by a.id limit ${UPDATES_PER_STEP}`,
          [company, today, after ?? 0],
        ),
      async (person, updates) => {
        await person.elevated().takeAutoMany(
          'kpi_actual',
          updates.map(({ id }) => id),
          'freeze',
        );
        return updates.at(-1)!.id;
      },
    );
    return `${frozen} updates frozen.`;
  },
};
