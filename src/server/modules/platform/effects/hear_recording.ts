import type { Effect } from '../../../engine/modules.ts';
import { endWithout, storeHeard } from '../../../platform/transcription/text.ts';
import { isSpeech, readTranscript } from '../../../platform/transcription/transcript_file.ts';

/** The job that sends a recording to the transcription engine. */
export const TRANSCRIBE_JOB = 'transcribe';

/** A text transcript is read at once; speech waits for the engine. */
export const hearRecording: Effect = {
  async apply({ unit, record, services }) {
    const { tenant } = unit.session;
    const file = record.file as number;
    if (await isSpeech(services.files, tenant, file)) {
      unit.enqueue(TRANSCRIBE_JOB, { id: record.id }, String(record.id));
      return;
    }
    const read = await readTranscript(services.files, tenant, file);
    if ('wrong' in read) await endWithout(unit, record, read.wrong);
    else await storeHeard(unit, record, read.heard, { engine: `file ${read.name}`.slice(0, 60), durationS: null });
  },
};
