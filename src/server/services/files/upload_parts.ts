import { formatNumber } from '../../../descriptor/format.ts';
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, mkdir, open, readFile, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Caller } from '../../db/tenant.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { Capture } from './store.ts';

/** The maximum size of one call, in bytes. */
export const PART_BYTES = 8 * 1024 * 1024;
/** The maximum number of concurrent uploads of one person. */
const MAX_OPEN = 5;
/** The age at which an abandoned upload is deleted. */
const KEPT_MS = 2 * 24 * 3_600_000;

export interface Upload {
  id: string;
  name: string;
  size: number;
  /** `<type>.<field>` for which it is. */
  target: string;
  userId: number;
  /** The hash of the whole content, if the sender has given it. */
  sha256?: string;
  capture?: Capture;
}

/**
 * Uploads of large files, part by part: received parts are kept, so that an interrupted upload can be resumed. Stored
 * below the tenant's files: `<dataDir>/files/<schema>/.parts/<id>` with a description beside it.
 */
export class UploadParts {
  readonly #dataDir: string;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  #folder(caller: Caller): string {
    return join(this.#dataDir, 'files', caller.tenant.schema, '.parts');
  }

  /**
   * Starts an upload, or resumes the person's own with the same content hash: a client that gives the hash does not
   * need to remember an id. @throws AppError 429 if this person has too many uploads
   */
  async begin(
    caller: Caller,
    { name, size, target, sha256, capture }: Omit<Upload, 'id' | 'userId'>,
  ): Promise<{ upload: Upload; offset: number }> {
    const folder = this.#folder(caller);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const id = sha256 === undefined ? randomUUID() : numberOf(`${caller.userId} ${target} ${size} ${sha256}`);
    const begun = sha256 === undefined ? null : await this.find(caller, id).catch(() => null);
    if (begun) return begun;
    await this.#sweep(caller, folder);
    const upload: Upload = {
      id,
      name,
      size,
      target,
      userId: caller.userId,
      ...(sha256 !== undefined && { sha256 }),
      ...(capture && { capture }),
    };
    await writeFile(join(folder, upload.id), '', { mode: 0o600 });
    await writeFile(join(folder, `${upload.id}.json`), JSON.stringify(upload), { mode: 0o600 });
    return { upload, offset: 0 };
  }

  /** The person's own upload, and the number of bytes received. @throws AppError 404 */
  async find(caller: Caller, id: string): Promise<{ upload: Upload; offset: number }> {
    if (!/^[0-9a-f-]{36}$/.test(id)) throw notFound();
    const path = join(this.#folder(caller), id);
    try {
      const upload = JSON.parse(await readFile(`${path}.json`, 'utf8')) as Upload;
      if (upload.userId !== caller.userId) throw notFound();
      return { upload, offset: (await stat(path)).size };
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw new AppError(404, 'not_found', 'This upload has expired. Start again.');
    }
  }

  /** Adds a part at `offset`. An interrupted part leaves nothing behind. @returns the number of bytes received */
  async add(caller: Caller, id: string, offset: number, content: AsyncIterable<Buffer>): Promise<number> {
    const { upload, offset: there } = await this.find(caller, id);
    if (offset !== there)
      throw new AppError(409, 'bad_state', 'The parts are not consecutive. Continue at the given offset.', {
        extra: { offset: there },
      });
    const path = join(this.#folder(caller), id);
    let size = there;
    try {
      for await (const chunk of content) {
        size += chunk.length;
        if (size > upload.size || size - there > PART_BYTES)
          throw new AppError(
            413,
            'too_large',
            `A part has at most ${PART_BYTES / 1024 / 1024} MB, and all of them ${formatNumber(upload.size)} bytes.`,
          );
        await appendFile(path, chunk);
      }
      const handle = await open(path, 'r+');
      await handle.sync();
      await handle.close();
      return size;
    } catch (error) {
      await truncate(path, there).catch(() => undefined);
      throw error;
    }
  }

  /** The whole content of an upload. */
  content(caller: Caller, id: string): AsyncIterable<Buffer> {
    return createReadStream(join(this.#folder(caller), id));
  }

  async remove(caller: Caller, id: string): Promise<void> {
    const path = join(this.#folder(caller), id);
    await Promise.all([rm(path, { force: true }), rm(`${path}.json`, { force: true })]);
  }

  async #sweep(caller: Caller, folder: string): Promise<void> {
    let own = 0;
    for (const file of await readdir(folder)) {
      if (!file.endsWith('.json')) continue;
      const id = file.slice(0, -'.json'.length);
      const touched = await stat(join(folder, id)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      );
      if (Date.now() - touched > KEPT_MS) await this.remove(caller, id);
      else if (
        (JSON.parse(await readFile(join(folder, file), 'utf8').catch(() => '{}')) as Partial<Upload>).userId ===
        caller.userId
      )
        own++;
    }
    if (own >= MAX_OPEN)
      throw new AppError(
        429,
        'too_many',
        `You have ${MAX_OPEN} large uploads in progress. Finish or stop one of them first.`,
      );
  }
}

/** The id of the upload of a content: the same for the same content. */
function numberOf(content: string): string {
  const hex = createHash('sha256').update(content).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}
