import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Binaries, ServerUser } from './binaries.ts';
import { canReach, findBinaries, serverUser, sharedDirectory } from './binaries.ts';
import { isAlive, readHolder, takeData } from './data_lock.ts';

/** A running embedded server. */
export interface EmbeddedServer {
  /** Connection string of a database on it. */
  url(database: string): string;
  pid(): number;
  /** Directory of the server's files. */
  dataDir: string;
  /** How this process got it. */
  how: 'started' | 'adopted' | 'guest';
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  dataDir: string;
  /** For commands: use the server of a running product instead of refusing. */
  share?: boolean;
  log?: (text: string) => void;
}

const windows = process.platform === 'win32';
const port = 5432;
/** The kernel allows 107 bytes for a socket's path; some systems 103. */
const longestSocketPath = 100;

/**
 * Starts the embedded PostgreSQL of a data directory, or adopts the one left running by a killed process. Throws
 * `DataInUse` if another living process has the directory (unless `share`).
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const log = options.log ?? (() => {});
  const home = resolve(options.dataDir);
  mkdirSync(home, { recursive: true });
  const lockPath = join(home, 'in-use.json');
  const guest = options.share === true && readHolder(lockPath) !== null;
  const release = guest ? () => {} : takeData(lockPath);
  try {
    const { pgdata, user } = placeData(home);
    const socketDir = socketDirectory(pgdata, user);
    let running = await living(pgdata);
    if (guest) {
      if (!running)
        throw new Error(`The product is using ${home}, but its database server is not running yet. Try again.`);
      await ready(url('postgres', running, pgdata), 30_000);
      const server = running;
      return {
        dataDir: pgdata,
        how: 'guest',
        pid: () => server.pid,
        url: (name) => url(name, server, pgdata),
        stop: async () => {},
      };
    }
    const binaries = findBinaries(user);
    const how = running ? 'adopted' : 'started';
    if (running) {
      log(`Found the database server running (process ${running.pid})`);
      await ready(url('postgres', running, pgdata), 60_000);
    } else {
      running = await launch(home, pgdata, socketDir, binaries, user, log);
    }

    let server: Living = running;
    let stopping = false;
    let restarting: Promise<void> | null = null;
    // A server killed externally (out of memory, by hand) is restarted; the pool reconnects automatically.
    const watch = setInterval(() => {
      if (stopping || restarting || isAlive(server.pid)) return;
      log('The database server has ended unexpectedly; starting it again');
      restarting = launch(home, pgdata, socketDir, binaries, user, log)
        .then((next) => {
          server = next;
        })
        .catch((error: unknown) => log(`The database server did not start: ${String(error)}`))
        .finally(() => (restarting = null));
    }, 500);
    watch.unref();

    return {
      dataDir: pgdata,
      how,
      pid: () => server.pid,
      url: (name) => url(name, server, pgdata),
      async stop() {
        if (stopping) return;
        stopping = true;
        clearInterval(watch);
        await restarting;
        await end(server.pid);
        if (socketDir !== pgdata) rmSync(socketDir, { recursive: true, force: true });
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

interface Living {
  pid: number;
  /** Socket directory, or 127.0.0.1 on Windows. */
  host: string;
  port: number;
}

function url(database: string, server: Living, pgdata: string): string {
  if (!windows) return `postgresql://app@localhost:${server.port}/${database}?host=${encodeURIComponent(server.host)}`;
  const password = readFileSync(`${pgdata}.password`, 'utf8');
  return `postgresql://app:${encodeURIComponent(password)}@127.0.0.1:${server.port}/${database}`;
}

/** The database folder of a data directory, whether or not it exists yet. */
export function databaseFolder(dataDir: string): string {
  const pointer = join(resolve(dataDir), 'postgres.location');
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : join(resolve(dataDir), 'postgres');
}

