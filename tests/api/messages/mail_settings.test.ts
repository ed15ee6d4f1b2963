import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOTIFICATION_EVENTS } from '../../../src/server/services/notifications/events.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';
import type { MailServer } from './mail_server.ts';
import { startMailServer } from './mail_server.ts';

const SECRET = 'kettle-on-the-hob';
let office: MailServer;
let notices: MailServer;
let world: World;
let acme: TestTenant;
let admin: Caller;
let asha: Caller;

beforeAll(async () => {
  [office, notices] = await Promise.all([startMailServer({ name: 'office', password: SECRET }), startMailServer()]);
  world = await startWorld({ alone: true, env: { INSIDE_HOSTS: '127.0.0.1' }, types: ['billing'] });
  acme = await world.tenant();
  await acme.user('admin', { isAdmin: true });
  await acme.user('asha');
  [admin, asha] = await Promise.all([world.signIn(acme, 'admin'), world.signIn(acme, 'asha')]);
});
afterAll(async () => {
  await world.close();
  await Promise.all([office.close(), notices.close()]);
});

const account = async (more: object) => {
  const made = await admin.call('POST', '/tapi/mail_config_setting', {
    purpose: 'default',
    host: '127.0.0.1',
    security: 'none',
    from_name: 'Acme',
    from_email: 'office@acme.in',
    ...more,
  });
  expect(made.statusCode, made.body).toBe(201);
  return made.json<{ data: { id: number } }>().data.id;
};

describe('an account', () => {
  let id: number;

  it('can be tested; the server’s own words are not repeated', async () => {
    id = await account({ name: 'Office', port: office.port, username: 'office', password: SECRET });
    const answer = await admin.call('POST', `/tapi/mail_config_setting/${id}/test`, { to: 'ravi@acme.in' });
    expect(answer.json()).toEqual({ ok: true, error: null });
    expect((await office.until(1))[0]?.text).toContain('works');
    expect((await admin.call('GET', `/tapi/mail_config_setting/${id}`)).json()).toMatchObject({
      data: { last_test_result: 'ok', password__set: true },
    });
  });

  it('that fails reports the kind of failure', async () => {
    const wrong = await account({
      name: 'Wrong',
      purpose: 'billing',
      port: office.port,
      username: 'office',
      password: 'no',
    });
    const answer = (await admin.call('POST', `/tapi/mail_config_setting/${wrong}/test`, { to: 'ravi@acme.in' })).json<{
      ok: boolean;
      error: string;
    }>();
    expect(answer).toEqual({ ok: false, error: 'The server does not accept this user name and password (535).' });
    const closed = await account({ name: 'Closed', purpose: 'marketing', port: 1 });
    expect(
      (await admin.call('POST', `/tapi/mail_config_setting/${closed}/test`, { to: 'ravi@acme.in' })).json(),
    ).toMatchObject({ ok: false, error: 'Nothing answers at 127.0.0.1, port 1. Check server and port.' });
    expect((await admin.call('POST', `/tapi/mail_config_setting/${wrong}/test`, { to: 'nobody' })).statusCode).toBe(
      422,
    );
    expect(
      (await asha.call('POST', `/tapi/mail_config_setting/${wrong}/test`, { to: 'ravi@acme.in' })).statusCode,
    ).toBe(403);
  });

  it('inside the network is refused, also when the name resolves to an inside address later', async () => {
    for (const host of ['127.0.0.2', 'localhost', '2130706433', '169.254.169.254', '10.0.0.5', '::ffff:127.0.0.1']) {
      const refused = await admin.call('POST', '/tapi/mail_config_setting', {
        name: 'Inside',
        purpose: 'marketing',
        host,
        port: office.port,
        security: 'none',
        from_name: 'Acme',
        from_email: 'office@acme.in',
      });
      expect(refused.json(), host).toMatchObject({ error: { details: [{ field: 'host' }] } });
    }
    const moved = await account({ name: 'Moved', purpose: 'marketing', port: office.port });
    await acme.sql(`update {s}.mail_config_setting set host = 'localhost' where id = $1`, [moved]);
    office.mails.length = 0;
    const answer = await admin.call('POST', `/tapi/mail_config_setting/${moved}/test`, { to: 'ravi@acme.in' });
    expect(answer.json()).toMatchObject({ ok: false, error: expect.stringContaining('internal address') as string });
    await acme.sql(`delete from {s}.mail_config_setting where id = $1`, [moved]);
    expect(office.mails).toEqual([]);
  });

  it('of a purpose sends that purpose’s mails, the default one all others', async () => {
    await account({ name: 'Notices', purpose: 'notification', port: notices.port, from_email: 'notices@acme.in' });
    office.mails.length = 0;
    await acme.db.transaction(async (tx) => {
      await world.app.notifications.notify(tx, acme, {
        event: 'job.failed',
        to: [admin.userId],
        values: { job: 'Sync', error: 'Gone' },
      });
      await world.app.notifications.write(tx, acme, {
        event: 'user.invited',
        address: 'new@acme.in',
        values: { name: 'New' },
        dedupeKey: 'one',
      });
    });
    await world.app.outbox.send(acme);
    expect(notices.mails.map(({ from }) => from?.address)).toEqual(['notices@acme.in']);
    expect(office.mails.map(({ to }) => to?.[0]?.address)).toEqual(['new@acme.in']);
  });
});

