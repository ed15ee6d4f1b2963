import type { Effect } from '../../../engine/modules.ts';

/** The open tasks of an instance that is cancelled are cancelled with it. */
export const cancelInstance: Effect = {
  elevated: true,
  async apply({ unit: person, record, input }) {
    const unit = person.elevated();
    const tasks = await unit.query<{ id: number }>(
      `select id from {chk_task_instance} where origin_type = 'chk_instance' and origin_id = $1 and state in ('scheduled', 'open', 'in_progress', 'waiting', 'submitted') order by id`,
      [record.id],
    );
    for (const { id } of tasks)
      await unit.takeAuto('chk_task_instance', id, 'withdraw', { na_reason: input.reason ?? null });
  },
};
