// `npm run schema:plan`: what the descriptors would change in each client's tables, before anything is applied.
// `npm run schema:plan -- --apply` applies what is safe; `--apply-destructive <type>.<field>` also that, on purpose.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readConfig } from '../src/server/config.ts';
import { applyPlan, changeName, describeRefusal } from '../src/server/db/apply.ts';
import { readCatalogue } from '../src/server/db/catalogue.ts';
import type { Database } from '../src/server/db/database.ts';
import { databaseFolder } from '../src/server/db/embedded.ts';
import { weighPlan } from '../src/server/db/foresee.ts';
import { openDatabases } from '../src/server/db/open.ts';
import { planSchema } from '../src/server/db/plan.ts';
import { shapesOf } from '../src/server/db/table_shapes.ts';
import { allTenants, platformShapes, presentShapes } from '../src/server/db/tenants.ts';
import { loadScreens } from '../src/server/engine/descriptors/load.ts';
import { announceScreens } from '../src/server/services/live/bus.ts';

const { values } = parseArgs({
  options: {
    tenant: { type: 'string' },
    apply: { type: 'boolean', default: false },
    'apply-destructive': { type: 'string', multiple: true, default: [] },
  },
});
const allowDestructive = new Set(values['apply-destructive']);
const applies = values.apply || allowDestructive.size > 0;
const config = readConfig(process.env);

/** Where the rows are that the plan is made for: a plan for another database than the server's would mislead. */
function placeOf({ databaseUrl, dataDir }: typeof config): string {
  if (databaseUrl) {
    const { host, pathname } = new URL(databaseUrl);
    return `the database ${pathname.slice(1)} at ${host || 'this machine'} (DATABASE_URL)`;
  }
  if (!existsSync(databaseFolder(dataDir)))
    throw new Error(
      `There is no database in ${dataDir}. Give the DATA_DIR or the DATABASE_URL that the server was started with.`,
    );
  return `the embedded database of ${dataDir} (DATA_DIR)`;
}

try {
  console.log(`Looking at ${placeOf(config)} and the descriptors of ${config.schemasDir}.`);
  const { screens, problems } = await loadScreens(config.schemasDir);
  for (const { file, line, message } of problems) console.error(`${file}:${line} ${message}`);
  if (problems.length > 0)
    throw new Error('Descriptors with errors are not planned. Correct them first (npm run schema:check).');
  const directory = await openDatabases({ dataDir: config.dataDir, databaseUrl: config.databaseUrl, share: true });
  try {
    const named = new Set<string>();
    const plan = async (subDomain: string, db: Database, schema: string, types: string[]): Promise<void> => {
      const current = await readCatalogue(db, schema);
      const gone = [...current.state.keys()].filter((type) => !screens.has(type));
      const changes = planSchema(screens, schema, current, types);
      console.log(
        `${subDomain} (${schema} in ${db.name}): ${changes.length === 0 ? 'nothing to change' : `${changes.length} changes`}`,
      );
      for (const change of changes) named.add(changeName(change));
      const refused = new Map((await weighPlan(db, schema, changes)).map((refusal) => [refusal.change, refusal]));
      for (const change of changes) {
        const refusal = refused.get(change);
        console.log(
          `  ${refusal && !allowDestructive.has(changeName(change)) ? describeRefusal(refusal) : change.what}`,
        );
      }
      for (const type of gone) console.log(`  table ${type} has no descriptor any more; it is kept.`);
      if (!applies) return;
      const outcome = await applyPlan(db, schema, changes, { allowDestructive });
      console.log(`  applied ${outcome.applied.length}, not done ${outcome.refused.length}`);
    };
    if (!values.tenant)
      await plan(
        'public',
        directory.main,
        'public',
        (await platformShapes(directory.main, screens)).map(({ type }) => type),
      );
    const tenants = (await allTenants(directory)).filter(
      ({ subDomain }) => !values.tenant || subDomain === values.tenant,
    );
    if (values.tenant && tenants.length === 0) throw new Error(`There is no client "${values.tenant}".`);
    for (const { subDomain, schema, db } of tenants)
      await plan(
        subDomain,
        db.owner,
        schema,
        (await presentShapes(db, schema, shapesOf(screens))).map(({ type }) => type),
      );
    for (const name of allowDestructive)
      if (!named.has(name))
        console.log(`Nothing is to be changed in ${name}: --apply-destructive ${name} did nothing.`);
    // A running server looks again at what it had refused.
    if (applies) await announceScreens(directory.main);
  } finally {
    await directory.close();
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
