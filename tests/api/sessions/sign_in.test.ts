import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayIn } from '../../../src/server/services/clock/client_day.ts';
import { wholeFinancialYear } from '../../../src/descriptor/financial_year.ts';
import type { TestTenant, World } from '../world.ts';
import { platformSql, PASSWORD, startWorld } from '../world.ts';

let world: World;
let acme: TestTenant;

beforeAll(async () => {
  world = await startWorld({ types: [] });
  acme = await world.tenant({ companies: 2 });
  await acme.user('asha', { companies: [{ company: 1 }] });
  await acme.user('ravi', { companies: [{ company: 1 }, { company: 2 }] });
});
afterAll(() => world.close());

const login = (tenant: TestTenant | null, body: object, headers: Record<string, string> = {}) =>
  world.inject({
    method: 'POST',
    url: '/api/sessions/login',
    headers: { host: tenant?.host ?? 'localhost:3000', 'content-type': 'application/json', ...headers },
    payload: body,
  });

describe('signing in', () => {
  test.each(['/api/sessions/login', '/tapi/sessions/login', '/sessions/login'])('works at %s', async (url) => {
    const answer = await world.inject({
      method: 'POST',
      url,
      headers: { host: acme.host },
      payload: { email: ' Asha ', password: ` ${PASSWORD} `, prefix: acme.schema },
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      result: 'success',
      user_email: 'asha@example.in',
      user_name: 'Person asha',
      must_change_password: false,
    });
    expect(answer.json<{ expires_at: string }>().expires_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+05:30$/);
  });

  test('accepts the e-mail in any case, and the sub-domain if the host has none', async () => {
    expect(
      (await login(null, { email: 'ASHA@example.in', password: PASSWORD, prefix: acme.subDomain })).json(),
    ).toMatchObject({ result: 'success' });
    expect((await login(null, { email: 'asha', password: PASSWORD, prefix: '' })).json()).toMatchObject({
      error: { code: 'bad_request', field: 'prefix' },
    });
    expect((await login(null, { email: 'asha', password: PASSWORD, prefix: 'nobody-here' })).json()).toEqual({
      result: 'failure',
      message: 'Invalid credentails',
    });
  });

  test.each([
    ['a wrong password', { email: 'asha', password: 'wrong password' }],
    ['an unknown user', { email: 'nobody', password: PASSWORD }],
    ['no password', { email: 'asha', password: '  ' }],
  ])('%s gets the usual error', async (_, body) => {
    const answer = await login(acme, body);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ result: 'failure', message: 'Invalid credentails' });
  });

  test('a disabled user gets the same error', async () => {
    await acme.user('gone', { status: 'disabled' });
    expect((await login(acme, { email: 'gone', password: PASSWORD })).json()).toEqual({
      result: 'failure',
      message: 'Invalid credentails',
    });
  });

  test('a prefix of another client than the host’s is refused, and an unknown host belongs to nobody', async () => {
    expect((await login(acme, { email: 'asha', password: PASSWORD, prefix: 'cmp_other' })).json()).toMatchObject({
      error: { code: 'tenant_mismatch' },
    });
    const unknown = await world.inject({
      method: 'POST',
      url: '/api/sessions/login',
      headers: { host: 'nobody-lives-here.localhost' },
      payload: { email: 'asha', password: PASSWORD },
    });
    expect([unknown.statusCode, unknown.json<{ error: { message: string } }>().error.message]).toEqual([
      404,
      'This address is not in use.',
    ]);
  });

  test('a malformed sign-in is refused', async () => {
    expect((await login(acme, { email: 'asha' })).json()).toMatchObject({
      error: { code: 'bad_request', field: 'password' },
    });
    expect((await login(acme, { email: { $ne: '' }, password: PASSWORD })).statusCode).toBe(400);
    const xml = await world.inject({
      method: 'POST',
      url: '/api/sessions/login',
      headers: { host: acme.host, 'content-type': 'text/xml' },
      payload: '<x/>',
    });
    expect(xml.statusCode).toBe(415);
    const broken = await world.inject({
      method: 'POST',
      url: '/api/sessions/login',
      headers: { host: acme.host, 'content-type': 'application/json' },
      payload: '{"email":',
    });
    expect(broken.json()).toMatchObject({ error: { code: 'bad_request', message: 'The body is not valid JSON.' } });
    // GET /api/<type>/<id> is a record's address, and nobody is signed in.
    expect(
      (await world.inject({ method: 'GET', url: '/api/sessions/login', headers: { host: acme.host } })).statusCode,
    ).toBe(401);
  });

  test('five failures lock the name for that network, for known and unknown names alike', async () => {
    for (const email of ['lockme', 'not-there-at-all']) {
      if (email === 'lockme') await acme.user('lockme');
      for (let n = 0; n < 5; n++)
        expect((await login(acme, { email, password: 'wrong password' })).json()).toMatchObject({ result: 'failure' });
      const { retry_after_s: left, ...rest } = (await login(acme, { email, password: PASSWORD })).json<{
        retry_after_s: number;
      }>();
      expect(rest).toEqual({ result: 'locked', message: 'Too many attempts. Try again in 1 minute.' });
      // Some seconds of the half minute may have passed on a busy machine.
      expect(left).toBeGreaterThan(15);
      expect(left).toBeLessThanOrEqual(30);
    }
  });

  test('several names of an account share the number of attempts', async () => {
    await acme.user('manynames');
    const names = ['manynames', 'MANYNAMES', ' ManyNames ', 'manynames@example.in', 'ManyNames@Example.IN'];
    for (const email of names)
      expect((await login(acme, { email, password: 'wrong password' })).json()).toMatchObject({ result: 'failure' });
    for (const email of names)
      expect((await login(acme, { email, password: PASSWORD })).json(), email).toMatchObject({ result: 'locked' });
    const counted = await acme.sql(
      `select distinct identifier_hash from {s}.login_attempt where user_id = (select id from {s}.users where username = 'manynames')`,
    );
    expect(counted).toHaveLength(1);
  });

  test('a hundred simultaneous attempts are counted', async () => {
    await acme.user('target');
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => login(acme, { email: 'target', password: 'wrong password' })),
    );
    expect(answers.filter((answer) => answer.json<{ result: string }>().result === 'failure')).toHaveLength(5);
  });

  test('a success resets the counter', async () => {
    await acme.user('clumsy');
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 4; n++) await login(acme, { email: 'clumsy', password: 'wrong password' });
      expect((await login(acme, { email: 'clumsy', password: PASSWORD })).json()).toMatchObject({ result: 'success' });
    }
  });

  test('failures of strangers do not lock out a known device', async () => {
    const id = await acme.user('famous');
    const first = await login(acme, { email: 'famous', password: PASSWORD });
    const device = first.cookies.find(({ name }) => name === 'known_device')!;
    expect(device).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
    const [{ hash } = { hash: '' }] = await acme.sql<{ hash: string }>(
      'select identifier_hash as hash from {s}.login_attempt where user_id = $1 limit 1',
      [id],
    );
    await acme.sql(
      `insert into {s}.login_counter (key, failures, locked_until) values ($1, 50, now() + interval '15 minutes')`,
      [`i ${hash}`],
    );
    expect((await login(acme, { email: 'famous', password: PASSWORD })).json()).toMatchObject({ result: 'locked' });
    expect(
      (await login(acme, { email: 'famous', password: PASSWORD }, { cookie: `known_device=${device.value}` })).json(),
    ).toMatchObject({ result: 'success' });
    expect(
      (await login(acme, { email: 'famous', password: PASSWORD }, { cookie: 'known_device=stolen' })).json(),
    ).toMatchObject({ result: 'locked' });
  });

  test('every attempt is in the sign-in log, without the name that was typed', async () => {
    const rows = await acme.sql<{ outcome: string; identifier_hash: string }>(
      'select outcome, identifier_hash from {s}.login_attempt',
    );
    expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(
      new Set(['success', 'bad_password', 'unknown', 'locked', 'disabled']),
    );
    expect(JSON.stringify(rows)).not.toContain('asha');
  });
});

