import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { Screen } from '../../src/descriptor/types.ts';
import type { Report } from '../../src/domain/report.ts';
import type { App } from '../../src/server/app.ts';
import { buildApp } from '../../src/server/app.ts';
import { readConfig } from '../../src/server/config.ts';
import type { Directory } from '../../src/server/db/directory.ts';
import { tableName } from '../../src/server/db/names.ts';
import { findTenant } from '../../src/server/db/tenants.ts';
import { createDemo } from '../../src/server/platform/demo/create_demo.ts';
import { loadScreens } from '../../src/server/engine/descriptors/load.ts';
import { readPages, withFigures } from '../../src/server/access/rights/pages.ts';
import { storePassword } from '../../src/server/access/people/accounts.ts';
import { hashPassword } from '../../src/server/access/sessions/password.ts';

const PASSWORD = 'Lotus-and-coral-7';
const root = join(import.meta.dirname, '../..');

/** A database that nobody else uses, and a folder for files. */
export interface Place {
  directory: Directory;
  databaseUrl: string;
  dataDir: string;
}

export const CALLERS = ['administrator', 'person', 'key', 'nobody', 'platform'] as const;
export type CallerName = (typeof CALLERS)[number];

/** The product with its demo company, and those who call it. */
export interface Target {
  app: App;
  screens: ReadonlyMap<string, Screen>;
  reports: ReadonlyMap<string, Report>;
  /** The host a caller asks, and what says who it is. */
  headers(caller: CallerName): Record<string, string>;
  /** Signs somebody else of the same kind in, when the one before was locked, signed out or switched off. */
  renew(caller: CallerName): Promise<void>;
  inject(call: InjectOptions): Promise<LightMyRequestResponse>;
  /** A word that is in another client's data alone. */
  foreignWord: string;
  close(): Promise<void>;
}

/**
 * Starts the product with the demo company; it listens on no port.
 * @param options.schemasDir default its own descriptors
 * @param options.hasDemo the database holds the demo companies already; else it is empty
 */
export async function startTarget({
  directory,
  databaseUrl,
  dataDir,
  schemasDir = join(root, 'schemas'),
  hasDemo = false,
}: Place & { schemasDir?: string; hasDemo?: boolean }): Promise<Target> {
  const config = readConfig({
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    SCHEMAS_DIR: schemasDir,
    LOG_LEVEL: 'silent',
    RATE_LIMIT: '0',
    DEMO: '0',
  });
  const loaded = await loadScreens(schemasDir);
  const pages = withFigures(readPages(schemasDir), loaded);
  if (!hasDemo) await createDemo({ directory, screens: loaded.screens, pages, dataDir, password: PASSWORD });
  const app = await buildApp({ config, directory, loaded, version: 'test', logger: false });
  await app.server.ready();
  const foreignWord = 'Zyqvothran';
  const [demo, zenith] = await Promise.all(['demo', 'zenith'].map((name) => findTenant(directory, name)));
  if (!demo || !zenith) throw new Error('The demo company was not made.');
  for (const [type, column] of [
    ['users', 'name'],
    ['branch', 'name'],
    ['employee', 'last_name'],
  ] as const)
    await zenith.db.owner.query(`update ${tableName(zenith.schema, type)} set "${column}" = $1 || id`, [foreignWord]);

  const hash = await hashPassword(PASSWORD);
  const tokens = new Map<CallerName, string>();
  const users = tableName(demo.schema, 'users');
  const companies = tableName(demo.schema, 'users__companies');
  const run = randomBytes(3).toString('hex');
  let made = 0;

  /** Somebody new with the rights of the first who fits. */
  async function addUser(like: string, service = false): Promise<{ id: number; username: string }> {
    const username = `fuzz.${run}.${++made}`;
    const [row] = await demo!.db.owner.query<{ id: number; model: number }>(
      `insert into ${users} (username, name, email, is_admin, is_service, status, products, language)
       select $1, 'Fuzz', $1 || '@example.in', is_admin, $2, 'active', products, language from ${users} where ${like} order by id limit 1
       returning id, (select id from ${users} where ${like} order by id limit 1) as model`,
      [username, service],
    );
    if (!row) throw new Error(`The demo company has nobody with ${like}.`);
    await demo!.db.owner.query(
      `insert into ${companies} (parent_id, position, entity_id, is_default, branch_id, role_ids)
       select $1, position, entity_id, is_default, branch_id, role_ids from ${companies} where parent_id = $2`,
      [row.id, row.model],
    );
    if (!service) await storePassword(demo!.db, demo!.schema, row.id, hash);
    return { id: row.id, username };
  }

  async function addPlatformUser(): Promise<string> {
    const username = `fuzz.${run}.${++made}`;
    const [row] = await directory.main.query<{ id: number }>(
      `insert into public.common_user (username, name, email, user_type_id)
       select $1, 'Fuzz', $1 || '@mainstay.example', user_type_id from public.common_user where username = 'platform' returning id`,
      [username],
    );
    await storePassword(directory.main, 'public', row!.id, hash);
    return username;
  }

  const host = (caller: CallerName) => `${caller === 'platform' ? 'admin' : 'demo'}.localhost:3000`;
  async function signIn(caller: CallerName, username: string): Promise<string> {
    const login = await app.server.inject({
      method: 'POST',
      url: '/api/sessions/login',
      headers: { host: host(caller) },
      payload: { email: username, password: PASSWORD },
    });
    const { token } = login.json<{ token?: string }>();
    if (token === undefined) throw new Error(`${username} could not sign in: ${login.body}`);
    return token;
  }
  const headers = (caller: CallerName) => {
    const token = tokens.get(caller);
    return { host: host(caller), ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  };
  const TOKEN_OF: Record<CallerName, () => Promise<string | null>> = {
    administrator: async () => signIn('administrator', (await addUser('is_admin')).username),
    person: async () =>
      signIn('person', (await addUser(`not is_admin and status = 'active' and not is_service`)).username),
    platform: async () => signIn('platform', await addPlatformUser()),
    nobody: async () => null,
    async key() {
      const { id } = await addUser('is_admin', true);
      const answer = await app.server.inject({
        method: 'POST',
        url: '/tapi/api_config',
        headers: headers('administrator'),
        payload: {
          name: `Fuzz ${run} ${made}`,
          direction: 'inbound',
          service_user_id: id,
          expires_on: new Date(Date.now() + 300 * 86_400_000).toISOString().slice(0, 10),
        },
      });
      const { key } = answer.json<{ key?: string }>();
      if (key === undefined) throw new Error(`An interface key could not be made: ${answer.body}`);
      return key;
    },
  };
  const target: Target = {
    app,
    screens: loaded.screens,
    reports: loaded.reports,
    foreignWord,
    headers,
    async renew(caller) {
      const token = await TOKEN_OF[caller]();
      if (token !== null) tokens.set(caller, token);
    },
    inject: (call) => app.server.inject(call),
    close: () => app.close(),
  };
  for (const caller of ['administrator', 'person', 'platform', 'key'] as const) await target.renew(caller);
  return target;
}
