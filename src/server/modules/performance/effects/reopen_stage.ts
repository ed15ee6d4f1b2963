import type { Effect } from '../../../engine/modules.ts';
import { REOPENED, isReopened } from '../reopened_stage.ts';

/** Reopens a stage of a launch: brings back its appraisals in the background, because there may be ten thousand. */
export const reopenStage: Effect = {
  args: { type: 'object', required: ['stage'], properties: { stage: { enum: Object.keys(REOPENED) } } },
  apply({ unit, record, args: { stage }, input }) {
    if (isReopened(stage))
      unit.enqueue('reopen_stage', { launch: record.id, stage, reason: String(input.reason ?? '') });
    return Promise.resolve();
  },
};
