import type { Heard, Segment } from './segment.ts';

/** The error in a transcript file, for people. */
export class SubtitleError extends Error {
  override readonly name = 'SubtitleError';
}

/** The assumed duration of a text line without times, in ms. */
const UNTIMED_MS = 4_000;
const TIMES = /^\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[,.](\d{1,3})\s+-->\s+(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[,.](\d{1,3})/;

/**
 * Parses SubRip (.srt), WebVTT (.vtt) or plain text (.txt, one sentence per line; "Name: words" names the speaker).
 * @throws SubtitleError with the line if times are invalid, or the file is empty
 */
export function readSubtitles(text: string, name: string): Heard[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .split('\n');
  const timed = lines.some((line) => line.includes('-->'));
  if (!timed && /\.(srt|vtt)$/i.test(name))
    throw new SubtitleError('The file has no times. Choose a .srt or .vtt file, or save plain text as .txt.');
  const found = timed ? readTimed(lines) : readPlain(lines);
  if (found.length === 0) throw new SubtitleError('The file has no text in it. Choose another one.');
  return found.sort((a, b) => a.startMs - b.startMs);
}

function readTimed(lines: string[]): Heard[] {
  const heard: Heard[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (!lines[at]!.includes('-->')) continue;
    const match = TIMES.exec(lines[at]!);
    if (!match)
      throw new SubtitleError(`Line ${at + 1}: the times are not right. Write them as 00:01:05,000 --> 00:01:08,500.`);
    const [startMs, endMs] = [moment(match.slice(1, 5)), moment(match.slice(5, 9))];
    if (endMs < startMs) throw new SubtitleError(`Line ${at + 1}: it ends before it begins.`);
    const words: string[] = [];
    while (at + 1 < lines.length && lines[at + 1]!.trim() !== '' && !lines[at + 1]!.includes('-->'))
      words.push(lines[++at]!);
    // The number of the next cue, if no empty line precedes it.
    if (at + 1 < lines.length && lines[at + 1]!.includes('-->') && /^\d+$/.test(words.at(-1)?.trim() ?? ''))
      words.pop();
    const voice = /^<v(?:\.[^ >]+)*\s+([^>]+)>/.exec(words[0] ?? '')?.[1]?.trim();
    const plain = words
      .map((line) =>
        line
          .replace(/<[^>]*>/g, '')
          .replace(/\{\\[^}]*\}/g, '')
          .trim(),
      )
      .filter((line) => line !== '')
      .join(' ');
    if (plain === '') continue;
    const { speaker, text } = voice !== undefined ? { speaker: voice, text: plain } : spoken(plain);
    heard.push({ startMs, endMs, speaker, text: unescaped(text) });
  }
  return heard;
}

function readPlain(lines: string[]): Heard[] {
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line, at) => ({ startMs: at * UNTIMED_MS, endMs: (at + 1) * UNTIMED_MS, ...spoken(line) }));
}

/** "Asha Rao: Good morning." */
function spoken(line: string): { speaker: string | null; text: string } {
  const match = /^[-–]?\s*(\p{Lu}[\p{L}\p{N} .'-]{0,39}):\s+(\S.*)$/u.exec(line);
  return match ? { speaker: match[1]!.trim(), text: match[2]! } : { speaker: null, text: line.replace(/^[-–]\s+/, '') };
}

function moment([hours, minutes, seconds, fraction]: string[]): number {
  return (
    ((Number(hours ?? 0) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 +
    Number((fraction ?? '0').padEnd(3, '0'))
  );
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&nbsp;', ' ').replaceAll('&amp;', '&');
}

/** SubRip, with the speaker before the words. */
export function writeSrt(segments: readonly Pick<Segment, 'startMs' | 'endMs' | 'speaker' | 'text'>[]): string {
  return segments
    .map(
      ({ startMs, endMs, speaker, text }, at) =>
        `${at + 1}\n${stamp(startMs)} --> ${stamp(endMs)}\n${speaker ? `${speaker}: ` : ''}${text.replace(/\n+/g, ' ').replaceAll('-->', '→')}\n`,
    )
    .join('\n');
}

function stamp(ms: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(ms / 3_600_000))}:${two(Math.floor(ms / 60_000) % 60)}:${two(Math.floor(ms / 1000) % 60)},${String(ms % 1000).padStart(3, '0')}`;
}
