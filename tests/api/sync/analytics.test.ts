import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillCatalogue } from '../../../src/server/platform/clients/catalogue.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

let world: World;
let acme: TestTenant;
let admin: Caller;
let reader: Caller;
let clerk: Caller;
let stranger: Caller;
let ids: { north: number; south: number };

beforeAll(async () => {
  world = await startWorld({ alone: true });
  acme = await world.tenant({ products: ['ANALYTICS', 'FMS'], companies: 2, everyTable: true });
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }, { company: 2 }] });
  const place = async (code: string, company: number) =>
    (
      await acme.sql<{ id: number }>(
        `insert into {s}.branch (code, name, branch_type, entity_id, address1, city, state_id, country, pincode)
       select $1, $1, 'branch', $2, '1 Road', c.id, s.id, n.id, '600001' from {s}.city_mstr c, {s}.state_mstr s, {s}.country n returning id`,
        [code, acme.entityIds[company]],
      )
    )[0]!.id;
  ids = { north: await place('NORTH', 0), south: await place('SOUTH', 0) };
  const other = await place('OTHER', 1);
  const departments = await Promise.all(
    acme.entityIds.map(
      async (company) =>
        (
          await acme.sql<{ id: number }>(
            `insert into {s}.department (code, name, entity_id) values ('D', 'Service', $1) returning id`,
            [company],
          )
        )[0]!.id,
    ),
  );
  const [post] = await acme.sql<{ id: number }>(
    `insert into {s}.designation (code, name, level_no) values ('FIT', 'Fitter', 3) returning id`,
  );
  const member = async (empno: string, branch: number, company: number, status = 'active') => {
    await acme.sql(
      `insert into {s}.employee (empno, first_name, name, mobile, date_of_joining, employment_type, branch_id, status, entity_id, department_id, designation_id) values ($1, $1, $1, '9840012345', '2024-02-10', 'permanent', $2, $3, $4, $5, $6)`,
      [empno, branch, status, acme.entityIds[company], departments[company], post!.id],
    );
  };
  for (const [empno, branch] of [
    ['E1', ids.north],
    ['E2', ids.north],
    ['E3', ids.south],
  ] as const)
    await member(empno, branch, 0);
  await member('E4', ids.south, 0, 'left');
  await member('E9', other, 1);
  const role = (pages: 'company' | 'branch') =>
    acme.role({ modules: ['DASHBOARD'], screens: { SCN_ANALYTICS: { pages: ['landing'], scope: pages } } });
  await acme.user('reader', { companies: [{ company: 1, roles: [await role('company')] }] });
  await acme.user('clerk', { companies: [{ company: 1, roles: [await role('branch')], branchId: ids.north }] });
  const zenith = await world.tenant({ products: ['ANALYTICS'], everyTable: true });
  await zenith.user('boss', { isAdmin: true });
  [admin, reader, clerk, stranger] = await Promise.all([
    world.signIn(acme, 'admin'),
    world.signIn(acme, 'reader'),
    world.signIn(acme, 'clerk'),
    world.signIn(zenith, 'boss'),
  ]);
  await admin.call('PUT', '/tapi/session/entity', { entity_id: acme.entityIds[0] });
});
afterAll(() => world.close());

interface Answer {
  status: number;
  body: string;
  data: Record<string, unknown>[] & Record<string, unknown>;
  pagination: Record<string, unknown>;
  run_ids: number[];
  run_id: number;
  token: string;
  expires_at: string;
  error: { code: string; message: string; reason: string | null; field: string | null };
}
const answerOf = ({ statusCode, body }: { statusCode: number; body: string }): Answer =>
  ({ status: statusCode, body, ...(body.startsWith('{') ? (JSON.parse(body) as object) : {}) }) as Answer;
const call = async (method: string, url: string, body?: unknown, by: Caller = admin): Promise<Answer> =>
  answerOf(await by.call(method, url, body));
/** With an analytics token, as a program outside calls. */
const outside = async (token: string, method: string, url: string, body?: unknown): Promise<Answer> =>
  answerOf(
    await world.inject({
      method: method as 'GET',
      url,
      headers: { host: acme.host, authorization: `Bearer ${token}` },
      ...(body !== undefined && { payload: body as object }),
    }),
  );
const rowsOf = async (collection: string, more: object = {}, by: Caller = admin) =>
  (await call('POST', '/api/get_collection/data', { collection, ...more }, by)).data;
const refresh = async (...codes: string[]) => {
  const answer = await call('POST', '/api/update_sync_datas', { collections: codes });
  expect([answer.status, answer.error]).toEqual([202, undefined]);
  await world.app.jobs.drain();
  return answer.run_ids;
};

