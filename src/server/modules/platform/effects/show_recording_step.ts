import type { Effect } from '../../../engine/modules.ts';
import { STEPS } from '../../../platform/transcription/progress.ts';
import type { Step } from '../../../platform/transcription/progress.ts';

/** Shows the progress of a recording. It is not a change: the history omits both fields. */
export const showRecordingStep: Effect = {
  args: {
    type: 'object',
    required: ['step'],
    additionalProperties: false,
    properties: { step: { enum: [...Object.keys(STEPS), 'done', 'none'] } },
  },
  async apply({ unit, args, record }) {
    const step = args.step as Step | 'done' | 'none';
    const shown = step === 'done' || step === 'none' ? null : step;
    const progress = shown ? STEPS[shown] : step === 'done' ? 100 : null;
    await unit.query('update {transcription} set step = $2, progress = $3 where id = $1', [record.id, shown, progress]);
  },
};
