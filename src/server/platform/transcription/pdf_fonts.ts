import { createRequire } from 'node:module';

/** What the built-in fonts of PDF can write: Windows-1252. */
const LATIN =
  /[\t\n\r\u0020-\u007e\u00a0-\u00ff\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013\u2014\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122]/;

/** Letters of India, each with a font of its own; the names are those of the font packages. */
const SCRIPTS: [string, RegExp][] = [
  ['devanagari', /[\u0900-\u0963\u0966-\u097f\ua8e0-\ua8ff\u1cd0-\u1cff]/],
  ['bengali', /[\u0980-\u09ff]/],
  ['gujarati', /[\u0a80-\u0aff]/],
  ['tamil', /[\u0b80-\u0bff]/],
  ['telugu', /[\u0c00-\u0c7f]/],
  ['kannada', /[\u0c80-\u0cff]/],
  ['malayalam', /[\u0d00-\u0d7f]/],
];

/** Joiners, and the end of a sentence that several scripts share: in the font of what stands before, as spaces are. */
const SHARED = new Set(['\u200c', '\u200d', '\u0964', '\u0965']);

const require = createRequire(import.meta.url);

/** Text that one font can write. `script` null = Latin. */
export interface FontRun {
  script: string | null;
  text: string;
}

/** A text by the fonts it needs; null when there is a letter that none can write. */
export function fontRuns(text: string): FontRun[] | null {
  const runs: FontRun[] = [];
  for (const letter of text) {
    const before = runs.at(-1);
    const own = SCRIPTS.find(([, letters]) => letters.test(letter))?.[0];
    const shared =
      letter === ' ' ? (before?.script ?? null) : SHARED.has(letter) ? (before?.script ?? 'devanagari') : undefined;
    const script = own ?? (shared !== undefined ? shared : LATIN.test(letter) ? null : undefined);
    if (script === undefined) return null;
    if (before && before.script === script) before.text += letter;
    else runs.push({ script, text: letter });
  }
  return runs;
}

/** A font by its name in PDF, or the file of one that PDF has not. */
export function fontOf(script: string | null, bold: boolean): string {
  if (script === null) return bold ? 'Helvetica-Bold' : 'Helvetica';
  return require.resolve(
    `@fontsource/noto-sans-${script}/files/noto-sans-${script}-${script}-${bold ? 700 : 400}-normal.woff`,
  );
}

interface MarkPositions {
  applyAnchor(mark: { markAnchor: object | null }, base: object | null, at: number): void;
}
const mended = new WeakSet<MarkPositions>();

/**
 * Fonts may leave out where a mark goes on a letter, which then stays where it is; the library that shapes text for
 * PDF takes that for a fault (fontkit issue 367, open in 2.0.4). Mends the font that a document writes in now.
 */
export function allowMarksWithoutAnchor(document: object): void {
  const { _font: font } = document as {
    _font?: { font?: { _layoutEngine?: { engine?: { GPOSProcessor?: MarkPositions | null } } } };
  };
  const positions = font?.font?._layoutEngine?.engine?.GPOSProcessor;
  if (!positions || mended.has(positions)) return;
  mended.add(positions);
  const apply = positions.applyAnchor.bind(positions);
  positions.applyAnchor = (mark, base, at) => {
    if (base !== null && mark.markAnchor !== null) apply(mark, base, at);
  };
}
