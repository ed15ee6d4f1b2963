import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkFactor, confirmFactor, beginFactor } from '../../../src/server/access/sessions/second_factor.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { PASSWORD, startWorld } from '../world.ts';

let world: World;
let acme: TestTenant;
let asha: Caller;
let key: string;
let recovery: string[];

beforeAll(async () => {
  world = await startWorld({ types: [] });
  acme = await world.tenant();
  await acme.user('admin', { isAdmin: true });
  await acme.user('asha');
  await acme.user('ravi');
  asha = await world.signIn(acme, 'asha');
});
afterAll(() => world.close());

interface Answer {
  result: string;
  token?: string;
  challenge: string;
  message?: string;
  must_enrol?: boolean;
}
const post = (url: string, payload: object) =>
  world.inject({ method: 'POST', url, headers: { host: acme.host }, payload });
const login = async (email: string) =>
  (await post('/api/sessions/login', { email, password: PASSWORD, prefix: '' })).json<Answer>();
const answer = async (challenge: string, code: string) =>
  (await post('/api/sessions/otp', { challenge, code })).json<Answer>();
/** What the phone shows, some steps from now. */
const shown = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
/** Each code works once; a test may not wait half a minute. */
const forgetStep = () => acme.sql('update {s}.user_totp set last_step = 0');
const caller = (token: string) => (method: string, url: string, payload?: object) =>
  world.inject({
    method: method as 'GET',
    url,
    headers: { host: acme.host, authorization: `Bearer ${token}` },
    ...(payload && { payload }),
  });

describe('setup', () => {
  it('requires the password, shows a key as text and as a picture, and takes effect once a code was entered', async () => {
    expect((await asha.call('POST', '/api/mfa/enrol', { password: 'wrong' })).statusCode).toBe(403);
    const { data } = (await asha.call('POST', '/api/mfa/enrol', { password: PASSWORD })).json<{
      data: { secret: string; uri: string; qr: string };
    }>();
    key = data.secret;
    expect(data.uri).toMatch(/^otpauth:\/\/totp\/Test%20x1:asha%40example.in\?issuer=Test%20x1&secret=[A-Z2-7]{32}/);
    expect(data.qr).toContain('<svg');
    expect((await login('asha')).result).toBe('success');
    expect((await asha.call('POST', '/api/mfa/confirm', { code: '000000' })).statusCode).toBe(422);
    recovery = (await asha.call('POST', '/api/mfa/confirm', { code: shown(key) })).json<{
      data: { recovery_codes: string[] };
    }>().data.recovery_codes;
    expect(recovery).toHaveLength(10);
    expect(new Set(recovery).size).toBe(10);
    expect(recovery[0]).toMatch(/^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}$/);
    expect((await asha.call('GET', '/api/mfa')).json()).toMatchObject({
      data: { on: true, recovery_left: 10, allowed: true, required: false },
    });
    expect((await asha.call('POST', '/api/mfa/enrol', { password: PASSWORD })).statusCode).toBe(409);
  });

  it('notifies the person by mail and in the application, and stores nothing readable', async () => {
    expect(
      await acme.sql(
        `select event_code, title from {s}.notification where user_id = $1 and event_code = 'mfa.changed'`,
        [asha.userId],
      ),
    ).toEqual([{ event_code: 'mfa.changed', title: '2-step verification was switched on' }]);
    const [row] = await acme.sql<{ secret: string; recovery: object[] }>('select secret, recovery from {s}.user_totp');
    expect(row!.secret).not.toContain(key);
    expect(Buffer.from(row!.secret, 'base64').toString()).not.toContain(key);
    expect(JSON.stringify(row!.recovery)).not.toContain(recovery[0]!.replaceAll('-', ''));
  });
});

describe('signing in', () => {
  it('asks for the code after the password, and accepts each code once', async () => {
    await forgetStep();
    const first = await login('asha');
    expect(first).toEqual({ result: 'otp_required', challenge: expect.any(String) as string });
    const code = shown(key);
    const signedIn = await answer(first.challenge, `${code.slice(0, 3)} ${code.slice(3)}`);
    expect(signedIn).toMatchObject({ result: 'success', must_enrol: false });
    expect((await caller(signedIn.token!)('GET', '/tapi/menu')).statusCode).toBe(200);
    expect(await answer(first.challenge, code)).toMatchObject({ result: 'expired' });
    expect(await answer((await login('asha')).challenge, code)).toMatchObject({ result: 'failure' });
  });

  it('tolerates clocks that differ by half a minute, not by more', async () => {
    await forgetStep();
    const { challenge } = await login('asha');
    expect((await answer(challenge, shown(key, -3))).result).toBe('failure');
    expect((await answer(challenge, shown(key, 1))).result).toBe('success');
  });

  it('accepts a recovery code, once, in any spelling', async () => {
    expect(
      (await answer((await login('asha')).challenge, recovery[3]!.toUpperCase().replaceAll('-', ' '))).result,
    ).toBe('success');
    expect((await answer((await login('asha')).challenge, recovery[3]!)).result).toBe('failure');
    expect((await asha.call('GET', '/api/mfa')).json()).toMatchObject({ data: { recovery_left: 9 } });
  });

  it('a challenge allows five codes in five minutes, and wrong codes of a person are counted together', async () => {
    await acme.sql('delete from {s}.login_counter');
    const { challenge } = await login('asha');
    for (let n = 0; n < 4; n++) expect((await answer(challenge, '000000')).result).toBe('failure');
    expect((await answer(challenge, '000000')).result).toBe('failure');
    expect((await post('/api/sessions/otp', { challenge, code: '000000' })).statusCode).toBe(429);
    expect(await answer((await login('asha')).challenge, shown(key))).toMatchObject({ result: 'locked' });
    await acme.sql('delete from {s}.login_counter');
    const late = await login('asha');
    await acme.sql(`update {s}.otp_challenge set expires_at = now() - interval '1 second'`);
    expect(await answer(late.challenge, shown(key))).toMatchObject({ result: 'expired' });
    expect(await answer('nonsense', '123456')).toMatchObject({ result: 'expired' });
  });
});

