import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compileScreens } from '../../../src/descriptor/compile.ts';
import type { SourceFile } from '../../../src/descriptor/compile.ts';
import type { Screen } from '../../../src/descriptor/types.ts';
import type { DataScope, Session } from '../../../src/server/access/context.ts';
import type { Tenant } from '../../../src/server/db/tenant.ts';
import { quoted } from '../../../src/server/db/names.ts';
import { createTenant, ensureTables } from '../../../src/server/db/tenants.ts';
import { readTypes } from '../../../src/server/engine/descriptors/types.ts';
import { createEngine } from '../../../src/server/engine/records/engine.ts';
import type { Engine } from '../../../src/server/engine/records/engine.ts';
import type { EngineDeps } from '../../../src/server/engine/records/engine_deps.ts';
import type { RecordChange } from '../../../src/server/engine/records/record_change.ts';
import { AppError } from '../../../src/server/db/errors.ts';
import { parseListQuery } from '../../../src/server/engine/records/list_query.ts';
import type { ListQuery } from '../../../src/server/engine/records/list_query.ts';
import type { TestDatabase } from '../postgres.ts';
import { testDatabase } from '../postgres.ts';

const access = { screen: 'SCN_TEST', action: null };
const schemasDir = join(import.meta.dirname, '../../../schemas');

/** Record types that between them use everything the engine does. */
export const DESCRIPTORS: Record<string, object> = {
  t_area: {
    kind: 'master',
    title: 'Area',
    access,
    scope: 'tenant',
    label: ['name', 'code'],
    unique: [['code']],
    sort: ['name'],
    schema: {
      required: ['code', 'name'],
      properties: {
        code: { $ref: 'types#code' },
        name: { $ref: 'types#name' },
        zone: { $ref: 'types#text', title: 'Zone' },
        address: { $ref: 'types#text', title: 'Address' },
        rate: { $ref: 'types#money', title: 'Rate' },
      },
    },
    grid: ['code', 'name', 'zone', 'rate'],
  },
  t_site: {
    kind: 'master',
    title: 'Site',
    access,
    scope: 'entity',
    label: ['name', 'code'],
    unique: [['code']],
    sort: ['name'],
    schema: {
      required: ['code', 'name'],
      properties: {
        code: { $ref: 'types#code' },
        name: { $ref: 'types#name' },
        area_id: { $ref: 'types#ref', 'x-ref': 't_area', title: 'Area' },
        area_address: { $ref: 'types#text', title: 'Address', 'x-fetch': 'area_id.address' },
        second_area_id: {
          $ref: 'types#ref',
          'x-ref': 't_area',
          title: 'Second area',
          'x-ref-filter': { zone: 'zone' },
        },
        zone: { $ref: 'types#text', title: 'Zone' },
        areas: { $ref: 'types#refs', 'x-ref': 't_area', title: 'Areas' },
        branch_id: { $ref: 'types#ref', 'x-ref': 'branch', title: 'Branch' },
        owner_id: { $ref: 'types#ref', 'x-ref': 'users', title: 'Owner' },
        kind: { enum: ['lift', 'stair'], title: 'Kind', default: 'lift' },
        price: { $ref: 'types#money', title: 'Price', minimum: 0 },
        weight: { $ref: 'types#quantity', title: 'Weight' },
        share: { $ref: 'types#percent', title: 'Share' },
        factor: { $ref: 'types#decimal', title: 'Factor' },
        floors: { $ref: 'types#integer', title: 'Floors' },
        opened: { $ref: 'types#date', title: 'Opened' },
        opens_at: { $ref: 'types#time', title: 'Opens at' },
        seen_at: { $ref: 'types#datetime', title: 'Seen at' },
        lit: { $ref: 'types#boolean', title: 'Lit' },
        words: { $ref: 'types#tags', title: 'Words' },
        position: { $ref: 'types#geo', title: 'Position' },
        extra: { $ref: 'types#json', title: 'Extra' },
        key: { $ref: 'types#text', title: 'Key', 'x-secret': true },
        parts: {
          type: 'array',
          title: 'Parts',
          items: {
            type: 'object',
            required: ['what'],
            properties: {
              what: { $ref: 'types#text', title: 'What' },
              count: { $ref: 'types#integer', title: 'Count' },
              cost: { $ref: 'types#money', title: 'Cost' },
              at: { $ref: 'types#ref', 'x-ref': 't_area', title: 'At' },
              amount: { $ref: 'types#money', title: 'Amount', readOnly: true, 'x-formula': 'count * cost' },
            },
          },
        },
        total: { $ref: 'types#money', title: 'Total', readOnly: true, 'x-formula': 'sum(parts.amount)' },
      },
    },
    hierarchy: { route: '/t_store', title: 'Store', levels: { t_rack: 't_site_id', t_bin: 'rack_id' } },
    rules: [{ assert: 'floors < 100', message: 'Nobody builds that high.', field: 'floors' }],
    grid: ['code', 'name', 'area_id', 'areas', 'branch_id', 'price', 'opened', 'kind'],
  },
  t_order: {
    kind: 'document',
    title: 'Order',
    access,
    scope: 'entity',
    label: ['number'],
    sort: ['-order_date'],
    schema: {
      required: ['number', 'order_date'],
      properties: {
        number: { $ref: 'types#text', title: 'Number', readOnly: true },
        order_date: { $ref: 'types#date', title: 'Date' },
        site_id: { $ref: 'types#ref', 'x-ref': 't_site', title: 'Site' },
      },
    },
    number: { field: 'number', pattern: 'ORD/{company}/{fy}/{0000}' },
    grid: ['number', 'order_date', 'site_id'],
  },
  t_term: {
    kind: 'master',
    title: 'Term',
    access,
    scope: 'entity',
    label: ['name'],
    sort: ['name'],
    valid: { from: 'starts', to: 'ends', key: ['name'] },
    schema: {
      required: ['name', 'starts', 'ends'],
      properties: {
        name: { $ref: 'types#name' },
        starts: { $ref: 'types#date', title: 'Starts' },
        ends: { $ref: 'types#date', title: 'Ends' },
      },
    },
    grid: ['name', 'starts', 'ends'],
  },
  t_node: {
    kind: 'master',
    title: 'Node',
    access,
    scope: 'tenant',
    label: ['name'],
    unique: [['name']],
    sort: ['name'],
    tree: { parent: 'above_id', closure: true },
    schema: {
      required: ['name'],
      properties: { name: { $ref: 'types#name' }, above_id: { $ref: 'types#ref', 'x-ref': 't_node', title: 'Above' } },
    },
    grid: ['name', 'above_id'],
  },
  t_rack: {
    kind: 'master',
    title: 'Rack',
    access,
    scope: 'entity',
    label: ['code'],
    sort: ['code'],
    schema: {
      required: ['code', 't_site_id'],
      properties: { code: { $ref: 'types#code' }, t_site_id: { $ref: 'types#ref', 'x-ref': 't_site', title: 'Site' } },
    },
  },
  t_bin: {
    kind: 'master',
    title: 'Bin',
    access,
    scope: 'entity',
    label: ['code'],
    sort: ['code'],
    schema: {
      required: ['code', 'rack_id'],
      properties: { code: { $ref: 'types#code' }, rack_id: { $ref: 'types#ref', 'x-ref': 't_rack', title: 'Rack' } },
    },
  },
  t_setup: {
    kind: 'settings',
    title: 'Set-up',
    access,
    scope: 'entity',
    label: ['greeting'],
    schema: {
      properties: {
        greeting: { $ref: 'types#text', title: 'Greeting', default: 'Vanakkam' },
        limit: { $ref: 'types#integer', title: 'Limit', default: 5 },
      },
    },
  },
};

