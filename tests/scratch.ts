import { chmodSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** In memory, if there is plenty: databases of tests make ten thousands of files, each ten times as dear on a disk. */
const MEMORY = '/dev/shm';
const PLENTY = 8 * 2 ** 30;

function hasPlenty(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= PLENTY;
  } catch {
    return false;
  }
}

/** A fresh directory for what a run of tests leaves, open to the database's user; its maker removes it. */
export function scratchDirectory(name: string): string {
  const path = mkdtempSync(join(hasPlenty() ? MEMORY : tmpdir(), `${name}-`));
  chmodSync(path, 0o755);
  return path;
}
