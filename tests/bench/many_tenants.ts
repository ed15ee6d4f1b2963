import { Agent, request } from 'node:http';
import { openDatabases } from '../../src/server/db/open.ts';
import { quoted } from '../../src/server/db/names.ts';
import type { Tenant } from '../../src/server/db/tenant.ts';
import { createTenant } from '../../src/server/db/tenants.ts';
import { loadScreens } from '../../src/server/engine/descriptors/load.ts';
import { storePassword } from '../../src/server/access/people/accounts.ts';
import { hashPassword } from '../../src/server/access/sessions/password.ts';
import { median } from './load.ts';

const PASSWORD = 'Lift-2025 monsoon kettle';
const SIGN_INS = 60;
const LISTS = 3_000;
/** Calls that a person's page makes before another client's come, and how often that is. */
const AT_A_TIME = 20;
const VISITS = 150;

interface Answer {
  status: number;
  body: string;
  ms: number;
}

/** What a client of one product costs its neighbours: the same calls to one client and, with all of them there, to all in turn. */
export async function manyTenantsBench(
  product: { port: number },
  dataDir: string,
  schemasDir: string,
  count: number,
): Promise<[string, string, string][]> {
  const { screens } = await loadScreens(schemasDir);
  const directory = await openDatabases({ dataDir, share: true });
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const ask = (subDomain: string, method: string, path: string, token?: string, body?: object): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const from = performance.now();
      const call = request(
        {
          agent,
          port: product.port,
          host: '127.0.0.1',
          method,
          path,
          headers: {
            host: `${subDomain}.localhost:${product.port}`,
            ...(token && { authorization: `Bearer ${token}` }),
            ...(body && { 'content-type': 'application/json' }),
          },
        },
        (answer) => {
          let text = '';
          answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: text, ms: performance.now() - from }));
        },
      );
      call.on('error', reject);
      call.end(body && JSON.stringify(body));
    });
  const signIn = async (subDomain: string): Promise<Answer & { token: string }> => {
    const answer = await ask(subDomain, 'POST', '/api/sessions/login', undefined, {
      email: 'admin',
      password: PASSWORD,
      prefix: '',
    });
    const { token } = JSON.parse(answer.body) as { token?: string };
    if (!token) throw new Error(`${subDomain} could not sign in: ${answer.body}`);
    return { ...answer, token };
  };
  const list = async (subDomain: string, token: string): Promise<number> => {
    const answer = await ask(
      subDomain,
      'GET',
      '/tapi/department?size=100&columns=code,name,parent_department_id,head_id,cost_centre',
      token,
    );
    if (answer.status !== 200) throw new Error(`${subDomain} could not list: ${answer.body}`);
    return answer.ms;
  };
  const p95 = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)]!;

  try {
    const hash = await hashPassword(PASSWORD);
    const make = async (subDomain: string): Promise<void> =>
      populate(await createTenant(directory, screens, { subDomain, name: subDomain, products: ['BOARD'] }), hash);
    await make('only');
    const from = performance.now();
    const names = Array.from({ length: count }, (_, at) => `many${at}`);
    const waiting = [...names];
    await Promise.all(
      [1, 2].map(async () => {
        for (let name = waiting.shift(); name; name = waiting.shift()) await make(name);
      }),
    );
    const made = performance.now() - from;

    const tokens = new Map<string, string>();
    const firstSignIn: number[] = [];
    for (const name of names) {
      const answer = await signIn(name);
      firstSignIn.push(answer.ms);
      tokens.set(name, answer.token);
    }
    // One client and the many by turns: what else the machine does meets both alike.
    const oneSignIn: number[] = [];
    const allSignIn: number[] = [];
    for (let at = 0; at < SIGN_INS; at++) {
      oneSignIn.push((await signIn('only')).ms);
      allSignIn.push((await signIn(names[(at * 7919) % names.length]!)).ms);
    }
    // Each client once: what a connection and the server learn of it is part of the figure below from its second call on.
    const first: number[] = [];
    for (const name of names) first.push(await list(name, tokens.get(name)!));
    const current = (await signIn('only')).token;
    const oneList: number[] = [];
    const allList: number[] = [];
    for (let at = 0; at < LISTS; at++) {
      const name = names[(at * 7919) % names.length]!;
      oneList.push(await list('only', current));
      allList.push(await list(name, tokens.get(name)!));
    }
    const visits: number[] = [];
    const oneVisits: number[] = [];
    for (let at = 0; at < VISITS; at++) {
      const name = names[(at * 7919 + 13) % names.length]!;
      for (let call = 0; call < AT_A_TIME; call++) {
        oneVisits.push(await list('only', current));
        visits.push(await list(name, tokens.get(name)!));
      }
    }
    const figure = (values: number[]) => `${median(values).toFixed(1)} ms, p95 ${p95(values).toFixed(1)} ms`;
    return [
      [
        `${count} clients of one product made, two at a time`,
        `${(made / 1000).toFixed(0)} s, ${(made / count).toFixed(0)} ms each`,
        '',
      ],
      ['sign-in, one client', figure(oneSignIn), ''],
      [`sign-in, each of ${count} clients for the first time`, figure(firstSignIn), ''],
      [`sign-in, ${count} clients in turn`, figure(allSignIn), ''],
      ['sign-in, many ÷ one, medians', (median(allSignIn) / median(oneSignIn)).toFixed(2), '≤ 1.5'],
      ['list, one client', figure(oneList), ''],
      [`list, first call of each of ${count} clients`, figure(first), ''],
      [`list, ${count} clients in turn`, figure(allList), ''],
      [
        'list, many ÷ one, medians, another client at each call',
        (median(allList) / median(oneList)).toFixed(2),
        '≤ 1.5',
      ],
      [`list, ${AT_A_TIME} calls of a client before those of the next`, figure(visits), ''],
      [
        `list, many ÷ one, medians, ${AT_A_TIME} calls of a client at a time`,
        (median(visits) / median(oneVisits)).toFixed(2),
        '≤ 1.5',
      ],
    ];
  } finally {
    agent.destroy();
    await directory.close();
  }
}

