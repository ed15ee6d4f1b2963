import { afterAll, beforeAll, expect, test } from 'vitest';
import { brokenAuditEntry } from '../../../src/server/platform/upkeep/audit_chain.ts';
import { auditHash } from '../../../src/server/services/audit/audit.ts';
import { SETTING_DEFAULTS } from '../../../src/server/services/settings/client_settings.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { upload } from '../multipart.ts';
import { PASSWORD, startWorld } from '../world.ts';

let world: World;
let acme: TestTenant;
let zenith: TestTenant;
let admin: Caller;
let version = 0;

beforeAll(async () => {
  world = await startWorld({ types: [] });
  [acme, zenith] = await Promise.all([world.tenant({ companies: 1 }), world.tenant({ companies: 1 })]);
  for (const name of ['admin', 'asha', 'ravi', 'mala', 'kavya', 'suresh', 'deepa'])
    await acme.user(name, { isAdmin: name === 'admin' });
  await zenith.user('asha');
  admin = await world.signIn(acme, 'admin');
});
afterAll(() => world.close());

async function settle(record: object): Promise<void> {
  const answer = await admin.call('PUT', '/tapi/configuration/single', { ...record, ...(version > 0 && { version }) });
  expect(answer.statusCode, answer.body).toBe(200);
  ({ version } = answer.json<{ data: { version: number } }>().data);
}
const login = (tenant: TestTenant, email: string, password: string) =>
  world.inject({
    method: 'POST',
    url: '/api/sessions/login',
    headers: { host: tenant.host },
    payload: { email, password },
  });
const me = (caller: Caller) => caller.call('GET', '/tapi/menu');

test('defaults are those of the screen', () => {
  const fields = new Map(world.screens.get('configuration')!.fields.map((field) => [field.name, field.default]));
  for (const [name, value] of Object.entries(SETTING_DEFAULTS)) expect([name, fields.get(name)]).toEqual([name, value]);
});

test('a new password has the client’s minimum length, from the next call on', async () => {
  const mala = await world.signIn(acme, 'mala');
  const change = (current: string, password: string) =>
    mala.call('POST', '/api/password/change', { current, password });
  await settle({ password_min_length: 16 });
  expect((await change(PASSWORD, 'monsoon-42-tea')).json()).toMatchObject({
    error: { message: 'A password needs at least 16 characters.', field: 'password' },
  });
  await settle({ password_min_length: 12 });
  expect((await change(PASSWORD, 'monsoon-42-tea')).statusCode).toBe(204);
});

test('outer spaces count if the client says so, and passwords chosen with them stay valid', async () => {
  const kavya = await world.signIn(acme, 'kavya');
  await settle({ trim_password: false });
  expect(
    (await kavya.call('POST', '/api/password/change', { current: PASSWORD, password: 'umbrella river 42 ' }))
      .statusCode,
  ).toBe(204);
  expect((await login(acme, 'kavya', 'umbrella river 42')).json()).toMatchObject({ result: 'failure' });
  expect((await login(acme, 'kavya', 'umbrella river 42 ')).json()).toMatchObject({ result: 'success' });
  await settle({ trim_password: true });
  expect((await login(acme, 'kavya', 'umbrella river 42 ')).json()).toMatchObject({ result: 'success' });
});

test('the lock-out delay follows the client’s settings; other clients keep their own', async () => {
  await settle({ lock_after: 3, lock_max_seconds: 60 });
  for (let n = 0; n < 3; n++)
    expect((await login(acme, 'ravi', 'wrong password')).json()).toMatchObject({ result: 'failure' });
  const locked = (await login(acme, 'ravi', PASSWORD)).json<{ result: string; retry_after_s: number }>();
  // Some seconds of the half minute may have passed.
  expect(locked).toEqual(expect.objectContaining({ result: 'locked' }));
  expect(locked.retry_after_s).toBeGreaterThan(15);
  for (let n = 0; n < 4; n++)
    expect((await login(zenith, 'asha', 'wrong password')).json()).toMatchObject({ result: 'failure' });
  // The tenth failure would wait 3840 s.
  await acme.sql(
    `update {s}.login_counter set failures = 9, locked_until = now() - interval '1 s' where key like 'in %' and failures = 3`,
  );
  await login(acme, 'ravi', 'wrong password');
  expect((await login(acme, 'ravi', PASSWORD)).json<{ retry_after_s: number }>().retry_after_s).toBeLessThanOrEqual(60);
});

