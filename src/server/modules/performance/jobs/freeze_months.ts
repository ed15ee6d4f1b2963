import type { Job } from '../../../engine/modules.ts';
import { dayIn, placeOf } from '../../../services/clock/client_day.ts';

const UPDATES_PER_STEP = 100;

/** Freezes updates on their freeze day, approved or not. */
export const freezeMonths: Job = {
  elevated: true,
  async run({ company, actor, each }) {
    const today = dayIn(placeOf({ ...actor, entityId: company }).timezone);
    const frozen = await each<{ id: number }>(
      (unit, after) =>
        unit.query(
          `select id from {kpi_actual} where entity_id = $1 and active and status <> 'frozen' and freezes_on <= $2 and id > $3
           order by id limit ${UPDATES_PER_STEP}`,
          [company, today, after ?? 0],
        ),
      async (person, updates) => {
        const unit = person.elevated();
        for (const { id } of updates) await unit.takeAuto('kpi_actual', id, 'freeze');
        return updates.at(-1)!.id;
      },
    );
    return `${frozen} updates frozen.`;
  },
};
