import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { dayIn } from '../../../src/server/services/clock/client_day.ts';
import { writeClientZip } from '../../../src/server/platform/clients/client_export.ts';
import type { LongRun } from '../../../src/server/platform/clients/lifecycle.ts';
import { subDomainState } from '../../../src/server/platform/clients/provision.ts';
import { writeUserTypes } from '../../../src/server/platform/clients/user_types.ts';
import { findTenant } from '../../../src/server/db/tenants.ts';
import { storePassword } from '../../../src/server/access/people/accounts.ts';
import { hashPassword } from '../../../src/server/access/sessions/password.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { platformSql, PASSWORD, startWorld } from '../world.ts';

const { proofs } = vi.hoisted(() => ({ proofs: new Map<string, string[][]>() }));
vi.mock('node:dns/promises', async (original) => ({
  ...(await original<typeof import('node:dns/promises')>()),
  resolveTxt: (name: string) =>
    proofs.has(name) ? Promise.resolve(proofs.get(name)) : Promise.reject(new Error('ENOTFOUND')),
}));

interface Life {
  client: { state: string };
  runs: LongRun[];
  domains: { host: string; verified_at: string | null; txt_name: string; txt_value: string }[];
  events: { event: string; note: string | null; certificate: Record<string, unknown> | null }[];
}

let world: World;
let root: Caller;
let second: Caller;
let tenant: TestTenant;
let id: number;
const admin = { host: 'admin.localhost:3000' } as TestTenant;
const main = () => world.database.directory.main;
const PLACES = { code: 'C1', name: 'Company 1', legal_name: 'Company 1', state: 'TN' };

async function person(username: string, type: string): Promise<Caller> {
  const [made] = await platformSql<{ id: number }>(
    main(),
    'insert into public.common_user (username, name, email, user_type_id) select $1, $1, $2, id from public.user_type where code = $3 returning id',
    [username, `${username}@mainstay.example`, type],
  );
  await storePassword(main(), 'public', made!.id, await hashPassword(PASSWORD));
  return world.signIn(admin, username);
}

/** The record of a client that was made by a command, as it would be after provisioning. */
async function recorded(code: string, subDomain: string, state = 'active'): Promise<number> {
  const [row] = await main().query<{ id: number }>(
    `insert into public.client_account (code, name, sub_domain, state, legal_name, plan, licensed_users, valid_from, valid_to, contact_name, contact_email, admin_name, admin_email, admin_username)
     values ($1, $1, $2, $3, $1, 'standard', 5, current_date - 30, current_date + 100, 'R. Iyer', 'it@acme.in', 'Asha', 'asha@example.in', 'asha') returning id`,
    [code, subDomain, state],
  );
  await main().query(
    `insert into public.client_account__products (parent_id, position, product_id) select $1, p.id, p.id from public.product p where code in ('FMS', 'TKT')`,
    [row!.id],
  );
  await main().query(
    `insert into public.client_account__companies (parent_id, position, code, name, legal_name, state) values ($1, 0, 'C1', 'Company 1', 'Company 1', 'TN')`,
    [row!.id],
  );
  return row!.id;
}
const record = (subDomain: string, more: Record<string, unknown>) => ({
  code: randomBytes(3).toString('hex'),
  name: `Client ${subDomain}`,
  sub_domain: subDomain,
  legal_name: 'Acme Lifts Pvt Ltd',
  licensed_users: 5,
  valid_from: '2026-01-01',
  valid_to: '2027-12-31',
  contact_name: 'R. Iyer',
  contact_email: 'it@acme.in',
  admin_name: 'Asha Rao',
  admin_email: 'asha@acme.in',
  admin_username: 'asha.rao',
  companies: [PLACES],
  ...more,
});
const act = (caller: Caller, id: number, name: string, body: object = {}) =>
  caller.call('POST', `/api/client_account/${id}/${name}`, body);
const life = async (id: number) =>
  (await root.call('GET', `/api/client_account/${id}/life`)).json<{ data: Life }>().data;
/** Days of subscriptions are those of India. */
const TODAY = `(now() at time zone 'Asia/Kolkata')::date`;
const since = (id: number, days: number) =>
  main().query('update public.client_account set state_since = current_date - $2::int where id = $1', [id, days]);
const settled = (status: number, caller: Caller) =>
  expect.poll(async () => (await caller.call('GET', '/tapi/menu')).statusCode, { timeout: 60_000 }).toBe(status);

