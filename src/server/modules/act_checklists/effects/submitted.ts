import { DateTime } from 'luxon';
import { pointsFor } from '../../../../domain/act/task_score.ts';
import type { Effect } from '../../../engine/modules.ts';
import { photoFacts } from '../photo_facts.ts';
import { followUpFailures } from '../follow_up.ts';
import { daysLate, slabOf } from '../task_slab.ts';
import { notifyAboutTask } from '../task_people.ts';

type Row = Record<string, unknown>;

/**
 * Freezes the lateness of a task and its points by the slab (§5.2), dates its evidence, follows up failed checkpoints, and
 * asks its approver.
 */
export const submitted: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    const slab = await slabOf(unit, record.slab_id);
    const late = await daysLate(unit, record, slab.basis, String(record.done_on));
    const given = (record.evidence as (Row & { id: number })[]).filter((one) => one.given === true);
    const today = String(record.done_on);
    const photos = await photoFacts(unit, given, record.branch_id);
    const followed = await followUpFailures(unit, record);
    await unit.update('chk_task_instance', record.id, {
      days_late: late,
      score: pointsFor(late, slab.bands).toFixed(2),
      outcome: late > 0 ? 'late' : 'on_time',
      colour: late > 0 ? 'red' : 'green',
      ...(Object.keys(followed).length > 0 && { subtasks: { set: followed } }),
      ...(given.length > 0 && {
        evidence: {
          set: Object.fromEntries(
            given.map(({ id, photo, taken_at: before, valid_days: days }) => [
              id,
              {
                // A returned task may have another photo now.
                ...photos.get(Number(photo)),
                ...(!before && { taken_at: unit.at.toISOString() }),
                ...(!before &&
                  typeof days === 'number' && {
                    valid_until: DateTime.fromISO(today, { zone: 'utc' }).plus({ days }).toISODate(),
                  }),
              },
            ]),
          ),
        },
      }),
    });
    if (record.approver_id !== null && record.approver_id !== record.assignee_id)
      await notifyAboutTask(unit, record, 'task.submitted', [record.approver_id]);
  },
};
