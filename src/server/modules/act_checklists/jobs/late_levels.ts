import type { LevelBand } from '../../../../domain/act/slab_level.ts';
import type { Job } from '../../../engine/modules.ts';
import type { LateWork } from '../../../platform/escalation/queue_levels.ts';
import { levelBands, queueLevels } from '../../../platform/escalation/queue_levels.ts';
import { daysLate } from '../task_slab.ts';

const PER_STEP = 500;

interface LateTask extends Record<string, unknown> {
  id: number;
  basis: string;
  noticed_level: number | null;
  bands: LevelBand[];
}

/** Notifies people of late tasks, of checklists and cases, that have reached a higher level of their slab. */
export const lateLevels: Job = {
  elevated: true,
  async run({ company, due, each }) {
    const today = due.slice(0, 10);
    let count = 0;
    await each(
      (unit, after) =>
        unit.query<LateTask>(
          `select t.id, t.due_on::text, t.grace_days, t.branch_id, t.origin_type, t.origin_id, t.noticed_level, s.basis,
             ${levelBands('s.id')} as bands
           from {chk_task_instance} t join {slab} s on s.id = t.slab_id
           where t.entity_id = $1 and t.active and t.state in ('open', 'in_progress', 'waiting') and t.held is not true
             and (t.due_on < $2::date or t.noticed_level is not null) and t.id > $3 order by t.id limit ${PER_STEP}`,
          [company, today, after ?? 0],
        ),
      async (person, batch) => {
        const unit = person.elevated();
        const late: LateWork[] = [];
        for (const task of batch) {
          const basis = task.basis === 'working_days' ? 'working_days' : 'calendar_days';
          late.push({ ...task, days: await daysLate(unit, task, basis, today) });
        }
        count += await queueLevels(unit, 'chk_task_instance', late);
        return batch.at(-1)!.id;
      },
    );
    return `${count} ${count === 1 ? 'task' : 'tasks'} reached a higher level.`;
  },
};