describe('notifications about an account', () => {
  const soon = { timeout: 60_000 };
  const told = (event: string) =>
    acme.sql<{ username: string; title: string; link: string }>(
      'select u.username, n.title, n.link from {s}.notification n join {s}.users u on u.id = n.user_id where n.event_code = $1 order by n.id, u.username',
      [event],
    );
  const chrome = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/126.0 Safari/537.36' };

  test('a sign-in from a new place, except the first one', async () => {
    await acme.user('meena', { companies: [{ company: 1 }] });
    const enter = (headers = {}) => login(acme, { email: 'meena', password: PASSWORD }, headers);
    for (const headers of [{}, {}, chrome, chrome])
      expect((await enter(headers)).json()).toMatchObject({ result: 'success' });
    const mine = async () => (await told('login.new_device')).filter(({ username }) => username === 'meena');
    await expect
      .poll(mine, soon)
      .toEqual([{ username: 'meena', title: 'New sign-in from Chrome on Windows', link: '/core_account' }]);
    expect(await acme.sql(`select recipient from {s}.outbox where event_code = 'login.new_device'`)).toEqual([
      { recipient: 'meena@example.in' },
    ]);
  });

  test('too many failures, once, including the administrators', async () => {
    await acme.user('kiran', { companies: [{ company: 1 }] });
    await acme.user('chief', { isAdmin: true, companies: [{ company: 1 }] });
    for (let n = 0; n < 7; n++) await login(acme, { email: 'kiran', password: 'wrong password' });
    await expect
      .poll(
        async () =>
          (await told('account.locked'))
            .filter(({ title }) => title.includes('kiran'))
            .toSorted((a, b) => a.username.localeCompare(b.username)),
        soon,
      )
      .toEqual(
        [
          ['chief', '/password_portal'],
          ['kiran', '/core_account'],
        ].map(([username, link]) => ({ username, title: 'Too many failed sign-ins for Person kiran', link })),
      );
  });

  test('a changed address: the old one and the new one', async () => {
    const chief = await world.signIn(acme, 'chief');
    const [user] = await acme.sql<{ id: number; version: number }>(
      `select id, version from {s}.users where username = 'kiran'`,
    );
    const answer = await chief.call('PUT', `/tapi/users/${user!.id}`, {
      version: user!.version,
      email: 'kiran.new@example.in',
    });
    expect(answer.statusCode, answer.body).toBe(200);
    await expect
      .poll(
        async () =>
          (await acme.sql<{ recipient: string }>(`select recipient from {s}.outbox where event_code = 'email.changed'`))
            .map(({ recipient }) => recipient)
            .sort((a, b) => a.localeCompare(b)),
        soon,
      )
      .toEqual(['kiran.new@example.in', 'kiran@example.in']);
  });
});

