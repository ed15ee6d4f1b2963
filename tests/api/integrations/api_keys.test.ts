import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

type Row = Record<string, unknown>;
type Made = {
  data: { id: number; version: number; state: string; key_prefix: string };
  key: string;
  once: { label: string; value: string };
};

let world: World;
let acme: TestTenant;
let zenith: TestTenant;
let admin: Caller;
let clerk: Caller;
let service: number;
let large: number;

const all = ['landing', 'add_screen', 'edit_screen', 'view_screen'] as const;
const inAYear = new Date(Date.now() + 300 * 86_400_000).toISOString().slice(0, 10);
let made = 0;

beforeAll(async () => {
  world = await startWorld({ types: [] });
  acme = await world.tenant({ companies: 2 });
  zenith = await world.tenant();
  const masters = await acme.role({
    modules: ['MASTERS'],
    screens: { SCN_SEGMENT: [...all], SCN_DEPARTMENT: ['landing', 'view_screen'], SCN_API_CONFIG: [...all] },
    actions: ['CREATE_MASTERS', 'DELETE_RECORDS', 'MANAGE_INTEGRATIONS'],
  });
  large = await acme.role({ modules: ['MASTERS'], screens: { SCN_BRANCH: [...all] } });
  await acme.user('admin', { isAdmin: true });
  await acme.user('clerk', { companies: [{ company: 1, roles: [masters] }] });
  service = await acme.user('erp', { companies: [{ company: 1, roles: [masters] }] });
  await acme.sql(`update {s}.users set is_service = true where id = $1`, [service]);
  [admin, clerk] = await Promise.all([world.signIn(acme, 'admin'), world.signIn(acme, 'clerk')]);
});
afterAll(() => world.close());

async function makeKey(more: Row = {}): Promise<Made> {
  const answer = await admin.call('POST', '/tapi/api_config', {
    name: `Key ${++made}`,
    direction: 'inbound',
    service_user_id: service,
    expires_on: inAYear,
    ...more,
  });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<Made>();
}
const by = (
  key: string,
  method: string,
  url: string,
  body?: object,
  headers: Record<string, string> = {},
  host = acme.host,
) =>
  world.inject({
    method: method as 'GET',
    url,
    headers: { host, authorization: `Bearer ${key}`, ...headers },
    ...(body && { payload: body }),
  });
const error = (answer: { json<T>(): T }) =>
  answer.json<{ error: { code: string; message: string; details: { field: string; message: string }[] } }>().error;
/** Written after the answer, so in no order. */
const calls = async (id: number) =>
  (
    await acme.sql<{ status: number }>('select status from {s}.api_call_log where api_config_id = $1 order by status', [
      id,
    ])
  ).map(({ status }) => status);

