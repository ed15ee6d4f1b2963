import type { LevelBand } from '../../../../domain/act/slab_level.ts';
import type { Job } from '../../../engine/modules.ts';
import { levelBands, queueLevels } from '../../../platform/escalation/queue_levels.ts';

const PER_STEP = 500;

/** Notifies people of overdue filings that have reached a higher level of the slab of their form. */
export const lateLevels: Job = {
  elevated: true,
  async run({ company, due, each }) {
    const today = due.slice(0, 10);
    let count = 0;
    await each(
      (unit, after) =>
        unit.query<{ id: number; noticed_level: number | null; days: number; bands: LevelBand[] }>(
          `select f.id, f.noticed_level, greatest(0, $2::date - f.last_day) as days,
             ${levelBands('s.id')} as bands
           from {filing} f join {statutory_form} o on o.id = f.form_id join {slab} s on s.id = o.slab_id
           where f.entity_id = $1 and f.active and f.status in ('upcoming', 'in_preparation', 'under_review', 'ready')
             and (f.last_day < $2::date or f.noticed_level is not null) and f.id > $3 order by f.id limit ${PER_STEP}`,
          [company, today, after ?? 0],
        ),
      async (person, batch) => {
        count += await queueLevels(person.elevated(), 'filing', batch);
        return batch.at(-1)!.id;
      },
    );
    return `${count} ${count === 1 ? 'filing' : 'filings'} reached a higher level.`;
  },
};