function productFiles(): SourceFile[] {
  return ['organisation', 'platform', 'reference'].flatMap((folder) =>
    readdirSync(join(schemasDir, folder)).map((file) => ({
      path: `${folder}/${file}`,
      folder,
      name: file.replace('.json', ''),
      text: readFileSync(join(schemasDir, folder, file), 'utf8'),
    })),
  );
}

/** The product's screens and those of the tests. */
function testScreens(): Map<string, Screen> {
  const own = Object.entries(DESCRIPTORS).map(([name, body]): SourceFile => ({
    path: `test/${name}.json`,
    folder: 'test',
    name,
    text: JSON.stringify({ $schema: '../meta/screen.schema.json', ...body }),
  }));
  const types = readTypes(schemasDir);
  const { screens, problems } = compileScreens([...productFiles(), ...own], types);
  const mine = problems.filter(({ file }) => file.includes('test/'));
  if (mine.length > 0) throw new Error(JSON.stringify(mine, null, 1));
  return screens;
}

export interface SessionOptions {
  scope?: DataScope;
  isAdmin?: boolean;
  entityId?: number | null;
  branchIds?: number[];
  userId?: number;
  employeeId?: number | null;
  refuses?: string[];
}

/** A tenant with two companies, all test types, an engine and sessions made by hand. */
export interface Bench {
  database: TestDatabase;
  tenant: Tenant;
  engine: Engine;
  screens: Map<string, Screen>;
  changes: RecordChange[];
  companies: [number, number];
  users: [number, number];
  branches: [number, number];
  /** Statements sent since the last look. */
  statements(): { text: string; values: unknown[] }[];
  screen(name: string): Screen;
  session(options?: SessionOptions): Session;
  /** `{s}` stands for the schema. */
  sql<T = Record<string, unknown>>(text: string, values?: unknown[]): Promise<T[]>;
  query(type: string, given?: Record<string, string>): ListQuery;
  close(): Promise<void>;
}