describe('the session', () => {
  test('lasts until it is signed out', async () => {
    const asha = await world.signIn(acme, 'asha');
    expect((await asha.call('GET', '/api/sessions')).statusCode).toBe(200);
    expect((await asha.call('POST', '/api/sessions/logout')).statusCode).toBe(204);
    expect((await asha.call('GET', '/api/sessions')).json()).toMatchObject({
      error: { code: 'unauthenticated', message: 'Your session has ended. Please sign in again.' },
    });
  });

  test('can be seen and ended by its person only', async () => {
    const [one, two, ravi] = [
      await world.signIn(acme, 'asha'),
      await world.signIn(acme, 'asha'),
      await world.signIn(acme, 'ravi'),
    ];
    const { data } = (await one.call('GET', '/api/sessions')).json<{
      data: { sid: string; current: boolean; device_label: string }[];
    }>();
    expect(data.filter(({ current }) => current)).toHaveLength(1);
    const other = data.find(({ current }) => !current)!;
    expect((await ravi.call('DELETE', `/api/sessions/${other.sid}`)).statusCode).toBe(404);
    expect((await one.call('DELETE', '/api/sessions?others=true')).statusCode).toBe(204);
    expect((await two.call('GET', '/api/sessions')).statusCode).toBe(401);
    expect((await one.call('GET', '/api/sessions')).statusCode).toBe(200);
    expect((await ravi.call('GET', '/api/sessions')).statusCode).toBe(200);
  });

  test('is refreshed under the same id; the old token in the address works, another one does not', async () => {
    const [asha, ravi] = [await world.signIn(acme, 'asha'), await world.signIn(acme, 'ravi')];
    const answer = await asha.call('POST', '/update_refresh_token/~', {});
    const { new_token: token, expiry_date: date } = answer.json<{ new_token: string; expiry_date: string }>();
    expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(
      (await world.inject({ url: '/api/sessions', headers: { host: acme.host, authorization: `Bearer ${token}` } }))
        .statusCode,
    ).toBe(200);
    // For a minute both are good, so that two tabs can race.
    expect((await asha.call('POST', `/update_refresh_token/${asha.token}`, {})).statusCode).toBe(200);
    expect((await asha.call('POST', `/update_refresh_token/${ravi.token}`, {})).statusCode).toBe(401);
    const sid = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()).sid as string;
    await acme.sql('update {s}.session set min_iat = min_iat + 100000 where sid = $1', [sid]);
    await acme.sql('update {s}.session set min_iat = extract(epoch from now())::bigint - 61 where sid = $1', [sid]);
    await expect.poll(async () => (await asha.call('GET', '/api/sessions')).statusCode).toBe(200);
    await acme.sql(
      `update {s}.session set auth_at = now() - interval '90 days' + interval '1 hour', expires_at = now() + interval '1 hour' where sid = $1`,
      [sid],
    );
    await expect
      .poll(async () => (await asha.call('POST', '/update_refresh_token/~', {})).json())
      .toMatchObject({ error: { code: 'session_max_age' } });
  });

  test('the number at the same time can be limited: the oldest one ends', async () => {
    await acme.user('single', { sessionLimit: 1 });
    const first = await world.signIn(acme, 'single');
    await world.signIn(acme, 'single');
    await expect.poll(async () => (await first.call('GET', '/api/sessions')).statusCode).toBe(401);
  });

  test('the first and the last day of an account are days in the client’s time zone', async () => {
    // Always another day than that of UTC: tomorrow there, or yesterday.
    const zone = new Date().getUTCHours() >= 10 ? 'Pacific/Kiritimati' : 'Pacific/Pago_Pago';
    const far = await world.tenant();
    await platformSql(world.database.directory.main, 'update public.client set timezone = $2 where sub_domain = $1', [
      far.subDomain,
      zone,
    ]);
    for (const [name, of] of [
      ['here', zone],
      ['utc', 'UTC'],
    ] as const) {
      await far.user(name);
      await far.sql(
        `update {s}.users set valid_from = (now() at time zone $1)::date, valid_to = (now() at time zone $1)::date where username = $2`,
        [of, name],
      );
    }
    await expect
      .poll(async () => (await login(far, { email: 'here', password: PASSWORD })).json<{ result: string }>().result)
      .toBe('success');
    expect((await (await world.signIn(far, 'here')).call('GET', '/tapi/menu')).statusCode).toBe(200);
    expect((await login(far, { email: 'utc', password: PASSWORD })).json()).toMatchObject({ result: 'failure' });
  });

  test('disabling the user or the client takes effect at the next call', async () => {
    const id = await acme.user('leaver');
    const leaver = await world.signIn(acme, 'leaver');
    expect((await leaver.call('GET', '/tapi/menu')).statusCode).toBe(200);
    await acme.sql(`update {s}.users set status = 'disabled' where id = $1`, [id]);
    await expect.poll(async () => (await leaver.call('GET', '/tapi/menu')).statusCode, { timeout: 60_000 }).toBe(401);

    const zenith = await world.tenant();
    await zenith.user('mina');
    const mina = await world.signIn(zenith, 'mina');
    await platformSql(world.database.directory.main, 'update public.client set active = false where sub_domain = $1', [
      zenith.subDomain,
    ]);
    await expect
      .poll(async () => (await mina.call('GET', '/tapi/menu')).json(), { timeout: 60_000 })
      .toMatchObject({ error: { code: 'client_deactivated', message: 'Client is Deactivated' } });
    expect((await mina.call('GET', `/tapi/get_features_by_role/${mina.userId}`)).json()).toEqual({
      data: [{ entity_list: [], reason: 'client_deactivated' }],
    });
    const again = await world.signIn(zenith, 'mina');
    expect((await again.call('GET', `/tapi/get_features_by_role/${again.userId}`)).json()).toEqual({
      data: [{ entity_list: [], reason: 'client_deactivated' }],
    });
    expect((await again.call('GET', '/tapi/menu')).statusCode).toBe(403);
  });
});

