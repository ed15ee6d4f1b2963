import type { Effect } from '../../../engine/modules.ts';
import { NO_ENGINE, transcriptionSettings } from '../../../platform/transcription/settings.ts';
import { TYPE } from '../../../platform/transcription/text.ts';
import { isSpeech } from '../../../platform/transcription/transcript_file.ts';

/** Starts the transcription of a new recording for anybody who may add one; without an engine it waits and says so. */
export const takeInRecording: Effect = {
  elevated: true,
  async apply({ unit, record, services }) {
    const { tenant } = unit.session;
    if (typeof record.file !== 'number') return;
    const heard = await isSpeech(services.files, tenant, record.file);
    if (heard && (await transcriptionSettings(tenant)).url === null)
      // Stored without a new version, so that the person who just added the record can go on editing.
      await unit.query('update {transcription} set note = $2 where id = $1', [record.id, NO_ENGINE]);
    else await unit.elevated().transition(TYPE, record.id, 'start', { version: record.version });
  },
};
