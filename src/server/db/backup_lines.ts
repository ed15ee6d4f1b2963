import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { BackupEnd, BackupHeader } from './backup.ts';
import { isSigned } from './backup_key.ts';

type Line = Record<string, unknown>;

/**
 * Opens a backup: its header, and its lines up to the end mark, which is verified. `isSigned` is known after the last
 * line: whether it was written with the key.
 * @throws Error if it is not a backup; while reading, if it is truncated or was changed
 */
export async function openBackup(
  archive: Readable,
  key?: Buffer,
): Promise<{ header: BackupHeader; lines: AsyncGenerator<Line>; isSigned: () => boolean }> {
  const hash = createHash('sha256');
  let signed = false;
  const texts = textLines(archive);
  const next = async (): Promise<Line | null> => {
    const { value, done } = await texts.next();
    if (done) return null;
    const parsed = JSON.parse(value) as Line;
    if (parsed.end !== true) hash.update(`${value}\n`);
    return parsed;
  };
  const header = (await next()) as unknown as BackupHeader | null;
  if (header?.mainstay !== 'backup' || header.format !== 1)
    throw new Error('This file is not a backup that this release can read.');
  async function* lines(): AsyncGenerator<Line> {
    let files = 0;
    for (;;) {
      const line = await next();
      if (line === null) throw new Error('The backup is incomplete: its end is missing.');
      if (line.end === true) {
        const end = line as unknown as BackupEnd;
        const sha256 = hash.digest('hex');
        signed = key !== undefined && isSigned(sha256, end.signature, key);
        if (end.sha256 !== sha256 || end.files !== files)
          throw new Error('The backup is damaged: its contents do not match its check sum.');
        return;
      }
      if (typeof line.file === 'string') files++;
      yield line;
    }
  }
  return { header, lines: lines(), isSigned: () => signed };
}

/** Lines of a stream. Unlike `readline`, a fault of the stream is a fault here. */
async function* textLines(archive: Readable): AsyncGenerator<string> {
  let waiting: Buffer[] = [];
  for await (const piece of archive as AsyncIterable<Buffer | string>) {
    const chunk = typeof piece === 'string' ? Buffer.from(piece) : piece;
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      waiting.push(chunk.subarray(from, end));
      yield Buffer.concat(waiting).toString('utf8');
      waiting = [];
      from = end + 1;
    }
    if (from < chunk.length) waiting.push(chunk.subarray(from));
  }
  if (waiting.length > 0) yield Buffer.concat(waiting).toString('utf8');
}