beforeAll(async () => {
  world = await startWorld({ alone: true });
  await writeUserTypes(main());
  root = await person('root', 'SUPER');
  second = await person('second', 'SUPER');
  for (const type of [
    'product',
    'client_account',
    'partner',
    'industry',
    'admin_skills_group',
    'admin_competencies',
    'admin_dept',
    'admin_desig',
    'admin_function',
  ])
    await root.call('GET', `/api/${type}`);
  await main().query(
    `insert into public.product (code, name) values ('FMS', 'Field service'), ('TKT', 'Tickets'), ('PMS', 'Performance') on conflict do nothing`,
  );
  tenant = await world.tenant({ suffix: 'life' });
  await tenant.user('asha', { isAdmin: true });
  id = await recorded('LIFE', tenant.subDomain);
});
afterAll(() => world.close());
beforeEach(async () => {
  if (!(await findTenant(world.database.directory, tenant.subDomain))) return;
  await main().query(`update public.client_account set state = 'active', valid_to = current_date + 100 where id = $1`, [
    id,
  ]);
  await platformSql(
    main(),
    'update public.client set active = true, valid_to = current_date + 100 where sub_domain = $1',
    [tenant.subDomain],
  );
  await expect
    .poll(
      async () =>
        (
          await world.inject({
            method: 'POST',
            url: '/api/sessions/login',
            headers: { host: tenant.host },
            payload: { email: 'asha', password: PASSWORD, prefix: '' },
          })
        ).json<{ token: string }>().token,
    )
    .toBeTruthy();
});

