// `npm run demo:large [-- --sub-domain demo --lifts 20000 --customers 2000 --technicians 300 --years 3]`: adds a lift company
// of that size and history to the first company of a client with the demo's masters, for measurements.
import { parseArgs } from 'node:util';
import { readConfig } from '../src/server/config.ts';
import { openDatabases } from '../src/server/db/open.ts';
import { findTenant } from '../src/server/db/tenants.ts';
import { loadScreens } from '../src/server/engine/descriptors/load.ts';
import { fillLarge } from '../src/server/platform/demo/large/fill_large.ts';
import { dayIn } from '../src/server/services/clock/client_day.ts';

const { values } = parseArgs({
  options: {
    'sub-domain': { type: 'string', default: 'demo' },
    lifts: { type: 'string', default: '20000' },
    customers: { type: 'string', default: '2000' },
    technicians: { type: 'string', default: '300' },
    years: { type: 'string', default: '3' },
  },
});
const [lifts, customers, technicians, years] = [values.lifts, values.customers, values.technicians, values.years].map(
  Number,
) as [number, number, number, number];
if (
  ![lifts, customers, technicians, years].every(Number.isSafeInteger) ||
  lifts < 10 ||
  customers < 1 ||
  technicians < 18 ||
  years < 1 ||
  years > 10
) {
  console.error(
    'Usage: npm run demo:large -- [--sub-domain demo] [--lifts 20000] [--customers 2000] [--technicians 300] [--years 3]',
  );
  console.error('At least 10 lifts, 1 customer and 18 technicians; 1 to 10 years.');
  process.exit(2);
}
const config = readConfig(process.env);
try {
  const { screens } = await loadScreens(config.schemasDir);
  const directory = await openDatabases({ dataDir: config.dataDir, databaseUrl: config.databaseUrl, share: true });
  try {
    const tenant = await findTenant(directory, values['sub-domain']);
    if (!tenant)
      throw new Error(`There is no client ${values['sub-domain']}. Start the product once, which makes the demo.`);
    const from = performance.now();
    const size = { lifts, customers, technicians, years, today: dayIn(tenant.timezone) };
    const made = await fillLarge(tenant, screens, size, (text) => console.log(text));
    const rows = made.reduce((sum, one) => sum + one.rows, 0);
    console.log(
      `${rows.toLocaleString('en-IN')} rows in ${((performance.now() - from) / 1000).toFixed(0)} s. Restart the product, so that its search knows them.`,
    );
  } finally {
    await directory.close();
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
