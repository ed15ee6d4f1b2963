import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, notFound } from '../../db/errors.ts';
import type { Caller } from '../../db/tenant.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Queryable } from '../../db/database.ts';
import { clientSettings } from '../settings/client_settings.ts';
import { contentType } from './content_type.ts';

/** A stored file's row, as returned over HTTP. */
export interface StoredFile {
  id: number;
  name: string;
  size: number;
  type: string;
}

/** How a picture was taken, as the sender's device reported it. */
export interface Capture {
  camera: true;
  place?: { lat: number; lng: number };
}

/**
 * Files of tenants on disk, addressed by content: `<dataDir>/files/<schema>/<first two>/<sha256>`.
 * The uploaded name is only ever a label in the `file` table.
 */
export class FileStore {
  readonly #dataDir: string;
  readonly #maxBytes: number;

  /** @param maxBytes largest file accepted, in bytes; a client may set a lower limit. */
  constructor(dataDir: string, maxBytes: number) {
    this.#dataDir = dataDir;
    this.#maxBytes = maxBytes;
  }

  #path(schema: string, sha256: string): string {
    return join(this.#dataDir, 'files', schema, sha256.slice(0, 2), sha256);
  }

  /** A cache directory beside the files, which backups leave out. */
  #smallPath(schema: string, sha256: string): string {
    return join(this.#dataDir, 'files', schema, '.small', sha256);
  }