describe('the subscription of a client', () => {
  const ends = async (id: number, product: string, days: number) => {
    await main().query(
      `update public.client_account__products x set valid_to = ${TODAY} + $3::int from public.product p where p.id = x.product_id and p.code = $2 and x.parent_id = $1`,
      [id, product, days],
    );
    const [row] = await main().query<{ version: number }>('select version from public.client_account where id = $1', [
      id,
    ]);
    expect(
      (await root.call('PUT', `/api/client_account/${id}`, { version: row!.version, address: `Street ${days}` }))
        .statusCode,
    ).toBe(200);
  };
  interface MenuAnswer {
    data: { tree: Entry[]; notices?: string[] };
  }
  interface Entry {
    route?: string;
    disabled?: string;
    children?: Entry[];
  }
  const find = (entries: Entry[], route: string): Entry | undefined =>
    entries
      .map((entry) => (entry.route === route ? entry : find(entry.children ?? [], route)))
      .find((entry) => entry !== undefined);

  it('of a product: warning, days of grace, read-only, hidden; a renewal restores it at once', async () => {
    const asha = await world.signIn(tenant, 'asha');
    const seen = async () => {
      const { data } = (await asha.call('GET', '/tapi/menu')).json<MenuAnswer>();
      return {
        entry: find(data.tree, '/controller_mstr'),
        notices: data.notices,
        list: (await asha.call('GET', '/tapi/controller_mstr')).json<{ error?: { reason: string; message: string } }>(),
      };
    };
    await ends(id, 'FMS', 20);
    await expect.poll(async () => (await seen()).notices).toBeUndefined();
    await ends(id, 'FMS', 10);
    await expect
      .poll(async () => (await seen()).notices?.[0])
      .toMatch(/^The subscription to Field service ends on \d\d-\d\d-\d{4}/);
    await ends(id, 'FMS', -15);
    await expect.poll(async () => (await seen()).notices?.[0]).toContain('and works until');
    expect((await seen()).list.error).toBeUndefined();
    await ends(id, 'FMS', -16);
    await expect
      .poll(async () => (await seen()).list.error)
      .toMatchObject({ reason: 'product', message: expect.stringContaining('ended on') });
    expect((await seen()).entry?.disabled).toContain('The subscription to Field service ended on');
    expect((await asha.call('GET', '/tapi/branch')).statusCode).toBe(200);
    await ends(id, 'FMS', -46);
    await expect.poll(async () => (await seen()).entry).toBeUndefined();
    await ends(id, 'FMS', 300);
    await expect.poll(async () => (await seen()).list.error).toBeUndefined();
  });

  it('of the client: mails, closed after the days of grace, switched off 30 days later', async () => {
    const asha = await world.signIn(tenant, 'asha');
    const over = async (days: number) => {
      await platformSql(main(), `update public.client set valid_to = ${TODAY} + $2::int where sub_domain = $1`, [
        tenant.subDomain,
        days,
      ]);
      await world.app.jobs.enqueue(tenant.schema, 'client_validity');
      await world.app.jobs.drain();
    };
    await over(30);
    const [used] = await main().query<Record<string, unknown>>(
      'select used_users, last_sign_in, api_calls, storage_mb from public.client_account where id = $1',
      [id],
    );
    expect(used).toMatchObject({
      used_users: 1,
      last_sign_in: expect.any(String),
      api_calls: 0,
      storage_mb: expect.any(Number),
    });
    await over(29);
    await over(7);
    const mails = await tenant.sql<{ recipient: string; subject: string }>(
      `select recipient, subject from {s}.outbox where event_code = 'client.ending' order by id`,
    );
    expect(mails.map(({ recipient }) => recipient)).toEqual([
      'asha@example.in',
      'it@acme.in',
      'asha@example.in',
      'it@acme.in',
      'asha@example.in',
      'it@acme.in',
    ]);
    await over(-16);
    await expect
      .poll(async () => (await asha.call('GET', '/tapi/branch')).json<{ error?: { message: string } }>().error?.message)
      .toContain('The subscription ended on');
    expect((await asha.call('GET', '/tapi/menu')).json<MenuAnswer>().data.notices?.[0]).toContain(
      'The subscription ended on',
    );
    await over(-46);
    expect(await life(id)).toMatchObject({ client: { state: 'deactivated' } });
    await settled(401, asha);
    await main().query(`update public.client_account set valid_to = ${TODAY} - 1 where id = $1`, [id]);
    expect((await act(root, id, 'switch_on')).json()).toMatchObject({ error: { field: 'valid_to' } });
    expect(
      await main().query(
        `select recipient from public.outbox where event_code = 'client.deactivated' and body like '%The subscription ended%'`,
      ),
    ).toEqual([{ recipient: 'it@acme.in' }]);
  });

  it('is switched off and on through the short address too, which never deactivates the record itself', async () => {
    expect((await root.call('GET', '/api/client/sub_domain?name=Nila Lifts')).json()).toMatchObject({
      free: false,
      suggestions: expect.any(Array),
    });
    expect((await root.call('GET', `/api/client/${id}`)).json()).toMatchObject({ data: { code: 'LIFE' } });
    expect((await root.call('POST', `/api/client/${id}/deactivate`, { reason: 'Unpaid' })).json()).toMatchObject({
      data: { state: 'deactivated' },
    });
    expect((await root.call('POST', `/api/client/${id}/reactivate`, {})).json()).toMatchObject({
      data: { state: 'active' },
    });
    expect((await root.call('GET', `/api/client_account/${id}`)).json()).toMatchObject({ data: { active: true } });
    expect((await root.call('GET', '/api/clients')).statusCode).toBe(404);
  });

  it('ends on the planned day', async () => {
    for (const from of ['2031-02-30', 'zz', ['2031-01-01', '2031-01-02']]) {
      const wrong = await act(root, id, 'switch_off', { reason: 'Moves away', from });
      expect([wrong.statusCode, wrong.json<{ error: { field: string } }>().error.field]).toEqual([400, 'from']);
    }
    const future = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
    expect((await act(root, id, 'switch_off', { reason: 'Moves away', from: future })).json()).toMatchObject({
      data: { state: 'active' },
    });
    await main().query(`update public.client_account set switch_off_on = ${TODAY} where id = $1`, [id]);
    await world.app.jobs.enqueue(tenant.schema, 'client_validity');
    await world.app.jobs.drain();
    expect((await life(id)).client.state).toBe('deactivated');
  });
});

