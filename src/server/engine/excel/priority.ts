import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** Of processes that want more memory than there is, such a one is to go before the server and its database. */
const FIRST_TO_GO = '500';

/**
 * People who wait for a page come before people who wait for a sheet: where processors are short, a process of the
 * server's yields, and where memory is. It should be called as soon as there is one.
 */
export function lowerPriority(pid: number): void {
  lower(pid);
  if (process.platform !== 'linux') return;
  attempt(() => writeFileSync(`/proc/${pid}/oom_score_adj`, FIRST_TO_GO));
  // There each thread has its own priority, which those that it begins later take over.
  attempt(() => {
    for (const thread of readdirSync(`/proc/${pid}/task`)) lower(Number(thread));
  });
}

/**
 * The same for the database's process that serves a connection, where it is one of this machine's: reached by a socket
 * in a folder. It stays so until the connection is closed.
 * @param pid as the server gave it when the connection was made
 */
export function yieldBackend(databaseUrl: string, pid: number): void {
  if (process.platform !== 'linux' || !new URL(databaseUrl).searchParams.get('host')?.startsWith('/')) return;
  attempt(() => {
    if (readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres')) lower(pid);
  });
}

function lower(id: number): void {
  attempt(() => setPriority(id, constants.priority.PRIORITY_BELOW_NORMAL));
}

function attempt(what: () => void): void {
  try {
    what();
  } catch {
    // Without /proc, or where it is not allowed, it is as the others.
  }
}
