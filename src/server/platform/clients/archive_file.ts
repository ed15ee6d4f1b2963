import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { appendFile, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { openBackup } from '../../db/backup_lines.ts';

const MARK = Buffer.from('MAINSTAY1');
const IV_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = MARK.length + IV_BYTES;

/** The key of archives, derived from one of the installation's keys. */
export function archiveKey(secret: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), 'client archive', 32));
}

/** Writes a backup compressed and encrypted (AES-256-GCM): completely, or not at all. */
export async function writeArchive(
  backup: Readable,
  path: string,
  key: Buffer,
): Promise<{ bytes: number; sha256: string }> {
  const draft = `${path}.part`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, iv);
    const out = createWriteStream(draft, { mode: 0o600, flush: true });
    out.write(Buffer.concat([MARK, iv]));
    await pipeline(backup, createGzip({ level: 6 }), cipher, out);
    await appendFile(draft, cipher.getAuthTag());
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk);
  return { bytes: (await stat(path)).size, sha256: hash.digest('hex') };
}

/** The backup in an archive. Reading it to the end verifies its integrity; otherwise reading throws. */
export async function readArchive(path: string, key: Buffer): Promise<Readable> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const head = Buffer.alloc(HEAD_BYTES);
    const tag = Buffer.alloc(TAG_BYTES);
    await file.read(head, 0, HEAD_BYTES, 0);
    await file.read(tag, 0, TAG_BYTES, Math.max(0, size - TAG_BYTES));
    if (size <= HEAD_BYTES + TAG_BYTES || !head.subarray(0, MARK.length).equals(MARK))
      throw new Error('This file is not an archive of a client.');
    const decipher = createDecipheriv('aes-256-gcm', key, head.subarray(MARK.length)).setAuthTag(tag);
    const out = new PassThrough();
    // An error anywhere in the pipeline is an error of the stream.
    pipeline(
      createReadStream(path, { start: HEAD_BYTES, end: size - TAG_BYTES - 1 }),
      decipher,
      createGunzip(),
      out,
    ).catch((error: Error) => out.destroy(error));
    return out;
  } finally {
    await file.close();
  }
}

/**
 * Reads an archive from beginning to end and returns its content summary. @throws Error if it is unreadable, truncated
 * or was changed
 */
export async function contentsOf(path: string, key: Buffer): Promise<{ rows: Record<string, number>; files: number }> {
  const { lines } = await openBackup(await readArchive(path, key));
  const rows: Record<string, number> = {};
  let files = 0;
  let table = '';
  for await (const line of lines) {
    if (typeof line.table === 'string') rows[(table = line.table)] = 0;
    else if (Array.isArray(line.rows)) rows[table] = (rows[table] ?? 0) + line.rows.length;
    else if (typeof line.file === 'string') files++;
  }
  return { rows, files };
}
