import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Directory } from '../../src/server/db/directory.ts';
import { startEmbedded } from '../../src/server/db/embedded.ts';
import { createDatabase, openDatabases } from '../../src/server/db/open.ts';
import { openPool } from '../../src/server/db/pool.ts';
import type { loadScreens } from '../../src/server/engine/descriptors/load.ts';
import { removeData } from '../server_data.ts';
import { forgoPowerCuts, killServer } from './database_server.ts';
import { demoCopy } from './demo_template.ts';

/** The run's database, as one test file sees it. */
export interface TestDatabase {
  directory: Directory;
  databaseUrl: string;
  /** A sub-domain nobody else uses; `suffix` makes further ones. */
  subDomain(suffix?: string): string;
  /** A directory for files (DATA_DIR). */
  dataDir: string;
  /** Kills its server with all its processes; only of a database that has a server of its own. It is started again by itself. */
  kill(): void;
  close(): Promise<void>;
}

/**
 * Opens the run's database. Close it in `afterAll`.
 * @param alone a database on the same server that no other file uses: for what goes through all tenants
 */
export async function testDatabase(alone = false): Promise<TestDatabase> {
  const databaseUrl = alone ? await freshDatabase(inject('databaseUrl')) : inject('databaseUrl');
  return opened(databaseUrl, mkdtempSync(join(inject('scratchDir'), 'data-')), alone);
}

/** Opens a database on a server of its own, which its test may kill. */
export async function killableDatabase(): Promise<TestDatabase> {
  const home = mkdtempSync(join(inject('scratchDir'), 'killable-'));
  // Else the server's user would keep it elsewhere, on the disk.
  chmodSync(home, 0o755);
  const server = await startEmbedded({ dataDir: home });
  await createDatabase(server.url('postgres'), 'mainstay_test');
  await forgoPowerCuts(server.url('postgres'));
  const files = mkdtempSync(join(inject('scratchDir'), 'data-'));
  const database = await opened(server.url('mainstay_test'), files, false, 60);
  return {
    ...database,
    kill: () => killServer(server.pid()),
    async close() {
      await database.close();
      await server.stop();
      removeData(home);
    },
  };
}

/** Opens a database of its own that holds the demo companies, as the product makes them. */
export async function demoDatabase(loaded: Awaited<ReturnType<typeof loadScreens>>): Promise<TestDatabase> {
  const { databaseUrl, dataDir } = await demoCopy(loaded, `mainstay_test_${randomBytes(4).toString('hex')}`);
  return opened(databaseUrl, dataDir, true);
}

async function opened(databaseUrl: string, dataDir: string, alone: boolean, poolSize = 8): Promise<TestDatabase> {
  const directory = await openDatabases({ dataDir, databaseUrl, poolSize });
  const own = `t${randomBytes(4).toString('hex')}`;
  return {
    directory,
    databaseUrl,
    dataDir,
    subDomain: (suffix = '') => `${own}${suffix}`,
    kill() {
      throw new Error('Other tests use this database server.');
    },
    async close() {
      await directory.close();
      if (alone) await drop(databaseUrl);
    },
  };
}

async function freshDatabase(besides: string): Promise<string> {
  const name = `mainstay_test_${randomBytes(4).toString('hex')}`;
  await createDatabase(besides, name);
  const url = new URL(besides);
  url.pathname = `/${name}`;
  return url.href;
}

async function drop(databaseUrl: string): Promise<void> {
  const admin = openPool({ name: 'admin', url: inject('databaseUrl'), size: 1 });
  await admin.query(`drop database if exists ${new URL(databaseUrl).pathname.slice(1)} with (force)`);
  await admin.close();
}