describe('an account with a limit', () => {
  it('sends so many mails a day; the rest waits for the morning and says so; password mails do not wait', async () => {
    await acme.sql(`update {s}.mail_config_setting set daily_limit = 2 where name = 'Notices'`);
    await acme.sql('delete from {s}.outbox');
    notices.mails.length = 0;
    for (let n = 0; n < 4; n++)
      await acme.db.transaction((tx) =>
        world.app.notifications.notify(tx, acme, {
          event: 'job.failed',
          to: [admin.userId],
          values: { job: `Sync ${n}`, error: 'Gone' },
        }),
      );
    await world.app.outbox.send(acme);
    expect(notices.mails).toHaveLength(2);
    const { data } = (await admin.call('GET', '/tapi/outbox?state=queued')).json<{
      data: { state: string; attempts: number; error: string; next_at: string }[];
    }>();
    expect(data).toHaveLength(2);
    expect(data[0]).toMatchObject({
      attempts: 0,
      error: 'The account has sent its 2 mails for today. This one will be sent tomorrow.',
    });
    const [{ when } = { when: '' }] = await acme.sql<{ when: string }>(
      `select to_char($1::timestamptz at time zone 'Asia/Kolkata', 'HH24:MI') || ' ' || (($1::timestamptz at time zone 'Asia/Kolkata')::date - (now() at time zone 'Asia/Kolkata')::date) as when`,
      [data[0]!.next_at],
    );
    expect(when).toBe('08:00 1');
    await world.app.outbox.send(acme);
    expect(notices.mails).toHaveLength(2);
    // The next day there is room again.
    await acme.sql(`update {s}.outbox set next_at = now() where state = 'queued'`);
    await acme.sql(`update {s}.outbox set sent_at = sent_at - interval '1 day' where state = 'sent'`);
    await world.app.outbox.send(acme);
    expect(notices.mails).toHaveLength(4);
    await acme.sql(`update {s}.mail_config_setting set daily_limit = 1`);
    for (let n = 0; n < 3; n++)
      await acme.db.transaction((tx) =>
        world.app.notifications.write(tx, acme, {
          event: 'user.invited',
          address: `new${n}@acme.in`,
          values: {},
          dedupeKey: `limit ${n}`,
        }),
      );
    office.mails.length = 0;
    await world.app.outbox.send(acme);
    expect(office.mails).toHaveLength(3);
    await acme.sql(`update {s}.mail_config_setting set daily_limit = null`);
  });
});

