import { createRequire } from 'node:module';

/** Characters by font; the names are those of the font packages. */
const SUBSETS: [string, RegExp][] = [
  [
    'latin',
    /[\t\n\r\u0020-\u007e\u00a0-\u00ff\u0131\u0152\u0153\u02bb\u02bc\u02c6\u02da\u02dc\u2000-\u200b\u2010-\u206f\u20ac\u2122\u2191\u2193\u2212\u2215]/,
  ],
  [
    'latin-ext',
    /[\u0100-\u0130\u0132-\u0151\u0154-\u02ba\u02bd-\u02c5\u02c7-\u02cc\u1e00-\u1eff\u20a0-\u20ab\u20ad-\u20c0\u2113]/,
  ],
  ['greek', /[\u0370-\u03ff]/],
  ['cyrillic', /[\u0400-\u045f\u0490\u0491\u04b0\u04b1\u2116]/],
  ['devanagari', /[\u0900-\u0963\u0966-\u097f\ua8e0-\ua8ff\u1cd0-\u1cff]/],
  ['bengali', /[\u0980-\u09ff]/],
  ['gujarati', /[\u0a80-\u0aff]/],
  ['tamil', /[\u0b80-\u0bff]/],
  ['telugu', /[\u0c00-\u0c7f]/],
  ['kannada', /[\u0c80-\u0cff]/],
  ['malayalam', /[\u0d00-\u0d7f]/],
];

/** Subsets of Noto Sans itself; the others are separate fonts. */
const OF_NOTO_SANS = new Set(['latin', 'latin-ext', 'greek', 'cyrillic', 'devanagari']);

/** Joiners, and sentence marks shared by several scripts: written in the font of the preceding text. */
const SHARED = new Set(['\u200c', '\u200d', '\u0964', '\u0965']);

const require = createRequire(import.meta.url);

/** A text that one font can render. */
export interface FontRun {
  font: string;
  text: string;
}

/** A text split by font; an unsupported character is shown as the empty box of the first font. */
export function fontRuns(text: string): FontRun[] {
  const runs: FontRun[] = [];
  for (const letter of text) {
    const before = runs.at(-1);
    const own = SUBSETS.find(([, letters]) => letters.test(letter))?.[0];
    const isShared = SHARED.has(letter) || (letter === ' ' && before !== undefined);
    const font = isShared ? (before?.font ?? (letter === ' ' ? 'latin' : 'devanagari')) : (own ?? 'latin');
    if (before?.font === font) before.text += letter;
    else runs.push({ font, text: letter });
  }
  return runs;
}

/** Whether every character of a text is supported. */
export const canBeWritten = (text: string): boolean =>
  [...text].every((letter) => SHARED.has(letter) || SUBSETS.some(([, letters]) => letters.test(letter)));

function fileOf(subset: string, weight: 400 | 700): string {
  const family = OF_NOTO_SANS.has(subset) ? 'noto-sans' : `noto-sans-${subset}`;
  return require.resolve(`@fontsource/${family}/files/${family}-${subset}-${weight}-normal.woff`);
}

/** All fonts in the form the layout engine expects; there are no italics. */
export const printFonts: Readonly<Record<string, Record<string, string>>> = Object.fromEntries(
  SUBSETS.map(([subset]) => {
    const [normal, bold] = [fileOf(subset, 400), fileOf(subset, 700)];
    return [subset, { normal, bold, italics: normal, bolditalics: bold }];
  }),
);

interface MarkPositions {
  applyAnchor(mark: { markAnchor: object | null }, base: object | null, at: number): void;
}
const mended = new WeakSet<MarkPositions>();

/**
 * Fonts may omit anchors of combining marks, which then keep their position; the PDF shaping library treats that as an
 * error (fontkit issue 367, open in 2.0.4). Patches a font in use.
 */
export function allowMarksWithoutAnchor(provided: unknown): void {
  const { font } = provided as { font?: { _layoutEngine?: { engine?: { GPOSProcessor?: MarkPositions | null } } } };
  const positions = font?._layoutEngine?.engine?.GPOSProcessor;
  if (!positions || mended.has(positions)) return;
  mended.add(positions);
  const apply = positions.applyAnchor.bind(positions);
  positions.applyAnchor = (mark, base, at) => {
    if (base !== null && mark.markAnchor !== null) apply(mark, base, at);
  };
}
