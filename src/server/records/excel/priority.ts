import { readFileSync, readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * People who wait for a page come before people who wait for a sheet: where processors are short, the calling thread
 * yields. Linux alone has priorities of threads; elsewhere it is as the others.
 */
export function yieldThread(): void {
  if (process.platform !== 'linux') return;
  lower(() => {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    return thread === process.pid ? null : thread;
  });
}

/**
 * The same for the database's process that serves a connection, where it is one of this machine's: reached by a socket
 * in a folder. It stays so until the connection is closed.
 * @param pid as the server told it when the connection was made
 */
export function yieldBackend(databaseUrl: string, pid: number): void {
  if (process.platform !== 'linux' || !new URL(databaseUrl).searchParams.get('host')?.startsWith('/')) return;
  lower(() => (readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres') ? pid : null));
}

function lower(which: () => number | null): void {
  try {
    const id = which();
    if (id !== null && Number.isInteger(id)) setPriority(id, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Without /proc, or where it is not allowed.
  }
}
