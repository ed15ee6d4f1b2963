// `npm run tenant:create -- acme "Acme Lifts" --products FMS,TKT [--database second] [--timezone Asia/Kolkata]`
import { parseArgs } from 'node:util';
import { readConfig } from '../src/server/config.ts';
import { openDatabases } from '../src/server/db/open.ts';
import { createTenant } from '../src/server/db/tenants.ts';
import { loadScreens } from '../src/server/engine/descriptors/load.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    products: { type: 'string', default: '' },
    database: { type: 'string' },
    timezone: { type: 'string' },
    users: { type: 'string' },
  },
});
const [subDomain, name] = positionals;
if (!subDomain || !name) {
  console.error(
    'Usage: npm run tenant:create -- <sub-domain> "<name>" [--products FMS,TKT] [--database <name>] [--timezone Asia/Kolkata] [--users 50]',
  );
  process.exit(2);
}
const config = readConfig(process.env);
try {
  const { screens } = await loadScreens(config.schemasDir);
  const directory = await openDatabases({ dataDir: config.dataDir, databaseUrl: config.databaseUrl, share: true });
  try {
    const from = performance.now();
    const tenant = await createTenant(directory, screens, {
      subDomain,
      name,
      products: values.products
        .split(',')
        .map((product) => product.trim())
        .filter(Boolean),
      ...(values.database && { database: values.database }),
      ...(values.timezone && { timezone: values.timezone }),
      ...(values.users && { licensedUsers: Number(values.users) }),
    });
    console.log(
      `${tenant.name} is ready: schema ${tenant.schema} in database ${tenant.db.name}, ${Math.round(performance.now() - from)} ms.`,
    );
  } finally {
    await directory.close();
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
