import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { Heard } from '../../../domain/transcript/segment.ts';
import { readSubtitles, SubtitleError } from '../../../domain/transcript/subtitles.ts';
import { lookupWithin, wrongAddress } from '../../services/network/outside_address.ts';
import { plainFailure } from '../../services/network/plain_failure.ts';

/** The transcription engine, from the client's settings. */
export interface EngineSettings {
  url: string;
  format: 'verbose_json' | 'srt' | 'vtt';
  apiKey: string | null;
  model: string | null;
  timeoutMinutes: number;
}

export interface Recording {
  path: string;
  name: string;
  type: string;
  /** `auto` = the engine finds out. */
  language: string;
}

/** Why an engine returned no text; `transient`: a retry may help. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly transient: boolean;
  constructor(message: string, transient = false) {
    super(message);
    this.transient = transient;
  }
}

/** The maximum size of a response in bytes, far above the text of the longest recording. */
const MAX_ANSWER = 64 * 1024 * 1024;

/**
 * Posts a recording as `multipart/form-data` with the fields file, response_format, model and language: the audio API
 * of OpenAI, also implemented by self-hosted engines such as whisper.cpp and faster-whisper servers.
 * @param sent receives the fraction sent, 0 to 1
 * @throws EngineError with the kind of failure
 */
export async function transcribe(
  settings: EngineSettings,
  recording: Recording,
  signal: AbortSignal,
  sent: (part: number) => void,
): Promise<{ heard: Heard[]; durationS: number | null; language: string | null }> {
  const wrong = wrongAddress(settings.url);
  if (wrong !== null) throw new EngineError(wrong);
  const { status, text } = await post(settings, recording, signal, sent);
  if (status < 200 || status > 299)
    throw new EngineError(`The engine answered ${status}. It must answer 200.`, status === 429 || status >= 500);
  if (settings.format === 'verbose_json') return readVerbose(text);
  try {
    return {
      heard: /-->/.test(text) ? readSubtitles(text, `answer.${settings.format}`) : [],
      durationS: null,
      language: null,
    };
  } catch (error) {
    throw error instanceof SubtitleError
      ? new EngineError(`The engine's answer cannot be read. ${error.message}`)
      : error;
  }
}

interface Verbose {
  duration?: unknown;
  language?: unknown;
  segments?: {
    start?: unknown;
    end?: unknown;
    text?: unknown;
    speaker?: unknown;
    no_speech_prob?: unknown;
    avg_logprob?: unknown;
  }[];
}

function readVerbose(text: string): { heard: Heard[]; durationS: number | null; language: string | null } {
  let answer: Verbose;
  try {
    answer = JSON.parse(text) as Verbose;
  } catch {
    throw new EngineError(
      'The engine did not answer in JSON. Choose the format it answers in, in the settings of the engine.',
    );
  }
  if (!Array.isArray(answer.segments))
    throw new EngineError(
      'The answer of the engine has no timestamps. Choose an engine or a format that provides them.',
    );
  const number = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : null);
  const heard = answer.segments.flatMap((line): Heard[] => {
    const [start, end] = [number(line.start), number(line.end)];
    if (start === null || end === null || typeof line.text !== 'string') return [];
    return [
      {
        startMs: Math.max(0, Math.round(start * 1000)),
        endMs: Math.max(0, Math.round(Math.max(start, end) * 1000)),
        text: line.text,
        speaker: typeof line.speaker === 'string' ? line.speaker.slice(0, 40) : null,
        noSpeech: number(line.no_speech_prob),
        meanLog: number(line.avg_logprob),
      },
    ];
  });
  const duration = typeof answer.duration === 'string' ? Number(answer.duration) : answer.duration;
  return {
    heard,
    durationS: number(duration) === null ? null : Math.round(duration as number),
    language: typeof answer.language === 'string' ? answer.language : null,
  };
}

async function post(
  settings: EngineSettings,
  recording: Recording,
  signal: AbortSignal,
  sent: (part: number) => void,
): Promise<{ status: number; text: string }> {
  const boundary = `mainstay-${randomUUID()}`;
  const field = (name: string, value: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const head = Buffer.from(
    field('response_format', settings.format) +
      (settings.model ? field('model', settings.model.replace(/[\r\n]/g, '')) : '') +
      (recording.language !== 'auto' ? field('language', recording.language) : '') +
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${recording.name.replace(/["\r\n\\]/g, '_')}"\r\ncontent-type: ${recording.type}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const { size } = await stat(recording.path).catch(() => {
    throw new EngineError('The recording no longer exists. Upload it again.');
  });
  const limit = AbortSignal.any([signal, AbortSignal.timeout(settings.timeoutMinutes * 60_000)]);
  return new Promise((resolve, reject) => {
    const fail = (error: Error) =>
      reject(
        error instanceof EngineError
          ? error
          : signal.aborted
            ? (signal.reason as Error)
            : limit.aborted
              ? new EngineError(`The engine did not answer within ${settings.timeoutMinutes} minutes.`, true)
              : new EngineError(
                  `The engine cannot be reached. ${plainFailure(error, new URL(settings.url).host)}`,
                  true,
                ),
      );
    const call = (settings.url.startsWith('https:') ? tlsRequest : plainRequest)(
      settings.url,
      {
        method: 'POST',
        agent: false,
        lookup: lookupWithin(),
        signal: limit,
        headers: {
          'user-agent': 'Mainstay',
          accept: '*/*',
          'content-type': `multipart/form-data; boundary=${boundary}`,
          'content-length': head.length + size + tail.length,
          ...(settings.apiKey && { authorization: `Bearer ${settings.apiKey}` }),
        },
      },
      (answer) => {
        const parts: Buffer[] = [];
        let length = 0;
        answer.on('data', (part: Buffer) => {
          parts.push(part);
          length += part.length;
          if (length > MAX_ANSWER) call.destroy(new EngineError('The answer of the engine is too long.'));
        });
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') }),
        );
        answer.on('error', fail);
      },
    );
    call.on('error', fail);
    call.write(head);
    const file = createReadStream(recording.path);
    file.on('error', (error) => call.destroy(error));
    let gone = 0;
    file.on('data', (part) => sent((gone += part.length) / (size + 1)));
    // Complete only when nothing is buffered here any more.
    call.on('finish', () => sent(1));
    file.on('end', () => call.end(tail));
    file.pipe(call, { end: false });
  });
}