describe('changing the password', () => {
  test('needs the current one, refuses weak ones, ends other sessions', async () => {
    await acme.user('changer', { name: 'Changer Kumar' });
    const [one, two] = [await world.signIn(acme, 'changer'), await world.signIn(acme, 'changer')];
    const change = (current: string, password: string) =>
      one.call('POST', '/api/password/change', { current, password });
    expect((await change('wrong one here', 'a fine new phrase')).json()).toMatchObject({
      error: { code: 'forbidden', field: 'current' },
    });
    for (const weak of ['short', '1234567890', 'kumar is great', PASSWORD])
      expect((await change(PASSWORD, weak)).json()).toMatchObject({ error: { code: 'invalid', field: 'password' } });
    expect((await change(PASSWORD, 'a fine new phrase')).statusCode).toBe(204);
    expect((await one.call('GET', '/api/sessions')).statusCode).toBe(200);
    expect((await two.call('GET', '/api/sessions')).statusCode).toBe(401);
    expect((await login(acme, { email: 'changer', password: PASSWORD })).json()).toMatchObject({ result: 'failure' });
    expect((await login(acme, { email: 'changer', password: 'a fine new phrase' })).json()).toMatchObject({
      result: 'success',
    });
  });

  test('when due precedes everything else', async () => {
    await acme.user('fresh', { mustChange: true });
    const fresh = await world.signIn(acme, 'fresh');
    expect((await fresh.call('GET', '/tapi/menu')).json()).toMatchObject({ error: { code: 'password_change' } });
    expect(
      (await fresh.call('POST', '/api/password/change', { current: PASSWORD, password: 'a fine new phrase' }))
        .statusCode,
    ).toBe(204);
    await expect.poll(async () => (await fresh.call('GET', '/tapi/menu')).statusCode).toBe(200);
  });
});

