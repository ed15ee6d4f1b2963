/** A server process that makes the files of issued documents, each up to its step of KILL_AT: before it reads, writes or commits, or moves a file. */
import type { Queryable } from '../../../src/server/db/database.ts';
import { filesAreSteps, killAt, step } from '../kill_at.ts';

filesAreSteps();

const { readConfig } = await import('../../../src/server/config.ts');
const { openTenant } = await import('../../../src/server/db/directory.ts');
const { openDatabases } = await import('../../../src/server/db/open.ts');
const { createPrints } = await import('../../../src/server/engine/print/prints.ts');
const { FileStore } = await import('../../../src/server/services/files/store.ts');
const { createPrinting } = await import('../../../src/server/services/print/printing.ts');

const { dataDir, databaseUrl } = readConfig(process.env);
const directory = await openDatabases({ dataDir, databaseUrl });
const row = (await directory.tenants()).find(({ schema }) => schema === process.env.SCHEMA)!;
const tenant = await openTenant(directory, row);
const { db } = tenant;
const stepped = Object.assign(Object.create(db) as typeof db, {
  query: async <T>(...given: Parameters<Queryable['query']>) => {
    await step();
    return db.query<T>(...given);
  },
  transaction: <T>(work: Parameters<typeof db.transaction<T>>[0]) =>
    db.transaction<T>(async (tx) => {
      const done = await work(tx);
      await step();
      return done;
    }),
});
const files = new FileStore(dataDir, 1024 * 1024);
const prints = createPrints({ screens: () => new Map(), printing: createPrinting(files), files, dataDir });
const kept = process.env.KEPT!.split(',').map(Number);
await killAt(process.env.KILL_AT!.split(',').map(Number), (n) =>
  prints.attachments({ ...tenant, db: stepped }, [kept[n]!]),
);
