import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller, TestTenant, World } from '../world.ts';
import { PASSWORD, startWorld } from '../world.ts';
import type { MailServer } from './mail_server.ts';
import { startMailServer } from './mail_server.ts';

let mail: MailServer;
let world: World;
let acme: TestTenant;
let admin: Caller;
let asha: Caller;
let ashaId: number;

beforeAll(async () => {
  mail = await startMailServer();
  world = await startWorld({
    env: {
      SMTP_URL: `smtp://127.0.0.1:${mail.port}?tls=none`,
      MAIL_FROM: 'Mainstay <hello@mainstay.example>',
      PORT: '3000',
    },
  });
  acme = await world.tenant({ companies: 1 });
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  ashaId = await acme.user('asha', { name: 'Asha Rao', companies: [{ company: 1 }] });
  [admin, asha] = await Promise.all([world.signIn(acme, 'admin'), world.signIn(acme, 'asha')]);
});
afterAll(async () => {
  await world.close();
  await mail.close();
});

const tell = (event: string, more: Partial<Parameters<typeof world.app.notifications.notify>[2]> = {}) =>
  acme.db.transaction((tx) =>
    world.app.notifications.notify(tx, acme, {
      event,
      to: [ashaId],
      values: { actor: 'Ravi', record: 'Contract 7', text: 'See page 2', job: 'Sync', error: 'Gone' },
      ...more,
    }),
  );
const mine = async (caller = asha, query = '') =>
  (await caller.call('GET', `/tapi/notifications${query}`)).json<{
    data: Record<string, unknown>[];
    unread: number;
    more: boolean;
  }>();
const send = () => world.app.outbox.send(acme);
const outbox = (where = 'true') =>
  acme.sql<{ state: string; attempts: number; error: string | null; subject: string; next_at: string }>(
    `select state, attempts, error, subject, next_at from {s}.outbox where ${where} order by id`,
  );