export async function startBench(deps: Partial<EngineDeps> = {}): Promise<Bench> {
  const database = await testDatabase();
  const screens = testScreens();
  const made = await createTenant(database.directory, screens, {
    subDomain: database.subDomain(),
    name: 'Records',
    products: [],
  });
  await ensureTables(made, screens, Object.keys(DESCRIPTORS));
  const log: { text: string; values: unknown[] }[] = [];
  // Watches what goes to the database without changing it.
  const db = new Proxy(made.db, {
    get(target, name, receiver) {
      if (name !== 'query') return Reflect.get(target, name, receiver) as unknown;
      return (statement: string | { text: string; values?: unknown[] }, values?: unknown[]) => {
        log.push(
          typeof statement === 'string'
            ? { text: statement, values: values ?? [] }
            : { text: statement.text, values: statement.values ?? [] },
        );
        return target.query(statement, values);
      };
    },
  });
  const tenant: Tenant = { ...made, db };
  const changes: RecordChange[] = [];
  const engine = createEngine({ screens: () => screens, onChange: (_tenant, change) => changes.push(change), ...deps });
  const schema = quoted(tenant.schema);
  const sql = <T>(text: string, values?: unknown[]) => made.db.owner.query<T>(text.replaceAll('{s}', schema), values);
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
  const company = (n: number) =>
    one(
      `insert into {s}.entity (code, name, legal_name, address1, city, state_id, country, pincode, fy_start_month, currency, timezone, sequence_no)
       values ($1, $2, $2, '1 Mount Road', $3, $4, $5, '600002', 4, 'INR', 'Asia/Kolkata', $6)`,
      [`C${n}`, `Company ${n}`, city, state, country, n],
    );
  const companies: [number, number] = [await company(1), await company(2)];
  const user = (name: string) =>
    one(
      `insert into {s}.users (username, name, email, is_admin, chairman_flag, ceo_flag, secretary_flag, is_service, status, products, language, mfa_required, must_change_password)
       values ($1, $2, $3, false, false, false, false, false, 'active', '{}', 'en', false, false)`,
      [name.toLowerCase(), name, `${name.toLowerCase()}@example.in`],
    );
  const users: [number, number] = [await user('Asha'), await user('Bala')];
  const required = await sql<{ name: string; type: string }>(
    `select a.attname as name, format_type(a.atttypid, null) as type from pg_attribute a where a.attrelid = '{s}.branch'::regclass and a.attnum > 0 and a.attnotnull and not a.atthasdef and a.attidentity = ''`,
  );
  const branch = (code: string, name: string) => {
    const known: Record<string, unknown> = {
      code,
      name,
      entity_id: companies[0],
      city,
      city_id: city,
      state_id: state,
      state,
      country,
      country_id: country,
      pincode: '600002',
    };
    const columns = required.map(
      ({ name: column, type }) =>
        [
          column,
          known[column] ?? (type === 'boolean' ? false : type === 'text' ? 'x' : type === 'date' ? '2025-01-01' : 1),
        ] as const,
    );
    return one(
      `insert into {s}.branch (${columns.map(([column]) => `"${column}"`).join(', ')}) values (${columns.map((_, at) => `$${at + 1}`).join(', ')})`,
      columns.map(([, value]) => value),
    );
  };
  const branches: [number, number] = [await branch('CHN', 'Chennai'), await branch('BLR', 'Bengaluru')];

  return {
    database,
    tenant,
    engine,
    screens,
    changes,
    companies,
    users,
    branches,
    sql,
    statements: () => log.splice(0),
    screen: (name) => screens.get(name)!,
    session: ({
      scope = 'company',
      isAdmin = false,
      entityId = companies[0],
      branchIds = [],
      userId = users[0],
      employeeId = null,
      refuses = [],
    } = {}) => ({
      sid: 'test',
      tenant,
      userId,
      userName: 'Asha',
      employeeId,
      entityId,
      entityIds: companies,
      branchIds,
      rights: {
        isAdmin,
        version: 1,
        refuse: (screen) => (refuses.includes(screen.name) ? { reason: 'screen', message: 'No.' } : null),
        refuseAction: () => null,
        dataScope: () => scope,
      },
    }),
    query: (type, given = {}) => parseListQuery(given, screens.get(type)!),
    close: () => database.close(),
  };
}

/** The refusal of a call that must be refused. */
export async function refusal(work: Promise<unknown>): Promise<AppError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('It was not refused.');
}