describe('a key', () => {
  it('is shown once; only its hash is stored', async () => {
    const { data, key, once } = await makeKey();
    expect(key).toMatch(/^mk_live_[A-Za-z0-9]{40}$/);
    expect(once).toMatchObject({ label: 'Key', value: key });
    expect(data).toMatchObject({ state: 'active', key_prefix: key.slice(0, 16), key_hash__set: true });
    const again = (await admin.call('GET', `/tapi/api_config/${data.id}`)).body;
    expect(again).not.toContain(key);
    const [stored] = await acme.sql<Row>('select * from {s}.api_config where id = $1', [data.id]);
    const history = await acme.sql('select change from {s}.history where record_type = $1', ['api_config']);
    expect(JSON.stringify([stored, history])).not.toContain(key.slice(16));
    expect(JSON.stringify(history)).not.toContain(String(stored!.key_hash));
  });

  it('acts as its account', async () => {
    const { key, data } = await makeKey();
    const added = await by(key, 'POST', '/tapi/segment', { code: 'S1', name: 'Hospitals', segment_type: 'market' });
    expect(added.statusCode, added.body).toBe(201);
    expect(added.json<{ data: Row }>().data.created_by).toBe(service);
    expect((await by(key, 'GET', '/api/department')).statusCode).toBe(200);
    expect((await by(key, 'POST', '/tapi/department', { code: 'D1', name: 'Sales' })).statusCode).toBe(403);
    expect((await by(key, 'GET', '/tapi/branch')).statusCode).toBe(403);
    await vi.waitFor(async () => expect(await calls(data.id)).toEqual([200, 201, 403, 403]), { timeout: 60_000 });
    const [{ seen } = { seen: null }] = await acme.sql<{ seen: unknown }>(
      'select last_used_at as seen from {s}.api_config where id = $1',
      [data.id],
    );
    expect(seen).not.toBeNull();
  });

  it('does no more than its scopes', async () => {
    const { key } = await makeKey({ scopes: ['segment:read', 'segment:add'] });
    const { data } = (
      await by(key, 'POST', '/tapi/segment', { code: 'S2', name: 'Schools', segment_type: 'market' })
    ).json<{ data: { id: number; version: number } }>();
    expect((await by(key, 'GET', `/tapi/segment/${data.id}`)).statusCode).toBe(200);
    for (const [method, url, body] of [
      ['PUT', `/tapi/segment/${data.id}`, { version: data.version, name: 'Colleges' }],
      ['DELETE', `/tapi/segment/${data.id}`],
      ['POST', `/tapi/segment/${data.id}/deactivate`, { version: data.version }],
      ['POST', '/tapi/segment/bulk_delete', { ids: [data.id] }],
      ['GET', '/tapi/department'],
    ] as [string, string, object?][]) {
      const answer = await by(key, method, url, body);
      expect(answer.statusCode, `${method} ${url}`).toBe(403);
      expect(error(answer).message).toMatch(/needs the scope (segment|department):/);
    }
    expect(await acme.sql('select name, active from {s}.segment where id = $1', [data.id])).toEqual([
      { name: 'Schools', active: true },
    ]);
  });

  it('is for records only, and never for keys', async () => {
    const { key, data } = await makeKey();
    for (const url of [
      '/tapi/menu',
      '/tapi/live',
      '/tapi/notifications',
      '/sessions',
      '/tapi/search?q=a',
      `/tapi/api_config/${data.id}`,
      '/tapi/api_call_log',
      '/tapi/segment/views',
    ])
      expect((await by(key, 'GET', url)).statusCode, url).toBe(403);
    expect(
      (
        await by(key, 'POST', '/tapi/api_config', {
          name: 'More',
          direction: 'inbound',
          service_user_id: service,
          expires_on: inAYear,
        })
      ).statusCode,
    ).toBe(403);
  });

  it('works in its account’s companies, on its own client', async () => {
    const { key } = await makeKey();
    expect(
      (await by(key, 'GET', '/tapi/segment', undefined, { 'x-entity-id': String(acme.entityIds[0]) })).statusCode,
    ).toBe(200);
    expect(
      error(await by(key, 'GET', '/tapi/segment', undefined, { 'x-entity-id': String(acme.entityIds[1]) })).code,
    ).toBe('entity_forbidden');
    expect((await by(key, 'GET', '/tapi/segment', undefined, {}, zenith.host)).statusCode).toBe(401);
    expect((await by(key, 'GET', '/tapi/segment', undefined, {}, '127.0.0.1:3000')).statusCode).toBe(401);
    expect(
      (await by(key, 'GET', '/tapi/segment', undefined, { 'x-sub-domain': acme.subDomain }, '127.0.0.1:3000'))
        .statusCode,
    ).toBe(200);
  });
});

