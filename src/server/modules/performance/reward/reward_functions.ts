import type { Module } from '../../../engine/modules.ts';
import { bookRun } from './effects/book_run.ts';
import { calculateRun } from './effects/calculate_run.ts';
import { exportRun } from './effects/export_run.ts';
import { payRun } from './effects/pay_run.ts';
import { unbookRun } from './effects/unbook_run.ts';
import { awardAmount } from './fills/award_amount.ts';
import { runPeriod } from './fills/run_period.ts';
import { slabJumps } from './fills/slab_jumps.ts';
import { runCanBeCalculated } from './guards/run_can_be_calculated.ts';
import { runIsTheLast } from './guards/run_is_the_last.ts';

/** The functions of incentive runs and awards. */
export const rewardFunctions = {
  effects: {
    book_run: bookRun,
    calculate_run: calculateRun,
    export_run: exportRun,
    pay_run: payRun,
    unbook_run: unbookRun,
  },
  guards: { run_can_be_calculated: runCanBeCalculated, run_is_the_last: runIsTheLast },
  fills: { award_amount: awardAmount, run_period: runPeriod, slab_jumps: slabJumps },
} satisfies Omit<Module, 'name'>;
