/**
 * `npm run fuzz -- --calls 30000 --seed 7`: right and wrong calls of every operation of the OpenAPI document against the
 * demo company in a database of its own; half of them at random, half with a known kind of wrong value in a field of every
 * type. `--sweep` sends all of the second kind in order. Prints each call that was not answered as it should be, as curl.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbedded } from '../src/server/db/embedded.ts';
import { createDatabase, openDatabases } from '../src/server/db/open.ts';
import { fuzz, reportOf } from '../tests/fuzz/fuzz.ts';
import { operationsOf, undescribed } from '../tests/fuzz/operations.ts';
import { startTarget } from '../tests/fuzz/target.ts';
import { removeData } from '../tests/server_data.ts';

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '30000' },
    seed: { type: 'string', default: '1' },
    sweep: { type: 'boolean', default: false },
  },
});
const [calls, seed] = [Number(values.calls), Number(values.seed)];
if (!Number.isSafeInteger(calls) || calls < 1 || !Number.isSafeInteger(seed)) {
  console.error('Usage: npm run fuzz -- --calls <number> --seed <number>, or -- --sweep');
  process.exit(1);
}

const home = mkdtempSync(join(tmpdir(), 'mainstay-fuzz-'));
const server = await startEmbedded({ dataDir: join(home, 'server') });
let failed = true;
try {
  await createDatabase(server.url('postgres'), 'fuzz');
  const place = { databaseUrl: server.url('fuzz'), dataDir: join(home, 'data') };
  const directory = await openDatabases({ ...place, poolSize: 8 });
  const target = await startTarget({ ...place, directory });
  const missing = undescribed(target, await operationsOf(target));
  for (const route of missing) console.log(`not in the OpenAPI document: ${route}`);
  const result = await fuzz(target, {
    calls,
    seed,
    whole: values.sweep,
    slowMs: 2_000,
    onFault: ({ fault, operation, curl, body }) => console.log(`\n${fault}   ${operation}\n${curl}\n→ ${body}`),
    onProgress: (done) => done % 5_000 === 0 && console.log(`${done} calls`),
  });
  console.log(`\nseed ${seed}: ${reportOf(result)}`);
  failed = result.faults.length > 0 || missing.length > 0;
  await target.close();
  await directory.close();
} finally {
  await server.stop();
  removeData(join(home, 'server'));
  rmSync(home, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
