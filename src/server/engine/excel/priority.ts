import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** When memory runs out, the system should kill this process before the server and its database. */
const FIRST_TO_GO = '500';

/**
 * People waiting for a page come before people waiting for a sheet: this process yields to the server when processor
 * time or memory is short. Call it as early as possible.
 */
export function lowerPriority(pid: number): void {
  lower(pid);
  if (process.platform !== 'linux') return;
  attempt(() => writeFileSync(`/proc/${pid}/oom_score_adj`, FIRST_TO_GO));
  // On Linux each thread has its own priority, inherited by threads it starts later.
  attempt(() => {
    for (const thread of readdirSync(`/proc/${pid}/task`)) lower(Number(thread));
  });
}

/**
 * Does the same for the database process that serves a connection, if it runs on this machine (connected by a Unix
 * socket). It lasts until the connection is closed.
 * @param pid as reported by the server when the connection was opened
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
    // Without /proc, or without permission, the priority does not change.
  }
}
