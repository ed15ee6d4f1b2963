import type { Action } from '../../../engine/modules.ts';
import { tasksToAdopt } from '../tasks_to_adopt.ts';

/** Puts all tasks of the chosen template into an adoption, and leaves out those of another one. */
export const tasksOfTemplate: Action = {
  async run({ unit, record }) {
    const tasks = await tasksToAdopt(unit, record?.template_id);
    return { rows: tasks.map((task) => ({ ...task, take: true })) };
  },
};
