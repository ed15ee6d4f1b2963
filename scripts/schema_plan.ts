// `npm run schema:plan`: what the descriptors would change in each client's tables, before anything is applied.
// `npm run schema:plan -- --apply` applies what is safe; `--apply-destructive <type>.<field>` also that, on purpose.
import { parseArgs } from 'node:util';
import { readConfig } from '../src/server/config.ts';
import { applyPlan, changeName, describeRefusal, weigh } from '../src/server/db/apply.ts';
import { readCatalogue } from '../src/server/db/catalogue.ts';
import { openDatabases } from '../src/server/db/open.ts';
import { planSchema } from '../src/server/db/plan.ts';
import { shapesOf } from '../src/server/db/table_shapes.ts';
import { allTenants, closure } from '../src/server/db/tenants.ts';
import { loadScreens } from '../src/server/descriptors/load.ts';

const { values } = parseArgs({
  options: {
    tenant: { type: 'string' },
    apply: { type: 'boolean', default: false },
    'apply-destructive': { type: 'string', multiple: true, default: [] },
  },
});
const allowDestructive = new Set(values['apply-destructive']);
const config = readConfig(process.env);
try {
  const { screens, problems } = await loadScreens(config.schemasDir);
  for (const { file, line, message } of problems) console.error(`${file}:${line} ${message}`);
  if (problems.length > 0)
    throw new Error('Descriptors with errors are not planned. Correct them first (npm run schema:check).');
  const directory = await openDatabases({ dataDir: config.dataDir, databaseUrl: config.databaseUrl, share: true });
  try {
    const tenants = (await allTenants(directory)).filter(
      ({ subDomain }) => !values.tenant || subDomain === values.tenant,
    );
    for (const { subDomain, schema, db } of tenants) {
      const current = await readCatalogue(db, schema);
      const types = closure(shapesOf(screens), [...current.state.keys()]).map(({ type }) => type);
      const gone = [...current.state.keys()].filter((type) => !screens.has(type));
      const changes = planSchema(screens, schema, current, types);
      console.log(
        `${subDomain} (${schema} in ${db.name}): ${changes.length === 0 ? 'nothing to change' : `${changes.length} changes`}`,
      );
      for (const change of changes) {
        const refusal = await weigh(db, change).catch(() => null);
        console.log(
          `  ${refusal && !allowDestructive.has(changeName(change)) ? describeRefusal(refusal) : change.what}`,
        );
      }
      for (const type of gone) console.log(`  table ${type} has no descriptor any more; it is kept.`);
      if (!values.apply && allowDestructive.size === 0) continue;
      const { applied, refused } = await applyPlan(db, schema, changes, { allowDestructive });
      console.log(`  applied ${applied.length}, not done ${refused.length}`);
    }
  } finally {
    await directory.close();
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
