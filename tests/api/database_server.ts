import { execFileSync } from 'node:child_process';
import { openPool } from '../../src/server/db/pool.ts';

/** Kills a database server first and its processes with it, as when the system runs out of memory. */
export function killServer(pid: number): void {
  const processes = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .split('\n')
    .map(Number)
    .filter(Boolean);
  for (const one of [pid, ...processes])
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // gone already
    }
}

/** Tests kill processes, never the machine, and their databases do not grow old: without this they prove the same. */
const IN_VAIN = ['fsync', 'full_page_writes', 'autovacuum'];

export async function forgoPowerCuts(adminUrl: string): Promise<void> {
  const admin = openPool({ name: 'admin', url: adminUrl, size: 1 });
  for (const setting of IN_VAIN) await admin.query(`alter system set ${setting} = off`);
  await admin.query('select pg_reload_conf()');
  await admin.close();
}