describe('a template', () => {
  it('is for an existing event', () => {
    const field = world.screens.get('mail_template')!.fields.find(({ name }) => name === 'event_code')!;
    expect((field.schema as { enum: string[] }).enum).toEqual(NOTIFICATION_EVENTS.map(({ code }) => code));
  });

  it('with an unknown placeholder is refused, by name', async () => {
    const refused = await admin.call('POST', '/tapi/mail_template', {
      event_code: 'user.invited',
      subject: 'Hello {name}',
      body: 'Use {link} before {tomorrow}.',
    });
    expect(refused.statusCode).toBe(422);
    expect(refused.json<{ error: { details: { field: string; message: string }[] } }>().error.details).toEqual([
      {
        field: 'body',
        message: expect.stringContaining('{tomorrow} is not known here. Write one of {company}') as string,
      },
    ]);
  });

  it('has a preview with a real record', async () => {
    await acme.sql(
      `insert into {s}.comment (record_type, record_id, text, by) values ('branch', 7, 'Please look at page 2', $1)`,
      [asha.userId],
    );
    const made = await admin.call('POST', '/tapi/mail_template', {
      event_code: 'comment',
      subject: '{actor} wrote',
      body: 'Of {record}: {text}\n\n{link}',
    });
    const { id } = made.json<{ data: { id: number } }>().data;
    const preview = (await admin.call('GET', `/tapi/mail_template/${id}/preview`)).json<{
      data: { subject: string; text: string; of: string };
    }>();
    expect(preview.data).toMatchObject({ subject: 'Person asha wrote', of: 'Branch 7' });
    expect(preview.data.text).toContain('Of Branch 7: Please look at page 2');
    expect((await asha.call('GET', `/tapi/mail_template/${id}/preview`)).statusCode).toBe(403);
  });

  it('has a preview with a chosen record, for people who may see it', async () => {
    const [company] = acme.entityIds;
    const person = async (name: string) =>
      (
        await acme.sql<{ id: number }>(
          `insert into {s}.employee (entity_id, empno, first_name, name, mobile, date_of_joining, employment_type, status) values ($1, $2, $2, $2, '+919840012345', '2024-04-01', 'permanent', 'active') returning id`,
          [company, name],
        )
      )[0]!.id;
    await acme.sql(
      'alter table {s}.employee alter column branch_id drop not null, alter column department_id drop not null, alter column designation_id drop not null',
    );
    const first = await person('Meera');
    await person('Ravi');
    const { id } = (
      await admin.call('POST', '/tapi/mail_template', {
        event_code: 'employee.joined',
        subject: '{employee} joined',
        body: '{employee} ({empno})',
      })
    ).json<{ data: { id: number } }>().data;
    const preview = async (query = '') =>
      (await admin.call('GET', `/tapi/mail_template/${id}/preview${query}`)).json<{ data: object }>().data;
    expect(await preview()).toMatchObject({ type: 'employee', subject: 'Ravi joined' });
    expect(await preview(`?record=${first}`)).toMatchObject({ subject: 'Meera joined', of: 'Meera' });
    expect((await admin.call('GET', `/tapi/mail_template/${id}/preview?record=999999`)).statusCode).toBe(404);
    expect((await admin.call('GET', `/tapi/mail_template/${id}/preview?record=x`)).statusCode).toBe(400);
  });

  it('provides the mail’s text', async () => {
    office.mails.length = 0;
    await admin.call('POST', '/tapi/mail_template', {
      event_code: 'user.invited',
      subject: 'Welcome, {name}',
      body: 'Choose your password: {link}',
    });
    await acme.db.transaction((tx) =>
      world.app.notifications.write(tx, acme, {
        event: 'user.invited',
        address: 'new@acme.in',
        values: { name: 'Newcomer', link: 'https://acme.example/x' },
        dedupeKey: 'two',
      }),
    );
    await world.app.outbox.send(acme);
    expect(office.mails[0]).toMatchObject({ subject: 'Welcome, Newcomer' });
  });
});
