import { join } from 'node:path';
import { announce, announceRights } from '../../src/server/db/announce.ts';
import type { Queryable } from '../../src/server/db/database.ts';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { PageType, Screen } from '../../src/descriptor/types.ts';
import type { App } from '../../src/server/app.ts';
import { buildApp } from '../../src/server/app.ts';
import { readConfig } from '../../src/server/config.ts';
import type { DataScope } from '../../src/server/access/context.ts';
import type { Tenant } from '../../src/server/db/tenant.ts';
import { quoted } from '../../src/server/db/names.ts';
import type { Module } from '../../src/server/engine/modules.ts';
import { createTenant, ensureTables } from '../../src/server/db/tenants.ts';
import { loadScreens } from '../../src/server/engine/descriptors/load.ts';
import { storePassword } from '../../src/server/access/people/accounts.ts';
import { hashPassword } from '../../src/server/access/sessions/password.ts';
import { PLATFORM } from '../../src/server/services/jobs/schedules.ts';
import type { TestDatabase } from './postgres.ts';
import { demoDatabase, killableDatabase, testDatabase } from './postgres.ts';
import { engineSchemas } from './schemas_with.ts';
import { refuseUnannounced } from './unannounced_rights.ts';

/** Of everybody in a test world. */
export const PASSWORD = 'Lift-2025 monsoon kettle';
let passwordHash: Promise<string> | undefined;

export interface RoleSpec {
  modules: string[];
  /** Screen code → pages ticked; the module is the first one. */
  screens?: Record<string, PageType[] | { module?: string; pages: PageType[]; scope?: DataScope }>;
  actions?: string[];
}

export interface UserSpec {
  name?: string;
  isAdmin?: boolean;
  status?: 'active' | 'invited' | 'disabled';
  flags?: ('chairman' | 'ceo' | 'secretary')[];
  products?: string[];
  /** Company number (from 1) → roles by number; the first is the default. */
  companies?: { company: number; roles?: number[]; branchId?: number }[];
  mustChange?: boolean;
  sessionLimit?: number;
}

/** One tenant of a test, with what tests ask of it. */
export interface TestTenant extends Tenant {
  host: string;
  entityIds: number[];
  role(spec: RoleSpec): Promise<number>;
  user(username: string, spec?: UserSpec): Promise<number>;
  sql<T = Record<string, unknown>>(text: string, values?: unknown[]): Promise<T[]>;
}

