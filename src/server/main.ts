import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { App } from './app.ts';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import { ConfigError, describeVariables, readConfig } from './config.ts';
import { DataInUse } from './db/data_lock.ts';
import type { Directory } from './db/directory.ts';
import { openDatabases } from './db/open.ts';
import { fillCatalogue } from './platform/clients/catalogue.ts';
import { firstAdminLink } from './platform/clients/first_admin.ts';
import { createDemo } from './platform/demo/create_demo.ts';
import { loadScreens } from './engine/descriptors/load.ts';
import { readPages, withFigures } from './access/rights/pages.ts';
import { addressOf } from './services/notifications/address.ts';
import { putInForce, readInForce } from './engine/descriptors/in_force.ts';
import { encryptStored } from './engine/records/encrypted.ts';

const started = performance.now();
const root = join(import.meta.dirname, '../..');
const say = (text: string): void => console.log(text);

async function main(): Promise<void> {
  if (process.argv.includes('--help') || process.argv.includes('-h')) {
    say(
      `Mainstay. Starts the server; npm start does everything that is needed first.\n\nSettings (environment variables):\n${describeVariables()}`,
    );
    return;
  }
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 24 || (major === 24 && minor < 15))
    throw new ConfigError(
      `Node ${process.versions.node} is too old. Start with "npm start", which brings its own, or install Node 24.15 or later.`,
    );

  const config = readConfig(process.env);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const [directory, loaded] = await Promise.all([
    openDatabases({ dataDir: config.dataDir, databaseUrl: config.databaseUrl, log: say }),
    loadScreens(config.schemasDir),
  ]);
  let app: App | undefined;
  try {
    const before = await readInForce(directory.main);
    const { screens, problems } = await putInForce({
      directory,
      schemasDir: config.schemasDir,
      loaded,
      before,
      log: say,
    });
    for (const { file, line, path, message, hint, client } of problems)
      console.error(`${file}:${line}: ${path}: ${client ? `${client}: ` : ''}${message}${hint ? ` ${hint}` : ''}`);
    const pages = withFigures(readPages(config.schemasDir), loaded);
    await fillCatalogue(directory, screens, pages);
    const signIns = config.demo
      ? await createDemo({
          directory,
          screens,
          pages,
          dataDir: config.dataDir,
          password: config.demoPassword,
          log: say,
        })
      : [];
    app = await buildApp({ config, directory, loaded: { ...loaded, screens, problems }, version });
    const running = app;
    stopOnSignal(running, directory, config);
    const port = await listen(running, config);
    // Links in mails name the port that was given.
    config.port = port;
    if (config.watch) running.live.watch();
    // Nobody waits for it either: who looks after an import meanwhile sees it a moment later.
    void running.endInterruptedRuns().then(
      (count) => count > 0 && say(`${count} imports were interrupted when the server stopped.`),
      (error: unknown) => running.server.log.error({ err: error }, 'Interrupted imports could not be looked for.'),
    );
    running.maintenance.start();
    running.jobs.start();
    running.outbox.start();
    running.deliveries.start();
    running.due.start();
    // Nobody waits for it: what is still stored in clear is read as well.
    void encryptStored(directory, screens, running.services.vault).then(
      (count) => count > 0 && say(`${count} stored secrets were encrypted.`),
      (error: unknown) =>
        running.server.log.error({ err: error }, 'Stored secrets could not be encrypted; the next start tries again.'),
    );
    announce(config, port, signIns);
    const link = await firstAdminLink(directory, addressOf(config, { schema: 'public', subDomain: 'admin' }));
    if (link !== null)
      say(
        `\nNobody looks after this installation yet. Choose the password of the platform administrator (user name: platform) within 72 hours:\n  ${link}`,
      );
  } catch (error) {
    await app?.close().catch(() => undefined);
    await directory.close().catch(() => undefined);
    throw error;
  }
}

/** Listens on every address; the second and later ones may be missing on this machine (::1). */
async function listen({ server }: App, { hosts, port }: Config): Promise<number> {
  const [first = '127.0.0.1', ...others] = hosts;
  await server.listen({ host: first, port });
  const bound = (server.server.address() as AddressInfo).port;
  for (const host of others) await listenAlso(server.server, host, bound);
  return bound;
}

/** A further address of the same server: its connections are handed to the first one's listeners. */
async function listenAlso(primary: Server, host: string, port: number): Promise<void> {
  const second = createServer((socket) => primary.emit('connection', socket));
  await new Promise<void>((resolve) => {
    second.once('error', () => resolve());
    second.listen({ host, port, ipv6Only: true }, resolve);
  });
  primary.once('close', () => second.close());
}

function announce(
  { dataDir, publicUrl }: Config,
  port: number,
  signIns: { host: string; username: string; password: string; what: string }[],
): void {
  const address = (sub: string) => publicUrl?.origin ?? `http://${sub}.localhost:${port}`;
  if (signIns.length > 0) {
    const width = Math.max(...signIns.map(({ username }) => username.length));
    say(`\nDemo sign-ins (all in ${join(dataDir, 'demo-sign-ins.txt')}):`);
    for (const { host, username, password, what } of signIns)
      say(`  ${address(host)}  ${username.padEnd(width)}  ${password}  ${what}`);
  }
  say(
    `\nMainstay is ready on ${address(signIns.length > 0 ? 'demo' : 'admin')} after ${Math.round(performance.now() - started)} ms.`,
  );
}

/** Stops accepting, lets calls under way finish, then closes what holds data. */
function stopOnSignal(app: App, directory: Directory, { shutdownSeconds }: Config): void {
  let stopping = false;
  const stop = (signal: string) => {
    // A second Ctrl-C does not wait.
    if (stopping) process.exit(1);
    stopping = true;
    app.server.log.info({ signal }, 'Stopping.');
    app.beginStopping();
    const late = setTimeout(() => {
      app.server.log.warn({}, 'Calls did not finish in time.');
      app.server.server.closeAllConnections();
    }, shutdownSeconds * 1000);
    app
      .close()
      .then(() => directory.close())
      .then(
        () => {
          clearTimeout(late);
          process.exit(0);
        },
        (error: unknown) => {
          app.server.log.error({ err: error }, 'Stopping failed.');
          process.exit(1);
        },
      );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

main().catch((error: unknown) => {
  if (error instanceof ConfigError || error instanceof DataInUse) console.error(error.message);
  else console.error(error);
  process.exit(1);
});