test('links are valid as long as the client says', async () => {
  await settle({ reset_link_minutes: 45, invite_hours: 5 });
  const [user] = await acme.sql<{ id: number }>(`select id from {s}.users where username = 'asha'`);
  await admin.call('POST', `/tapi/users/${user!.id}/reset_link`);
  const [link] = await acme.sql<{ minutes: number }>(
    `select extract(epoch from expires_at - now()) / 60 as minutes from {s}.password_token where user_id = $1 and used_at is null`,
    [user!.id],
  );
  expect(Math.round(Number(link!.minutes))).toBe(45);
  const invited = await acme.user('newcomer', { status: 'invited' });
  await admin.call('POST', `/tapi/users/${invited}/invite`);
  const [first] = await acme.sql<{ hours: number }>(
    `select extract(epoch from expires_at - now()) / 3600 as hours from {s}.password_token where user_id = $1 and used_at is null`,
    [invited],
  );
  expect(Math.round(Number(first!.hours))).toBe(5);
});

test('a session ends after the client’s idle time and maximum duration', async () => {
  const idle = await world.signIn(acme, 'suresh');
  const old = await world.signIn(acme, 'suresh');
  const busy = await world.signIn(acme, 'suresh');
  expect((await me(busy)).statusCode).toBe(200);
  const sid = (caller: Caller) =>
    (JSON.parse(Buffer.from(caller.token.split('.')[1]!, 'base64url').toString()) as { sid: string }).sid;
  await acme.sql(`update {s}.session set last_seen_at = now() - interval '20 minutes' where sid = $1`, [sid(idle)]);
  await acme.sql(`update {s}.session set auth_at = now() - interval '3 days' where sid = $1`, [sid(old)]);
  world.app.services.store.forget(acme.schema);
  await settle({ session_absolute_days: 2, session_idle_minutes: 15 });
  expect([(await me(idle)).statusCode, (await me(old)).statusCode, (await me(busy)).statusCode]).toEqual([
    401, 401, 200,
  ]);
  await settle({ session_absolute_days: 0, session_idle_minutes: 0 });
  expect([(await me(idle)).statusCode, (await me(old)).statusCode]).toEqual([401, 200]);
  const [ended] = await acme.sql<{ revoke_reason: string }>('select revoke_reason from {s}.session where sid = $1', [
    sid(idle),
  ]);
  expect(ended!.revoke_reason).toBe('idle');
});

test('beyond the maximum number of sessions the oldest one ends', async () => {
  await settle({ session_limit: 2 });
  const [first, second, third] = [
    await world.signIn(acme, 'deepa'),
    await world.signIn(acme, 'deepa'),
    await world.signIn(acme, 'deepa'),
  ];
  world.app.services.store.forget(acme.schema);
  expect(await Promise.all([first, second, third].map(async (caller) => (await me(caller)).statusCode))).toEqual([
    401, 200, 200,
  ]);
  expect((await me(first)).json()).toMatchObject({
    error: { code: 'unauthenticated', message: 'Signed in elsewhere', reason: 'replaced' },
  });
  await settle({ session_limit: 0 });
});