export interface Caller {
  token: string;
  userId: number;
  call(method: string, url: string, body?: unknown, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
}

/** A running server (without a port) and tenants on the run's database. */
export interface World {
  database: TestDatabase;
  app: App;
  /** Of its descriptors, for processes beside it. */
  schemasDir: string;
  screens: Map<string, Screen>;
  tenant(options?: {
    suffix?: string;
    products?: string[];
    companies?: number;
    active?: boolean;
    /** Whether it has the tables of all that it has bought from the beginning, as a real client; else on first use. */
    everyTable?: boolean;
  }): Promise<TestTenant>;
  /** A client that is there already, such as the demo company, as tests use one. */
  known(tenant: Tenant): Promise<TestTenant>;
  signIn(tenant: TestTenant, username: string, password?: string): Promise<Caller>;
  inject(options: InjectOptions): Promise<LightMyRequestResponse>;
  /** Takes what is due at a moment, for this world's clients only: files beside it live at other moments. */
  sweep(now: Date): Promise<number>;
  close(): Promise<void>;
}

/**
 * Starts the server on the given descriptors (default: the product's own).
 * @param options.types with the descriptors that the engine itself needs and these, instead of all of the product
 * @param options.alone with a database of its own: a changed descriptor goes through all tenants there are
 * @param options.demo with a database of its own that holds the demo companies
 */
export async function startWorld(
  options: {
    env?: Record<string, string>;
    schemasDir?: string;
    types?: readonly string[];
    alone?: boolean;
    demo?: boolean;
    modules?: readonly Module[];
    /** With a database server of its own, which the test may kill. */
    killable?: boolean;
    /** When it is, for clocks. */
    now?: () => Date;
  } = {},
): Promise<World> {
  const schemasDir = options.schemasDir ?? (options.types ? engineSchemas(options.types) : SCHEMAS);
  const loaded = await (options.schemasDir === undefined ? sharedScreens(schemasDir) : loadScreens(schemasDir));
  const database = await (options.demo
    ? demoDatabase(loaded)
    : options.killable
      ? killableDatabase()
      : testDatabase(options.alone));
  const config = readConfig({
    DATA_DIR: database.dataDir,
    DATABASE_URL: database.databaseUrl,
    SCHEMAS_DIR: schemasDir,
    LOG_LEVEL: 'silent',
    DEMO: '0',
    ...options.env,
  });
  const app = await buildApp({
    config,
    directory: database.directory,
    loaded,
    version: 'test',
    logger: false,
    ...(options.modules && { modules: options.modules }),
    ...(options.now && { now: options.now }),
  });
  await app.server.ready();
  let made = 0;
  const schemas = new Set<string>();
  // Files that share a database would run each other's jobs, and not wait for them.
  if (!options.alone && !options.demo && !options.killable) {
    const { drain } = app.jobs;
    app.jobs.drain = async () => {
      const tenants = await database.directory.tenants();
      const own = tenants.filter(({ subDomain }) => subDomain.startsWith(database.subDomain()));
      return drain([...schemas, ...own.map(({ schema }) => schema), PLATFORM]);
    };
  }

  return {
    database,
    app,
    schemasDir,
    screens: loaded.screens,
    async tenant({ suffix = `x${++made}`, products, companies = 1, active = true, everyTable = false } = {}) {
      const tenant = await createTenant(database.directory, app.store.screens(), {
        subDomain: database.subDomain(suffix),
        name: `Test ${suffix}`,
        products: products ?? ['FMS', 'TKT'],
        active,
        // A test uses some of its tables; the hundreds of others would be made in vain.
        ...(!everyTable && { types: ['users', 'role'] }),
      });
      schemas.add(tenant.schema);
      return testTenant(tenant, companies, () => app.store.screens());
    },
    known(tenant) {
      schemas.add(tenant.schema);
      return testTenant(tenant, null, () => app.store.screens());
    },
    async signIn(tenant, username, password = PASSWORD) {
      const answer = await app.server.inject({
        method: 'POST',
        url: '/api/sessions/login',
        headers: { host: tenant.host, 'content-type': 'application/json' },
        payload: { email: username, password, prefix: '' },
      });
      const { token, user_id: userId, result } = answer.json<{ result: string; token: string; user_id: number }>();
      if (result !== 'success') throw new Error(`${username} could not sign in: ${answer.body}`);
      return {
        token,
        userId,
        call: (method, url, body, headers = {}) =>
          app.server.inject({
            method: method as 'GET',
            url,
            headers: { host: tenant.host, authorization: `Bearer ${token}`, ...headers },
            ...(body !== undefined && { payload: body as object }),
          }),
      };
    },
    inject: (request) => app.server.inject(request),
    sweep: (now) => app.due.sweep(now, schemas),
    async close() {
      await app.close();
      await database.close();
    },
  };
}

const SCHEMAS = join(import.meta.dirname, '../../schemas');
/** By their directory: compiled once for all the files that a worker runs. */
const compiled = new Map<string, ReturnType<typeof loadScreens>>();

function sharedScreens(schemasDir: string): ReturnType<typeof loadScreens> {
  const loading = compiled.get(schemasDir) ?? loadScreens(schemasDir);
  compiled.set(schemasDir, loading);
  return loading;
}

/** The product's descriptors. */
export function productScreens(): ReturnType<typeof loadScreens> {
  return sharedScreens(SCHEMAS);
}

/** Statements that change what open sessions may do. */
const DECIDES_SESSIONS =
  /\b(insert into|update|delete from) \{s\}\.(users|users__companies|session|role|role_action|(module|screen|field)_right(s?)|entity|branch|delegation)\b/;

/** Writes into the platform's tables past the server, and announces it. */
export async function platformSql<T = Record<string, unknown>>(
  main: Queryable,
  text: string,
  values?: unknown[],
): Promise<T[]> {
  const rows = await main.query<T>(text, values);
  await announce(main, { kind: 'client' });
  return rows;
}

async function testTenant(
  tenant: Tenant,
  companies: number | null,
  screens: () => ReadonlyMap<string, Screen>,
): Promise<TestTenant> {
  const s = quoted(tenant.schema);
  const sql = async <T>(text: string, values?: unknown[]) => {
    const statement = text.replaceAll('{s}', s);
    // Whoever writes past the server announces it: processes would read it again some seconds later.
    const run = () =>
      DECIDES_SESSIONS.test(text)
        ? tenant.db.owner.transaction(async (tx) => {
            const rows = await tx.query<T>(statement, values);
            await announceRights(tx, tenant.schema);
            return rows;
          })
        : tenant.db.owner.query<T>(statement, values);
    try {
      return await run();
    } catch (error) {
      if ((error as { code?: string }).code !== '42P01') throw error;
      // Tables come on first use: also where a test reads or writes them past the server.
      const named = [...text.matchAll(/\{s\}\."?([a-z_0-9]+?)(?:__|\b)/gi)].map(([, type]) => type!);
      await ensureTables(
        tenant,
        screens(),
        named.filter((type) => screens().has(type)),
      );
      return run();
    }
  };
  await refuseUnannounced(tenant);
  const entityIds =
    companies === null
      ? (await sql<{ id: number }>('select id from {s}.entity order by id')).map(({ id }) => id)
      : await writeCompanies(sql, companies);
  // Roles of a client that is there already have names of their own.
  const mark = companies === null ? 'Test ' : '';
  let roles = 0;
  return {
    ...tenant,
    host: `${tenant.subDomain}.localhost:3000`,
    entityIds,
    sql,
    async role({ modules, screens = {}, actions = [] }) {
      const number = ++roles;
      const [role] = await sql<{ id: number }>(
        'insert into {s}.role (code, role_name, is_system) values ($1, $2, false) returning id',
        [`${mark}R${number}`, `${mark}Role ${number}`],
      );
      const id = role!.id;
      const moduleIds = new Map<string, number>();
      for (const code of modules) {
        const [row] = await sql<{ id: number }>(
          'insert into {s}.module_rights (role_id, module_code) values ($1, $2) returning id',
          [id, code],
        );
        moduleIds.set(code, row!.id);
      }
      for (const [code, given] of Object.entries(screens)) {
        const { pages, scope = 'company', module = modules[0] } = Array.isArray(given) ? { pages: given } : given;
        await sql(
          `insert into {s}.screen_rights (role_id, modules_rights_id, screen_code, data_scope${pages.map((page) => `, ${page}`).join('')})
           values ($1, $2, $3, $4${pages.map(() => ', true').join('')})`,
          [id, moduleIds.get(module ?? '') ?? null, code, scope],
        );
      }
      for (const action of actions)
        await sql('insert into {s}.role_action (role_id, action_code) values ($1, $2)', [id, action]);
      return id;
    },
    async user(username, spec = {}) {
      const flags = spec.flags ?? [];
      const [user] = await sql<{ id: number }>(
        `insert into {s}.users (username, name, email, is_admin, chairman_flag, ceo_flag, secretary_flag, is_service, status, products, language, mfa_required, must_change_password, session_limit)
         values ($1, $2, $3, $4, $5, $6, $7, false, $8, $9, 'en', false, $10, $11) returning id`,
        [
          username,
          spec.name ?? `Person ${username}`,
          `${username}@example.in`,
          spec.isAdmin ?? false,
          flags.includes('chairman'),
          flags.includes('ceo'),
          flags.includes('secretary'),
          spec.status ?? 'active',
          spec.products ?? [],
          spec.mustChange ?? false,
          spec.sessionLimit ?? null,
        ],
      );
      const id = user!.id;
      passwordHash ??= hashPassword(PASSWORD);
      await storePassword({ query: tenant.db.query.bind(tenant.db) }, tenant.schema, id, await passwordHash, {
        mustChange: spec.mustChange ?? false,
      });
      for (const [index, { company, roles: roleIds = [], branchId }] of (
        spec.companies ?? [{ company: 1 }]
      ).entries()) {
        await sql(
          'insert into {s}.users__companies (parent_id, position, entity_id, is_default, branch_id, role_ids) values ($1, $2, $3, $4, $5, $6)',
          [id, index, entityIds[company - 1], index === 0, branchId ?? null, roleIds],
        );
      }
      return id;
    },
  };
}

type Sql = <T>(text: string, values?: unknown[]) => Promise<T[]>;

/** A country, a state, a city and the companies there. */
async function writeCompanies(sql: Sql, count: number): Promise<number[]> {
  const one = async (text: string, values: unknown[] = []) =>
    (await sql<{ id: number }>(`${text} returning id`, values))[0]!.id;
  const country = await one(
    `insert into {s}.country (code, name, dial_code, saarc) values ('IN', 'India', '+91', true)`,
  );
  const state = await one(
    `insert into {s}.state_mstr (code, name, country_id, gst_code, union_territory) values ('TN', 'Tamil Nadu', $1, '33', false)`,
    [country],
  );
  const city = await one(`insert into {s}.city_mstr (code, name, state_id) values ('CHN', 'Chennai', $1)`, [state]);
  const ids: number[] = [];
  for (let n = 1; n <= count; n++) {
    ids.push(
      await one(
        `insert into {s}.entity (code, name, legal_name, address1, city, state_id, country, pincode, fy_start_month, currency, timezone, sequence_no)
         values ($1, $2, $2, '1 Mount Road', $3, $4, $5, '600002', 4, 'INR', 'Asia/Kolkata', $6)`,
        [`C${n}`, `Company ${n}`, city, state, country, n],
      ),
    );
  }
  return ids;
}
