import { inflateSync } from 'node:zlib';

/** The body of a numbered object of a PDF, as latin1. */
function bodyOf(raw: string, id: string): string {
  const from = raw.indexOf(`\n${id} 0 obj`);
  return raw.slice(from, raw.indexOf('endobj', from));
}

/** The unpacked stream of an object; empty if it has none, or one that is not text. */
function streamOf(body: string): string {
  const from = body.indexOf('stream\n');
  if (from < 0) return '';
  const bytes = Buffer.from(body.slice(from + 'stream\n'.length, body.lastIndexOf('\nendstream')), 'latin1');
  try {
    return inflateSync(bytes).toString('latin1');
  } catch {
    return '';
  }
}

const letters = (hex: string): string =>
  String.fromCharCode(...(hex.match(/\w{4}/g) ?? []).map((unit) => Number.parseInt(unit, 16)));

/** The letters of a font's glyphs, by their code. */
function glyphsOf(map: string): Map<number, string> {
  const glyphs = new Map<number, string>();
  for (const [, first = '', list = ''] of map.matchAll(/<(\w{4})> <\w{4}> \[([^\]]*)\]/g))
    for (const [at, [, hex = '']] of [...list.matchAll(/<([\w ]+)>/g)].entries())
      glyphs.set(Number.parseInt(first, 16) + at, letters(hex));
  return glyphs;
}

/** The words of a PDF that the product made, in order, with one space between them. */
export function pdfText(bytes: Buffer): string {
  const raw = bytes.toString('latin1');
  const fonts = new Map<string, Map<number, string>>();
  for (const [, name = '', id = ''] of raw.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    const map = /\/ToUnicode (\d+) 0 R/.exec(bodyOf(raw, id))?.[1];
    if (map !== undefined) fonts.set(name, glyphsOf(streamOf(bodyOf(raw, map))));
  }
  const lines: string[] = [];
  for (const [, id = ''] of raw.matchAll(/\n(\d+) 0 obj/g)) {
    const stream = streamOf(bodyOf(raw, id));
    let glyphs = new Map<number, string>();
    for (const [, font, shown = ''] of stream.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
      if (font !== undefined) glyphs = fonts.get(font) ?? new Map<number, string>();
      else
        lines.push(
          [...shown.matchAll(/<(\w+)>/g)]
            .flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])
            .map((code) => glyphs.get(Number.parseInt(code, 16)) ?? '')
            .join(''),
        );
    }
  }
  return lines.join(' ').replaceAll(/\s+/g, ' ').trim();
}
