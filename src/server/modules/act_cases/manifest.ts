import type { Module } from '../../engine/modules.ts';
import { tryRule } from './actions/try_rule.ts';
import { cancel, close, hold, resume, start } from './effects/case_steps.ts';
import { mayClose } from './guards/may_close.ts';
import { mayStart } from './guards/may_start.ts';
import { RULE_EVENTS } from './rule_events.ts';
import { ruleDates } from './jobs/rule_dates.ts';
import { runRules } from './subscribers/run_rules.ts';
import { stepEnded } from './subscribers/step_ended.ts';

const module: Module = {
  name: 'act_cases',
  effects: { cancel, close, hold, resume, start },
  guards: { may_close: mayClose, may_start: mayStart },
  actions: { try_rule: tryRule },
  jobs: { rule_dates: ruleDates },
  on: {
    ...Object.fromEntries(RULE_EVENTS.map((event) => [event, runRules])),
    'act_checklists.task_ended': stepEnded,
  },
  stepJobs: ['run_rules', 'step_ended'],
};
export default module;