describe('licences of a client', () => {
  it('of one product may be fewer than of all: the next user is created without that product', async () => {
    const [row] = await main().query<{ version: number }>('select version from public.client_account where id = $1', [
      id,
    ]);
    const lines = (await root.call('GET', `/api/client_account/${id}`)).json<{
      data: { products: { id: number; product_id: number; product_id__label: string }[] };
    }>().data.products;
    const limited = (users: number | null) =>
      lines.map(({ id: line, product_id: product, product_id__label: label }) => ({
        id: line,
        product_id: product,
        licensed_users: label.startsWith('Field service') ? users : null,
      }));
    expect(
      (await root.call('PUT', `/api/client_account/${id}`, { version: row!.version, products: limited(1) })).statusCode,
    ).toBe(200);
    const asha = await world.signIn(tenant, 'asha');
    const add = (username: string, products: string[]) =>
      asha.call('POST', '/tapi/users', {
        username,
        name: username,
        email: `${username}@acme.in`,
        products,
        companies: [{ entity_id: tenant.entityIds[0], is_default: true }],
      });
    await expect
      .poll(async () => (await add(`all.${randomBytes(3).toString('hex')}`, [])).json())
      .toMatchObject({
        error: {
          details: [
            {
              field: 'products',
              message:
                "All 1 licences of Field service are in use. Leave it out of this user's products, or ask for more.",
            },
          ],
        },
      });
    expect((await add('tickets', ['TKT'])).statusCode).toBe(201);
    expect((await add('fields', ['FMS'])).statusCode).toBe(422);
    expect(
      (await root.call('PUT', `/api/client_account/${id}`, { version: row!.version + 1, products: limited(null) }))
        .statusCode,
    ).toBe(200);
    await expect.poll(async () => (await add('fields', ['FMS'])).statusCode).toBe(201);
    await tenant.sql(
      `delete from {s}.users__companies where parent_id in (select id from {s}.users where username <> 'asha')`,
    );
    await tenant.sql(`delete from {s}.users where username <> 'asha'`);
  });
});

describe('addresses of a client', () => {
  it('of its own work once verified, belong to one client only, and end when removed', async () => {
    const other = await recorded('OTHER', 'other-life', 'draft');
    const save = async (target: number, hosts: string[]) => {
      const [row] = await main().query<{ version: number }>('select version from public.client_account where id = $1', [
        target,
      ]);
      return root.call('PUT', `/api/client_account/${target}`, {
        version: row!.version,
        domains: hosts.map((host) => ({ host })),
      });
    };
    const known = (host: string) =>
      world
        .inject({ method: 'GET', url: '/api/host', headers: { host } })
        .then((answer) => answer.json<{ data: { sub_domain: string | null } }>().data.sub_domain);
    expect((await save(id, ['acme.localhost'])).json()).toMatchObject({ error: { field: 'domains.0.host' } });
    expect((await save(id, ['erp.nila.in', 'books.nila.in'])).statusCode).toBe(200);
    expect((await save(other, ['erp.nila.in'])).json()).toMatchObject({
      error: { field: 'domains.0.host', message: 'erp.nila.in is a host of LIFE already.' },
    });
    expect(await known('erp.nila.in')).toBeNull();
    const { domains } = await life(id);
    const erp = domains.find(({ host }) => host === 'erp.nila.in')!;
    expect((await act(root, id, 'verify_domains')).json()).toMatchObject({
      data: { verified: [], missing: [{ host: 'books.nila.in' }, { host: 'erp.nila.in' }] },
    });
    proofs.set(erp.txt_name, [['v=spf1'], [erp.txt_value]]);
    expect((await act(root, id, 'verify_domains')).json()).toMatchObject({
      data: { verified: ['erp.nila.in'], missing: [{ host: 'books.nila.in' }] },
    });
    await expect.poll(() => known('erp.nila.in')).toBe(tenant.subDomain);
    expect((await save(id, ['books.nila.in'])).statusCode).toBe(200);
    await expect.poll(() => known('erp.nila.in')).toBeNull();
  });

  it('are suggested from a name, and after a refusal because of a taken one', async () => {
    const { suggestions } = await subDomainState(
      world.database.directory,
      'Nilgiri Lifts & Escalators Private Limited',
    );
    expect(suggestions[0]).toBe('nilgiri');
    expect(suggestions).toHaveLength(3);
    const taken = await root.call(
      'POST',
      '/api/client_account',
      record('admin', { products: [{ product_id: 1 }], name: 'Kaveri Lifts', timezone: 'Chennai' }),
    );
    expect(
      taken
        .json<{ error: { details: { field: string; message: string }[] } }>()
        .error.details.find(({ field }) => field === 'sub_domain')?.message,
    ).toMatch(/Free are .+, .+, .+\./);
    expect(taken.body).toContain('There is no time zone');
  });
});