describe('collections', () => {
  it('all shipped ones are built from its records', async () => {
    const { status, run_ids: runs } = await call('POST', '/tapi/analytics_collection/run_all');
    expect(status).toBe(202);
    await world.app.jobs.drain();
    const states = await acme.sql<{ code: string; state: string; error: string | null }>(
      'select c.code, r.state, r.error from {s}.analytics_run r join {s}.analytics_collection c on c.id = r.collection_id order by c.code',
    );
    expect(states.filter(({ state }) => state !== 'succeeded')).toEqual([]);
    expect(states.map(({ code }) => code)).toEqual([
      'attrition',
      'change_facts',
      'employee_facts',
      'head_count',
      'import_facts',
      'joiners_leavers',
      'master_counts',
      'sign_ins',
    ]);
    expect(runs).toHaveLength(8);
    const list = await call('GET', '/tapi/analytics_collection?columns=*');
    expect(list.data.find((row) => row.code === 'employee_facts')).toMatchObject({
      row_count: 5,
      state: 'idle',
      kind: 'product',
      title: 'Members',
    });
    expect(await rowsOf('joiners_leavers')).toHaveLength(24);
    expect(await rowsOf('master_counts', { filter: { list: 'branch' } })).toMatchObject([
      { list: 'branch', in_use: 2, retired: 0 },
    ]);
    expect((await rowsOf('sign_ins'))[0]).toMatchObject({ sign_ins: 3, people: 3, failed: 0 });
  });

  it('are refreshed by code or number, one at a time, logged, and can be cancelled', async () => {
    const { run_id: run } = await call('POST', '/tapi/analytics_collection/head_count/run');
    expect(await call('POST', '/tapi/analytics_collection/head_count/run')).toMatchObject({
      status: 409,
      error: { message: 'A refresh of head_count is still running.' },
    });
    expect(await call('POST', '/tapi/analytics_collection/head_count/cancel')).toMatchObject({ status: 200 });
    await world.app.jobs.drain();
    expect((await call('GET', `/tapi/analytics_run/${run}`)).data).toMatchObject({
      state: 'cancelled',
      trigger: 'manual',
      started_by: admin.userId,
    });
    expect(await call('POST', '/tapi/analytics_collection/head_count/cancel')).toMatchObject({ status: 409 });
    const [{ id } = { id: 0 }] = await acme.sql<{ id: number }>(
      `select id from {s}.analytics_collection where code = 'head_count'`,
    );
    expect((await call('POST', `/tapi/analytics_collection/${id}/run`)).status).toBe(202);
    await world.app.jobs.drain();
    expect((await call('GET', `/tapi/analytics_collection/${id}`)).data).toMatchObject({ state: 'idle', row_count: 4 });
    expect((await call('POST', '/tapi/analytics_collection/nothing/run')).status).toBe(404);
    expect((await call('POST', '/tapi/analytics_collection/head_count/run', {}, reader)).status).toBe(403);
  });

  it('a failed refresh keeps the previous data, and reports the failure', async () => {
    await acme.sql('alter table {s}.branch rename column name to called');
    await refresh('head_count').catch(() => undefined);
    await acme.sql('alter table {s}.branch rename column called to name');
    expect(
      (await acme.sql(`select state, error from {s}.analytics_collection where code = 'head_count'`))[0],
    ).toMatchObject({ state: 'failed', error: expect.stringContaining('name') as string });
    expect(await rowsOf('head_count')).toHaveLength(3);
    await refresh('head_count');
  });

  it('shipped ones stay; their schedule can be changed by the client', async () => {
    const [{ id } = { id: 0 }] = await acme.sql<{ id: number }>(
      `select id from {s}.analytics_collection where code = 'sign_ins'`,
    );
    expect(await call('DELETE', `/tapi/analytics_collection/${id}`)).toMatchObject({ status: 422 });
    const { data } = await call('GET', `/tapi/analytics_collection/${id}`);
    expect(
      await call('PUT', `/tapi/analytics_collection/${id}`, { version: data.version, schedule: 'often' }),
    ).toMatchObject({ status: 422, error: { field: 'schedule' } });
    await call('PUT', `/tapi/analytics_collection/${id}`, { version: data.version, schedule: '*/10 * * * *' });
    await acme.sql(
      `update {s}.analytics_collection set next_at = case when id = $1 then now() - interval '1 minute' else now() + interval '1 day' end`,
      [id],
    );
    await world.app.jobs.enqueue('public', 'sync_schedule');
    await world.app.jobs.drain();
    expect(
      await acme.sql(`select trigger, state from {s}.analytics_run where collection_id = $1 order by id desc limit 1`, [
        id,
      ]),
    ).toEqual([{ trigger: 'schedule', state: 'succeeded' }]);
  });
});

