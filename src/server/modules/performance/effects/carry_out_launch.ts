import type { Effect } from '../../../engine/modules.ts';

/** The job that makes, opens, releases and closes the appraisals of a launch. */
const JOB = 'run_launch';

/** Has the appraisals of a launch follow it, in the background: a launch may have ten thousand. */
export const carryOutLaunch: Effect = {
  apply({ unit, record }) {
    unit.enqueue(JOB, { launch: record.id }, `launch ${record.id}`);
    return Promise.resolve();
  },
};