describe('demo data', () => {
  it('is removed without records of people, and stays while those refer to it', async () => {
    expect((await act(root, id, 'remove_demo')).json()).toMatchObject({ error: { code: 'bad_state' } });
    const asha = await world.signIn(tenant, 'asha');
    for (const type of ['branch', 'department', 'zone']) await asha.call('GET', `/tapi/${type}`);
    const made = async (type: string, body: object) =>
      (await asha.call('POST', `/tapi/${type}`, body)).json<{ data: { id: number; version: number } }>().data;
    const zone = await made('zone', { code: 'S', name: 'South' });
    const region = await made('region', { code: 'TN', name: 'Tamil Nadu', zone_id: zone.id });
    const own = await made('region', { code: 'KA', name: 'Karnataka', zone_id: zone.id });
    await tenant.sql(
      `update {s}.history set what = 'demo' where record_type = 'zone' or (record_type = 'region' and record_id = $1)`,
      [region.id],
    );
    expect((await act(root, id, 'remove_demo')).json()).toMatchObject({
      error: { code: 'in_use', reasons: [`Regions: 1 that refers to Zones of the demo (number ${own.id}).`] },
    });
    expect((await asha.call('PUT', `/tapi/region/${own.id}`, { version: own.version, zone_id: null })).statusCode).toBe(
      200,
    );
    await tenant.sql(
      `insert into {s}.history (record_type, record_id, version, op, what) select 'users', id, 1, 'I', 'demo' from {s}.users`,
    );
    expect((await act(root, id, 'remove_demo')).json().error.message).toContain('No administrator could sign in');
    await tenant.sql(`delete from {s}.history where record_type = 'users'`);
    await tenant.sql(`insert into {s}.activity_day values ('2026-04-01', 0, 'zone', 0, 1, 0, 0)`);
    await tenant.sql(`update {s}.activity_counted set until = '2026-04-01'`);
    expect((await act(root, id, 'remove_demo')).statusCode).toBe(202);
    await world.app.jobs.drain();
    expect((await life(id)).runs[0]).toMatchObject({
      act: 'demo_removal',
      state: 'done',
      message: '2 records removed.',
    });
    expect(await tenant.sql('select code from {s}.region')).toEqual([{ code: 'KA' }]);
    expect(await tenant.sql('select code from {s}.zone')).toEqual([]);
    // What was counted of it is counted anew.
    expect(
      await tenant.sql('select until from {s}.activity_counted where not exists (select 1 from {s}.activity_day)'),
    ).toEqual([{ until: null }]);
  });
});

describe('a trial client', () => {
  it('is created with a sample company whose people cannot sign in, and keeps only its own data after removal', async () => {
    const subDomain = world.database.subDomain('try');
    const made = await root.call(
      'POST',
      '/api/client_account',
      record(subDomain, {
        demo_data: 'small',
        admin_username: 'admin',
        products: [
          {
            product_id: (await main().query<{ id: number }>(`select id from public.product where code = 'TKT'`))[0]!.id,
          },
        ],
      }),
    );
    const own = made.json<{ data: { id: number } }>().data.id;
    const provisioned = await act(root, own, 'provision', { version: 1 });
    expect(provisioned.json(), provisioned.body).toMatchObject({ data: { state: 'active' } });
    const tried = (await findTenant(world.database.directory, subDomain))!;
    const sql = <T>(text: string) => tried.db.query<T>(text.replaceAll('{s}', `"${tried.schema}"`));
    expect(await sql(`select count(*)::int as n from {s}.users where status = 'active'`)).toEqual([{ n: 0 }]);
    expect((await sql<{ n: number }>('select count(*)::int as n from {s}.employee'))[0]!.n).toBeGreaterThan(5);
    expect((await act(root, own, 'remove_demo')).json().error.message).toContain('First create your own administrator');
    await sql(`update {s}.users set status = 'active' where username = 'admin'`);
    const removal = await act(root, own, 'remove_demo');
    expect(removal.statusCode, removal.body).toBe(202);
    await world.app.jobs.drain();
    expect((await life(own)).runs[0]).toMatchObject({ state: 'done', error: null });
    expect(await sql('select code from {s}.entity')).toEqual([{ code: 'C1' }]);
    expect(await sql('select code from {s}.branch')).toEqual([{ code: 'HO' }]);
    expect(await sql('select username from {s}.users')).toEqual([{ username: 'admin' }]);
    expect(await sql('select count(*)::int as n from {s}.employee')).toEqual([{ n: 0 }]);
    expect(await sql('select count(*)::int as n from {s}.role')).toEqual([{ n: 11 }]);
  });
});