describe('a client', () => {
  const policy = async (value: string) => {
    const admin = await world.signIn(acme, 'admin');
    const { data } = (await admin.call('GET', '/tapi/configuration/single')).json<{ data: { version: number } }>();
    expect(
      (await admin.call('PUT', '/tapi/configuration/single', { version: data.version, mfa_policy: value })).statusCode,
    ).toBe(200);
    return admin;
  };

  it('may require it of everybody: people without one set it up first', async () => {
    const admin = await policy('all');
    const first = await login('ravi');
    expect(first).toMatchObject({ result: 'success', must_enrol: true });
    const ravi = caller(first.token!);
    expect((await ravi('GET', '/tapi/menu')).statusCode).toBe(403);
    expect((await ravi('GET', '/tapi/notifications')).statusCode).toBe(403);
    const { data } = (await ravi('POST', '/api/mfa/enrol', { password: PASSWORD })).json<{
      data: { secret: string };
    }>();
    expect((await ravi('POST', '/api/mfa/confirm', { code: shown(data.secret) })).statusCode).toBe(200);
    expect((await ravi('GET', '/tapi/menu')).statusCode).toBe(200);
    expect((await ravi('DELETE', '/api/mfa', { password: PASSWORD })).statusCode).toBe(403);
    const { data: settings } = (await admin.call('GET', '/tapi/configuration/single')).json<{
      data: { version: number };
    }>();
    await admin.call('PUT', '/tapi/configuration/single', { version: settings.version, mfa_policy: 'admins' });
    expect((await login('admin')).must_enrol).toBe(true);
    await acme.sql(`update {s}.configuration set mfa_policy = 'optional'`);
  });

  it('lets people switch it off again if it is optional, and create new recovery codes', async () => {
    const { data } = (await asha.call('POST', '/api/mfa/recovery', { password: PASSWORD })).json<{
      data: { recovery_codes: string[] };
    }>();
    await acme.sql('delete from {s}.login_counter');
    expect((await answer((await login('asha')).challenge, recovery[0]!)).result).toBe('failure');
    expect((await answer((await login('asha')).challenge, data.recovery_codes[0]!)).result).toBe('success');
    expect((await asha.call('DELETE', '/api/mfa', { password: 'wrong' })).statusCode).toBe(403);
    expect((await asha.call('DELETE', '/api/mfa', { password: PASSWORD })).statusCode).toBe(204);
    expect((await login('asha')).result).toBe('success');
  });

  it('whose administrator removes a lost phone’s factor lets the person in again', async () => {
    const admin = await world.signIn(acme, 'admin');
    const [{ id } = { id: 0 }] = await acme.sql<{ id: number }>(`select id from {s}.users where username = 'ravi'`);
    expect((await login('ravi')).result).toBe('otp_required');
    expect((await asha.call('POST', `/tapi/users/${id}/remove_factor`)).statusCode).toBe(403);
    expect((await admin.call('POST', `/tapi/users/${id}/remove_factor`)).statusCode).toBe(200);
    expect((await login('ravi')).result).toBe('success');
    expect((await admin.call('POST', `/tapi/users/${id}/remove_factor`)).statusCode).toBe(409);
  });
});

it('a key copied to another person is useless', async () => {
  const { secret } = (await beginFactor(
    acme,
    { id: asha.userId, email: 'a@b.in' },
    world.app.services.secrets.factors,
  ))!;
  await confirmFactor(acme, asha.userId, shown(secret), world.app.services.secrets.factors);
  await acme.sql(
    'insert into {s}.user_totp (user_id, secret, confirmed_at) select 9999, secret, now() from {s}.user_totp where user_id = $1',
    [asha.userId],
  );
  await expect(checkFactor(acme, 9999, shown(secret, 1), world.app.services.secrets.factors)).rejects.toThrow();
});
