import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The owner of a data directory. */
export interface Holder {
  pid: number;
  /** When the holder took the data, ISO 8601. */
  since: string;
  /** The process's start mark (clock ticks since boot on Linux): tells a reused pid from the holder. */
  started: string | null;
}

/** The data directory is in use by another living process. */
export class DataInUse extends Error {
  readonly holder: Holder;
  constructor(path: string, holder: Holder) {
    super(
      `The data in ${dirname(path)} is in use by process ${holder.pid} since ${holder.since}. ` +
        `Stop that process first, or set DATA_DIR to another directory.`,
    );
    this.holder = holder;
  }
}

/** Start mark of a living process; null if it has ended or the system does not provide it. */
function startMark(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command may contain spaces and brackets: fields are counted after its closing bracket.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

/** True if a process with this id exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The living holder of a lock file, or null when there is none or it is stale. */
export function readHolder(path: string): Holder | null {
  let holder: Holder;
  try {
    holder = JSON.parse(readFileSync(path, 'utf8')) as Holder;
  } catch {
    return null;
  }
  if (!Number.isInteger(holder.pid) || !isAlive(holder.pid)) return null;
  const mark = startMark(holder.pid);
  return mark !== null && holder.started !== null && mark !== holder.started ? null : holder;
}

/**
 * Locks a data directory for this process; throws `DataInUse` if a living process has it. A lock left by a killed
 * process is recognised (pid does not exist, or was reused) and replaced.
 */
export function takeData(path: string): () => void {
  mkdirSync(dirname(path), { recursive: true });
  const mine: Holder = { pid: process.pid, since: new Date().toISOString(), started: startMark(process.pid) };
  const text = JSON.stringify(mine);
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text);
  try {
    for (let attempt = 0; attempt < 10; attempt++) {
      try {
        // A hard link appears completely or not at all, so nobody reads a partial lock.
        linkSync(draft, path);
        return () => {
          if (existsSync(path) && readFileSync(path, 'utf8') === text) rmSync(path, { force: true });
        };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const holder = readHolder(path);
      if (holder) throw new DataInUse(path, holder);
      const aside = `${path}.stale.${process.pid}`;
      try {
        renameSync(path, aside);
      } catch {
        continue; // another starter was quicker: look again
      }
      // Between reading and renaming another starter may have placed its own lock there: restore it.
      const moved = readHolder(aside);
      if (moved) {
        try {
          linkSync(aside, path);
        } finally {
          rmSync(aside, { force: true });
        }
        throw new DataInUse(path, moved);
      }
      rmSync(aside, { force: true });
    }
    throw new Error(`Cannot take the lock file ${path}.`);
  } finally {
    rmSync(draft, { force: true });
  }
}