  /**
   * Writes the bytes durably, then the row, so that a row never refers to a missing file.
   * @param mediaBytes largest audio or video file accepted, if it may be larger than others
   * @param wanted the SHA-256 that the content must have; content that this person already sent for the field is stored
   * once
   * @throws AppError 413 too_large, 415 unsupported if the product does not accept the content; 422 if the content
   * differs from `wanted`
   */
  async save(
    caller: Caller,
    name: string,
    content: AsyncIterable<Buffer>,
    forField: string | null,
    {
      mediaBytes = 0,
      wanted,
      capture = null,
    }: { mediaBytes?: number; wanted?: string | undefined; capture?: Capture | null } = {},
  ): Promise<StoredFile> {
    const { upload_max_mb: max } = await clientSettings(caller.tenant, caller.entityId);
    const maxBytes = Math.min(this.#maxBytes, max * 1024 * 1024);
    const folder = join(this.#dataDir, 'files', caller.tenant.schema);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const draft = join(folder, `.${randomUUID()}`);
    const hash = createHash('sha256');
    let head = Buffer.alloc(0);
    let size = 0;
    const handle = await open(draft, 'w', 0o600);
    try {
      for await (const chunk of content) {
        size += chunk.length;
        if (head.length < 4096) head = Buffer.concat([head, chunk]);
        if (size > maxBytes) {
          const limit = /^(audio|video)\//.test((await contentType(head, name)) ?? '')
            ? Math.max(mediaBytes, maxBytes)
            : maxBytes;
          if (size > limit) throw new AppError(413, 'too_large', `At most ${Math.floor(limit / 1024 / 1024)} MB.`);
        }
        hash.update(chunk);
        await handle.writeFile(chunk);
      }
      // The multipart reader truncates a file at its own limit without an error.
      if ((content as { truncated?: boolean }).truncated)
        throw new AppError(413, 'too_large', `At most ${Math.floor(maxBytes / 1024 / 1024)} MB.`);
      if (size === 0) throw new AppError(422, 'invalid', 'The file is empty. Choose another one.');
      const type = await contentType(head, name);
      if (type === null)
        throw new AppError(
          415,
          'unsupported',
          'This kind of file is not accepted. Use a picture (PNG, JPEG, WebP, GIF), PDF, Office document, text, audio or video file.',
        );
      const sha256 = hash.digest('hex');
      if (wanted !== undefined && wanted !== sha256)
        throw new AppError(422, 'damaged', 'The file was damaged during the upload. Upload it again.');
      await handle.sync();
      const path = this.#path(caller.tenant.schema, sha256);
      await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
      await rename(draft, path);
      const label = cleanName(name);
      const { db } = caller.tenant;
      return await db.transaction(async (tx) => {
        if (wanted !== undefined) {
          // The second of two concurrent uploads finds the first.
          await tx.query(`select pg_advisory_xact_lock(hashtextextended($1, $2))`, [
            `${forField} ${sha256}`,
            caller.userId,
          ]);
          const known = await this.known(caller, forField ?? '', sha256, tx);
          if (known) return known;
        }
        const rows = await tx.query<{ id: number }>(
          `insert into "${caller.tenant.schema}"."file" (name, size, type, sha256, path, by, for_field, capture)
           values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
          [
            label,
            size,
            type,
            sha256,
            `${sha256.slice(0, 2)}/${sha256}`,
            caller.userId,
            forField,
            capture && JSON.stringify(capture),
          ],
        );
        return { id: rows[0]!.id, name: label, size, type };
      });
    } finally {
      await handle.close();
      await rm(draft, { force: true });
    }
  }

  /** The file with this content that this person has sent for a field; null = none. */
  async known(
    { tenant, userId }: Caller,
    forField: string,
    sha256: string,
    on: Queryable = tenant.db,
  ): Promise<StoredFile | null> {
    const [row] = await on.query<StoredFile>(
      `select id, name, size, type from "${tenant.schema}"."file" where sha256 = $1 and by = $2 and for_field = $3 order by id limit 1`,
      [sha256, userId, forField],
    );
    return row ?? null;
  }

  /**
   * Adopts a file that the product itself has created in its data directory, whatever its size and without copying it.
   * The row is written first: a row without a file can be found by the reference to its id, a file without a row
   * cannot. With `fileFirst` the file comes first, for content that can be recreated identically: then a row always has
   * its file.
   * @param keep stores its id, in the row's transaction
   * @returns its id
   */
  async take(
    tenant: Tenant,
    draft: string,
    { name, type, by, fileFirst = false }: { name: string; type: string; by: number | null; fileFirst?: boolean },
    keep: (tx: Queryable, id: number) => Promise<unknown>,
  ): Promise<number> {
    const hash = createHash('sha256');
    let size = 0;
    for await (const chunk of createReadStream(draft) as AsyncIterable<Buffer>) {
      size += chunk.length;
      hash.update(chunk);
    }
    const sha256 = hash.digest('hex');
    const path = this.#path(tenant.schema, sha256);
    await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
    if (fileFirst) await rename(draft, path);
    const number = await tenant.db.transaction(async (tx) => {
      const [row] = await tx.query<{ id: number }>(
        `insert into "${tenant.schema}"."file" (name, size, type, sha256, path, by) values ($1, $2, $3, $4, $5, $6) returning id`,
        [cleanName(name), size, type, sha256, `${sha256.slice(0, 2)}/${sha256}`, by],
      );
      await keep(tx, row!.id);
      return row!.id;
    });
    if (!fileFirst) await rename(draft, path);
    return number;
  }

  /**
   * The row and the bytes of a tenant's file; `small` is the path of its thumbnail, if it can have one. @throws
   * AppError 404
   */
  async open(
    tenant: Tenant,
    id: number,
  ): Promise<{
    file: StoredFile & { sha256: string };
    path: string;
    small: string;
    stream: (part?: { start: number; end: number }) => NodeJS.ReadableStream;
  }> {
    const rows = await tenant.db.query<StoredFile & { sha256: string }>(
      `select id, name, size, type, sha256 from "${tenant.schema}"."file" where id = $1`,
      [id],
    );
    const file = rows[0];
    if (file === undefined) throw notFound();
    const path = this.#path(tenant.schema, file.sha256);
    return {
      file,
      path,
      small: this.#smallPath(tenant.schema, file.sha256),
      stream: (part) => createReadStream(path, part),
    };
  }

  /** Deletes a file, and its bytes unless another row has the same. */
  async remove(tenant: Tenant, id: number): Promise<void> {
    const [gone] = await tenant.db.query<{ sha256: string; shared: boolean }>(
      `with gone as (delete from "${tenant.schema}"."file" where id = $1 returning sha256) select sha256, exists (select 1 from "${tenant.schema}"."file" f where f.sha256 = gone.sha256 and f.id <> $1) as shared from gone`,
      [id],
    );
    if (gone && !gone.shared)
      await Promise.all(
        [this.#path(tenant.schema, gone.sha256), this.#smallPath(tenant.schema, gone.sha256)].map((path) =>
          rm(path, { force: true }),
        ),
      );
  }
}

/** A name that is safe in a header and on a screen: no path, no control characters, at most 150 characters. */
function cleanName(name: string): string {
  const last = name.split(/[\\/]/).pop() ?? '';
  // oxlint-disable-next-line no-control-regex -- control characters are just what is taken out
  const clean = last.replace(/[\u0000-\u001f\u007f"<>|:*?]/g, '').trim();
  if (clean.length <= 150) return clean === '' ? 'file' : clean;
  const dot = clean.lastIndexOf('.');
  const extension = dot > 0 ? clean.slice(dot).slice(0, 10) : '';
  return clean.slice(0, 150 - extension.length) + extension;
}
