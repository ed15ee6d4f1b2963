/** A server process of its own on the database of a test: says its port when it listens, and serves until it is ended. */
import { flushCompileCache } from 'node:module';
import type { AddressInfo } from 'node:net';
import { buildApp } from '../../src/server/app.ts';
import { readConfig } from '../../src/server/config.ts';
import { openDatabases } from '../../src/server/db/open.ts';
import type { Module } from '../../src/server/engine/modules.ts';
import { loadScreens } from '../../src/server/engine/descriptors/load.ts';

const config = readConfig(process.env);
const [directory, loaded] = await Promise.all([
  openDatabases({ dataDir: config.dataDir, databaseUrl: config.databaseUrl, poolSize: 8 }),
  loadScreens(config.schemasDir),
]);
const modules = process.env.TEST_MODULES
  ? ((await import(process.env.TEST_MODULES)) as { default: Module[] }).default
  : [];
const app = await buildApp({ config, directory, loaded, version: 'test', logger: false, modules });
await app.server.listen({ host: '127.0.0.1', port: 0 });
if (process.env.TEST_DELIVERS === '1') app.deliveries.start();
// So many jobs at once, of those that wait.
for (let at = 0; at < Number(process.env.TEST_DRAINS ?? 0); at++) void app.jobs.drain();
if (config.watch) app.live.watch();
// It may be killed, which leaves no time for this.
flushCompileCache();
process.send?.((app.server.server.address() as AddressInfo).port);
