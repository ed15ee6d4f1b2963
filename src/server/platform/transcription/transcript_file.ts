import { readFile } from 'node:fs/promises';
import type { Heard } from '../../../domain/transcript/segment.ts';
import { readSubtitles, SubtitleError } from '../../../domain/transcript/subtitles.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { FileStore } from '../../services/files/store.ts';

const SPEECH = /^(audio|video)\//;
const MAX_TEXT_BYTES = 5 * 1024 * 1024;

/** Whether a file contains speech, which must be transcribed. */
export async function isSpeech(files: FileStore, tenant: Tenant, id: number): Promise<boolean> {
  const { file } = await files.open(tenant, id);
  return SPEECH.test(file.type);
}

/** Parses an externally created transcript, or returns the error. */
export async function readTranscript(
  files: FileStore,
  tenant: Tenant,
  id: number,
): Promise<{ heard: Heard[]; name: string } | { wrong: string }> {
  const { file, path } = await files.open(tenant, id);
  try {
    if (!file.type.startsWith('text/'))
      throw new SubtitleError(
        'This is neither a recording nor a transcript. Choose an mp3, m4a, wav, ogg, webm or mp4 file, or a .srt, .vtt or .txt file.',
      );
    if (file.size > MAX_TEXT_BYTES) throw new SubtitleError('A transcript has at most 5 MB.');
    return { heard: readSubtitles(await readFile(path, 'utf8'), file.name), name: file.name };
  } catch (error) {
    if (error instanceof SubtitleError) return { wrong: error.message };
    throw error;
  }
}
