import type { Module } from '../../engine/modules.ts';
import { askedNa } from './effects/asked_na.ts';
import { TASK_ENDED, ended } from './effects/ended.ts';
import { moved } from './effects/moved.ts';
import { opened } from './effects/opened.ts';
import { planOwnTask } from './effects/plan_own_task.ts';
import { reassigned } from './effects/reassigned.ts';
import { reopened } from './effects/reopened.ts';
import { returned } from './effects/returned.ts';
import { submitted } from './effects/submitted.ts';
import { takeTask } from './effects/take_task.ts';
import { maySubmit } from './guards/may_submit.ts';
import { monthIsOpen } from './guards/month_is_open.ts';
import { monthIsOver } from './guards/month_is_over.ts';

const module: Module = {
  name: 'act_checklists',
  effects: {
    asked_na: askedNa,
    ended,
    moved,
    opened,
    plan_own_task: planOwnTask,
    reassigned,
    reopened,
    returned,
    submitted,
    take_task: takeTask,
  },
  guards: { may_submit: maySubmit, month_is_open: monthIsOpen, month_is_over: monthIsOver },
  // Taken by the functions of create_task.ts, for whichever module calls them.
  stepJobs: ['withdraw_tasks'],
  emits: { task_ended: TASK_ENDED },
};
export default module;
