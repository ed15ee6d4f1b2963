import { formatNumber } from '../../../descriptor/format.ts';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Tenant } from '../../db/tenant.ts';
import { AppError } from '../../db/errors.ts';
import { contentType } from './content_type.ts';
import type { SmallPicture } from './pictures.ts';
import { MAX_MEGAPIXELS, pictureSize, smallPicture } from './pictures.ts';
import type { FileStore } from './store.ts';

/** Thumbnails, at most 256 pixels per side; created on first use, stored beside the file. */
export interface Thumbnails {
  /** @throws AppError 422 for a picture with too many pixels, before it is stored in a record */
  accept(tenant: Tenant, id: number): Promise<void>;
  /**
   * The thumbnail, or the picture itself if it is small. Null: it is used unchanged (an animated one).
   * @throws AppError 404, 415 if it is not a picture, 422 if it cannot be reduced
   */
  of(tenant: Tenant, id: number): Promise<SmallPicture | null>;
}

/** 64 kB in base64, because it is part of the sign-in response. */
const MAX_SMALL_BYTES = 48 * 1024;
const SIDE = 256;
/** Pictures that cannot be reduced; they are not tried repeatedly. */
const REMEMBERED = 1_000;

const BROKEN = 'This picture cannot be read. Save it again as PNG, JPEG or WebP and upload that.';
const SLOW = 'This picture takes too long to process. Reduce its size and upload it again.';

const tooMany = (pixels: number) =>
  `This picture has ${formatNumber(Math.ceil(pixels / 1_000_000))} megapixels; at most ${MAX_MEGAPIXELS} can be shown. Reduce its size and upload it again.`;

export function createThumbnails(files: FileStore): Thumbnails {
  const making = new Map<string, Promise<SmallPicture>>();
  const refused = new Map<string, string>();
  // One picture at a time: decoding a large one takes hundreds of megabytes.
  let turn: Promise<unknown> = Promise.resolve();

  async function make(key: string, path: string, small: string): Promise<SmallPicture> {
    const made = await smallPicture(path, MAX_SMALL_BYTES).catch((error: unknown) => {
      throw refuse(key, /timeout/i.test(String(error)) ? SLOW : BROKEN);
    });
    const draft = `${small}.${randomUUID()}`;
    await mkdir(dirname(small), { recursive: true, mode: 0o700 });
    await writeFile(draft, made.bytes, { mode: 0o600 });
    await rename(draft, small);
    return made;
  }

  /** Validates a picture without storing a thumbnail. @throws AppError 422 */
  function begin(key: string, path: string, small: string): Promise<SmallPicture> {
    const known = making.get(key);
    if (known) return known;
    const made = turn.then(() => make(key, path, small));
    making.set(key, made);
    turn = made.catch(() => undefined).then(() => making.delete(key));
    return made;
  }

  function refuse(key: string, message: string): AppError {
    for (const oldest of refused.keys()) {
      if (refused.size < REMEMBERED) break;
      refused.delete(oldest);
    }
    refused.set(key, message);
    return new AppError(422, 'invalid', message);
  }

  return {
    async accept(tenant, id) {
      const { path } = await files.open(tenant, id);
      const size = await pictureSize(path);
      const pixels = size ? size.width * size.height : 0;
      if (pixels > MAX_MEGAPIXELS * 1_000_000) throw new AppError(422, 'invalid', tooMany(pixels));
    },
    async of(tenant, id) {
      const { file, path, small } = await files.open(tenant, id);
      if (!file.type.startsWith('image/'))
        throw new AppError(415, 'unsupported', 'This file is not a picture; open it as it is.');
      const key = `${tenant.schema} ${file.sha256}`;
      const message = refused.get(key);
      if (message !== undefined) throw new AppError(422, 'invalid', message);
      const kept = await readFile(small).catch(() => null);
      if (kept) return { type: (await contentType(kept, '')) ?? file.type, bytes: kept };
      const size = await pictureSize(path);
      if (!size) throw refuse(key, BROKEN);
      const pixels = size.width * size.height;
      if (pixels > MAX_MEGAPIXELS * 1_000_000) throw refuse(key, tooMany(pixels));
      if (file.type === 'image/gif' && file.size > MAX_SMALL_BYTES) return null;
      if (file.type === 'image/gif' || (file.size <= MAX_SMALL_BYTES && Math.max(size.width, size.height) <= SIDE))
        return { type: file.type, bytes: await readFile(path) };
      return begin(key, path, small);
    },
  };
}