test('the old token in the address, and a call in another name, are refused or accepted as the client says', async () => {
  const asha = await world.signIn(acme, 'asha');
  await settle({ refresh_token_in_url: false, strict_from_user: true });
  expect((await asha.call('POST', `/update_refresh_token/${asha.token}`)).json()).toMatchObject({
    error: { code: 'bad_request', field: 'token' },
  });
  expect(
    (await asha.call('PUT', '/tapi/session/entity', { entity_id: acme.entityIds[0], from_user: 999 })).statusCode,
  ).toBe(403);
  await settle({ refresh_token_in_url: true, strict_from_user: false });
  expect(
    (await asha.call('PUT', '/tapi/session/entity', { entity_id: acme.entityIds[0], from_user: 999 })).statusCode,
  ).toBe(200);
  expect((await asha.call('POST', `/update_refresh_token/${asha.token}`)).statusCode).toBe(200);
});

test('a delegation lasts at most as long as the client allows', async () => {
  await settle({ delegation_max_days: 10 });
  const problem = async (to: string) =>
    (await admin.call('POST', '/tapi/delegation', { from_date: '2026-12-01', to_date: to }))
      .json<{ error: { details: { field: string; message: string }[] } }>()
      .error.details.find(({ field }) => field === 'to_date')?.message;
  expect(await problem('2026-12-12')).toBe('A delegation may last 10 days at most. Choose an earlier last day.');
  expect(await problem('2026-12-11')).toBeUndefined();
});

test('a member has the client’s minimum age at joining', async () => {
  await settle({ minimum_age: 21 });
  const problem = async (dob: string) =>
    (await admin.call('POST', '/tapi/employee', { dob, date_of_joining: '2025-06-10' }))
      .json<{ error: { details: { field: string; message: string }[] } }>()
      .error.details.find(({ field }) => field === 'dob')?.message;
  expect(await problem('2004-06-11')).toBe('The person must be at least 21 years old at joining.');
  expect(await problem('2004-06-10')).toBeUndefined();
});

test('administrators give a temporary password only if the client allows it; it is valid for a day and must be changed', async () => {
  const id = await acme.user('tara');
  const tara = await world.signIn(acme, 'tara');
  const give = () => admin.call('POST', `/tapi/users/${id}/temporary_password`);
  const portal = async () =>
    (await admin.call('GET', '/tapi/password_portal')).json<{ temporary_passwords: boolean }>().temporary_passwords;
  expect([(await give()).statusCode, await portal()]).toEqual([403, false]);
  await settle({ admin_temporary_password: true });
  expect(await portal()).toBe(true);
  expect((await admin.call('POST', `/tapi/users/${admin.userId}/temporary_password`)).statusCode).toBe(422);
  const { once } = (await give()).json<{ once: { value: string } }>();
  expect(once.value).toMatch(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/);
  expect((await me(tara)).statusCode).toBe(401);
  expect((await login(acme, 'tara', PASSWORD)).json()).toMatchObject({ result: 'failure' });
  expect((await login(acme, 'tara', once.value)).json()).toMatchObject({
    result: 'success',
    must_change_password: true,
  });
  await acme.sql(`update {s}.credential set expires_at = now() - interval '1 s' where user_id = $1`, [id]);
  expect((await login(acme, 'tara', once.value)).json()).toMatchObject({ result: 'failure' });
  const again = (await give()).json<{ once: { value: string } }>().once.value;
  const changing = await world.signIn(acme, 'tara', again);
  expect(
    (await changing.call('POST', '/api/password/change', { current: again, password: 'umbrella river 42' })).statusCode,
  ).toBe(204);
  const [kept] = await acme.sql<{ expires_at: string | null; must_change: boolean }>(
    'select expires_at, must_change from {s}.credential where user_id = $1',
    [id],
  );
  expect(kept).toEqual({ expires_at: null, must_change: false });
  const [invited] = await acme.sql<{ id: number }>(`select id from {s}.users where username = 'newcomer'`);
  expect((await admin.call('POST', `/tapi/users/${invited!.id}/temporary_password`)).json()).toMatchObject({
    data: { status: 'active' },
  });
  await settle({ admin_temporary_password: false });
});

