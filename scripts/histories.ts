/**
 * `npm run histories -- --runs 10000 --seed 1`: random histories of documents that are made of another, changed, booked,
 * cancelled and deleted, on a made-up pair of types in a database of its own. After each, what was settled and what was
 * undone come to the same as the documents themselves. Ends at the first history that does not, and prints it.
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbedded } from '../src/server/db/embedded.ts';
import { quoted } from '../src/server/db/names.ts';
import { createDatabase, openDatabases } from '../src/server/db/open.ts';
import { findTenant } from '../src/server/db/tenants.ts';
import { HISTORY_TYPES, runHistories } from '../tests/api/engine/histories.ts';
import { startTarget } from '../tests/fuzz/target.ts';
import { removeData } from '../tests/server_data.ts';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
});
const [runs, seed] = [Number(values.runs), Number(values.seed)];
if (!Number.isSafeInteger(runs) || runs < 1 || !Number.isSafeInteger(seed)) {
  console.error('Usage: npm run histories -- --runs <number> --seed <number>');
  process.exit(1);
}

const home = mkdtempSync(join(tmpdir(), 'mainstay-histories-'));
const schemasDir = join(home, 'schemas');
cpSync(join(import.meta.dirname, '../schemas'), schemasDir, { recursive: true });
for (const [name, descriptor] of Object.entries(HISTORY_TYPES))
  writeFileSync(join(schemasDir, 'organisation', `${name}.json`), JSON.stringify(descriptor));
const server = await startEmbedded({ dataDir: join(home, 'server') });
let failed = true;
try {
  await createDatabase(server.url('postgres'), 'histories');
  const place = { databaseUrl: server.url('histories'), dataDir: join(home, 'data') };
  const directory = await openDatabases({ ...place, poolSize: 8 });
  const target = await startTarget({ ...place, directory, schemasDir });
  const tenant = (await findTenant(directory, 'demo'))!;
  const [company] = await tenant.db.owner.query<{ id: number }>(
    `select min(id) as id from ${quoted(tenant.schema)}.entity`,
  );
  const headers = { ...target.headers('administrator'), 'x-entity-id': String(company!.id) };
  const { histories, taken, refused } = await runHistories(
    {
      call: (method, url, payload) =>
        target.inject({ method: method as 'GET', url, headers, ...(payload && { payload }) }),
      sql: (text, given) => tenant.db.owner.query(text.replaceAll('{s}', quoted(tenant.schema)), given),
    },
    { histories: runs, seed, atOnce: 4, onDone: (done) => done % 500 === 0 && console.log(`${done} histories`) },
  );
  console.log(`seed ${seed}: ${histories} histories, ${taken} acts taken, ${refused} refused; all reconcile.`);
  failed = false;
  await target.close();
  await directory.close();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
} finally {
  await server.stop();
  removeData(join(home, 'server'));
  rmSync(home, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