describe('a new client', () => {
  it('starts with the libraries of its industry, holidays of its states, mail rules, financial year and groups', async () => {
    const made = async (type: string, body: object) => {
      const answer = await root.call('POST', `/api/${type}`, body);
      expect(answer.statusCode, answer.body).toBe(201);
      return answer.json<{ data: { id: number } }>().data.id;
    };
    const lifts = await made('industry', { code: 'ELV', name: 'Lifts' });
    const jewels = await made('industry', { code: 'JWL', name: 'Jewellery' });
    const group = await made('admin_skills_group', { code: 'TEC', name: 'Technical' });
    const wiring = await made('admin_competencies', { code: 'WIR', name: 'Wiring', skillsgroup_id: group });
    const service = await made('admin_dept', { code: 'SRV', name: 'Service' });
    await made('admin_dept', { code: 'REP', name: 'Repairs', parent_department_id: service, industries: [lifts] });
    await made('admin_dept', { code: 'GOLD', name: 'Gold buying', industries: [jewels] });
    await made('admin_desig', {
      code: 'TECH',
      name: 'Technician',
      level_no: 9,
      department_id: service,
      competencies: [{ competency_id: wiring, required_level: 3 }],
    });
    const bought = await main().query<{ id: number }>(`select id from public.product where code in ('TKT', 'PMS')`);
    const two = [
      { ...PLACES, code: 'HOLD', name: 'Nila Holding', legal_name: 'Nila Holding' },
      { ...PLACES, code: 'LIFT', name: 'Nila Lifts', legal_name: 'Nila Lifts', state: 'KA', parent: 'hold' },
    ];
    const subDomain = world.database.subDomain('first');
    const own = await made(
      'client_account',
      record(subDomain, {
        industry_id: lifts,
        companies: two,
        fy_start_month: 1,
        products: bought.map(({ id: product_id }) => ({ product_id })),
      }),
    );
    expect((await act(root, own, 'provision', { version: 1 })).json()).toMatchObject({ data: { state: 'active' } });
    const { schema, db } = (await findTenant(world.database.directory, subDomain))!;
    // The administrator's mailbox may be what was lost: the link goes to the contact.
    expect((await act(root, own, 'admin_reset')).statusCode).toBe(202);
    expect(
      await db.query(
        `select recipient, body like '%asha.rao%' as named from "${schema}".outbox where event_code = 'user.invited' order by id`,
      ),
    ).toEqual([
      { recipient: 'asha@acme.in', named: true },
      { recipient: 'it@acme.in', named: true },
    ]);
    const sql = <T>(text: string) => db.query<T>(text.replaceAll('{s}', `"${schema}"`));
    expect(
      await sql(
        'select e.code, p.code as parent, e.fy_start_month as month from {s}.entity e left join {s}.entity p on p.id = e.parent_entity_id order by e.id',
      ),
    ).toEqual([
      { code: 'HOLD', parent: null, month: 1 },
      { code: 'LIFT', parent: 'HOLD', month: 1 },
    ]);
    expect(
      await sql(
        'select e.code as company, d.code, d.library_code from {s}.department d join {s}.entity e on e.id = d.entity_id order by 1, 2',
      ),
    ).toEqual(
      ['HOLD', 'LIFT'].flatMap((company) => ['REP', 'SRV'].map((code) => ({ company, code, library_code: code }))),
    );
    expect(
      await sql(
        'select d.code, c.required_level as level from {s}.designation d join {s}.designation__competencies c on c.parent_id = d.id',
      ),
    ).toEqual([{ code: 'TECH', level: 3 }]);
    // The running financial year of companies whose year begins in January.
    const year = dayIn('Asia/Kolkata').slice(0, 4);
    expect(
      await sql(
        `select e.code, array_agg(to_char(h.date, 'DD-MM-YYYY ') || h.name order by h.date) as days from {s}.holiday h join {s}.entity e on e.id = h.entity_id group by 1 order by 1`,
      ),
    ).toEqual([
      {
        code: 'HOLD',
        days: [`26-01-${year} Republic Day`, `15-08-${year} Independence Day`, `02-10-${year} Gandhi Jayanti`],
      },
      {
        code: 'LIFT',
        days: [
          `26-01-${year} Republic Day`,
          `15-08-${year} Independence Day`,
          `02-10-${year} Gandhi Jayanti`,
          `01-11-${year} Kannada Rajyotsava`,
        ],
      },
    ]);
    expect((await sql<{ code: string }>('select code from {s}.esclation')).length).toBeGreaterThan(4);
    const steps = (await root.call('GET', `/api/client_account/${own}/steps`)).json<{
      steps: { step: string; message: string }[];
    }>().steps;
    expect(steps.find(({ step }) => step === 'lists')?.message).toBe(
      '1 skills group, 1 competency, 4 departments, 1 designation, 7 holidays, 9 mail rules.',
    );
  });
});