test('a session is kept in a cookie if the client says so; other clients keep theirs', async () => {
  await settle({ session_transport: 'cookie' });
  const answer = await login(acme, 'mala', 'monsoon-42-tea');
  expect(answer.json()).toMatchObject({ result: 'success', token: '' });
  expect(answer.cookies.map(({ name, httpOnly }) => [name, httpOnly ?? false])).toEqual(
    expect.arrayContaining([
      ['session', true],
      ['csrf_token', false],
    ]),
  );
  const cookie = answer.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  expect(
    (await world.inject({ method: 'GET', url: '/tapi/menu', headers: { host: acme.host, cookie } })).statusCode,
  ).toBe(200);
  // Prolonging it gives the browser a new cookie, and scripts nothing.
  const csrf = answer.cookies.find(({ name }) => name === 'csrf_token')!.value;
  const refreshed = await world.inject({
    method: 'POST',
    url: '/update_refresh_token/~',
    headers: { host: acme.host, cookie, 'x-csrf-token': csrf, 'sec-fetch-site': 'same-origin' },
    payload: {},
  });
  expect(refreshed.json()).toEqual({ new_token: '', expiry_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) });
  const later = refreshed.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  expect(refreshed.cookies.find(({ name }) => name === 'session')).toMatchObject({
    httpOnly: true,
    value: expect.not.stringMatching(`^${answer.cookies.find(({ name }) => name === 'session')!.value}$`),
  });
  expect(
    (await world.inject({ method: 'GET', url: '/tapi/menu', headers: { host: acme.host, cookie: later } })).statusCode,
  ).toBe(200);
  expect((await login(zenith, 'asha', PASSWORD)).json<{ token: string }>().token).not.toBe('');
  await settle({ session_transport: 'bearer' });
  expect((await login(acme, 'mala', 'monsoon-42-tea')).json<{ token: string }>().token).not.toBe('');
});

test('pages get the password rules before anybody signs in, and whether an update ends sessions', async () => {
  const host = async (tenant: TestTenant) =>
    (await world.inject({ method: 'GET', url: '/api/host', headers: { host: tenant.host } })).json<{ data: object }>()
      .data;
  await settle({
    password_min_length: 14,
    trim_password: false,
    reset_link_minutes: 20,
    force_reload_on_new_version: true,
  });
  expect(await host(acme)).toMatchObject({
    password: { min_length: 14, trim: false, link_minutes: 20 },
    force_reload_on_new_version: true,
  });
  expect(await host(zenith)).toMatchObject({
    password: { min_length: 10, trim: true },
    force_reload_on_new_version: false,
  });
  await settle({ password_min_length: 10, trim_password: true, force_reload_on_new_version: false });
});

test('files are limited by the client’s setting, and always by the server’s', async () => {
  const send = async (mb: number) => {
    const { headers, payload } = upload('note.txt', 'x'.repeat(mb * 1024 * 1024));
    return world.inject({
      method: 'POST',
      url: '/tapi/files?for=transcription.file',
      headers: { host: acme.host, authorization: `Bearer ${admin.token}`, ...headers },
      payload,
    });
  };
  await settle({ upload_max_mb: 1 });
  expect((await send(2)).json()).toMatchObject({ error: { code: 'too_large', message: 'At most 1 MB.' } });
  await settle({ upload_max_mb: 3 });
  expect((await send(2)).statusCode).toBe(201);
  await settle({ upload_max_mb: 500 });
  expect((await send(26)).json()).toMatchObject({ error: { code: 'too_large', message: 'At most 25 MB.' } });
});

test('readers are asked about chapters only if the client wants it', async () => {
  const problem = async () =>
    (await admin.call('POST', '/tapi/manual_feedback', { useful: true }))
      .json<{ error: { details: { field: string }[] } }>()
      .error.details.some(({ field }) => field === 'useful');
  await settle({ manual_feedback: false });
  expect(await problem()).toBe(true);
  await settle({ manual_feedback: true });
  expect(await problem()).toBe(false);
});