describe('rows', () => {
  it('respect company and data scope', async () => {
    const members = async (by: Caller, headers = {}) =>
      answerOf(await by.call('POST', '/get_collection/data', { collection: 'employee_facts' }, headers)).data.map(
        (row) => row.empno,
      );
    expect(await members(admin)).toEqual(['E1', 'E2', 'E3', 'E4']);
    expect(await members(admin, { 'x-entity-id': String(acme.entityIds[1]) })).toEqual(['E9']);
    expect(await members(reader)).toEqual(['E1', 'E2', 'E3', 'E4']);
    expect(await members(clerk)).toEqual(['E1', 'E2']);
  });

  it('are filtered and paged, without positions', async () => {
    expect(
      (await rowsOf('employee_facts', { filter: { branch: 'SOUTH', status: ['active', 'on_notice'] } })).map(
        (row) => row.empno,
      ),
    ).toEqual(['E3']);
    expect(await rowsOf('employee_facts', { filter: { months_of_service: { gte: 1 } } })).toHaveLength(4);
    expect(await rowsOf('employee_facts', { filter: { date_of_joining: { gt: '2024-02-10' } } })).toHaveLength(0);
    const page = await call('POST', '/tapi/get_collection/data', { collection: 'employee_facts', page: 2, size: 3 });
    expect(page.data).toHaveLength(1);
    expect(page.data[0]).not.toHaveProperty('entity_id');
    expect(page.pagination).toEqual({
      count: 4,
      first: 1,
      has_next: false,
      has_prev: true,
      last: 2,
      next_page: null,
      page: 2,
      prev_page: 1,
      total_pages: 2,
      more: false,
    });
    expect(
      await call('POST', '/api/get_collection/data', { collection: 'employee_facts', filter: { "x' or 1=1 --": 1 } }),
    ).toMatchObject({ status: 400, error: { code: 'bad_filter' } });
    expect(
      await call('POST', '/api/get_collection/data', { collection: 'employee_facts', size: 100_000 }),
    ).toMatchObject({ status: 422, error: { field: 'size' } });
    expect((await call('POST', '/api/get_collection/data', { collection: 'nothing' })).status).toBe(404);
  });

  it('are for people with the screen, of a client with the product', async () => {
    await acme.user('nobody');
    const nobody = await world.signIn(acme, 'nobody');
    expect(await call('POST', '/api/get_collection/data', { collection: 'employee_facts' }, nobody)).toMatchObject({
      status: 403,
    });
    const without = await world.tenant({ products: ['FMS'] });
    await without.user('boss', { isAdmin: true });
    const boss = await world.signIn(without, 'boss');
    for (const [method, url] of [
      ['POST', '/api/analytics_token'],
      ['POST', '/api/get_collection/data'],
      ['GET', '/api/analytics_users'],
      ['GET', '/api/show_kpi?kpi_id=1'],
      ['POST', '/api/update_sync_datas'],
      ['POST', '/api/form_master_sync_add'],
      ['POST', '/api/analytics_verify_token'],
    ] as const)
      expect([url, await call(method, url, method === 'POST' ? {} : undefined, boss)]).toMatchObject([
        url,
        { status: 403, error: { reason: 'product' } },
      ]);
  });
});

describe('the analytics token', () => {
  it('opens only the analytics calls, until it is revoked', async () => {
    const given = await call('POST', '/api/analytics_token', {}, reader);
    expect(given.status).toBe(200);
    expect(Date.parse(given.expires_at) - Date.now()).toBeLessThanOrEqual(15 * 60_000);
    expect(
      (await outside(given.token, 'POST', '/api/get_collection/data', { collection: 'employee_facts' })).data,
    ).toHaveLength(4);
    expect(await outside(given.token, 'POST', '/api/analytics_verify_token', { token: given.token })).toMatchObject({
      status: 200,
      valid: true,
      email: 'reader@example.in',
      expires_at: given.expires_at,
    });
    for (const [method, url] of [
      ['GET', '/tapi/menu'],
      ['GET', '/tapi/branch'],
      ['POST', '/api/analytics_token'],
      ['POST', '/tapi/analytics_collection/head_count/run'],
    ] as const)
      expect([url, (await outside(given.token, method, url, method === 'POST' ? {} : undefined)).status]).toEqual([
        url,
        401,
      ]);
    expect(
      await call('POST', '/analytics_token_update', { token: null, email: 'clerk@example.in' }, reader),
    ).toMatchObject({ status: 403 });
    expect(
      await call(
        'POST',
        '/analytics_token_update',
        { token: null, email: 'reader@example.in', product_code: 'MS_ANALYTICS', sub_domain: acme.subDomain },
        reader,
      ),
    ).toMatchObject({ status: 200 });
    expect(
      (await outside(given.token, 'POST', '/api/get_collection/data', { collection: 'employee_facts' })).status,
    ).toBe(401);
    expect(await call('POST', '/api/analytics_verify_token', { token: given.token })).toMatchObject({
      status: 200,
      valid: false,
    });
  });

  it('ends with its time or its session, and is invalid with a foreign signature', async () => {
    const { token } = await call('POST', '/api/analytics_token');
    const read = () => outside(token, 'GET', '/api/analytics_users');
    expect((await read()).status).toBe(200);
    await acme.sql(`update {s}.analytics_token set expires_at = now()`);
    expect((await read()).status).toBe(401);
    const again = (await call('POST', '/api/analytics_token')).token;
    const [head, body] = again.split('.');
    for (const forged of [
      `${head}.${body}.AAAA`,
      `${Buffer.from('{"alg":"none","typ":"ms+analytics","kid":"k1"}').toString('base64url')}.${body}.`,
    ])
      expect((await outside(forged, 'GET', '/api/analytics_users')).status).toBe(401);
    // A session token is none: it cannot pass as verified, and another client's is unknown.
    expect(await call('POST', '/api/analytics_verify_token', { token: admin.token })).toMatchObject({ valid: false });
    const theirs = (await call('POST', '/api/analytics_token', {}, stranger)).token;
    expect(await call('POST', '/api/analytics_verify_token', { token: theirs })).toMatchObject({ valid: false });
    expect((await outside(theirs, 'GET', '/api/analytics_users')).status).toBe(401);
    await acme.user('leaver', { isAdmin: true });
    const leaver = await world.signIn(acme, 'leaver');
    const last = (await call('POST', '/api/analytics_token', {}, leaver)).token;
    await leaver.call('POST', '/api/sessions/logout');
    expect((await outside(last, 'GET', '/api/analytics_users')).status).toBe(401);
    expect(await call('POST', '/api/analytics_verify_token', { token: last })).toMatchObject({ valid: false });
  });
});

