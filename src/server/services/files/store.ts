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

/** A stored file's row, as the interface answers it. */
export interface StoredFile {
  id: number;
  name: string;
  size: number;
  type: string;
}

/**
 * Files of tenants on disk, addressed by content: `<dataDir>/files/<schema>/<first two>/<sha256>`.
 * The uploaded name is only ever a label in the `file` table.
 */
export class FileStore {
  readonly #dataDir: string;
  readonly #maxBytes: number;

  /** @param maxBytes largest file accepted, in bytes; a client may want them smaller. */
  constructor(dataDir: string, maxBytes: number) {
    this.#dataDir = dataDir;
    this.#maxBytes = maxBytes;
  }

  #path(schema: string, sha256: string): string {
    return join(this.#dataDir, 'files', schema, sha256.slice(0, 2), sha256);
  }

  /** Beside the files, below a name that backups leave out: what can be made again. */
  #smallPath(schema: string, sha256: string): string {
    return join(this.#dataDir, 'files', schema, '.small', sha256);
  }

  /**
   * Writes the bytes durably, then the row: a row never points at a file that is not there.
   * @param mediaBytes largest audio or video file accepted, where it may be larger than others
   * @param wanted the SHA-256 that the content must have; what this person has sent for the field before is kept once
   * @throws AppError 413 too_large, 415 unsupported when the content is not what the product accepts; 422 for other content than `wanted`
   */
  async save(
    caller: Caller,
    name: string,
    content: AsyncIterable<Buffer>,
    forField: string | null,
    { mediaBytes = 0, wanted }: { mediaBytes?: number; wanted?: string | undefined } = {},
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
      // The multipart reader cuts a file at its own limit without an error.
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
        throw new AppError(422, 'damaged', 'The file has not arrived as it was sent. Send it again.');
      await handle.sync();
      const path = this.#path(caller.tenant.schema, sha256);
      await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
      await rename(draft, path);
      const label = cleanName(name);
      const { db } = caller.tenant;
      return await db.transaction(async (tx) => {
        if (wanted !== undefined) {
          // Of two that arrive at once the second finds the first.
          await tx.query(`select pg_advisory_xact_lock(hashtextextended($1, $2))`, [
            `${forField} ${sha256}`,
            caller.userId,
          ]);
          const known = await this.known(caller, forField ?? '', sha256, tx);
          if (known) return known;
        }
        const rows = await tx.query<{ id: number }>(
          `insert into "${caller.tenant.schema}"."file" (name, size, type, sha256, path, by, for_field)
           values ($1, $2, $3, $4, $5, $6, $7) returning id`,
          [label, size, type, sha256, `${sha256.slice(0, 2)}/${sha256}`, caller.userId, forField],
        );
        return { id: rows[0]!.id, name: label, size, type };
      });
    } finally {
      await handle.close();
      await rm(draft, { force: true });
    }
  }

  /** What this person has sent for a field with this content; null = nothing. */
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
   * Takes in a file that the product itself has made beside its files, whatever its size and without copying it. The row
   * comes first: one without its file is found by who keeps its number, a file without a row by nobody. With `fileFirst` the
   * file does, for what is made of the same content again with the same bytes: a row always has its file.
   * @param keep keeps its number, in the row's transaction
   * @returns its number
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

  /** The row and the bytes of a file of a tenant; `small` is where its thumbnail is kept, if it has one. @throws AppError 404 */
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

  /** Forgets a file, and its bytes unless another row has the same. */
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

/** A label that is safe in a header and on a screen: no path, no control characters, at most 150 characters. */
function cleanName(name: string): string {
  const last = name.split(/[\\/]/).pop() ?? '';
  // oxlint-disable-next-line no-control-regex -- control characters are just what is taken out
  const clean = last.replace(/[\u0000-\u001f\u007f"<>|:*?]/g, '').trim();
  if (clean.length <= 150) return clean === '' ? 'file' : clean;
  const dot = clean.lastIndexOf('.');
  const extension = dot > 0 ? clean.slice(dot).slice(0, 10) : '';
  return clean.slice(0, 150 - extension.length) + extension;
}
