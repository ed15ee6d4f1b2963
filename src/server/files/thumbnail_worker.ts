/** Makes pictures small; in a thread of its own, for a picture of a phone keeps a processor busy for seconds. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { inflateSync } from 'node:zlib';
import { createJimp } from '@jimp/core';
import jpeg from '@jimp/js-jpeg';
import png from '@jimp/js-png';
import { methods as resizing } from '@jimp/plugin-resize';
import decodeWebp, { init as initWebp } from '@jsquash/webp/decode.js';
import type { SmallPicture, ThumbnailTask } from './thumbnails.ts';

const Picture = createJimp({ formats: [jpeg, png], plugins: [resizing] });
/** A picture that stays too large in bytes becomes smaller still. */
const SIDES = [256, 192, 128, 96];
const QUALITY = 80;
/** The reader of JPEG counts what it takes and stops there. */
const JPEG_MEMORY_MB = 1_024;

let webp: Promise<void> | null = null;

/** The reader of WebP is WebAssembly and hands over what browsers call ImageData. */
async function readWebp(bytes: Buffer) {
  webp ??= (async () => {
    const code = await readFile(createRequire(import.meta.url).resolve('@jsquash/webp/codec/dec/webp_dec.wasm'));
    (globalThis as { ImageData?: unknown }).ImageData ??= class {
      readonly data: Uint8ClampedArray;
      readonly width: number;
      readonly height: number;
      constructor(data: Uint8ClampedArray, width: number, height: number) {
        this.data = data;
        this.width = width;
        this.height = height;
      }
    };
    await initWebp(await WebAssembly.compile(code));
  })();
  await webp;
  const { data, width, height } = await decodeWebp(new Uint8Array(bytes).buffer);
  return Picture.fromBitmap({ data: Buffer.from(data.buffer, data.byteOffset, data.byteLength), width, height });
}

/** The reader of PNG believes the last of several heads, and unpacks interlaced pictures without a limit: both end here. */
function refuseOverfull(bytes: Buffer, pixels: number): void {
  const parts: Buffer[] = [];
  for (let at = 8; at + 8 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const kind = bytes.toString('latin1', at + 4, at + 8);
    if (kind === 'IHDR' && at > 8) throw new Error('It has more than one head.');
    if (kind === 'IDAT') parts.push(bytes.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const interlaced = bytes[28] === 1;
  // At most 8 bytes a pixel, and one at the beginning of each row.
  if (interlaced) inflateSync(Buffer.concat(parts), { maxOutputLength: pixels * 9 + 64 });
}

async function small({ path, type, pixels, mostBytes }: ThumbnailTask): Promise<SmallPicture> {
  const bytes = await readFile(path);
  if (type === 'image/png') refuseOverfull(bytes, pixels);
  const picture =
    type === 'image/webp'
      ? await readWebp(bytes)
      : await Picture.fromBuffer(bytes, {
          'image/jpeg': { maxMemoryUsageInMB: JPEG_MEMORY_MB, maxResolutionInMP: Math.ceil(pixels / 1_000_000) },
        });
  const mime = picture.hasAlpha() ? 'image/png' : 'image/jpeg';
  for (const side of SIDES) {
    if (Math.max(picture.width, picture.height) > side) picture.scaleToFit({ w: side, h: side });
    const made =
      mime === 'image/png' ? await picture.getBuffer(mime) : await picture.getBuffer(mime, { quality: QUALITY });
    if (made.length <= mostBytes) return { type: mime, bytes: made };
  }
  throw new Error('It cannot be made small enough.');
}

parentPort?.on('message', ({ id, question }: { id: number; question: ThumbnailTask }) => {
  small(question).then(
    (answer) => parentPort?.postMessage({ id, answer }),
    (error: unknown) => parentPort?.postMessage({ id, error: error instanceof Error ? error.message : String(error) }),
  );
});