describe('analytics users', () => {
  it('are added, changed, switched off and deleted', async () => {
    const made = await call('POST', '/api/analytics_users_add', {
      email: 'reader@example.in',
      product_code: 'MS_ANALYTICS',
      sub_domain: acme.subDomain,
    });
    expect(made).toMatchObject({
      status: 201,
      data: { email: 'reader@example.in', product_code: 'MS_ANALYTICS', sub_domain: acme.subDomain, active: true },
    });
    const { id } = made.data;
    expect((await call('GET', '/analytics_users')).data).toEqual([
      { id, email: 'reader@example.in', product_code: 'MS_ANALYTICS', sub_domain: acme.subDomain, active: true },
    ]);
    expect(await call('POST', '/api/analytics_users_add', { email: 'READER@example.in' })).toMatchObject({
      status: 409,
      error: { field: 'email' },
    });
    expect(
      await call('POST', '/api/analytics_users_add', { email: 'x@example.in', sub_domain: 'zenith' }),
    ).toMatchObject({ status: 422, error: { field: 'sub_domain' } });
    expect(await call('PUT', `/api/analytics_users_edit/${String(id)}`, { note: 'Reads figures' })).toMatchObject({
      status: 200,
    });
    expect(await call('PUT', `/api/analytics_users_soft_delete/${String(id)}`)).toMatchObject({
      status: 200,
      data: { active: false },
    });
    expect(await call('POST', '/api/analytics_token', {}, reader)).toMatchObject({
      status: 403,
      error: { message: 'Your access to analytics was switched off. Ask your administrator.' },
    });
    expect((await call('DELETE', `/api/analytics_users_delete/${String(id)}`)).status).toBe(204);
    expect((await call('POST', '/api/analytics_token', {}, reader)).status).toBe(200);
    expect((await call('PUT', `/api/analytics_users_edit/${String(id)}`, { note: 'x' })).status).toBe(404);
  });

  it('are managed by administrators only', async () => {
    for (const [method, url] of [
      ['GET', '/api/analytics_users'],
      ['POST', '/api/analytics_users_add'],
      ['PUT', '/api/analytics_users_edit/1'],
      ['PUT', '/api/analytics_users_soft_delete/1'],
      ['DELETE', '/api/analytics_users_delete/1'],
    ] as const)
      expect([
        url,
        (await call(method, url, method === 'GET' || method === 'DELETE' ? undefined : {}, reader)).status,
      ]).toEqual([url, 403]);
  });
});

