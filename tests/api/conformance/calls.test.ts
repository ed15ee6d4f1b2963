import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayIn } from '../../../src/server/services/clock/client_day.ts';
import { wholeFinancialYear } from '../../../src/descriptor/financial_year.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

// The calls of section 7 of the specification, as it writes them: path, payload, answer.

let world: World;
let acme: TestTenant;
let asha: Caller;
let first: number;
let second: number;

beforeAll(async () => {
  world = await startWorld();
  acme = await world.tenant({ companies: 2, products: ['FMS', 'PMS'] });
  const role = await acme.role({
    modules: ['MASTERS'],
    screens: { SCN_BRANCH: ['landing', 'view_screen'] },
    actions: ['CREATE_MASTERS'],
  });
  await acme.user('asha', { companies: [{ company: 1, roles: [role] }, { company: 2 }] });
  await acme.user('ravi');
  asha = await world.signIn(acme, 'asha');
  [first, second] = acme.entityIds as [number, number];
  await asha.call('PUT', '/tapi/session/entity', { entity_id: first });
});
afterAll(() => world.close());

interface Features {
  data: Record<string, unknown>[];
  rating_setting: { self_rating: boolean }[];
  calc_settings: { show: boolean }[];
  appraisal_period_mstr: object[];
}
const features = async () => (await asha.call('GET', `/tapi/get_features_by_role/${asha.userId}`)).json<Features>();

describe('get_features_by_role', () => {
  test('has every member named in the specification', async () => {
    const answer = await features();
    expect(Object.keys(answer.data[0]!)).toEqual(
      expect.arrayContaining([
        'entity_list',
        'roles_list',
        'product_list',
        'branch_id',
        'chairman_flag',
        'ceo_flag',
        'secretary_flag',
        'designation_name',
      ]),
    );
    expect(answer.data[0]).toMatchObject({
      entity_list: [
        { id: first, name: 'Company 1', financial_year: wholeFinancialYear(dayIn('Asia/Kolkata'), 4) },
        { id: second },
      ],
      product_list: ['MS_FMS', 'MS_PMS'],
      roles_list: [{ role_name: 'Role 1', features: ['/branch'] }],
    });
    expect(answer).toMatchObject({
      is_admin: false,
      emp_details: [],
      appraisal_period_mstr: [],
      customer: [],
      modules_by_users: [{ active: true, module_code: 'MASTERS', module_name: 'Masters', hide_all: false }],
      screen_by_users: [
        {
          screen_code: 'SCN_BRANCH',
          module_name: 'Masters',
          landing: true,
          view_screen: true,
          add_screen: false,
          edit_screen: false,
          approval_screen: false,
          transfer_screen: false,
        },
      ],
      products_by_users: [{ product_code: 'MS_FMS' }, { product_code: 'MS_PMS' }],
      rating_setting: [{ self_rating: true }],
      calc_settings: [{ show: true }],
    });
  });

  test('customers: only visible ones of the company, and none without the right', async () => {
    const visits = await world.tenant({ suffix: 'visits', products: ['VISITS'], companies: 2 });
    await visits.user('boss', { isAdmin: true, companies: [{ company: 1 }, { company: 2 }] });
    const boss = await world.signIn(visits, 'boss');
    const read = async (caller: Caller) =>
      (await caller.call('GET', `/tapi/get_features_by_role/${caller.userId}`)).json<{ customer: { code: string }[] }>()
        .customer;
    await boss.call('PUT', '/tapi/session/entity', { entity_id: visits.entityIds[0] });
    expect(await read(boss)).toEqual([]);
    for (const type of ['employee', 'customer']) await boss.call('GET', `/tapi/${type}`);
    for (const { name } of await visits.sql<{ name: string }>(
      `select attname as name from pg_attribute where attrelid = '{s}.employee'::regclass and attnum > 0 and attnotnull and not atthasdef and attidentity = '' and attname <> 'entity_id'`,
    ))
      await visits.sql(`alter table {s}.employee alter column "${name}" drop not null`);
    const [person] = await visits.sql<{ id: number }>(
      `insert into {s}.employee (entity_id, empno, first_name, name, status) values ($1, 'E1', 'Kavya', 'Kavya R', 'active') returning id`,
      [visits.entityIds[0]],
    );
    for (const code of ['ZED', 'ARUN'])
      expect(
        await boss.call('POST', '/tapi/customer', { code, name: `${code} Stores`, salesperson_id: person!.id }),
      ).toMatchObject({ statusCode: 201 });
    expect(await read(boss)).toEqual([
      { id: 2, code: 'ARUN', name: 'ARUN Stores' },
      { id: 1, code: 'ZED', name: 'ZED Stores' },
    ]);
    const other = await boss.call('GET', `/tapi/get_email_by_entity?entity_id=${visits.entityIds[1]}`);
    expect(other.json()).toMatchObject({ customer: [] });
    const clerk = await visits.role({ modules: ['MASTERS'], screens: { SCN_BRANCH: ['landing'] } });
    await visits.user('clerk', { companies: [{ company: 1, roles: [clerk] }] });
    expect(await read(await world.signIn(visits, 'clerk'))).toEqual([]);
  });

  test('self-rating and the calculation show until the company’s settings say otherwise, in that company alone', async () => {
    await acme.user('head', { isAdmin: true, companies: [{ company: 1 }] });
    const head = await world.signIn(acme, 'head');
    const whole = async (type: string) =>
      (await head.call('GET', `/tapi/${type}/single`)).json<{ data: object }>().data;
    for (const [type, change] of [
      ['rating_setting', { self_rating: 'no' }],
      ['calc_settings', { show: 'no' }],
    ] as const) {
      const saved = await head.call('PUT', `/tapi/${type}/single`, { ...(await whole(type)), ...change });
      expect(saved.statusCode, saved.body).toBe(200);
    }
    const made = await head.call('POST', '/tapi/appraisal_period', {
      code: 'H1',
      name: 'First half',
      financial_year: wholeFinancialYear(dayIn('Asia/Kolkata'), 4),
      kind: 'half_yearly',
      starts_on: '2025-04-01',
      ends_on: '2025-09-30',
    });
    expect(made.statusCode, made.body).toBe(201);
    expect(await features()).toMatchObject({
      rating_setting: [{ self_rating: false }],
      calc_settings: [{ show: false }],
      appraisal_period_mstr: [{ name: 'First half', from_date: '2025-04-01', to_date: '2025-09-30' }],
    });
    const other = await asha.call(
      'GET',
      `/tapi/get_email_by_entity?email=asha@example.in&entity_id=${second}&user_id=${asha.userId}`,
    );
    expect(other.json()).toMatchObject({ rating_setting: [{ self_rating: true }], calc_settings: [{ show: true }] });
  });
});