/** The location of the server's files: in the data directory, or elsewhere if its user cannot access that. */
function placeData(home: string): { pgdata: string; user: ServerUser | null } {
  const pointer = join(home, 'postgres.location');
  const inside = join(home, 'postgres');
  const placed = existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : null;
  const known = placed ?? inside;
  const user = serverUser(existsSync(join(known, 'PG_VERSION')) ? statSync(known).uid : null);
  if (placed !== null) return { pgdata: placed, user };
  if (canReach(home, user)) return { pgdata: inside, user };
  if (existsSync(join(inside, 'PG_VERSION')))
    throw new Error(
      `The user ${user?.name} can no longer enter ${home}, where the database is. Give it access (chmod o+x on the directories above).`,
    );
  const key = createHash('sha256').update(home).digest('hex').slice(0, 12);
  const pgdata = join(sharedDirectory(key, user), 'postgres');
  writeFileSync(pointer, `${pgdata}\n`);
  return { pgdata, user };
}

/** The directory of the socket: the data directory itself, which is private, or a short private one. */
function socketDirectory(pgdata: string, user: ServerUser | null): string {
  if (windows || Buffer.byteLength(join(pgdata, `.s.PGSQL.${port}`)) <= longestSocketPath) return pgdata;
  const owner = user?.uid ?? process.getuid?.() ?? 0;
  const path = `/tmp/mainstay-${createHash('sha256').update(pgdata).digest('hex').slice(0, 16)}`;
  try {
    mkdirSync(path, { mode: 0o700 });
    if (user) chownSync(path, user.uid, user.gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  // Anybody may create a directory in /tmp: one not owned by us would let others in.
  const found = lstatSync(path);
  if (!found.isDirectory() || found.uid !== owner || (found.mode & 0o077) !== 0)
    throw new Error(
      `${path} is needed for the database's socket but belongs to somebody else or is open to others. Remove it.`,
    );
  return path;
}

function commandLine(pid: number): string {
  if (process.platform === 'linux') {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    } catch {
      return '';
    }
  }
  if (windows)
    return (
      spawnSync('wmic', ['process', 'where', `processid=${pid}`, 'get', 'commandline'], { encoding: 'utf8' }).stdout ??
      ''
    );
  return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
}

/** The server that runs on these files now, by its own pid file. */
async function living(pgdata: string): Promise<Living | null> {
  const file = join(pgdata, 'postmaster.pid');
  for (let attempt = 0; attempt < 20; attempt++) {
    if (!existsSync(file)) return null;
    const lines = readFileSync(file, 'utf8').split('\n');
    const pid = Number(lines[0]);
    if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid) || !commandLine(pid).includes(pgdata)) return null;
    const host = windows ? '127.0.0.1' : lines[4];
    if (host) return { pid, host, port: Number(lines[3]) };
    await sleep(100); // just starting: the file is still being written
  }
  return null;
}

/**
 * Creates the database's files in a temporary directory and moves them into place, so that an incomplete initdb is
 * never taken for data.
 */