describe('refreshing and KPIs', () => {
  it('update_sync_datas starts all named ones, or none', async () => {
    expect(await call('POST', '/api/update_sync_datas', { collections: ['sign_ins', 'nothing'] })).toMatchObject({
      status: 404,
    });
    expect(await acme.sql(`select 1 from {s}.analytics_collection where state = 'queued'`)).toEqual([]);
    expect(await call('POST', '/api/update_sync_datas', { collections: [] })).toMatchObject({
      status: 422,
      error: { field: 'collections' },
    });
    expect(await refresh('sign_ins', 'change_facts')).toHaveLength(2);
    expect(await call('POST', '/api/update_sync_datas', { collections: ['sign_ins'] }, reader)).toMatchObject({
      status: 403,
    });
  });

  it('form_master_sync_add creates a collection from a list’s records', async () => {
    const screens = world.app.store.screens();
    await fillCatalogue(world.database.directory, screens);
    const [screen] = await world.database.directory.main.query<{ id: number }>(
      `select id from public.screen where descriptor = 'branch'`,
    );
    expect(await call('POST', '/api/form_master_sync_add', { form_id: 999_999 })).toMatchObject({ status: 404 });
    expect(await call('POST', '/api/form_master_sync_add', { form_id: 'x' })).toMatchObject({
      status: 422,
      error: { field: 'form_id' },
    });
    expect(await call('POST', '/api/form_master_sync_add', { form_id: screen!.id })).toMatchObject({
      status: 202,
      collection: 'list_branch',
    });
    await world.app.jobs.drain();
    expect(await rowsOf('list_branch')).toMatchObject([
      { code: 'NORTH', state_id: 'Tamil Nadu' },
      { code: 'SOUTH', city: 'Chennai' },
    ]);
  });

  it('a collection of a list shows each reader what the list would show: rows, fields, and the right to it', async () => {
    const [screen] = await world.database.directory.main.query<{ id: number }>(
      `select id from public.screen where descriptor = 'quick_link'`,
    );
    const role = await acme.role({
      modules: ['DASHBOARD', 'COMMON', 'SETTINGS'],
      screens: {
        SCN_ANALYTICS: { module: 'DASHBOARD', pages: ['landing'] },
        SCN_QUICK_LINKS: { module: 'COMMON', pages: ['landing', 'add_screen', 'edit_screen', 'view_screen'] },
        SCN_TRIGGER_ANALYTICS: { module: 'SETTINGS', pages: ['landing', 'edit_screen'] },
      },
      actions: ['EXPORT_DATA', 'MANAGE_INTEGRATIONS'],
    });
    await acme.user('maker', { companies: [{ company: 1, roles: [role] }] });
    const maker = await world.signIn(acme, 'maker');
    const link = (title: string, audience: string, by: Caller) =>
      call('POST', '/tapi/quick_link', { title, url: '/branch', audience, icon: 'Star' }, by);
    await link('Mine', 'me', maker);
    await link('All', 'all', admin);
    await link('The administrator’s own', 'me', admin);
    expect(await call('POST', '/api/form_master_sync_add', { form_id: screen!.id }, maker)).toMatchObject({
      status: 202,
    });
    await world.app.jobs.drain();
    const stored = await acme.sql<{ data: { title: string } }>(
      `select data from {s}.collection_row r join {s}.analytics_collection c on c.id = r.collection_id where c.code = 'list_quick_link'`,
    );
    expect(new Set(stored.map(({ data }) => data.title))).toEqual(new Set(['All', 'Mine']));
    const titles = async (by: Caller) =>
      (await rowsOf('list_quick_link', {}, by)).map(({ title }) => String(title)).sort((a, b) => a.localeCompare(b));
    expect(await titles(maker)).toEqual(['All', 'Mine']);
    // The administrator’s list would not show what is private to the maker.
    expect(await titles(admin)).toEqual(['All']);
    expect(await call('POST', '/api/get_collection/data', { collection: 'list_quick_link' }, reader)).toMatchObject({
      status: 403,
    });
    await acme.sql(
      `insert into {s}.field_right (role_id, record_type, field, access) values ($1, 'quick_link', 'icon', 'hidden')`,
      [role],
    );
    await acme.sql('update {s}.rights_version set version = version + 1');
    await expect.poll(async () => (await rowsOf('list_quick_link', {}, maker))[0]).not.toHaveProperty('icon');
    expect(
      await call(
        'POST',
        '/api/get_collection/data',
        { collection: 'list_quick_link', filter: { icon: 'Star' } },
        maker,
      ),
    ).toMatchObject({ status: 403, error: { reason: 'field' } });
    // Without the right to export it stops and says so.
    await acme.sql(`delete from {s}.role_action where role_id = $1 and action_code = 'EXPORT_DATA'`, [role]);
    const again = async () => {
      await call('POST', '/tapi/analytics_collection/list_quick_link/run', {}, admin);
      await world.app.jobs.drain();
      return (
        await acme.sql<{ state: string; error: string }>(
          `select state, error from {s}.analytics_collection where code = 'list_quick_link'`,
        )
      )[0]!;
    };
    await expect.poll(again).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('may not export Quick links any more') as string,
    });
    await acme.sql(`update {s}.users set status = 'disabled' where username = 'maker'`);
    await expect.poll(again).toMatchObject({ error: expect.stringContaining('can no longer be used') as string });
  });

  it('figures of a restricted field are withheld from the reader', async () => {
    await refresh('employee_facts');
    const role = await acme.role({ modules: ['DASHBOARD'], screens: { SCN_ANALYTICS: ['landing'] } });
    await acme.sql(
      `insert into {s}.field_right (role_id, record_type, field, access) values ($1, 'employee', 'gender', 'hidden'), ($1, 'employee', 'branch_id', 'hidden')`,
      [role],
    );
    await acme.user('veiled', { companies: [{ company: 1, roles: [role] }] });
    const veiled = await world.signIn(acme, 'veiled');
    const [row] = await rowsOf('employee_facts', {}, veiled);
    expect(row).toHaveProperty('empno');
    expect(row).not.toHaveProperty('gender');
    expect(row).not.toHaveProperty('branch');
    expect(
      await call(
        'POST',
        '/api/get_collection/data',
        { collection: 'employee_facts', filter: { gender: 'male' } },
        veiled,
      ),
    ).toMatchObject({ status: 403 });
  });

  it('show_kpi returns points over time, of visible rows', async () => {
    await refresh('head_count', 'joiners_leavers');
    const kpi = async (query: string, by?: Caller) => call('GET', `/api/show_kpi?${query}`, undefined, by);
    expect((await kpi('kpi_id=1')).data).toMatchObject({
      kpi_id: 1,
      name: 'Members',
      unit: 'people',
      points: [{ value: '3.00' }],
    });
    expect((await kpi('kpi_id=1', clerk)).data).toMatchObject({ points: [{ value: '2.00' }] });
    const [month] = await acme.sql<{ day: string }>(
      `select to_char(date_trunc('month', current_date - interval '2 months'), 'YYYY-MM-DD') as day`,
    );
    expect(((await kpi(`kpi_id=2&from=${month!.day}`)).data.points as unknown[]).length).toBe(3);
    expect((await kpi('kpi_id=4')).data.points).toHaveLength(1);
    // One of four left in the year that ended last: 1 of (4 + 3) / 2.
    await acme.sql(
      `update {s}.employee set date_of_leaving = make_date(extract(year from current_date)::int - (extract(month from current_date) < 4)::int, 1, 15) where empno = 'E4'`,
    );
    await refresh('attrition');
    expect(await rowsOf('attrition', { filter: { left_us: 1 } })).toMatchObject([
      { opening: 4, closing: 3, percent: 28.57 },
    ]);
    expect(((await kpi('kpi_id=10')).data.points as { value: string }[]).at(-1)).toMatchObject({ value: '28.57' });
    expect(await kpi('kpi_id=77')).toMatchObject({ status: 404 });
    expect(await kpi('kpi_id=1&from=1.1.2025')).toMatchObject({ status: 422, error: { field: 'from' } });
    expect(await kpi('kpi_id=1&from=2025-02-01&to=2025-01-01')).toMatchObject({ status: 422, error: { field: 'to' } });
  });
});

