import type { Module } from '../../engine/modules.ts';
import { applyPlan } from './effects/apply_plan.ts';
import { notifyDeputies } from './effects/notify_deputies.ts';
import { leaveDays } from './fills/leave_days.ts';
import { planIsPossible } from './guards/plan_is_possible.ts';
import { joined } from './joined.ts';

const module: Module = {
  name: 'organisation',
  on: { 'employee.created': joined },
  effects: { apply_plan: applyPlan, notify_deputies: notifyDeputies },
  fills: { leave_days: leaveDays },
  guards: { plan_is_possible: planIsPossible },
};
export default module;
