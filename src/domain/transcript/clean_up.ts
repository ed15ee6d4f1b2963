import type { Heard, Segment } from './segment.ts';

/** Above this probability of silence, and below this mean log-probability, the text is a hallucination. */
const SILENT = 0.6;
const UNSURE = -1.0;
/** From this many equal neighbours on, it is an engine's repetition; people do say the same thing twice. */
const LOOP = 3;
/** Below it a line is marked for review. */
const LOW = 0.5;

export interface CleanUp {
  segments: Segment[];
  /** Omitted lines: words in silence, and repetitions. */
  removed: number;
}

/**
 * The engine's text without hallucinations (platform_admin.md §5.9): a line is omitted if no-speech probability > 0.6
 * and mean log-probability < −1.0; three or more equal neighbours are merged into the first, which is marked. The
 * confidence of a line is e to its mean log-probability.
 */
export function cleanUp(heard: readonly Heard[]): CleanUp {
  const spoken = heard
    .map((line) => ({ ...line, text: line.text.replace(/\s+/g, ' ').trim() }))
    .filter(({ text, noSpeech, meanLog }) => text !== '' && !((noSpeech ?? 0) > SILENT && (meanLog ?? 0) < UNSURE));
  const segments: Segment[] = [];
  for (let at = 0; at < spoken.length;) {
    const first = spoken[at]!;
    let after = at + 1;
    while (after < spoken.length && same(spoken[after]!, first)) after++;
    const loop = after - at >= LOOP;
    for (const line of loop ? [first] : spoken.slice(at, after)) {
      const confidence =
        typeof line.meanLog === 'number' ? Math.round(Math.min(1, Math.exp(line.meanLog)) * 100) / 100 : null;
      segments.push({
        startMs: line.startMs,
        endMs: loop ? spoken[after - 1]!.endMs : line.endMs,
        speaker: line.speaker ?? null,
        text: loop ? `${line.text} (repeated ${after - at})` : line.text,
        confidence,
        flag: loop ? 'repeated' : confidence !== null && confidence < LOW ? 'low' : 'none',
      });
    }
    at = after;
  }
  return { segments, removed: heard.length - segments.length };
}

function same(a: Heard, b: Heard): boolean {
  return a.text.toLowerCase() === b.text.toLowerCase() && (a.speaker ?? null) === (b.speaker ?? null);
}

/** Seconds of speech; overlapping lines count once. */
export function speechSeconds(segments: readonly Pick<Segment, 'startMs' | 'endMs'>[]): number {
  let until = 0;
  let total = 0;
  for (const { startMs, endMs } of [...segments].sort((a, b) => a.startMs - b.startMs)) {
    total += Math.max(0, endMs - Math.max(startMs, until));
    until = Math.max(until, endMs);
  }
  return Math.round(total / 1000);
}
