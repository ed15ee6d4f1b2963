/**
 * A server process that runs the jobs that wait, and is killed as by a power cut before its step number KILL_AT: before
 * it writes to the database, or removes or renames a file.
 */
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import type { Queryable } from '../../../src/server/db/database.ts';

let steps = Infinity;
function step(): void {
  if (--steps < 0) process.kill(process.pid, 'SIGKILL');
}
const { rename, rm } = files;
files.rename = (...given) => {
  step();
  return rename(...given);
};
files.rm = (...given) => {
  step();
  return rm(...given);
};
syncBuiltinESMExports();

const { archiveKey } = await import('../../../src/server/platform/clients/archive_file.ts');
const { createLifecycle } = await import('../../../src/server/platform/clients/lifecycle.ts');
const { readConfig } = await import('../../../src/server/config.ts');
const { openDatabases } = await import('../../../src/server/db/open.ts');
const { createServerPresence } = await import('../../../src/server/db/server_presence.ts');
const { loadScreens } = await import('../../../src/server/engine/descriptors/load.ts');
const { createJobs } = await import('../../../src/server/services/jobs/jobs.ts');
const { createBus } = await import('../../../src/server/services/live/bus.ts');
const { readSecrets } = await import('../../../src/server/access/sessions/secrets.ts');
const { platformTenant } = await import('../../../src/server/access/sessions/tenants.ts');

const { dataDir, databaseUrl, schemasDir } = readConfig(process.env);
const [directory, { screens }] = await Promise.all([
  openDatabases({ dataDir, databaseUrl, poolSize: 4 }),
  loadScreens(schemasDir),
]);
const { main } = directory;
const { files: secret } = await readSecrets(main);
const quiet = () => undefined;
const log = { info: quiet, warn: quiet, error: quiet };
const jobs = createJobs({ directory, presence: createServerPresence(main), bus: createBus(log), log });
createLifecycle({
  directory,
  jobs,
  screens: () => screens,
  dataDir,
  key: archiveKey(secret),
  platform: () => Promise.resolve(platformTenant(directory)),
});

const query = main.query.bind(main);
const transaction = main.transaction.bind(main);
const writes = /^\s*(with|insert|update|delete|drop)/i;
main.query = <T>(...[statement, values]: Parameters<Queryable['query']>) => {
  if (writes.test(typeof statement === 'string' ? statement : statement.text)) step();
  return query<T>(statement, values);
};
main.transaction = (work) =>
  transaction((tx) => {
    step();
    return work(tx);
  });
steps = Number(process.env.KILL_AT);
await jobs.drain();
process.exit(0);
