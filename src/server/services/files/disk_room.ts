import { statfs } from 'node:fs/promises';
import { AppError } from '../../db/errors.ts';

/** How long a failed write counts as a full disk, unless a check of the disk says otherwise. */
const REMEMBERED_MS = 10_000;
/** The interval between checks of the disk. */
const FRESH_MS = 2_000;

/** The error codes of PostgreSQL and the system for a full disk. */
const FULL = new Set(['53100', 'ENOSPC', 'EDQUOT']);

/** Whether an error says that a disk is full. */
export function isDiskFull(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) {
    if (FULL.has((one as NodeJS.ErrnoException).code ?? '')) return true;
    // The database server was unreachable because it could not write: its first words say so.
    if (/No space left on device/.test(one.message)) return true;
  }
  return false;
}

/** The error for a call that cannot be stored because the disk is full. */
export function diskFull(): AppError {
  return new AppError(
    503,
    'disk_full',
    "The server's disk is full. Nothing was saved. Ask the operator to free disk space, and try again later.",
    { extra: { retry_after_s: 30 } },
  );
}

/** The free space on the disk of uploaded files, and the results of writes. */
export interface DiskRoom {
  /** Whether there is space to write. Checks the disk at most every two seconds. */
  hasRoom(): Promise<boolean>;
  /** A write found none. */
  wasFull(): void;
}

/** @param reserveMb the space that must remain free, read each time */
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
