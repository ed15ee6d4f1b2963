import type { Fill } from '../../../engine/modules.ts';
import { tasksToAdopt } from '../tasks_to_adopt.ts';

type Row = Record<string, unknown>;

/** How critical each task of an adoption is; nothing for one that the template does not have. */
export const adoptionTasks: Fill = {
  async run({ unit, record }) {
    const tasks = await tasksToAdopt(unit, record.template_id);
    const byCode = new Map(tasks.map(({ task_code: code, criticality }) => [code, criticality]));
    return {
      tasks: ((record.tasks as Row[] | null) ?? []).map((row) => ({
        ...row,
        criticality: byCode.get(String(row.task_code)) ?? null,
      })),
    };
  },
};