test('get_email_by_entity answers with and without tapi, for a company of one’s own', async () => {
  for (const prefix of ['', '/tapi', '/api']) {
    const answer = await asha.call(
      'GET',
      `${prefix}/get_email_by_entity?email=asha@example.in&entity_id=${second}&user_id=${asha.userId}`,
    );
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      data: [{ id: asha.userId, name: 'Person asha', branch_id: null, product_list: ['MS_FMS', 'MS_PMS'] }],
      is_admin: false,
      screen_by_users: [],
    });
    expect(Object.keys(answer.json<object>())).toEqual(
      expect.arrayContaining([
        'customer',
        'emp_details',
        'rating_setting',
        'calc_settings',
        'products_by_users',
        'modules_by_users',
        'screen_by_users',
        'is_admin',
        'appraisal_period_mstr',
      ]),
    );
  }
  expect((await asha.call('GET', '/get_email_by_entity?entity_id=999999')).json()).toMatchObject({
    error: { code: 'entity_forbidden' },
  });
  expect((await asha.call('GET', '/get_email_by_entity?entity_id=x')).statusCode).toBe(422);
});

test('update_user_logged_data takes the dates as YYYY-MM-DD and answers the server’s own', async () => {
  const put = (schema: string, dataset: object) =>
    asha.call('PUT', `/update_user_logged_data/${asha.userId}/${schema}`, { user_dataset: dataset });
  const answer = await put(acme.schema, { logged_date: '2020-01-01', expiry_date: '2099-01-01' });
  const { data } = answer.json<{ data: { user_id: number; logged_date: string; expiry_date: string } }>();
  expect(data.user_id).toBe(asha.userId);
  const days = (Date.parse(data.expiry_date) - Date.parse(data.logged_date)) / 86_400_000;
  expect([answer.statusCode, days]).toEqual([200, 7]);
  expect((await put('public', {})).statusCode).toBe(403);
  expect((await put(acme.schema, { logged_date: '10-06-2025' })).json()).toMatchObject({
    error: { code: 'invalid', field: 'logged_date' },
  });
  expect((await asha.call('PUT', `/update_user_logged_data/${asha.userId}/${acme.schema}`, {})).statusCode).toBe(422);
});

test('update_refresh_token returns new_token, valid seven days longer than before', async () => {
  const ends = (
    await asha.call('PUT', `/update_user_logged_data/${asha.userId}/${acme.schema}`, { user_dataset: {} })
  ).json<{ data: { expiry_date: string } }>().data.expiry_date;
  // A sign-in of four days ago.
  await acme.sql(
    `update {s}.session set expires_at = expires_at - interval '4 days', auth_at = auth_at - interval '4 days' where user_id = $1`,
    [asha.userId],
  );
  const answer = await asha.call('POST', `/update_refresh_token/${asha.token}`, {});
  const { new_token: token, expiry_date: date } = answer.json<{ new_token: string; expiry_date: string }>();
  expect(answer.statusCode).toBe(200);
  expect((Date.parse(date) - Date.parse(ends)) / 86_400_000).toBe(7 - 4);
  expect(
    (await world.inject({ url: '/tapi/menu', headers: { host: acme.host, authorization: `Bearer ${token}` } }))
      .statusCode,
  ).toBe(200);
});

