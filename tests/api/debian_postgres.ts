import { spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { serverUser } from '../../src/server/db/binaries.ts';
import { scratchDirectory } from '../scratch.ts';

/** A PostgreSQL of the machine's own packages on a fresh directory, as an unprivileged user. `url` names its database `postgres`. */
export async function startDebianPostgres(
  binaries = '/usr/lib/postgresql/15/bin',
): Promise<{ url: string; stop: () => Promise<void> }> {
  if (!existsSync(join(binaries, 'postgres'))) throw new Error(`No PostgreSQL server in ${binaries}.`);
  const user = serverUser(null);
  const home = scratchDirectory('mainstay-pg');
  if (user) chownSync(home, user.uid, user.gid);
  const as = { cwd: '/', ...(user && { uid: user.uid, gid: user.gid }) };
  const data = join(home, 'data');
  const made = spawnSync(
    join(binaries, 'initdb'),
    ['-D', data, '-U', 'app', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...as, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${home}`,
    'max_locks_per_transaction=256',
    'fsync=off',
    'full_page_writes=off',
    'autovacuum=off',
    'max_connections=200',
  ];
  const server = spawn(join(binaries, 'postgres'), ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
    ...as,
    stdio: 'ignore',
  });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const url = `postgresql://app@localhost/postgres?host=${encodeURIComponent(home)}`;
  for (let attempt = 0; ; attempt++) {
    const client = new pg.Client({ connectionString: url });
    const up = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => {});
    if (up) break;
    if (attempt === 300 || server.exitCode !== null) throw new Error('The PostgreSQL of the machine did not start.');
    await sleep(50);
  }
  return {
    url,
    async stop() {
      server.kill('SIGINT');
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}
