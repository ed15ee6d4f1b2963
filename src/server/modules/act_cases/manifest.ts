import type { Module } from '../../engine/modules.ts';
import { RULE_CALLED, callRule } from './actions/call_rule.ts';
import { tryRule } from './actions/try_rule.ts';
import { cancel, close, hold, resume, start } from './effects/case_steps.ts';
import { mayClose } from './guards/may_close.ts';
import { mayStart } from './guards/may_start.ts';
import { RULE_EVENTS } from './rule_events.ts';
import { ruleDates } from './jobs/rule_dates.ts';
import { runCalled } from './subscribers/run_called.ts';
import { runRules } from './subscribers/run_rules.ts';
import { stepEnded } from './subscribers/step_ended.ts';

const module: Module = {
  name: 'act_cases',
  effects: { cancel, close, hold, resume, start },
  guards: { may_close: mayClose, may_start: mayStart },
  actions: { call_rule: callRule, try_rule: tryRule },
  jobs: { rule_dates: ruleDates },
  emits: { rule_called: RULE_CALLED },
  on: {
    'act_cases.rule_called': runCalled,
    ...Object.fromEntries(RULE_EVENTS.map((event) => [event, runRules])),
    'act_checklists.task_ended': stepEnded,
  },
  stepJobs: ['run_rules', 'step_ended'],
};
export default module;
