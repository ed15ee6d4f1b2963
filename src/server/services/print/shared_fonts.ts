import { createRequire } from 'node:module';
import { allowMarksWithoutAnchor } from './print_fonts.ts';

/** The shape of a word in a font; `advanceWidth` in font units. */
interface Shape {
  glyphs: { id: number; advanceWidth: number; codePoints: number[] }[];
  positions: Record<string, number>[];
  advanceWidth: number;
}
/** A font of the PDF shaping library. Its tables never change; its caches of glyphs and scripts do. */
interface Font {
  _glyphs: object;
  readonly _cmapProcessor: object;
  layout(text: string, ...more: unknown[]): Shape;
}
interface Fontkit {
  create(bytes: Uint8Array): Font;
  registerFormat(format: { probe(bytes: Uint8Array): boolean; new (stream: { buffer: Uint8Array }): Font }): void;
}

// The layout engine's own copy: another one would not know the format.
const ofLayout = createRequire(createRequire(import.meta.url).resolve('pdfmake/js/PDFDocument.js'));
const fontkit = createRequire(ofLayout.resolve('pdfkit'))('fontkit') as Fontkit;

const SIGN = 'kept font ';
/** The number of cached word shapes, in all fonts together. */
const MAX_SHAPES = 20_000;

/** Fonts by index, each read on first use. */
const fonts: (() => Font)[] = [];
const shapes = new Map<string, Shape>();

/** A font that shares the tables of another, with empty caches. */
function unused(font: Font): Font {
  const fresh = Object.create(font) as Font;
  fresh._glyphs = {};
  return fresh;
}

/** The shape of a word in a font: the same whatever was written before. */
export function shapeOf(at: number, text: string): Shape {
  const key = `${at} ${text}`;
  const known = shapes.get(key);
  if (known) return known;
  const font = unused(fonts[at]!());
  allowMarksWithoutAnchor({ font });
  const { glyphs, positions, advanceWidth } = font.layout(text);
  const shape = {
    glyphs: glyphs.map((glyph) => ({
      id: glyph.id,
      advanceWidth: glyph.advanceWidth,
      codePoints: glyph.codePoints,
    })),
    positions: positions.map((position) => ({ ...position })),
    advanceWidth,
  };
  if (shapes.size >= MAX_SHAPES) shapes.clear();
  shapes.set(key, shape);
  return shape;
}

fontkit.registerFormat(
  class {
    static probe = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1', 0, SIGN.length) === SIGN;

    constructor({ buffer }: { buffer: Uint8Array }) {
      const at = Number(Buffer.from(buffer).toString('latin1', SIGN.length));
      const font = unused(fonts[at]!());
      font.layout = (text) => {
        const { glyphs, positions, advanceWidth } = shapeOf(at, text);
        // The document scales positions in place.
        return { glyphs, positions: positions.map((position) => ({ ...position })), advanceWidth };
      };
      return font;
    }
  } as unknown as Parameters<Fontkit['registerFormat']>[0],
);

/**
 * Registers a font, so that its tables are read once and not for each document; unused ones are never read.
 * @returns the placeholder for its bytes in a document
 */
export function keptFont(read: () => Buffer): Buffer {
  let kept: Font | undefined;
  fonts.push(() => {
    if (kept) return kept;
    kept = fontkit.create(read());
    // Read once, and inherited by all fonts that share it.
    void kept._cmapProcessor;
    return kept;
  });
  return Buffer.from(`${SIGN}${fonts.length - 1}`);
}
