import type { Module } from '../../engine/modules.ts';
import { spreadTargets } from './actions/spread_targets.ts';
import { spreadWeights } from './actions/spread_weights.ts';
import { planActuals } from './effects/plan_actuals.ts';
import { scoreMonth } from './effects/score_month.ts';
import { achievement } from './fills/achievement.ts';
import { lineLimits } from './fills/line_limits.ts';
import { actualIsEntered } from './guards/actual_is_entered.ts';
import { sheetIsComplete } from './guards/sheet_is_complete.ts';
import { sheetIsFrozen } from './guards/sheet_is_frozen.ts';
import { freezeMonths } from './jobs/freeze_months.ts';
import scorecard from './sources/scorecard.ts';

const module: Module = {
  name: 'performance',
  effects: { plan_actuals: planActuals, score_month: scoreMonth },
  guards: { actual_is_entered: actualIsEntered, sheet_is_complete: sheetIsComplete, sheet_is_frozen: sheetIsFrozen },
  fills: { achievement, line_limits: lineLimits },
  actions: { spread_targets: spreadTargets, spread_weights: spreadWeights },
  sources: { scorecard },
  jobs: { freeze_months: freezeMonths },
};
export default module;
