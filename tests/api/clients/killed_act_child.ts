/** A server process that runs jobs that wait, each up to its step of KILL_AT: before it writes to the database, or removes or renames a file. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Queryable } from '../../../src/server/db/database.ts';
import { filesAreSteps, killAt, step } from '../kill_at.ts';

filesAreSteps();

const { archiveKey } = await import('../../../src/server/platform/clients/archive_file.ts');
const { createLifecycle } = await import('../../../src/server/platform/clients/lifecycle.ts');
const { readConfig } = await import('../../../src/server/config.ts');
const { openDatabases } = await import('../../../src/server/db/open.ts');
const { backupKey } = await import('../../../src/server/db/backup_key.ts');
const { createServerPresence } = await import('../../../src/server/db/server_presence.ts');
const { loadScreens } = await import('../../../src/server/engine/descriptors/load.ts');
const { createJobs } = await import('../../../src/server/services/jobs/jobs.ts');
const { createBus } = await import('../../../src/server/services/live/bus.ts');
const { readSecrets } = await import('../../../src/server/access/sessions/secrets.ts');
const { platformTenant } = await import('../../../src/server/access/sessions/tenants.ts');

const { dataDir, databaseUrl, schemasDir } = readConfig(process.env);
const [directory, { screens }] = await Promise.all([
  openDatabases({ dataDir, databaseUrl, poolSize: 100 }),
  loadScreens(schemasDir),
]);
const { main } = directory;
const { files: secret } = await readSecrets(main);
const quiet = () => undefined;
const log = { info: quiet, warn: quiet, error: quiet };
const presence = createServerPresence(main);
// What the acts share is there before the first of them stands still.
await Promise.all([presence.number(), backupKey(main)]);
const jobs = createJobs({ directory, presence, bus: createBus(log), log });
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
/** Each takes one run of the queue, so that there is one for every step. */
const runs = new AsyncLocalStorage<{ taken: boolean }>();
const writes = /^\s*(with|insert|update|delete|drop)/i;
main.query = async <T>(...[statement, values]: Parameters<Queryable['query']>) => {
  const text = typeof statement === 'string' ? statement : statement.text;
  const run = text.startsWith(`update public.job set state = 'running'`) ? runs.getStore() : undefined;
  if (run?.taken) return [];
  if (writes.test(text)) await step();
  const rows = await query<T>(statement, values);
  if (run && rows.length > 0) run.taken = true;
  return rows;
};
main.transaction = (work) =>
  transaction(async (tx) => {
    await step();
    return work(tx);
  });
await killAt(process.env.KILL_AT!.split(',').map(Number), () => runs.run({ taken: false }, () => jobs.drain()));