describe('companies', () => {
  test('a single one is chosen silently, otherwise the person chooses', async () => {
    const [asha, ravi] = [await world.signIn(acme, 'asha'), await world.signIn(acme, 'ravi')];
    const features = async (who: typeof asha) =>
      (await who.call('GET', `/tapi/get_features_by_role/${who.userId}`)).json<{
        data: { entity_id: number | null; entity_list: { id: number; name: string }[] }[];
      }>().data[0]!;
    expect((await features(asha)).entity_id).toBe(acme.entityIds[0]);
    expect((await features(ravi)).entity_id).toBeNull();
    expect((await features(ravi)).entity_list.map(({ name }) => name)).toEqual(['Company 1', 'Company 2']);
    expect((await ravi.call('PUT', '/tapi/session/entity', { entity_id: acme.entityIds[1] })).json()).toMatchObject({
      entity_id: acme.entityIds[1],
      entity_name: 'Company 2',
      financial_year: wholeFinancialYear(dayIn('Asia/Kolkata'), 4),
    });
    expect((await features(ravi)).entity_id).toBe(acme.entityIds[1]);
    expect((await asha.call('PUT', '/tapi/session/entity', { entity_id: acme.entityIds[1] })).json()).toMatchObject({
      error: { code: 'entity_forbidden' },
    });
    expect(
      (await asha.call('GET', '/tapi/menu', undefined, { 'x-entity-id': String(acme.entityIds[1]) })).json(),
    ).toMatchObject({ error: { code: 'entity_forbidden', message: 'You are not mapped to this company.' } });
  });

  test('a user without a company gets a message', async () => {
    await acme.user('lonely', { companies: [] });
    const lonely = await world.signIn(acme, 'lonely');
    expect((await lonely.call('GET', `/tapi/get_features_by_role/${lonely.userId}`)).json()).toMatchObject({
      data: [{ entity_list: [], reason: 'no_company' }],
    });
  });
});