test('devices: registered by POST when new, changed by PUT when known, off at logout; never another’s', async () => {
  const post = (token: string, more: object = {}) =>
    asha.call('POST', '/notification_token', {
      notification_token: {
        user_id: asha.userId,
        name: 'Asha',
        email: 'asha@example.in',
        device_token: token,
        device_flag: true,
        entity_id: first,
        active: true,
        ...more,
      },
    });
  const made = await post('fcm:one');
  expect(made.statusCode).toBe(201);
  const { id } = made.json<{ data: { id: number } }>().data;
  expect((await post('fcm:one')).json()).toEqual({ data: { id } });
  expect((await asha.call('GET', `/get_users_device/${asha.userId}`)).json()).toEqual({
    data: [{ id, device_token: 'fcm:one' }],
  });
  expect(
    (
      await asha.call('PUT', `/update_users_device/${id}`, {
        device_token: 'fcm:two',
        device_flag: true,
        entity_id: first,
        active: true,
      })
    ).json(),
  ).toEqual({ data: { id } });
  for (const wrong of ['', 'x'.repeat(4097)]) expect((await post(wrong)).statusCode).toBe(422);
  expect((await post('fcm:three', { entity_id: 999_999 })).statusCode).toBe(403);
  const ravi = await world.signIn(acme, 'ravi');
  expect((await ravi.call('PUT', `/update_users_device/${id}`, { active: false })).statusCode).toBe(404);
  expect((await asha.call('PUT', `/update_users_device_logout/${asha.userId}?device_token=fcm:two`)).json()).toEqual({
    data: { updated: 1 },
  });
  expect((await asha.call('PUT', `/update_users_device_logout/${asha.userId}?device_token=nobody`)).json()).toEqual({
    data: { updated: 0 },
  });
  expect((await asha.call('GET', `/get_users_device/${asha.userId}`)).json()).toEqual({ data: [] });
});

test('analytics_token_update is for oneself and answers success', async () => {
  const call = (email: string) =>
    asha.call('POST', '/analytics_token_update', {
      token: null,
      email,
      product_code: 'MS_ANALYTICS',
      sub_domain: acme.subDomain,
    });
  expect((await call('asha@example.in')).json()).toEqual({ result: 'success' });
  expect((await call('ravi@example.in')).statusCode).toBe(403);
});

describe('global country service', () => {
  const ask = async (query: string) =>
    world.inject({ url: `/api/global_country_service?${query}`, headers: { host: acme.host } });

  test('the countries of the region with their dial codes, and states and cities by code', async () => {
    const countries = (await ask('flag=country')).json<{ data: { code: string; name: string; dial_code: string }[] }>()
      .data;
    const dial = Object.fromEntries(countries.map((row) => [row.code, row.dial_code]));
    expect(dial).toMatchObject({
      IN: '+91',
      AF: '+93',
      BD: '+880',
      BT: '+975',
      MV: '+960',
      NP: '+977',
      PK: '+92',
      LK: '+94',
    });
    const states = (await ask('flag=state&country_code=IN')).json<{ data: { code: string; name: string }[] }>().data;
    expect(states).toContainEqual({ name: 'Tamil Nadu', code: 'TN', gst_code: '33' });
    const cities = (await ask('flag=city&country_code=IN&state_code=TN')).json<{ data: { name: string }[] }>().data;
    expect(cities.map(({ name }) => name)).toContain('Chennai');
  });

  test('an unknown value is refused by name', async () => {
    for (const [query, field] of [
      ['flag=town', 'flag'],
      ['flag=state&country_code=XX', 'country_code'],
      ['flag=city&country_code=IN&state_code=XX', 'state_code'],
    ] as const)
      expect((await ask(query)).json()).toMatchObject({ error: { code: 'invalid', field } });
  });
});

test('the pagination object has every member, and page 1 is the first', async () => {
  const answer = (await asha.call('GET', '/tapi/branch?size=5')).json<{ pagination: object }>();
  expect(answer.pagination).toEqual({
    count: 0,
    first: 1,
    has_next: false,
    has_prev: false,
    last: 1,
    next_page: null,
    page: 1,
    prev_page: null,
    total_pages: 1,
    more: false,
  });
  expect((await asha.call('GET', '/tapi/branch?page=0')).statusCode).toBe(400);
});

test('get_screen_and_user_data_by_role is for platform administrators alone', async () => {
  expect((await asha.call('GET', `/api/get_screen_and_user_data_by_role/?user_id=${asha.userId}`)).statusCode).toBe(
    403,
  );
});
