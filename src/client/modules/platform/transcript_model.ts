import type { TextLine } from '../../../domain/transcript/segment.ts';

export interface Corrections {
  /** Corrected text, by line. */
  text: Record<number, string>;
  /** Changed speakers, by line. */
  speaker: Record<number, string>;
}

export const NOTHING: Corrections = { text: {}, speaker: {} };

/** The line at a time of the recording; between lines the previous one. */
export function lineAt(lines: readonly TextLine[], ms: number): number | null {
  let found: number | null = null;
  for (const line of lines) {
    if (line.start_ms > ms) break;
    found = line.id;
  }
  return found;
}

/** The lines to send to the server: those whose text or speaker changed. */
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

/** Lines that contain every word. */
export function linesWith(lines: readonly TextLine[], search: string): TextLine[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return lines.filter(({ text, speaker }) =>
    words.every((word) => `${speaker ?? ''} ${text}`.toLowerCase().includes(word)),
  );
}
