import type { Module } from '../../engine/modules.ts';
import { enterEvent } from './actions/enter_event.ts';
import { makeComing } from './actions/make_coming.ts';
import { extendOthers } from './effects/extend_others.ts';
import { prepare } from './effects/prepare.ts';
import { revise } from './effects/revise.ts';
import { cancelTasks, taskDone, taskReturned, tasksFollow } from './effects/task_steps.ts';
import { figures } from './fills/figures.ts';
import { formFacts } from './fills/form_facts.ts';
import { compareActs } from './jobs/compare_acts.ts';
import { generateFilings } from './jobs/generate_filings.ts';
import { lateLevels } from './jobs/late_levels.ts';

const module: Module = {
  name: 'act_filings',
  effects: {
    cancel_tasks: cancelTasks,
    extend_others: extendOthers,
    move_tasks: tasksFollow,
    prepare,
    revise,
    task_done: taskDone,
    task_returned: taskReturned,
  },
  fills: { figures, form_facts: formFacts },
  actions: { enter_event: enterEvent, make_coming: makeComing },
  jobs: { compare_acts: compareActs, generate_filings: generateFilings, late_levels: lateLevels },
};
export default module;
