import type { Job } from '../../../engine/modules.ts';
import { REOPENED, isReopened } from '../reopened_stage.ts';

const MOVED_PER_STEP = 200;

/** Brings appraisals of a launch back to the stage that was reopened, if the launch is still in it. */
export const reopenStageOfAppraisals: Job = {
  elevated: true,
  args: {
    type: 'object',
    properties: { launch: { type: 'integer' }, stage: { type: 'string' }, reason: { type: 'string' } },
  },
  async run({ args: { launch, stage, reason }, each }) {
    if (!isReopened(stage)) return;
    const { step, which } = REOPENED[stage];
    const moved = await each<{ id: number }>(
      (unit, after) =>
        unit.query(
          `select a.id from {appraisal} a join {appraisal_launch} l on l.id = a.launch_id
           where l.id = $1 and l.state = $2 and a.active and ${which} and a.id > $3 order by a.id limit ${MOVED_PER_STEP}`,
          [launch, stage, after ?? 0],
        ),
      async (person, appraisals) => {
        const ids = appraisals.map(({ id }) => id);
        await person.elevated().takeAutoMany('appraisal', ids, step, { reason });
        return ids.at(-1)!;
      },
    );
    return `${moved} ${moved === 1 ? 'appraisal' : 'appraisals'} reopened.`;
  },
};
