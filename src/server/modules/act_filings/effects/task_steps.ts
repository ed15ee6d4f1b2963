import type { Effect } from '../../../engine/modules.ts';
import type { FilingStep } from '../filing_tasks.ts';
import { moveTasks, stepDone, stepReturned } from '../filing_tasks.ts';

/** Ends the task of a step; `step`: prepare or review. */
export const taskDone: Effect = {
  elevated: true,
  args: { type: 'object', required: ['step'], properties: { step: { enum: ['prepare', 'review'] } } },
  apply: ({ unit, record, args }) => stepDone(unit.elevated(), record, args.step as FilingStep),
};

/** Returns the filing to its preparer. */
export const taskReturned: Effect = {
  elevated: true,
  apply: ({ unit, record, input }) =>
    stepReturned(unit.elevated(), record, String(input.reason ?? 'Returned by the reviewer')),
};

/** Cancels the tasks of a filing that does not apply. */
export const cancelTasks: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    for (const id of [record.prepare_task_id, record.review_task_id])
      if (typeof id === 'number')
        await unit.takeAuto('chk_task_instance', id, 'withdraw', { na_reason: 'The filing does not apply.' });
  },
};

/** Moves the tasks to the extended day. */
export const tasksFollow: Effect = {
  elevated: true,
  apply: ({ unit, record, input }) =>
    moveTasks(unit.elevated(), record, String(input.extended_due_on), String(input.extension_ref)),
};