describe('bots', () => {
  const press = async (id: number, by: Caller) =>
    (await by.call('POST', '/tapi/kpi_bot/action/review.look_now', { on: 'record', id, version: 1, params: {} })).body;
  let collection: number;
  const bot = async (by: Caller, more: object) => {
    const made = await call(
      'POST',
      '/tapi/kpi_bot',
      { follows: 'collection', collection_id: collection, rule: 'threshold', visibility: 'private', ...more },
      by,
    );
    expect([made.status, made.error]).toEqual([201, undefined]);
    return made.data as unknown as { id: number; version: number };
  };
  const numberOf = async (code: string) =>
    (await acme.sql<{ id: number }>('select id from {s}.analytics_collection where code = $1', [code]))[0]!.id;
  const person = async (name: string, scope: 'company' | 'branch' | 'own', hidden: string[] = []) => {
    const role = await acme.role({
      modules: ['DASHBOARD'],
      screens: { SCN_ANALYTICS: { pages: ['landing', 'add_screen', 'edit_screen', 'view_screen'], scope } },
    });
    for (const field of hidden)
      await acme.sql(
        `insert into {s}.field_right (role_id, record_type, field, access) values ($1, 'employee', $2, 'hidden')`,
        [role, field],
      );
    roles.set(name, role);
    await acme.user(name, { companies: [{ company: 1, roles: [role], branchId: ids.north }] });
    return world.signIn(acme, name);
  };
  const roles = new Map<string, number>();
  let whole: Caller;

  it('follow a figure over the rows that their owner may see, and no others', async () => {
    await refresh('employee_facts');
    collection = await numberOf('employee_facts');
    whole = await person('whole', 'company');
    const [part, single, blind] = await Promise.all([
      person('part', 'branch'),
      person('single', 'own'),
      person('blind', 'company', ['gender', 'branch_id']),
    ]);
    const members = { name: 'Members', better: 'higher', limit_value: '10', question: { figure: 'number of rows' } };
    // Four members of the company, two of them in the branch; the fifth is another company's.
    expect(await press((await bot(whole, members)).id, whole)).toContain('Alarm: It is 4.');
    expect(await press((await bot(part, members)).id, part)).toContain('Alarm: It is 2.');
    expect(await press((await bot(single, members)).id, single)).toContain('Alarm: It is 0.');
    const south = { ...members, name: 'South', question: { figure: 'number of rows', only_branch: ['SOUTH'] } };
    expect(await press((await bot(whole, south)).id, whole)).toContain('Alarm: It is 2.');
    expect(await press((await bot(part, south)).id, part)).toContain('Alarm: It is 0.');
    expect(await press((await bot(blind, south)).id, blind)).toContain('This would reveal');
    expect(await press((await bot(blind, members)).id, blind)).toContain('Alarm: It is 4.');
  });

  it('run by the job with the rights that their owner has then', async () => {
    const part = await world.signIn(acme, 'part');
    const run = async () => {
      // It runs once a day.
      await acme.sql('delete from {s}.job_run');
      await world.app.jobs.enqueue(acme.schema, 'look_at_kpis', {}, { company: acme.entityIds[0]! });
      await world.app.jobs.drain();
    };
    const { id } = await bot(part, {
      name: 'Shared',
      visibility: 'company',
      better: 'lower',
      limit_value: '3',
      question: { figure: 'number of rows' },
    });
    await run();
    // Two rows of the branch are below the limit; the four of the company would be above it.
    expect((await call('GET', `/tapi/kpi_bot/${id}`, undefined, part)).data).toMatchObject({
      state: 'quiet',
      finding: 'It is 2.',
    });
    // The finding is its owner's alone. Nobody else can ask another question with the owner's rights.
    const { data } = await call('GET', `/tapi/kpi_bot/${id}`, undefined, whole);
    expect([data.state, data.finding ?? null]).toEqual(['quiet', null]);
    expect(await call('PUT', `/tapi/kpi_bot/${id}`, { version: data.version, limit_value: '1' }, whole)).toMatchObject({
      status: 422,
      error: { field: 'limit_value', message: expect.stringContaining('Only the owner') as string },
    });
    const withdrawn = async (change: string) => {
      await acme.sql(`update {s}.screen_rights set ${change} where role_id = $1`, [roles.get('part')]);
      await acme.sql('update {s}.rights_version set version = version + 1');
      world.app.services.store.forget(acme.schema);
      await run();
      return (await acme.sql('select state, finding from {s}.kpi_bot where id = $1', [id]))[0]!;
    };
    expect(await withdrawn(`data_scope = 'own'`)).toEqual({ state: 'quiet', finding: 'It is 0.' });
    expect(await withdrawn('landing = false')).toMatchObject({
      state: 'waiting',
      finding: 'You need List on Collection (role). Ask your administrator.',
    });
  });

  it('compare complete periods, with 0 for those without rows', async () => {
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' }).format(new Date());
    const day = (back: number) =>
      new Date(Date.parse(`${today}T00:00:00Z`) - back * 86_400_000).toISOString().slice(0, 10);
    const [made] = await acme.sql<{ id: number }>(
      `insert into {s}.analytics_collection (code, title, kind, state, mode, key_fields, last_run_at, questions)
       values ('day_sales', 'Sales', 'imported', 'idle', 'full', '{no}', now(), $1) returning id`,
      [
        JSON.stringify({
          type: 'object',
          properties: { figure: { enum: ['sum of amount', 'average of amount'] }, dated_by: { enum: ['date'] } },
          additionalProperties: false,
        }),
      ],
    );
    collection = made!.id;
    for (const [back, amount] of [
      [4, '100.50'],
      [4, '9.50'],
      [3, 'none'],
      [1, '90'],
      [0, '1'],
    ] as const)
      await acme.sql(`insert into {s}.collection_row (collection_id, key, entity_id, data) values ($1, $2, $3, $4)`, [
        collection,
        `${back}/${amount}`,
        acme.entityIds[0],
        JSON.stringify({ date: day(back), amount }),
      ]);
    const shared = { period: 'day', better: 'higher', question: { figure: 'sum of amount', dated_by: 'date' } };
    const low = await bot(whole, { ...shared, name: 'Low day', limit_value: '95' });
    // Today is not over: yesterday's 90 counts.
    const [, month, dayOfMonth] = day(1).split('-');
    expect(await press(low.id, whole)).toContain(`Alarm: It is 90. ${dayOfMonth}-${month}-${day(1).slice(0, 4)}.`);
    // 110, 0, 0, 90: the last step is up.
    expect(
      await press((await bot(whole, { ...shared, name: 'Falls', rule: 'streak', streak: 2 })).id, whole),
    ).toContain('It got worse 0 times in a row.');
    // An average of no rows is no figure: 55, 90.
    const average = {
      ...shared,
      name: 'Slope',
      rule: 'trend',
      question: { figure: 'average of amount', dated_by: 'date' },
    };
    expect(await press((await bot(whole, average)).id, whole)).toContain('It changes by 35 a day.');
    // The day of a year before is compared with, and is not one of the days that the rule examines.
    const [year, ...rest] = day(1).split('-');
    await acme.sql(`insert into {s}.collection_row (collection_id, key, entity_id, data) values ($1, 'old', $2, $3)`, [
      collection,
      acme.entityIds[0],
      JSON.stringify({ date: [Number(year) - 1, ...rest].join('-'), amount: '100' }),
    ]);
    const yearly = await bot(whole, { ...average, name: 'Slope and last year', compare: 'last_year' });
    expect(await press(yearly.id, whole)).toMatch(
      /It changes by 35 a day\. .+ That is 10 % below the day a year before \(100\)\./,
    );
    expect(
      await call(
        'POST',
        '/tapi/kpi_bot',
        {
          ...shared,
          follows: 'collection',
          collection_id: collection,
          name: 'X',
          rule: 'threshold',
          limit_value: '1',
          visibility: 'private',
          question: { figure: 'sum of cost' },
        },
        whole,
      ),
    ).toMatchObject({ status: 422, error: { field: 'question.figure' } });
    expect(
      await call(
        'POST',
        '/tapi/kpi_bot',
        { ...shared, follows: 'collection', collection_id: collection, name: 'Y', rule: 'pace', visibility: 'private' },
        whole,
      ),
    ).toMatchObject({ status: 422, error: { field: 'rule' } });
  });

  it('are drawn with the rows that the reader may see, and subscribed to by others', async () => {
    collection = await numberOf('employee_facts');
    const { id } = await bot(whole, {
      name: 'Branches',
      visibility: 'company',
      better: 'higher',
      limit_value: '10',
      chart: 'pie',
      question: { figure: 'number of rows', divided_by: 'branch' },
    });
    await acme.sql(`update {s}.screen_rights set landing = true, data_scope = 'branch' where role_id = $1`, [
      roles.get('part'),
    ]);
    await acme.sql('update {s}.rights_version set version = version + 1');
    world.app.services.store.forget(acme.schema);
    const part = await world.signIn(acme, 'part');
    const drawn = async (by: Caller) => {
      const { data } = await call('POST', '/tapi/dashboard/kpi_bots_common_analytics', { tiles: ['bots'] }, by);
      const [tile] = (data as unknown as { tiles: { widget: { id: number }[] }[] }).tiles;
      return tile!.widget.find((one) => one.id === id) as unknown as {
        rows: { part: string; value: string }[];
        isSubscribed: boolean;
        version: number;
      };
    };
    expect((await drawn(whole)).rows.map(({ part: one, value }) => `${one} ${value}`).toSorted()).toEqual([
      'NORTH 2',
      'SOUTH 2',
    ]);
    expect((await drawn(part)).rows.map(({ part: one, value }) => [one, value])).toEqual([['NORTH', '2']]);
    const { version } = await drawn(part);
    const subscribed = await call(
      'POST',
      '/tapi/kpi_bot/action/review.subscribe',
      { on: 'record', id, version, params: {} },
      part,
    );
    expect([subscribed.status, subscribed.error]).toEqual([200, undefined]);
    await expect.poll(async () => (await drawn(part)).isSubscribed, { timeout: 8000 }).toBe(true);
    expect((await drawn(whole)).isSubscribed).toBe(false);
    // Many unread notices of one kind are merged.
    await acme.sql('delete from {s}.notification');
    await acme.sql(`update {s}.kpi_bot set active = false where id <> $1`, [id]);
    await acme.sql('delete from {s}.job_run');
    await world.app.jobs.enqueue(acme.schema, 'look_at_kpis', {}, { company: acme.entityIds[0]! });
    await world.app.jobs.drain();
    // The owner reads the figure of four rows; the subscriber, who sees two of them, only that there is something.
    const notices = await acme.sql<{ title: string }>(
      `select title from {s}.notification where title like 'Branches:%' order by title`,
    );
    expect(notices.map(({ title }) => title)).toEqual([
      'Branches: It needs a look.',
      'Branches: It needs a look. It is 4.',
    ]);
  });

  it('are offered what the columns of the collection are', async () => {
    const { data } = await call(
      'GET',
      `/tapi/kpi_bot/shape/question/${await numberOf('employee_facts')}`,
      undefined,
      whole,
    );
    const {
      figure,
      dated_by: dated,
      only_branch: branch,
    } = data.properties as Record<string, { enum?: string[]; type?: string }>;
    expect(figure!.enum).toContain('average of months_of_service');
    expect(dated!.enum).toContain('date_of_joining');
    expect(branch).toMatchObject({ type: 'array', title: 'Only branch' });
  });
});
