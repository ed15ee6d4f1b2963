import type { Effect } from '../../../engine/modules.ts';
import { NO_ENGINE, transcriptionSettings } from '../../../platform/transcription/settings.ts';
import { TYPE } from '../../../platform/transcription/text.ts';
import { isSpeech } from '../../../platform/transcription/transcript_file.ts';

/** A new recording is started by itself, by whoever may add one; without an engine it says so and waits. */
export const takeInRecording: Effect = {
  elevated: true,
  async apply({ unit, record, services }) {
    const { tenant } = unit.session;
    if (typeof record.file !== 'number') return;
    const heard = await isSpeech(services.files, tenant, record.file);
    if (heard && (await transcriptionSettings(tenant)).url === null)
      // Said beside the record, not a change of it: whoever has just added it goes on with the version they have.
      await unit.query('update {transcription} set note = $2 where id = $1', [record.id, NO_ENGINE]);
    else await unit.elevated().transition(TYPE, record.id, 'start', { version: record.version });
  },
};