describe('a rejected key', () => {
  it('is refused and logged: wrong address, expired, switched off, account disabled', async () => {
    const { key, data } = await makeKey({ ip_allow: '203.0.113.0/24' });
    expect(error(await by(key, 'GET', '/tapi/segment')).message).toContain('127.0.0.1');
    await acme.sql(`update {s}.api_config set ip_allow = '127.0.0.0/8', expires_on = current_date - 2 where id = $1`, [
      data.id,
    ]);
    expect(error(await by(key, 'GET', '/tapi/segment')).message).toContain('expired');
    await acme.sql(`update {s}.api_config set expires_on = current_date + 2, active = false where id = $1`, [data.id]);
    expect(error(await by(key, 'GET', '/tapi/segment')).message).toContain('switched off');
    await acme.sql(`update {s}.api_config set active = true where id = $1`, [data.id]);
    await acme.sql(`update {s}.users set status = 'disabled' where id = $1`, [service]);
    world.app.services.store.forget(acme.schema);
    expect(error(await by(key, 'GET', '/tapi/segment')).message).toContain('service account');
    await acme.sql(`update {s}.users set status = 'active' where id = $1`, [service]);
    world.app.services.store.forget(acme.schema);
    expect((await by(key, 'GET', '/tapi/segment')).statusCode).toBe(200);
    await vi.waitFor(async () => expect(await calls(data.id)).toEqual([200, 401, 401, 401, 401]), { timeout: 60_000 });
  });

  it('is an unknown one, or one similar to an existing one', async () => {
    const { key } = await makeKey();
    for (const wrong of [
      'mk_live_',
      `${key}x`,
      key.slice(0, -1),
      `${key.slice(0, 16)}${'A'.repeat(32)}`,
      `mk_live_${'a'.repeat(40)}`,
    ])
      expect((await by(wrong, 'GET', '/tapi/segment')).statusCode, wrong).toBe(401);
  });

  it('is delayed after too many calls', async () => {
    const { key, data } = await makeKey({ rate_per_min: 3 });
    const answers = await Promise.all(Array.from({ length: 5 }, () => by(key, 'GET', '/tapi/segment')));
    expect(answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b)).toEqual([200, 200, 200, 429, 429]);
    await vi.waitFor(async () => expect(await calls(data.id)).toHaveLength(5), { timeout: 60_000 });
    const late = await by(key, 'GET', '/tapi/segment');
    expect([late.statusCode, late.headers['retry-after']]).toEqual([429, '60']);
    await vi.waitFor(async () => expect(await calls(data.id)).toHaveLength(6), { timeout: 60_000 });
    await acme.sql(`update {s}.api_call_log set at = at - interval '2 minutes' where api_config_id = $1`, [data.id]);
    expect((await by(key, 'GET', '/tapi/segment')).statusCode).toBe(200);
  });

  it('in an address is refused and revoked, and the administrator notified', async () => {
    const { key, data } = await makeKey();
    expect(
      (
        await world.inject({
          method: 'GET',
          url: `/tapi/segment?api_key=${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`,
          headers: { host: acme.host },
        })
      ).statusCode,
    ).toBe(401);
    expect((await by(key, 'GET', '/tapi/segment')).statusCode).toBe(200);
    const answer = await world.inject({
      method: 'GET',
      url: `/tapi/segment?api_key=${key}`,
      headers: { host: acme.host },
    });
    expect([answer.statusCode, error(answer).message]).toEqual([401, expect.stringContaining('revoked')]);
    expect((await by(key, 'GET', '/tapi/segment')).statusCode).toBe(401);
    expect(await acme.sql('select state from {s}.api_config where id = $1', [data.id])).toEqual([{ state: 'revoked' }]);
    expect(
      await acme.sql('select user_id, link from {s}.notification where event_code = $1', ['api.key_revoked']),
    ).toEqual([{ user_id: admin.userId, link: `/api_config_edit/${data.id}` }]);
    const logged = await acme.sql<{ path: string }>('select path from {s}.api_call_log where api_config_id = $1', [
      data.id,
    ]);
    expect(JSON.stringify(logged)).not.toContain(key.slice(16));
  });
});

describe('an expiring key', () => {
  it('is announced to administrators 30, 7 and 1 days before, once each, however many messages there are', async () => {
    const { data } = await makeKey();
    const hour = async (days: number) => {
      await acme.sql(`update {s}.api_config set expires_on = current_date + 400 where id <> $1`, [data.id]);
      await acme.sql(
        `update {s}.api_config set expires_on = (now() at time zone 'Asia/Kolkata')::date + $2::int where id = $1`,
        [data.id, days],
      );
      await acme.sql(`delete from {s}.notification where event_code = 'api.key_expiring'`);
      await world.app.jobs.enqueue(acme.schema, 'api_use');
      await world.app.jobs.drain();
      return (
        await acme.sql<{ title: string }>(`select title from {s}.notification where event_code = 'api.key_expiring'`)
      ).map(({ title }) => title);
    };
    const told = [expect.stringMatching(/^The key "Key \d+" expires on \d\d-\d\d-\d{4}$/)];
    expect(await hour(31)).toEqual([]);
    for (const days of [30, 7, 1]) expect([await hour(days), await hour(days)], `${days} days`).toEqual([told, []]);
    expect(await hour(20)).toEqual(told);
  });
});

