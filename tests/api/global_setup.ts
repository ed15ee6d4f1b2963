import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../../src/server/db/embedded.ts';
import { createDatabase } from '../../src/server/db/open.ts';
import { openPool } from '../../src/server/db/pool.ts';
import { scratchDirectory } from '../scratch.ts';
import { removeData } from '../server_data.ts';
import { forgoPowerCuts } from './database_server.ts';
import { startDebianPostgres } from './debian_postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL database of this run. */
    databaseUrl: string;
    /** A directory of this run, removed afterwards. */
    scratchDir: string;
  }
}

/**
 * One database server for the whole run: the embedded one; PostgreSQL from TEST_POSTGRES_BIN; or, when
 * TEST_DATABASE_URL is set, a fresh database on that server, dropped at the end.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const scratch = scratchDirectory('mainstay-api');
  const name = `mainstay_test_${randomBytes(4).toString('hex')}`;
  let adminUrl = process.env.TEST_DATABASE_URL;
  let stop = async (): Promise<void> => {};
  if (!adminUrl && process.env.TEST_POSTGRES_BIN) {
    const server = await startDebianPostgres(process.env.TEST_POSTGRES_BIN);
    adminUrl = server.url;
    stop = server.stop;
  } else if (!adminUrl) {
    const server = await startEmbedded({ dataDir: join(scratch, 'server') });
    adminUrl = server.url('postgres');
    stop = () => server.stop();
  }
  await createDatabase(adminUrl, name);
  if (!process.env.TEST_DATABASE_URL) await forgoPowerCuts(adminUrl);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  project.provide('databaseUrl', url.href);
  project.provide('scratchDir', scratch);
  const usesServer = process.env.TEST_DATABASE_URL;
  return async () => {
    if (usesServer) {
      const admin = openPool({ name: 'admin', url: usesServer, size: 1 });
      await admin.query(`drop database if exists ${name} with (force)`);
      await admin.close();
    }
    await stop();
    removeData(join(scratch, 'server'));
    rmSync(scratch, { recursive: true, force: true });
  };
}