describe('a leaving client', () => {
  it('exports its data: every table and file in one ZIP, without its people’s keys', async () => {
    await tenant.sql(`update {s}.entity set name = '=HYPERLINK("x")'`);
    expect((await act(root, id, 'export_data')).statusCode).toBe(202);
    await world.app.jobs.drain();
    const [run] = (await life(id)).runs;
    expect(run).toMatchObject({ act: 'export', state: 'done', file: expect.any(Number) });
    const { url } = (await root.call('GET', `/api/client_account/${id}/exports/${run!.id}/link`)).json<{
      url: string;
    }>();
    const answer = await root.call('GET', url);
    expect(answer.headers['content-disposition']).toContain(`${tenant.subDomain}-data.zip`);
    const files = unzipSync(answer.rawPayload);
    const text = (name: string) => Buffer.from(files[name]!).toString('utf8');
    expect(text('tables/users.csv')).toContain('asha@example.in');
    expect(text('tables/entity.csv')).toContain(`"'=HYPERLINK(""x"")"`);
    expect(Object.keys(files).filter((name) => /credential|session|password_token|outbox/.test(name))).toEqual([]);
    expect(JSON.parse(text('contents.json'))).toMatchObject({ sub_domain: tenant.subDomain });
    expect(
      (await (await person('sales', 'SALES')).call('GET', `/api/client_account/${id}/exports/${run!.id}/link`))
        .statusCode,
    ).toBe(403);
  });

  it('exports more than the upload limit allows, as ZIP64 if necessary', async () => {
    const folder = join(world.database.dataDir, 'files', tenant.schema, 'ff');
    await mkdir(folder, { recursive: true });
    const recording = randomBytes(26 * 1024 * 1024);
    await writeFile(join(folder, 'recording'), recording);
    expect((await act(root, id, 'export_data')).statusCode).toBe(202);
    await world.app.jobs.drain();
    expect((await life(id)).runs[0]).toMatchObject({
      act: 'export',
      state: 'done',
      error: null,
      message: expect.stringContaining('1 files'),
    });
    const path = join(world.database.dataDir, 'large.zip');
    const own = (await findTenant(world.database.directory, tenant.subDomain))!;
    const made = await writeClientZip(
      path,
      { tenant: own, screens: world.app.store.screens(), dataDir: world.database.dataDir },
      true,
    );
    const bytes = await readFile(path);
    expect(bytes.includes(Buffer.from('PK\x06\x06', 'latin1'))).toBe(true);
    const files = unzipSync(bytes);
    expect(Buffer.from(files['files/ff/recording']!).equals(recording)).toBe(true);
    expect(Object.keys(files)).toHaveLength(made.tables + made.files + 1);
    expect(JSON.parse(Buffer.from(files['contents.json']!).toString())).toMatchObject({
      contents: expect.arrayContaining([{ name: 'files/ff/recording', bytes: recording.length }]),
    });
    await rm(folder, { recursive: true });
    await rm(path);
  });

  it('is a draft again if its creation failed unattended', async () => {
    const half = await world.tenant({ suffix: 'half', products: [], everyTable: true });
    const failed = await recorded('HALF', half.subDomain, 'failed');
    // An earlier try was interrupted when the tables were gone.
    await main().query(`drop schema "${half.schema}" cascade`);
    expect((await act(root, failed, 'discard')).json()).toMatchObject({ data: { state: 'draft' } });
    expect(await findTenant(world.database.directory, half.subDomain)).toBeNull();
  });

  it('loses nothing if its archive is damaged', async () => {
    await act(root, id, 'switch_off', {});
    await since(id, 40);
    await act(root, id, 'archive');
    await world.app.jobs.drain();
    const folder = join(world.database.dataDir, 'archives');
    const path = join(folder, readdirSync(folder)[0]!);
    const bytes = await readFile(path);
    const harmed = Buffer.from(bytes);
    harmed[Math.floor(harmed.length / 2)]! ^= 1;
    await writeFile(path, harmed);
    await act(root, id, 'restore');
    await world.app.jobs.drain();
    const { client, runs } = await life(id);
    expect([client.state, runs[0]?.act, runs[0]?.state]).toEqual(['archived', 'restore', 'failed']);
    expect(await findTenant(world.database.directory, tenant.subDomain)).toBeNull();
    await writeFile(path, bytes);
    await act(root, id, 'restore');
    await world.app.jobs.drain();
    expect((await life(id)).client.state).toBe('active');
    expect(existsSync(path)).toBe(false);
  });

  it('is archived after 30 days off, restored completely, and purged by two people after 90 more; the certificate stays, the address is blocked', async () => {
    const asha = await world.signIn(tenant, 'asha');
    const branch = {
      code: 'MAS',
      name: 'Chennai',
      branch_type: 'branch',
      address1: '1 Mount Road',
      city: 1,
      state_id: 1,
      country: 1,
      pincode: '600002',
      fence_m: 200,
    };
    expect((await asha.call('POST', '/tapi/branch', branch)).statusCode).toBe(201);
    expect((await act(root, id, 'archive')).json()).toMatchObject({ error: { code: 'bad_state' } });
    expect((await act(root, id, 'switch_off', { reason: 'Unpaid' })).json()).toMatchObject({
      data: { state: 'deactivated' },
    });
    await settled(401, asha);
    expect((await act(root, id, 'archive')).json().error.message).toMatch(/can be archived from \d\d-\d\d-\d{4}/);
    await since(id, 30);
    expect((await act(await person('support', 'SUPPORT'), id, 'archive')).statusCode).toBe(403);
    expect((await act(root, id, 'archive')).statusCode).toBe(202);
    expect((await act(root, id, 'archive')).json()).toMatchObject({
      error: { message: expect.stringContaining('still running') },
    });
    await world.app.jobs.drain();
    expect(await life(id)).toMatchObject({
      client: { state: 'archived' },
      runs: expect.arrayContaining([expect.objectContaining({ act: 'archive', state: 'done', by: 'root' })]),
    });
    expect(await tenant.sql(`select to_regclass('{s}.branch') as t`)).toEqual([{ t: null }]);
    await expect
      .poll(
        async () =>
          (await world.inject({ method: 'GET', url: '/api/host', headers: { host: tenant.host } })).statusCode,
      )
      .toBe(404);
    const [file] = readdirSync(join(world.database.dataDir, 'archives'));
    expect((await readFile(join(world.database.dataDir, 'archives', file!))).includes('Chennai')).toBe(false);

    expect((await act(root, id, 'restore')).statusCode).toBe(202);
    await world.app.jobs.drain();
    expect(await life(id)).toMatchObject({ client: { state: 'active' } });
    const again = await world.signIn(tenant, 'asha');
    expect(
      (await again.call('GET', '/tapi/branch')).json<{ data: { name: string }[] }>().data.map(({ name }) => name),
    ).toEqual(['Chennai']);

    await act(root, id, 'switch_off', { reason: 'Left' });
    await since(id, 31);
    await act(root, id, 'archive');
    await world.app.jobs.drain();
    expect((await life(id)).runs[0]).toMatchObject({ act: 'archive', state: 'done', error: null });
    expect((await act(root, id, 'purge', { confirm: tenant.subDomain })).json().error.message).toContain(
      'can be purged from',
    );
    await since(id, 90);
    expect((await act(root, id, 'purge', { confirm: 'acme' })).json()).toMatchObject({ error: { field: 'confirm' } });
    expect((await act(root, id, 'purge', { confirm: tenant.subDomain })).json()).toMatchObject({
      run: null,
      waiting: true,
    });
    expect((await act(root, id, 'purge', { confirm: tenant.subDomain })).json()).toMatchObject({ run: null });
    expect((await act(root, id, 'purge', { confirm: tenant.subDomain, second_user: root.token })).json()).toMatchObject(
      { error: { field: 'second_user' } },
    );
    expect((await act(second, id, 'purge', { confirm: tenant.subDomain })).json()).toMatchObject({
      run: expect.any(Number),
    });
    await world.app.jobs.drain();
    const gone = await life(id);
    expect(gone.client.state).toBe('purged');
    expect(gone.events[0]).toMatchObject({
      event: 'purged',
      certificate: {
        sub_domain: tenant.subDomain,
        asked_by: 'root',
        confirmed_by: 'second',
        rows: expect.any(Number),
        archive_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
    expect(readdirSync(join(world.database.dataDir, 'archives'))).toEqual([]);
    expect(await main().query('select 1 from public.client where sub_domain = $1', [tenant.subDomain])).toEqual([]);
    expect(await subDomainState(world.database.directory, tenant.subDomain)).toMatchObject({ free: false });
    await since(id, 366);
    await world.app.jobs.enqueue('public', 'client_leftovers');
    await world.app.jobs.drain();
    expect(await subDomainState(world.database.directory, tenant.subDomain)).toMatchObject({ free: true });
  });
});
