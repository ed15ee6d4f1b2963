import type { Effect } from '../../../engine/modules.ts';

/** The job that creates, opens, releases and closes the appraisals of a launch. */
const JOB = 'run_launch';

/** Updates the appraisals of a launch in the background, because there may be ten thousand. */
export const carryOutLaunch: Effect = {
  apply({ unit, record }) {
    unit.enqueue(JOB, { launch: record.id }, `launch ${record.id}`);
    return Promise.resolve();
  },
};