/** A company, its administrator, and thirty departments. */
async function populate(tenant: Tenant, passwordHash: string): Promise<void> {
  const s = quoted(tenant.schema);
  const one = async (text: string, values: unknown[] = []) =>
    (await tenant.db.query<{ id: number }>(`${text} returning id`, values))[0]!.id;
  const country = await one(
    `insert into ${s}.country (code, name, dial_code, saarc) values ('IN', 'India', '+91', true)`,
  );
  const state = await one(
    `insert into ${s}.state_mstr (code, name, country_id, gst_code, union_territory) values ('TN', 'Tamil Nadu', $1, '33', false)`,
    [country],
  );
  const city = await one(`insert into ${s}.city_mstr (code, name, state_id) values ('CHN', 'Chennai', $1)`, [state]);
  const company = await one(
    `insert into ${s}.entity (code, name, legal_name, address1, city, state_id, country, pincode, fy_start_month, currency, timezone, sequence_no)
     values ('C1', 'Company', 'Company', '1 Mount Road', $1, $2, $3, '600002', 4, 'INR', 'Asia/Kolkata', 1)`,
    [city, state, country],
  );
  const user = await one(
    `insert into ${s}.users (username, name, email, is_admin, chairman_flag, ceo_flag, secretary_flag, is_service, status, products, language, mfa_required, must_change_password)
     values ('admin', 'Asha Rao', 'asha@example.in', true, false, false, false, false, 'active', '{}', 'en', false, false)`,
  );
  await storePassword({ query: tenant.db.query.bind(tenant.db) }, tenant.schema, user, passwordHash);
  await tenant.db.query(
    `insert into ${s}.users__companies (parent_id, position, entity_id, is_default, role_ids) values ($1, 0, $2, true, '{}')`,
    [user, company],
  );
  await tenant.db.query(
    `insert into ${s}.department (entity_id, code, name) select $1, 'D' || i, 'Department ' || i from generate_series(1, 30) i`,
    [company],
  );
}