describe('in the application', () => {
  it('a notification is in the list of its recipients, unread, and nobody else sees it', async () => {
    await tell('comment', { link: '/Contract/view/7', record: { type: 'contract', id: 7 } });
    expect(await mine()).toMatchObject({
      unread: 1,
      data: [
        {
          title: 'Ravi commented on Contract 7',
          body: 'See page 2',
          link: '/Contract/view/7',
          severity: 'info',
          read_at: null,
        },
      ],
    });
    expect((await mine(admin)).data).toEqual([]);
  });

  it('is marked as read by its own reader only', async () => {
    const id = (await mine()).data[0]!.id;
    expect((await admin.call('PUT', '/tapi/notifications/read', { ids: [id] })).json()).toEqual({
      data: { updated: 0 },
    });
    expect((await asha.call('PUT', '/tapi/notifications/read', { ids: [id] })).json()).toEqual({
      data: { updated: 1 },
    });
    expect((await mine()).unread).toBe(0);
    expect((await mine(asha, '?unread=true')).data).toEqual([]);
  });

  it('entries with the same key merge while unread', async () => {
    for (let n = 0; n < 3; n++) await tell('comment', { groupKey: 'contract/7' });
    expect((await mine(asha, '?unread=true')).data).toMatchObject([{ count: 3, title: '3 comments on Contract 7' }]);
    await asha.call('PUT', '/tapi/notifications/read', { all: true });
    await tell('comment', { groupKey: 'contract/7' });
    expect((await mine(asha, '?unread=true')).data).toMatchObject([
      { count: 1, title: 'Ravi commented on Contract 7' },
    ]);
  });

  it('many of one kind within a short time are one line that lists them', async () => {
    await asha.call('PUT', '/tapi/notifications/read', { all: true });
    for (let n = 1; n <= 3; n++) await tell('mention', { values: { actor: 'Ravi', record: `Visit ${n}` } });
    expect((await mine(asha, '?unread=true')).unread).toBe(3);
    for (let n = 4; n <= 12; n++)
      await tell('mention', { values: { actor: 'Ravi', record: `Visit ${n}` }, link: `/visit/${n}` });
    const { data, unread } = await mine(asha, '?unread=true');
    expect(unread).toBe(1);
    expect(data).toMatchObject([{ count: 12, title: '12 new: Mention', link: '/visit/12' }]);
    const lines = String(data[0]!.body).split('\n');
    expect([lines[0], lines[9], lines.length]).toEqual([
      'Ravi mentioned you on Visit 12',
      'Ravi mentioned you on Visit 3',
      10,
    ]);
    // What keeps the account safe is never put together.
    for (let n = 0; n < 5; n++) await tell('password.changed');
    expect(
      (await mine(asha, '?unread=true')).data.filter(({ event_code: code }) => code === 'password.changed'),
    ).toHaveLength(5);
    await asha.call('PUT', '/tapi/notifications/read', { all: true });
    await tell('mention', { values: { actor: 'Ravi', record: 'Visit 13' } });
    expect((await mine(asha, '?unread=true')).data).toMatchObject([
      { count: 1, title: 'Ravi mentioned you on Visit 13' },
    ]);
    await acme.sql('delete from {s}.outbox');
  });

  it('a rolled-back change notifies nobody', async () => {
    const before = (await mine()).data.length;
    await expect(
      acme.db.transaction(async (tx) => {
        await world.app.notifications.notify(tx, acme, { event: 'comment', to: [ashaId], values: {} });
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect((await mine()).data.length).toBe(before);
  });
});

describe('comments', () => {
  it('notify the mentioned people and earlier commenters of the record; nobody of another company', async () => {
    const two = await world.tenant({ companies: 2 });
    await two.user('meera', { name: 'Meera Iyer', isAdmin: true, companies: [{ company: 1 }, { company: 2 }] });
    await two.user('ravi', { name: 'Ravi Kumar', isAdmin: true, companies: [{ company: 1 }] });
    await two.user('far', { companies: [{ company: 2 }] });
    const [meera, ravi, far] = await Promise.all(['meera', 'ravi', 'far'].map((name) => world.signIn(two, name)));
    await meera!.call('PUT', '/tapi/session/entity', { entity_id: two.entityIds[0] });
    const [holiday] = await two.sql<{ id: number }>(
      `insert into {s}.holiday (entity_id, name, date, holiday_type, holiday_group) values ($1, 'Pongal', '2026-01-14', 'festival', 'All') returning id`,
      [two.entityIds[0]],
    );
    const path = `/tapi/holiday/${holiday!.id}`;
    expect((await meera!.call('GET', `${path}/mentions?q=k`)).json()).toEqual({
      data: [{ username: 'ravi', name: 'Ravi Kumar' }],
    });
    expect((await meera!.call('GET', `${path}/mentions?q=far`)).json()).toEqual({ data: [] });
    await meera!.call('POST', `${path}/comments`, { text: 'Is it two days, @Ravi? Not for @far or me@ravi.example' });
    expect((await mine(ravi)).data).toMatchObject([
      {
        event_code: 'mention',
        title: expect.stringContaining('Meera Iyer mentioned you on Holiday Pongal') as string,
        link: `/holiday/view/${holiday!.id}`,
      },
    ]);
    expect((await mine(far)).data).toEqual([]);
    await ravi!.call('POST', `${path}/comments`, { text: 'Three.' });
    await ravi!.call('POST', `${path}/comments`, { text: 'With the weekend.' });
    expect((await mine(meera)).data).toMatchObject([
      { event_code: 'comment', count: 2, title: '2 comments on Holiday Pongal', body: 'With the weekend.' },
    ]);
  });
});

describe('preferences', () => {
  it('an event can be muted, but not a security event', async () => {
    expect(
      (
        await asha.call('PUT', '/tapi/notification_preferences', {
          events: [{ code: 'comment', in_app: false, email: 'off', push: false }],
        })
      ).statusCode,
    ).toBe(200);
    const before = (await mine()).data.length;
    await tell('comment');
    expect((await mine()).data.length).toBe(before);
    const refused = await asha.call('PUT', '/tapi/notification_preferences', {
      events: [{ code: 'password.changed', in_app: false, email: 'off', push: false }],
    });
    expect(refused.statusCode).toBe(422);
    expect(refused.json<{ error: { message: string } }>().error.message).toContain('cannot be switched off');
    const { data } = (await asha.call('GET', '/tapi/notification_preferences')).json<{
      data: { events: { code: string; in_app: boolean }[] };
    }>();
    expect(data.events.find(({ code }) => code === 'comment')?.in_app).toBe(false);
  });

  it('quiet hours hold mails back until they end, but not errors', async () => {
    const local = (minutes: number) =>
      new Date(Date.now() + minutes * 60_000).toLocaleTimeString('en-GB', {
        timeZone: 'Asia/Kolkata',
        hour: '2-digit',
        minute: '2-digit',
      });
    expect(
      (
        await asha.call('PUT', '/tapi/notification_preferences', {
          hours: { quiet_from: local(-60), quiet_to: local(60), digest_at: null },
        })
      ).statusCode,
    ).toBe(200);
    await tell('delegation.started');
    const [held] = await outbox(`event_code = 'delegation.started'`);
    expect(Date.parse(held!.next_at) - Date.now()).toBeGreaterThan(50 * 60_000);
    expect(Date.parse(held!.next_at) - Date.now()).toBeLessThan(61 * 60_000);
    await tell('job.failed');
    const [now] = await outbox(`event_code = 'job.failed'`);
    expect(Date.parse(now!.next_at)).toBeLessThanOrEqual(Date.now() + 1000);
    expect(
      (await asha.call('PUT', '/tapi/notification_preferences', { hours: { quiet_from: '21:00' } })).statusCode,
    ).toBe(422);
    await asha.call('PUT', '/tapi/notification_preferences', {
      hours: { quiet_from: null, quiet_to: null, digest_at: null },
    });
    await acme.sql('update {s}.outbox set next_at = now()');
  });
});

describe('mail', () => {
  it('goes through a real SMTP conversation, as text and as HTML, and once', async () => {
    mail.mails.length = 0;
    expect(await send()).toBe(2);
    await send();
    expect(mail.mails).toHaveLength(2);
    const one = mail.mails.find(({ subject }) => subject?.startsWith('The job'))!;
    expect(one.subject).toBe('The job "Sync" failed');
    expect(one.from?.address).toBe('hello@mainstay.example');
    expect(one.text).toContain('Gone');
    expect(one.html).toContain('<p');
  });

  it('is tried again after a failure, and is dead after the last try', async () => {
    mail.refuse(451, 'Try later');
    await tell('job.failed');
    await send();
    const [row] = await outbox(`state = 'retry'`);
    expect(row).toMatchObject({ attempts: 1 });
    expect(row!.error).toBe('The server does not accept the recipient (451).');
    expect(Math.round((Date.parse(row!.next_at) - Date.now()) / 60_000)).toBe(1);
    for (let n = 0; n < 5; n++) {
      await acme.sql(`update {s}.outbox set next_at = now() where state = 'retry'`);
      await send();
    }
    expect(await outbox(`event_code = 'job.failed' and state = 'dead'`)).toMatchObject([{ attempts: 6 }]);
    mail.refuse(null);
    const listed = (await admin.call('GET', '/tapi/outbox?state=dead')).json<{ data: { id: number }[] }>();
    expect((await asha.call('GET', '/tapi/outbox')).statusCode).toBe(403);
    expect((await admin.call('POST', `/tapi/outbox/${listed.data[0]!.id}/retry`)).statusCode).toBe(202);
    await send();
    expect(await outbox(`state = 'dead'`)).toEqual([]);
  });

  it('is given up at once when the server says that nobody has the address', async () => {
    mail.refuse(550);
    await tell('job.failed');
    await send();
    expect((await outbox(`state = 'dead'`))[0]).toMatchObject({ attempts: 1 });
    mail.refuse(null);
    await acme.sql(`delete from {s}.outbox`);
  });

  it('escapes what people typed', async () => {
    mail.mails.length = 0;
    await tell('job.failed', { values: { job: '<img src=x>', error: '<script>alert(1)</script> & more' } });
    await send();
    expect(mail.mails[0]?.html).not.toContain('<script>');
    expect(mail.mails[0]?.html).toContain('&lt;script&gt;');
  });
});

describe('a forgotten password', () => {
  const forgot = (email: string) =>
    world.inject({ method: 'POST', url: '/api/password/forgot', headers: { host: acme.host }, payload: { email } });
  const reset = (token: string, password: string) =>
    world.inject({
      method: 'POST',
      url: '/api/password/reset',
      headers: { host: acme.host },
      payload: { token, password },
    });
  const links = () =>
    mail.mails.flatMap(({ text }) => [...(text ?? '').matchAll(/#token=([\w-]+)/g)].map((match) => match[1]!));
  const arrive = async (count: number) => {
    for (let n = 0; n < 2_000 && links().length < count; n++) {
      await send();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  it('the link comes by mail, works once, and ends every sign-in', async () => {
    mail.mails.length = 0;
    expect((await forgot('asha')).json()).toEqual({ result: 'ok' });
    await arrive(1);
    const [token = ''] = links();
    expect(mail.mails[0]?.text).toContain(`http://${acme.host.split(':')[0]}:3000/forgotpassword#token=${token}`);
    expect((await reset(token, 'short')).statusCode).toBe(422);
    expect((await reset(token, 'Monsoon kettle 2026')).json()).toMatchObject({ result: 'success', username: 'asha' });
    expect((await reset(token, 'Another kettle 2027')).json()).toEqual({ result: 'expired' });
    expect((await asha.call('GET', '/tapi/notifications')).statusCode).toBe(401);
    asha = await world.signIn(acme, 'asha', 'Monsoon kettle 2026');
    await expect(world.signIn(acme, 'asha', PASSWORD)).rejects.toThrow('could not sign in');
    expect((await mine()).data[0]).toMatchObject({ event_code: 'password.changed' });
  });

  it('answers alike for somebody who is not there, and sends nothing', async () => {
    mail.mails.length = 0;
    expect((await forgot('nobody@nowhere.in')).json()).toEqual({ result: 'ok' });
    await new Promise((resolve) => setTimeout(resolve, 100));
    await send();
    expect(links()).toEqual([]);
  });

  it('a new link makes the older one worthless, and the third in an hour is the last', async () => {
    mail.mails.length = 0;
    await forgot('asha');
    await arrive(1);
    await forgot('asha');
    await arrive(2);
    const [older = '', newer = ''] = links();
    expect((await reset(older, 'Monsoon kettle 2027')).json()).toEqual({ result: 'expired' });
    await forgot('asha');
    await new Promise((resolve) => setTimeout(resolve, 150));
    await send();
    expect(links()).toHaveLength(2);
    expect((await reset(newer, 'Monsoon kettle 2027')).json()).toMatchObject({ result: 'success' });
  });

  it('an expired link says so', async () => {
    await acme.sql(`delete from {s}.password_token`);
    mail.mails.length = 0;
    await forgot('asha');
    await arrive(1);
    await acme.sql(`update {s}.password_token set expires_at = now() - interval '1 second'`);
    expect((await reset(links()[0]!, 'Monsoon kettle 2028')).json()).toEqual({ result: 'expired' });
  });
});
