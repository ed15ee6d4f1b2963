/** `npm run routes`: which routes of the ledger (docs/routes.tsv) the product serves, by what, and which are missing. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadScreens } from '../src/server/engine/descriptors/load.ts';
import { readPages, withFigures } from '../src/server/access/rights/pages.ts';

const root = join(import.meta.dirname, '..');
const schemasDir = process.env.SCHEMAS_DIR ?? join(root, 'schemas');
const { screens, reports, dashboards, problems } = await loadScreens(schemasDir);

/** Addresses are the same whatever their parameters are called. */
const shape = (path: string) => path.replace(/:\w+/g, ':');
const served = new Map<string, string>(
  [...withFigures(readPages(schemasDir), { reports, dashboards })].map(([path, { by }]) => [shape(path), by]),
);
for (const screen of screens.values()) {
  for (const [page, route] of Object.entries(screen.routes))
    if (route !== null) served.set(shape(route), `${screen.folder}/${screen.name}.json ${page}`);
  if (screen.hierarchy) served.set(shape(screen.hierarchy.route), `${screen.folder}/${screen.name}.json hierarchy`);
  for (const [route, page] of Object.entries(screen.sameAs))
    served.set(shape(route), `${screen.folder}/${screen.name}.json ${page} (older address)`);
}

const ledger = readFileSync(join(root, 'docs/routes.tsv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'));
const routes = ledger.map(([path = '', access = '', areas = '']) => ({
  path,
  access,
  areas: areas.split('; '),
  servedBy: served.get(shape(path)) ?? null,
}));
const missing = routes.filter((route) => route.servedBy === null);
const count = { served: routes.length - missing.length, missing: missing.length, of: routes.length };

if (process.argv.includes('--json')) console.log(JSON.stringify({ ...count, routes }, null, 2));
else {
  if (process.argv.includes('--served'))
    for (const route of routes)
      if (route.servedBy !== null) console.log(`served   ${route.path}  by ${route.servedBy}`);
  for (const route of missing) console.log(`missing  ${route.path}  (${route.areas.join('; ')})`);
  console.log(`routes: ${count.served} served, ${count.missing} missing, of ${count.of}`);
}
// Not process.exit: it would cut off what a pipe has not taken yet.
process.exitCode = problems.length === 0 ? 0 : 1;
