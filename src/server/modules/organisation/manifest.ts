import type { Module } from '../../engine/modules.ts';
import { applyPlan } from './effects/apply_plan.ts';
import { notifyDeputies } from './effects/notify_deputies.ts';
import { planIsPossible } from './guards/plan_is_possible.ts';
import { joined } from './joined.ts';

const module: Module = {
  name: 'organisation',
  on: { 'employee.created': joined },
  effects: { apply_plan: applyPlan, notify_deputies: notifyDeputies },
  guards: { plan_is_possible: planIsPossible },
};
export default module;
