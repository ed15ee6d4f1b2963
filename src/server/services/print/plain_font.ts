import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';

const HEAD = 44;
const ENTRY = 20;

/**
 * Unpacks a font from WOFF 1.0 (W3C, WOFF File Format 1.0): once, rather than for every document. @throws Error for
 * another format
 */
export function plainFont(path: string): Buffer {
  const packed = readFileSync(path);
  if (packed.toString('latin1', 0, 4) !== 'wOFF') throw new Error(`${path} is no font in WOFF 1.0.`);
  const flavour = packed.readUInt32BE(4);
  const count = packed.readUInt16BE(12);
  const power = Math.floor(Math.log2(count));
  const head = Buffer.alloc(12 + 16 * count);
  head.writeUInt32BE(flavour, 0);
  head.writeUInt16BE(count, 4);
  head.writeUInt16BE(16 * 2 ** power, 6);
  head.writeUInt16BE(power, 8);
  head.writeUInt16BE(16 * count - 16 * 2 ** power, 10);
  const parts: Buffer[] = [head];
  let at = head.length;
  for (let table = 0; table < count; table++) {
    const entry = HEAD + ENTRY * table;
    const [from, length, whole] = [4, 8, 12].map((place) => packed.readUInt32BE(entry + place)) as [
      number,
      number,
      number,
    ];
    const data = packed.subarray(from, from + length);
    const plain = length < whole ? inflateSync(data) : data;
    packed.copy(head, 12 + 16 * table, entry, entry + 4);
    packed.copy(head, 12 + 16 * table + 4, entry + 16, entry + 20);
    head.writeUInt32BE(at, 12 + 16 * table + 8);
    head.writeUInt32BE(whole, 12 + 16 * table + 12);
    // Tables are aligned to four bytes.
    const padding = Buffer.alloc((4 - (whole % 4)) % 4);
    parts.push(plain, padding);
    at += whole + padding.length;
  }
  return Buffer.concat(parts);
}
