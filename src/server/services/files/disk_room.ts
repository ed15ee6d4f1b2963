import { statfs } from 'node:fs/promises';
import { AppError } from '../../db/errors.ts';

/** How long a write that found no room counts, unless the disk of the files says otherwise before. */
const REMEMBERED_MS = 10_000;
/** The disk is asked again after this. */
const FRESH_MS = 2_000;

/** PostgreSQL’s and the system’s words for: there is no room left. */
const FULL = new Set(['53100', 'ENOSPC', 'EDQUOT']);

/** Whether an error says that a disk is full. */
export function isDiskFull(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) {
    if (FULL.has((one as NodeJS.ErrnoException).code ?? '')) return true;
    // The database server could not be reached because it could not write: it says so in its first words.
    if (/No space left on device/.test(one.message)) return true;
  }
  return false;
}

/** What a call is answered that cannot be stored for want of room. */
export function diskFull(): AppError {
  return new AppError(
    503,
    'disk_full',
    "The server's disk is full. Nothing was saved. Ask the operator to free disk space, and try again later.",
    { extra: { retry_after_s: 30 } },
  );
}

/** Room on the disk of uploaded files, and what writes have found. */
export interface DiskRoom {
  /** Whether there is room to write. Asks the disk at most every two seconds. */
  hasRoom(): Promise<boolean>;
  /** A write found none. */
  wasFull(): void;
}

/** @param reserveMb what has to stay free, read each time */
export function createDiskRoom(folder: string, reserveMb: () => number): DiskRoom {
  let fullUntil = 0;
  let known = { at: -Infinity, free: Infinity };
  return {
    async hasRoom() {
      const now = performance.now();
      if (now < fullUntil) return false;
      if (now - known.at > FRESH_MS) {
        const { bavail, bsize } = await statfs(folder);
        known = { at: now, free: bavail * bsize };
      }
      return known.free >= reserveMb() * 1024 * 1024;
    },
    wasFull() {
      fullUntil = performance.now() + REMEMBERED_MS;
      known = { at: -Infinity, free: Infinity };
    },
  };
}
