import type { TextLine } from '../../../domain/transcript/segment.ts';

export interface Corrections {
  /** Words that were changed, by line. */
  text: Record<number, string>;
  /** Speakers that were changed, by line. */
  speaker: Record<number, string>;
}

export const NOTHING: Corrections = { text: {}, speaker: {} };

/** The line that is heard at this moment; between lines the one before. */
export function lineAt(lines: readonly TextLine[], ms: number): number | null {
  let found: number | null = null;
  for (const line of lines) {
    if (line.start_ms > ms) break;
    found = line.id;
  }
  return found;
}

/** What is sent to the server: lines whose words or speaker differ. */
export function changedLines(
  lines: readonly TextLine[],
  { text, speaker }: Corrections,
): { id: number; text?: string; speaker?: string | null }[] {
  return lines.flatMap((line) => {
    const words = text[line.id]?.replace(/\s+/g, ' ').trim();
    const name = speaker[line.id]?.trim();
    const change = {
      ...(words !== undefined && words !== '' && words !== line.text && { text: words }),
      ...(name !== undefined && name !== (line.speaker ?? '') && { speaker: name === '' ? null : name }),
    };
    return Object.keys(change).length > 0 ? [{ id: line.id, ...change }] : [];
  });
}

/** Lines that hold every word. */
export function linesWith(lines: readonly TextLine[], search: string): TextLine[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return lines.filter(({ text, speaker }) =>
    words.every((word) => `${speaker ?? ''} ${text}`.toLowerCase().includes(word)),
  );
}
