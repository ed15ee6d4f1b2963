/**
 * Replaces the clients of AS by what ARCHIVE holds, each up to its step of KILL_AT: a commit of the database, or that a
 * file is renamed or removed.
 */
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { filesAreSteps, killAt, step } from '../kill_at.ts';

filesAreSteps();
const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;
pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
  return given[0] === 'commit' ? step().then(() => query.apply(this, given)) : query.apply(this, given);
} as never;

const { readConfig } = await import('../../../src/server/config.ts');
const { backupKey } = await import('../../../src/server/db/backup_key.ts');
const { openDatabases } = await import('../../../src/server/db/open.ts');
const { restoreTenant } = await import('../../../src/server/db/restore.ts');
const { loadScreens } = await import('../../../src/server/engine/descriptors/load.ts');
const { isCleanHtml } = await import('../../../src/server/engine/records/rich_text.ts');

const { dataDir, databaseUrl, schemasDir } = readConfig(process.env);
const [directory, { screens }] = await Promise.all([
  openDatabases({ dataDir, databaseUrl, poolSize: 100 }),
  loadScreens(schemasDir),
]);
await backupKey(directory.main);
const clients = process.env.AS!.split(',');
await killAt(process.env.KILL_AT!.split(',').map(Number), (n) =>
  restoreTenant(directory, createReadStream(process.env.ARCHIVE!).pipe(createGunzip()), {
    dataDir,
    subDomain: clients[n]!,
    replace: true,
    screens,
    isClean: isCleanHtml,
  }),
);
