import type { Job } from '../../../engine/modules.ts';
import { dayIn, placeOf } from '../../../services/clock/client_day.ts';
import type { GenerationMemory } from '../generate.ts';
import { reshiftChecklists } from '../reshift.ts';
import { accountsOf } from '../task_people.ts';

const PER_STEP = 20;

/**
 * After holidays or week-offs change, untouched tasks get new dates from the calendar. Owners are notified of the
 * number of moved tasks.
 */
export const reshiftTasks: Job = {
  elevated: true,
  args: { type: 'object', properties: { company: { type: 'integer' } } },
  async run({ args, actor, each }) {
    let moved = 0;
    const memory: GenerationMemory = {};
    const company = Number(args.company);
    await each(
      (unit, after) =>
        unit.query<{ id: number; owner_id: number; title: string }>(
          `select id, owner_id, title from {master_checklist} where entity_id = $1 and active and state = 'active' and generated_through >= $3 and id > $2 order by id limit ${PER_STEP}`,
          [company, after ?? 0, dayIn(placeOf({ ...actor, entityId: company }).timezone)],
        ),
      async (person, batch) => {
        const unit = person.elevated();
        const by = await reshiftChecklists(
          unit,
          batch.map(({ id }) => id),
          memory,
        );
        for (const { id, owner_id: owner, title } of batch) {
          const count = by.get(id) ?? 0;
          moved += count;
          const to = count === 0 ? [] : await accountsOf(unit, [owner]);
          if (to.length > 0)
            await unit.notify({
              event: 'task.reshifted',
              to,
              entityId: company,
              link: `/master_checklist/edit/${id}`,
              values: { count: String(count), checklist: title },
            });
        }
        return batch.at(-1)!.id;
      },
    );
    return `${moved} tasks moved.`;
  },
};
