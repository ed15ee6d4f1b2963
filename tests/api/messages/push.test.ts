import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';
import type { PushService } from './push_service.ts';
import { startPushService } from './push_service.ts';

let google: PushService;
let world: World;
let acme: TestTenant;
let asha: Caller;
let ravi: Caller;

beforeAll(async () => {
  google = await startPushService();
  world = await startWorld({ env: google.env, types: [] });
  acme = await world.tenant();
  await acme.user('asha');
  await acme.user('ravi');
  [asha, ravi] = await Promise.all([world.signIn(acme, 'asha'), world.signIn(acme, 'ravi')]);
  // Whatever the time of the day, nothing waits for the morning.
  for (const caller of [asha, ravi])
    await caller.call('PUT', '/tapi/notification_preferences', {
      hours: { quiet_from: '00:00', quiet_to: '00:00', digest_at: null },
    });
});
afterAll(async () => {
  await world.close();
  await google.close();
});
beforeEach(async () => {
  google.messages.length = 0;
  google.answers.clear();
  await acme.sql('delete from {s}.outbox');
});

const register = (caller: Caller, token: string) =>
  caller.call('POST', '/notification_token', {
    notification_token: {
      user_id: caller.userId,
      name: 'x',
      email: 'x',
      device_token: token,
      device_flag: true,
      entity_id: acme.entityIds[0],
      active: true,
    },
  });
const tell = (to: Caller) =>
  acme.db.transaction((tx) =>
    world.app.notifications.notify(tx, acme, {
      event: 'mention',
      to: [to.userId],
      values: { actor: 'Meera', record: 'Contract 7', text: 'The price is 12,000' },
      link: '/Contract/view/7',
    }),
  );
const outbox = () =>
  acme.sql<{ id: number; state: string; error: string | null }>(
    `select id, state, error from {s}.outbox where channel = 'push'`,
  );
const devices = () =>
  acme.sql<{ device_token: string; active: boolean }>('select device_token, active from {s}.users_device order by id');

describe('registering', () => {
  it('gives browsers the configuration, and lets them reach Google', async () => {
    const config = await world.inject({ method: 'GET', url: '/config.json', headers: { host: acme.host } });
    expect(config.json()).toMatchObject({ firebase: { projectId: 'acme-test', vapidKey: 'vapid' } });
    expect(config.body).not.toContain('private_key');
    expect(
      (await world.inject({ method: 'GET', url: '/login', headers: { host: acme.host, accept: 'text/html' } })).headers[
        'content-security-policy'
      ],
    ).toContain('https://fcmregistrations.googleapis.com');
    expect((await asha.call('GET', '/tapi/push')).json()).toEqual({ data: { denied_action: 'logout' } });
  });

  it('registers a browser once, updates it, and moves it to another person on the same browser', async () => {
    expect((await asha.call('GET', `/get_users_device/${asha.userId}`)).json()).toEqual({ data: [] });
    const made = await register(asha, 'one');
    expect(made.statusCode).toBe(201);
    expect((await register(asha, 'one')).statusCode).toBe(200);
    const { id } = made.json<{ data: { id: number } }>().data;
    expect(
      (
        await asha.call('PUT', `/update_users_device/${id}`, {
          device_token: 'two',
          device_flag: true,
          entity_id: acme.entityIds[0],
          active: true,
        })
      ).json(),
    ).toEqual({ data: { id } });
    expect((await asha.call('GET', `/get_users_device/${asha.userId}`)).json()).toEqual({
      data: [{ id, device_token: 'two' }],
    });
    expect((await ravi.call('PUT', `/update_users_device/${id}`, { device_token: 'mine' })).statusCode).toBe(404);
    expect((await ravi.call('GET', `/get_users_device/${asha.userId}`)).statusCode).toBe(403);
    expect((await register(ravi, 'two')).statusCode).toBe(200);
    expect((await asha.call('GET', `/get_users_device/${asha.userId}`)).json()).toEqual({ data: [] });
    expect((await ravi.call('PUT', `/update_users_device_logout/${ravi.userId}?device_token=two`)).json()).toEqual({
      data: { updated: 1 },
    });
  });
});

describe('sending', () => {
  it('reaches every browser of the person through Firebase with a signed account, with the heading only', async () => {
    await register(asha, 'laptop');
    await register(asha, 'phone');
    await tell(asha);
    expect(await world.app.outbox.send(acme)).toBe(1);
    const [{ id } = { id: 0 }] = await outbox();
    expect(google.messages.map(({ token }) => token)).toEqual(['laptop', 'phone']);
    expect(google.messages[0]?.data).toEqual({
      title: 'Meera mentioned you on Contract 7',
      link: '/Contract/view/7',
      tag: `message-${id}`,
    });
    await tell(asha);
    await world.app.outbox.send(acme);
    expect(google.grants).toBe(1);
  });

  it('shows the text as well if the client wants it', async () => {
    await acme.user('boss', { isAdmin: true });
    const boss = await world.signIn(acme, 'boss');
    const { data } = (await boss.call('GET', '/tapi/configuration/single')).json<{ data: { version: number } }>();
    expect(
      (
        await boss.call('PUT', '/tapi/configuration/single', {
          version: data.version,
          push_show_body: true,
          push_denied_action: 'warn',
        })
      ).statusCode,
    ).toBe(200);
    await tell(asha);
    await world.app.outbox.send(acme);
    expect(google.messages[0]?.data.body).toBe('The price is 12,000');
    expect((await asha.call('GET', '/tapi/push')).json()).toEqual({ data: { denied_action: 'warn' } });
  });

  it('forgets a browser that Firebase no longer knows', async () => {
    google.answers.set('phone', {
      status: 404,
      body: { error: { status: 'NOT_FOUND', details: [{ errorCode: 'UNREGISTERED' }] } },
    });
    await tell(asha);
    await world.app.outbox.send(acme);
    expect(google.messages.map(({ token }) => token)).toEqual(['laptop']);
    expect((await devices()).find(({ device_token: token }) => token === 'phone')?.active).toBe(false);
    expect((await outbox())[0]?.state).toBe('sent');
  });

  it('is tried again when Firebase is busy', async () => {
    google.answers.set('laptop', { status: 503, body: { error: { message: 'Try later', status: 'UNAVAILABLE' } } });
    await tell(asha);
    await world.app.outbox.send(acme);
    expect((await outbox())[0]).toMatchObject({ state: 'retry', error: 'Firebase refused the message: 503 Try later' });
    google.answers.clear();
    await acme.sql(`update {s}.outbox set next_at = now()`);
    await world.app.outbox.send(acme);
    expect((await outbox())[0]?.state).toBe('sent');
  });

  it('queues nothing for people without a browser', async () => {
    await tell(ravi);
    expect(await outbox()).toEqual([]);
  });

  it('browsers not seen for 60 days are retired', async () => {
    await acme.sql(
      `update {s}.users_device set last_seen_at = now() - interval '61 days' where device_token = 'laptop'`,
    );
    await world.app.jobs.enqueue(acme.schema, 'device_prune');
    await world.app.jobs.drain();
    expect((await devices()).find(({ device_token: token }) => token === 'laptop')?.active).toBe(false);
  });
});
