import { spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import mysql from 'mysql2';
import { serverUser } from '../../../src/server/db/binaries.ts';
import { openDoor } from './cutting_door.ts';

const SCRIPTS = '/usr/share/mysql';
const FLAGS = [
  '--no-defaults',
  '--basedir=/usr',
  `--lc-messages-dir=${SCRIPTS}`,
  '--innodb-buffer-pool-size=32M',
  '--innodb-log-file-size=8M',
  '--innodb-flush-log-at-trx-commit=0',
  '--skip-log-bin',
];

/** A MariaDB of somebody else, with the database `shop` and the account `reader`, who may only read. */
export interface MariadbServer {
  /** What a source says of it. */
  source: {
    kind: 'mysql';
    host: string;
    port: number;
    database_name: string;
    username: string;
    password: string;
    ssl: 'require';
  };
  /** As its owner. */
  sql<T = Record<string, unknown>>(text: string): Promise<T[]>;
  /** Cuts the connection after so many bytes have been answered; null = never. */
  cutAfter(bytes: number | null): void;
  stop(): Promise<void>;
}

/** A free port of this machine. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done));
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  return port;
}

/** The machine's own MariaDB on a fresh directory, as an unprivileged user, encrypting with a certificate that it signed itself. */
export async function startMariadb(): Promise<MariadbServer> {
  const binary = ['/usr/sbin/mariadbd', '/usr/sbin/mysqld', '/usr/libexec/mariadbd'].find((path) => existsSync(path));
  if (!binary) throw new Error('These tests need MariaDB: apt-get install mariadb-server-core');
  const user = serverUser(null);
  const home = mkdtempSync('/tmp/mainstay-maria-');
  const data = join(home, 'data');
  mkdirSync(data);
  const [key, cert] = [join(home, 'key.pem'), join(home, 'cert.pem')];
  const signed = spawnSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=shop',
      '-keyout',
      key,
      '-out',
      cert,
    ],
    { encoding: 'utf8' },
  );
  if (signed.status !== 0) throw new Error(`openssl failed: ${signed.stderr}`);
  if (user) for (const path of [home, data, key, cert]) chownSync(path, user.uid, user.gid);
  const as = { cwd: '/', ...(user && { uid: user.uid, gid: user.gid }) };
  const tables = ['mysql_system_tables.sql', 'mysql_system_tables_data.sql'].map((name) =>
    readFileSync(join(SCRIPTS, name), 'utf8'),
  );
  const made = spawnSync(binary, [...FLAGS, '--bootstrap', `--datadir=${data}`], {
    ...as,
    encoding: 'utf8',
    input: [
      'create database mysql;',
      'use mysql;',
      'set @auth_root_socket=NULL;',
      'set @skip_auth_anonymous=1;',
      ...tables,
      'flush privileges;',
      'create database shop character set utf8mb4;',
      "create user 'boss'@'%' identified by 'Boss-7';",
      "grant all on *.* to 'boss'@'%';",
      "create user 'reader'@'%' identified by 'Kettle-5';",
      "grant select, execute on shop.* to 'reader'@'%';",
      '',
    ].join('\n'),
  });
  if (made.status !== 0) throw new Error(`MariaDB could not be set up: ${made.stderr}`);
  const port = await freePort();
  const server = spawn(
    binary,
    [
      ...FLAGS,
      `--datadir=${data}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--socket=${join(home, 'socket')}`,
      `--pid-file=${join(home, 'pid')}`,
      '--skip-name-resolve',
      `--ssl-key=${key}`,
      `--ssl-cert=${cert}`,
    ],
    { ...as, stdio: 'ignore' },
  );
  const ended = new Promise<void>((done) => server.once('exit', () => done()));
  const pool = mysql
    .createPool({
      host: '127.0.0.1',
      port,
      user: 'boss',
      password: 'Boss-7',
      database: 'shop',
      charset: 'utf8mb4',
      connectionLimit: 2,
      multipleStatements: true,
    })
    .promise();
  for (
    let attempt = 0;
    !(await pool.query('select 1').then(
      () => true,
      () => false,
    ));
    attempt++
  ) {
    if (attempt === 300 || server.exitCode !== null) throw new Error('MariaDB did not start.');
    await sleep(50);
  }
  const door = await openDoor(() => connect(port, '127.0.0.1'));
  return {
    source: {
      kind: 'mysql',
      host: '127.0.0.1',
      port: door.port,
      database_name: 'shop',
      username: 'reader',
      password: 'Kettle-5',
      ssl: 'require',
    },
    sql: async <T>(text: string) => (await pool.query(text))[0] as T[],
    cutAfter: door.cutAfter,
    async stop() {
      await door.close();
      await pool.end();
      server.kill('SIGTERM');
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}