test('the activity log is kept as long as the client says; removals are recorded, and the chain stays valid', async () => {
  const yore = await world.tenant();
  let previous = '0'.repeat(64);
  for (const at of ['2009-03-01T10:00:00.000Z', '2009-03-02T10:00:00.000Z', '2010-03-03T10:00:00.000Z']) {
    const hash = auditHash(previous, { at, actor: 1, action: 'login', target: 'user:1' });
    await yore.sql(
      `insert into {s}.audit_log (at, actor_user_id, action, target_type, target_id, prev_hash, hash) values ($1, 1, 'login', 'user', 1, $2, $3)`,
      [at, previous, hash],
    );
    previous = hash;
  }
  const run = async () => {
    await world.app.jobs.enqueue(yore.schema, 'audit_retention');
    await world.app.jobs.drain();
    return (await world.app.jobs.log(yore.schema, { name: 'audit_retention' }))[0] as {
      state: string;
      message: string;
    };
  };
  // The newest entry stays, whatever its age: the next one follows from it.
  expect(await run()).toMatchObject({ state: 'done', message: '2 entries older than 8 years removed.' });
  expect(await yore.sql('select action, summary from {s}.audit_log order by seq')).toEqual([
    { action: 'login', summary: null },
    { action: 'audit_retention', summary: expect.stringMatching(/^2 entries from before \d\d-\d\d-\d{4} removed\.$/) },
  ]);
  expect(await brokenAuditEntry(yore)).toBeNull();
  expect(await run()).toMatchObject({ message: '1 entries older than 8 years removed.' });
  expect(await brokenAuditEntry(yore)).toBeNull();
  expect(await run()).toMatchObject({ message: '0 entries older than 8 years removed.' });
  await yore.sql('delete from {s}.audit_log where seq = (select min(seq) from {s}.audit_log)');
  expect(await brokenAuditEntry(yore)).not.toBeNull();
});

test('maps use the client’s tile server, and only its pages may load from it', async () => {
  const policyOf = async (tenant: TestTenant) =>
    String(
      (await world.inject({ url: '/login', headers: { host: tenant.host, accept: 'text/html' } })).headers[
        'content-security-policy'
      ],
    );
  const own = "img-src 'self' data: blob:;";
  for (const [address, message] of [
    ['https://tiles.example.com/{z}/{x}.png', '{y} is missing'],
    ['https://{s}.example.com/{z}/{x}/{y}.png', 'Write what {s} stands for'],
    ['http://tiles.example.com/{z}/{x}/{y}.png', 'begins with https://'],
    ['https://127.0.0.1/{z}/{x}/{y}.png', 'internal address'],
    ['javascript:alert(1)//{z}/{x}/{y}', 'begins with https://'],
    ['tiles.example.com/{z}/{x}/{y}.png', 'a whole address'],
  ] as const) {
    const refused = await admin.call('PUT', '/tapi/configuration/single', {
      map_tiles: address,
      map_attribution: '© Somebody',
      version,
    });
    expect(refused.statusCode, address).toBe(422);
    expect(refused.body).toContain(message);
  }
  // A map says whose it is.
  const unnamed = { map_tiles: 'https://tiles.example.com/{z}/{x}/{y}.png', version };
  expect((await admin.call('PUT', '/tapi/configuration/single', unnamed)).statusCode).toBe(422);
  expect(await policyOf(acme)).toContain(own);

  const map = { address: 'https://tiles.example.com:8443/m/{z}/{x}/{y}.png?key=;sandbox', attribution: '© Somebody' };
  await settle({ map_tiles: map.address, map_attribution: map.attribution });
  expect(await policyOf(acme)).toContain("img-src 'self' data: blob: https://tiles.example.com:8443;");
  expect(await policyOf(zenith)).toContain(own);
  expect((await admin.call('GET', '/tapi/map_tiles')).json()).toEqual({ data: map });
  expect((await (await world.signIn(zenith, 'asha')).call('GET', '/tapi/map_tiles')).json()).toEqual({ data: null });

  await settle({ map_tiles: null, map_attribution: null });
  expect(await policyOf(acme)).toContain(own);
});