describe('a new key', () => {
  it('works at once, the previous one for another day', async () => {
    const { key, data } = await makeKey();
    const rotated = (
      await admin.call('POST', `/tapi/api_config/${data.id}/rotate`, { version: data.version })
    ).json<Made>();
    expect(rotated.data).toMatchObject({ state: 'rotated', key_prefix: data.key_prefix });
    expect(rotated.key).not.toBe(key);
    expect((await by(key, 'GET', '/tapi/segment')).statusCode).toBe(200);
    expect((await by(rotated.key, 'GET', '/tapi/segment')).statusCode).toBe(200);
    await acme.sql(`update {s}.api_config set old_key_until = now() - interval '1 second' where id = $1`, [data.id]);
    expect((await by(key, 'GET', '/tapi/segment')).statusCode).toBe(401);
    expect((await by(rotated.key, 'GET', '/tapi/segment')).statusCode).toBe(200);
  });

  it('reactivates a revoked key under another name', async () => {
    const { key, data } = await makeKey();
    await world.inject({ method: 'GET', url: `/tapi/segment?k=${key}`, headers: { host: acme.host } });
    const rotated = (await admin.call('POST', `/tapi/api_config/${data.id}/rotate`)).json<Made>();
    expect(rotated.data.state).toBe('active');
    expect(rotated.data.key_prefix).not.toBe(data.key_prefix);
    expect([
      (await by(key, 'GET', '/tapi/segment')).statusCode,
      (await by(rotated.key, 'GET', '/tapi/segment')).statusCode,
    ]).toEqual([401, 200]);
  });
});

describe('the creator of a key', () => {
  it('grants no more than they hold', async () => {
    const record = { name: 'Clerk’s', direction: 'inbound', service_user_id: service, expires_on: inAYear };
    expect((await clerk.call('POST', '/tapi/api_config', record)).statusCode).toBe(201);
    const strong = await acme.user('strong', { companies: [{ company: 1, roles: [large] }] });
    await acme.sql(`update {s}.users set is_service = true where id = $1`, [strong]);
    const answer = await clerk.call('POST', '/tapi/api_config', {
      ...record,
      name: 'Too much',
      service_user_id: strong,
    });
    expect(error(answer).details.map(({ field }) => field)).toEqual(['service_user_id']);
  });

  it('sees errors, and cannot set the key’s own fields', async () => {
    const record = { name: 'Wrong', direction: 'inbound', service_user_id: service, expires_on: inAYear };
    for (const [field, value] of [
      ['scopes', ['segment:fly']],
      ['scopes', ['nothing:read']],
      ['ip_allow', 'the office'],
      ['expires_on', '2099-01-01'],
      ['service_user_id', admin.userId],
    ] as const)
      expect(
        error(await admin.call('POST', '/tapi/api_config', { ...record, [field]: value })).details.map(
          (one) => one.field,
        ),
        field,
      ).toEqual([field]);
    const { data, key } = await makeKey();
    await admin.call('PUT', `/tapi/api_config/${data.id}`, {
      version: data.version,
      key_hash: 'x',
      state: 'revoked',
      rate_per_min: 50,
    });
    expect((await by(key, 'GET', '/tapi/segment')).statusCode).toBe(200);
  });
});

it('usage is counted by day, with the median and the 95th percentile; old keys expire', async () => {
  const { data } = await makeKey();
  await acme.sql(
    `insert into {s}.api_call_log (api_config_id, at, method, path, status, ms) select $1, now(), 'GET', '/tapi/segment', case when n > 18 then 500 else 200 end, n * 10 from generate_series(1, 20) n`,
    [data.id],
  );
  await acme.sql(
    `insert into {s}.api_call_log (api_config_id, at, method, path, status, ms) values ($1, now() - interval '40 days', 'GET', '/x', 200, 1)`,
    [data.id],
  );
  await acme.sql(`update {s}.api_config set expires_on = current_date - 3 where id = $1`, [data.id]);
  for (let run = 0; run < 2; run++) {
    await world.app.jobs.enqueue(acme.schema, 'api_use');
    await world.app.jobs.drain();
  }
  const list = (
    await admin.call(
      'GET',
      `/tapi/api_use?filter=${encodeURIComponent(JSON.stringify(['api_config_id', 'eq', data.id]))}`,
    )
  ).json<{ data: Row[] }>();
  expect(list.data).toMatchObject([{ calls: 20, errors: 2, median_ms: 105, p95_ms: 191 }]);
  expect(await calls(data.id)).toHaveLength(20);
  expect(await acme.sql('select state from {s}.api_config where id = $1', [data.id])).toEqual([{ state: 'expired' }]);
});