function initialise(pgdata: string, binaries: Binaries, user: ServerUser | null): void {
  const draft = `${pgdata}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  if (user) chownSync(draft, user.uid, user.gid);
  const args = ['-D', draft, '-U', 'app', '-E', 'UTF8', '--locale=C', '--no-instructions'];
  if (process.platform === 'linux') args.push('--sync-method=syncfs');
  if (windows) {
    writeFileSync(`${pgdata}.password`, randomBytes(24).toString('base64url'), { mode: 0o600 });
    args.push('-A', 'scram-sha-256', `--pwfile=${pgdata}.password`);
  } else {
    // No password: only this user and root can access the socket.
    args.push('-A', 'trust');
  }
  const { status, stderr, error } = spawnSync(binaries.initdb, args, { ...as(user), cwd: '/', encoding: 'utf8' });
  if (status !== 0)
    throw new Error(`The database could not be set up in ${pgdata}: ${error?.message ?? stderr.trim()}`);
  renameSync(draft, pgdata);
}

function as(user: ServerUser | null): { uid?: number; gid?: number; env: NodeJS.ProcessEnv } {
  // The server must not inherit our connection settings or secrets.
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    LC_ALL: 'C',
    TZ: 'UTC',
    ...(windows && { SystemRoot: process.env.SystemRoot }),
  };
  return user ? { uid: user.uid, gid: user.gid, env } : { env };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done));
  const address = probe.address();
  await new Promise((done) => probe.close(done));
  if (address === null || typeof address === 'string') throw new Error('No free port for the database.');
  return address.port;
}

/**
 * After a kill, PostgreSQL takes a pid file for its own if that pid now belongs to any process of the same user. Only
 * the pid is invalidated: the shared memory key in the file must stay, because with it the server notices backends that
 * outlived their server, and waits instead of damaging the data.
 */
function disarmStalePid(pgdata: string): void {
  const file = join(pgdata, 'postmaster.pid');
  if (!existsSync(file)) return;
  const lines = readFileSync(file, 'utf8').split('\n');
  const pid = Number(lines[0]);
  if (!isAlive(pid) || commandLine(pid).includes(pgdata)) return;
  let free = 4_194_303;
  while (isAlive(free)) free--;
  writeFileSync(file, [String(free), ...lines.slice(1)].join('\n'));
}

async function launch(
  home: string,
  pgdata: string,
  socketDir: string,
  binaries: Binaries,
  user: ServerUser | null,
  log: (text: string) => void,
): Promise<Living> {
  if (!existsSync(join(pgdata, 'PG_VERSION'))) {
    log('Setting up the database …');
    initialise(pgdata, binaries, user);
  }
  const stored = readFileSync(join(pgdata, 'PG_VERSION'), 'utf8').trim();
  if (stored !== binaries.version.split('.')[0])
    throw new Error(
      `The database in ${pgdata} was made by PostgreSQL ${stored}, the installed one is ${binaries.version}. ` +
        'Back up with the release that made it (npm run backup) and restore with this one.',
    );
  const settings: Record<string, string | number> = {
    max_connections: 200,
    max_locks_per_transaction: 256,
    shared_buffers: '256MB',
    effective_cache_size: '1GB',
    work_mem: '16MB',
    maintenance_work_mem: '128MB',
    max_wal_size: '4GB',
    min_wal_size: '256MB',
    checkpoint_timeout: '15min',
    wal_compression: 'on',
    random_page_cost: 1.1,
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(process.platform === 'linux' && { recovery_init_sync_method: 'syncfs' }),
    ...(windows
      ? { listen_addresses: '127.0.0.1', port: await freePort() }
      : { listen_addresses: '', port, unix_socket_directories: socketDir, unix_socket_permissions: '0700' }),
  };
  const logPath = join(home, 'postgres.log');
  const deadline = Date.now() + 60_000;
  for (;;) {
    disarmStalePid(pgdata);
    const before = existsSync(logPath) ? statSync(logPath).size : 0;
    const out = openSync(logPath, 'a', 0o600);
    const child = spawn(
      binaries.postgres,
      ['-D', pgdata, ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])],
      {
        ...as(user),
        cwd: '/',
        // Own process group: Ctrl+C in the terminal must reach us first, because running requests still need the
        // server.
        detached: true,
        stdio: ['ignore', out, out],
      },
    );
    closeSync(out);
    let ended = false;
    child.once('exit', () => (ended = true));
    child.once('error', () => (ended = true));
    child.unref();
    const server: Living = {
      pid: child.pid ?? 0,
      host: windows ? '127.0.0.1' : socketDir,
      port: Number(settings.port),
    };
    while (!ended && Date.now() < deadline) {
      if (await answers(url('postgres', server, pgdata))) return server;
      await sleep(15);
    }
    const said = existsSync(logPath) ? readFileSync(logPath, 'utf8').slice(before) : '';
    // Backends of a killed server end within moments; the interlock makes the new server wait for them.
    if (ended && /pre-existing shared memory block|lock file .* already exists/.test(said) && Date.now() < deadline) {
      await sleep(250);
      continue;
    }
    if (!ended && child.pid) await end(child.pid);
    throw new Error(`The database server did not start (log: ${logPath}):\n${said.split('\n').slice(-8).join('\n')}`);
  }
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function ready(connectionString: string, milliseconds: number): Promise<void> {
  const deadline = Date.now() + milliseconds;
  while (!(await answers(connectionString))) {
    if (Date.now() > deadline) throw new Error('The database server runs but does not answer.');
    await sleep(50);
  }
}

/** Stops the server: connections are closed, everything is written, no recovery is needed. */
async function end(pid: number): Promise<void> {
  if (!isAlive(pid)) return;
  process.kill(pid, 'SIGINT');
  const deadline = Date.now() + 60_000;
  while (isAlive(pid) && Date.now() < deadline) await sleep(20);
  if (isAlive(pid)) throw new Error(`The database server (process ${pid}) did not stop.`);
}
