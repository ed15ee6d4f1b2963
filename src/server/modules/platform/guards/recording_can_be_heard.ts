import type { Guard } from '../../../engine/modules.ts';
import { NO_ENGINE, transcriptionSettings } from '../../../platform/transcription/settings.ts';
import { isSpeech } from '../../../platform/transcription/transcript_file.ts';

/** There is a file and, for speech, a transcription engine. */
export const recordingCanBeHeard: Guard = {
  async check({ unit, record, services }) {
    const { tenant } = unit.session;
    if (typeof record.file !== 'number') return [{ field: 'file', message: 'Upload the recording first.' }];
    if ((await isSpeech(services.files, tenant, record.file)) && (await transcriptionSettings(tenant)).url === null)
      unit.refuse([{ field: '', message: NO_ENGINE }], 409);
    return [];
  },
};
