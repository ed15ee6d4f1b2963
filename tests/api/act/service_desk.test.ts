import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sweepNotices } from '../../../src/server/platform/escalation/notices.ts';
import { importRecords } from '../import_records.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';
import { startImapServer } from './imap_server.ts';
import type { DeskCompany, Doc } from './desk_company.ts';
import { deskCompany } from './desk_company.ts';

// Tickets of the service desk: who has them, by when they are due, and what may be done with them.

let world: World;
let acme: TestTenant;
let co: DeskCompany;
/** When it is; undefined = as it is. */
let now: Date | undefined;
/** What another program hears of the desk. */
let receiver: Server;
const heard: { type: string; data: Record<string, unknown> }[] = [];

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      heard.push(JSON.parse(body) as (typeof heard)[number]);
      response.end('thanks');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  // A sweep goes through all clients of a database: at days of its own only where there are no others.
  world = await startWorld({ now: () => now ?? new Date(), alone: true, env: { INSIDE_HOSTS: '127.0.0.1' } });
  acme = await world.tenant({ products: ['FMS', 'TKT', 'CHCK'] });
  co = await deskCompany(world, acme);
});
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await world.close();
});

const events = async (id: number) =>
  (await acme.sql<{ kind: string }>('select kind from {s}.ticket_event where ticket_id = $1 order by id', [id])).map(
    ({ kind }) => kind,
  );
/** "18-08 10:40" of 2025 in India. */
const at = (text: string) => {
  const [, day, month, time] = /^(\d\d)-(\d\d) (\d\d:\d\d)$/.exec(text)!;
  return new Date(`2025-${month}-${day}T${time}:00+05:30`);
};
const shown = (moment: unknown) => {
  const [date = '', time = ''] = new Date(Date.parse(String(moment)) + 5.5 * 3_600_000).toISOString().split('T');
  return `${date.slice(8)}-${date.slice(5, 7)} ${time.slice(0, 5)}`;
};
const clocksOf = async (id: number) =>
  (await co.admin.call('GET', `/tapi/ticket/${id}/clocks`)).json<{
    data: {
      name: string;
      elapsed: number;
      due: string | null;
      state: string;
      by: { assignee_id: number | null; minutes: number }[];
    }[];
  }>().data;
const resolution = async (id: number) => (await clocksOf(id)).find(({ name }) => name === 'resolution')!;

describe('a ticket', () => {
  it('goes from the queue to its rating, with a line in the log for each step', async () => {
    const { ids, ravi, asha, nora, ok, step, raise, read } = co;
    const one = await raise();
    expect(one).toMatchObject({
      status: 'new',
      priority: 'p2',
      requester_id: ids.ravi,
      slab_id: ids.slab,
      group_role_id: ids.l1,
    });
    expect(String(one.ticket_no)).toMatch(/^TKT\/\d{4}-\d\d\/00001$/);
    expect((await nora.call('GET', `/tapi/ticket/${one.id}`)).statusCode).toBe(404);
    await ok(step(asha, one.id, 'take'));
    const replied = await ok(step(asha, one.id, 'reply', { reply_text: 'Which account is it?' }));
    expect(replied).toMatchObject({
      status: 'in_progress',
      assignee_id: ids.asha,
      replies: [{ text: 'Which account is it?', by_name: 'Person asha' }],
    });
    expect(replied.responded_at).not.toBeNull();
    await ok(step(asha, one.id, 'note', { note_text: 'Asks for the third time.' }));
    expect((await step(asha, one.id, 'pause', { pause_category_id: ids.lift_wait })).body).toContain('calls of lifts');
    await ok(step(asha, one.id, 'pause', { pause_category_id: ids.wait }));
    const seen = await read('ticket', one.id, ravi);
    expect(JSON.stringify(seen)).not.toContain('third time');
    const history = await ravi.call('GET', `/tapi/ticket/${one.id}/history`);
    expect(history.body).not.toContain('third time');
    const goes = await ok(step(ravi, one.id, 'reply', { reply_text: 'The mail account.' }));
    expect(goes).toMatchObject({ status: 'in_progress', pause_category_id: null });
    await ok(step(asha, one.id, 'resolve', { resolution_code: 'fixed', resolution_note: 'Set anew.' }));
    const closed = await ok(step(ravi, one.id, 'close', { rating: 4 }));
    expect(closed).toMatchObject({ status: 'closed', rating: 4, reopen_count: 0 });
    expect(await events(one.id)).toEqual([
      'created',
      'assigned',
      'replied',
      'noted',
      'paused',
      'replied',
      'resumed',
      'resolved',
      'closed',
    ]);
    expect((await co.admin.call('POST', '/tapi/ticket_event', { ticket_id: one.id })).statusCode).not.toBe(201);
  });

  it('is raised with the action CREATE_CHK only: the page of tickets is not enough', async () => {
    const role = await acme.role({
      modules: ['TICKETS'],
      screens: { SCN_TICKET: { pages: ['landing', 'add_screen', 'edit_screen', 'view_screen'], scope: 'own' } },
    });
    await acme.user('visitor', { companies: [{ company: 1, roles: [role] }] });
    const visitor = await world.signIn(acme, 'visitor');
    const ticket = {
      service_id: co.ids.queue,
      branch_id: co.ids.branch,
      subject: 'Chair',
      description: 'It is broken.',
    };
    const refused = await visitor.call('POST', '/tapi/ticket', ticket);
    expect(refused.statusCode, refused.body).toBe(403);
    expect((await visitor.call('GET', '/tapi/ticket')).statusCode).toBe(200);
    expect((await co.ravi.call('POST', '/tapi/ticket', ticket)).statusCode).toBe(201);
  });
});

describe('a service', () => {
  it('waits for the approval of a lead before the desk gets its ticket and the clock starts', async () => {
    const { ids, admin, ravi, asha, lead, ok, step, raise, read } = co;
    const service = await read('service', ids.least!);
    await ok(
      admin.call('PUT', `/tapi/service/${ids.least}`, {
        version: service.version,
        needs_approval: true,
        assign_mode: 'least_open',
      }),
    );
    now = at('18-08 10:00');
    const one = await raise({ service_id: ids.least, requester_id: ids.ravi, raised_at: now.toISOString() }, lead);
    const waiting = await read('ticket', one.id);
    expect(waiting).toMatchObject({ status: 'pending_approval', assignee_id: null });
    expect((await step(asha, one.id, 'take')).statusCode).toBeGreaterThanOrEqual(400);
    now = at('18-08 12:00');
    expect((await step(ravi, one.id, 'approve')).statusCode).toBe(403);
    await ok(step(lead, one.id, 'approve'));
    const agreed = await read('ticket', one.id);
    expect(agreed).toMatchObject({ status: 'assigned' });
    expect([ids.asha, ids.binu]).toContain(agreed.assignee_id);
    expect((await resolution(one.id)).elapsed).toBe(0);
    expect(await events(one.id)).toEqual(['created', 'approved', 'assigned']);
    await ok(step(lead, one.id, 'cancel', { reason: 'Done.' }));
    const other = await raise({ service_id: ids.least }, ravi);
    await ok(step(lead, other.id, 'reject', { reason: 'Not this year.' }));
    expect((await read('ticket', other.id)).status).toBe('rejected');
    now = undefined;
    await ok(
      admin.call('PUT', `/tapi/service/${ids.least}`, {
        version: (await read('service', ids.least!)).version,
        needs_approval: false,
      }),
    );
  });

  it('lists similar open tickets; those of others only if they affect more than one person', async () => {
    const { ids, ravi, lead, asha, ok, step, raise } = co;
    const shared = await raise({ subject: 'Wireless network is down', impact: 'team' }, ravi);
    const own = await raise({ subject: 'My wireless keyboard' }, ravi);
    const typed = { service_id: ids.queue, branch_id: ids.branch, subject: 'wireless does not work' };
    const similar = async (by: typeof ravi) =>
      (await by.call('POST', '/tapi/ticket/fill', { values: typed })).json<{ data: { similar: string | null } }>().data
        .similar;
    expect(await similar(asha)).toBe(`${String(shared.ticket_no)}  Wireless network is down`);
    expect(await similar(ravi)).toContain(String(own.ticket_no));
    // A new ticket is cancelled by a lead, and withdrawn by its requester.
    expect((await step(asha, shared.id, 'cancel', { reason: 'Done.' })).statusCode).toBe(403);
    expect(await ok(step(lead, shared.id, 'cancel', { reason: 'Done.' }))).toMatchObject({
      status: 'cancelled',
      // Neither kept nor broken.
      resolution_clock: { state: 'ended' },
    });
    await ok(step(ravi, own.id, 'withdraw', { reason: 'Done.' }));
  });
});

describe('a mail of the requester', () => {
  it('is added to an open ticket, reopens a closed one in time, and later becomes a new ticket that names it', async () => {
    const { ids, lead, asha, ravi, ok, step, raise, read } = co;
    const one = await raise({ subject: 'Screen flickers' }, ravi);
    await acme.sql(`update {s}.employee set work_email = 'ravi@example.com' where id = $1`, [ids.ravi]);
    const mail = (text: string, more: object = {}, by = asha) =>
      by.call('POST', '/tapi/ticket/action/act_desk.receive_mail', {
        on: 'list',
        params: { sender: 'Ravi@example.com', subject: `Re: ${String(one.ticket_no)}: Screen`, text, ...more },
      });
    const answers = async () =>
      acme.sql<{ text: string }>(
        `select body as text from {s}.outbox where recipient = 'ravi@example.com' order by id`,
      );
    await ok(step(lead, one.id, 'assign', { assignee_id: ids.asha }));
    await ok(step(asha, one.id, 'start'));
    expect((await mail('It is mine.', {}, ravi)).body).toContain('Only the service desk');
    expect((await mail('It is mine.', { sender: 'other@example.com' })).body).toContain('not raised by this address');
    expect((await mail('Hello', { subject: 'A question' })).body).toContain('names no ticket');
    expect((await mail('Away', { automatic: true })).body).toContain('ignored');
    await ok(mail('Only in the morning.\n\n> When does it happen?'));
    expect(await read('ticket', one.id)).toMatchObject({
      status: 'in_progress',
      replies: [{ text: 'Only in the morning.', from_requester: true, by_name: 'ravi' }],
    });
    const solve = { resolution_code: 'fixed', resolution_note: 'New cable.' };
    await ok(step(asha, one.id, 'resolve', solve));
    await ok(step(ravi, one.id, 'close', {}));
    expect((await mail('It flickers again.')).body).toContain('is open again');
    expect(await read('ticket', one.id)).toMatchObject({ status: 'in_progress', reopen_count: 1, closed_at: null });
    await ok(step(asha, one.id, 'resolve', solve));
    await ok(step(ravi, one.id, 'close', {}));
    await acme.sql(`update {s}.ticket set resolved_at = resolved_at - interval '40 days' where id = $1`, [one.id]);
    expect((await mail('And now it is black.')).body).toContain('is the new ticket');
    expect((await mail('Is anybody there?')).body).toContain('which follows it');
    expect((await read('ticket', one.id)).status).toBe('closed');
    const [later] = await acme.sql<{ id: number; ticket_no: string }>(
      'select id, ticket_no from {s}.ticket where follows_id = $1',
      [one.id],
    );
    expect(await read('ticket', later!.id)).toMatchObject({
      channel: 'mail',
      description: 'And now it is black.',
      requester_id: ids.ravi,
      replies: [{ text: 'Is anybody there?' }],
    });
    const told = (await answers()).map(({ text }) => text);
    expect(told.some((text) => text.includes('is open again'))).toBe(true);
    expect(told.some((text) => text.includes(later!.ticket_no))).toBe(true);
    await ok(step(lead, later!.id, 'assign', { assignee_id: ids.asha }));
    await ok(step(lead, later!.id, 'cancel', { reason: 'Done.' }));
  });
});

describe('a mailbox of the service desk', () => {
  it('is read over IMAP: mails are added to their tickets, others become tickets, and the rest stays unread', async () => {
    const { ids, ravi, add, admin, ok, raise, read } = co;
    await acme.sql(`update {s}.employee set work_email = 'ravi@example.com' where id = $1`, [ids.ravi]);
    const server = await startImapServer({ name: 'desk', password: 'secret one' });
    const mail = (subject: string, text: string, more: string[] = [], from = 'Ravi <ravi@example.com>') =>
      server.deliver([`From: ${from}`, 'To: desk@example.com', `Subject: ${subject}`, ...more, '', text]);
    const run = async () => {
      await world.app.jobs.runNow(acme, 'fetch_mails', { userId: admin.userId, companies: acme.entityIds });
      await world.app.jobs.drain();
      const [box] = await acme.sql<{ last_result: string }>('select last_result from {s}.ticket_mailbox');
      return box!.last_result;
    };
    const made = async () =>
      acme.sql<{ id: number; subject: string; requester_id: number | null; requester_mail: string }>(
        `select id, subject, requester_id, requester_mail, channel from {s}.ticket where channel = 'mail' and created_at > now() - interval '1 minute' and follows_id is null order by id`,
      );
    try {
      const box = {
        name: 'Desk',
        host: '127.0.0.1',
        port: server.port,
        security: 'none',
        username: 'desk',
        password: 'wrong',
        folder: 'INBOX',
        branch_id: ids.branch,
        service_id: ids.queue,
      };
      const inside = await admin.call('POST', '/tapi/ticket_mailbox', { ...box, host: '10.0.0.8' });
      expect(inside.body).toContain('This is an internal address');
      const id = await add('ticket_mailbox', box);
      expect(await run()).toBe('The server does not accept this user name and password.');
      const stored = await read('ticket_mailbox', id);
      expect(stored).not.toHaveProperty('password');
      await ok(admin.call('PUT', `/tapi/ticket_mailbox/${id}`, { version: stored.version, password: 'secret one' }));
      const old = mail('Before', 'Written before the mailbox was set up.');
      expect(await run()).toBe('Connected. Mails that arrive from now on are read.');
      const one = await raise({ subject: 'Toner is low' }, ravi);
      const reply = mail(`Re: ${String(one.ticket_no)}: Toner`, 'It is empty now.\r\n\r\n> Is it?');
      const fresh = mail('Paper jam', 'The tray is stuck.');
      const away = mail(`Re: ${String(one.ticket_no)}`, 'I am away.', ['Auto-Submitted: auto-replied']);
      const stranger = mail('Hello', 'Who are you?', [], 'eve@example.net');
      expect(await run()).toBe('Mails read: 3. Left unread for people: 1.');
      expect(server.read).toEqual(new Set([reply, fresh, away]));
      expect(server.read.has(old) || server.read.has(stranger)).toBe(false);
      expect(await read('ticket', one.id)).toMatchObject({ replies: [{ text: 'It is empty now.' }] });
      expect(await made()).toMatchObject([{ subject: 'Paper jam', requester_id: ids.ravi }]);
      // Also those that stay unread are looked at once.
      expect(await run()).toBe('Mails read: 0.');
      const answers = await acme.sql<{ body: string }>(
        `select body from {s}.outbox where recipient = 'ravi@example.com' order by id desc limit 1`,
      );
      expect(answers[0]!.body).toContain('please leave this number in the subject');

      // Attachments become those of the ticket, by the rules of every upload; one that is refused is named.
      const parts = (text: string, ...files: [name: string, type: string, content: string, how?: string][]) =>
        [
          '--b',
          'Content-Type: text/plain',
          '',
          text,
          ...files.flatMap(([name, type, content, how = 'attachment']) => [
            '--b',
            `Content-Type: ${type}; name="${name}"`,
            `Content-Disposition: ${how}; filename="${name}"`,
            'Content-Transfer-Encoding: base64',
            '',
            Buffer.from(content, 'latin1').toString('base64'),
          ]),
          '--b--',
        ].join('\r\n');
      const mixed = ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b'];
      const files = async (ticket: number) =>
        (await ravi.call('GET', `/tapi/ticket/${ticket}/attachments`)).json<{ data: Doc[] }>().data;
      const pdf: [string, string, string] = ['slip.pdf', 'application/pdf', '%PDF-1.4\n'];
      const virus: [string, string, string] = ['setup.pdf', 'application/pdf', 'MZ\u0090\u0000\u0003'];
      mail(`Re: ${String(one.ticket_no)}`, parts('', pdf), mixed);
      // A small picture within the text is that of a signature.
      mail('Broken chair', parts('See the slip.', pdf, virus, ['logo.png', 'image/png', 'small', 'inline']), mixed);
      // This mail cannot be read, the next ones can.
      const deep = Array.from(
        { length: 300 },
        (_, at) => `--${at}\r\nContent-Type: multipart/mixed; boundary=${at + 1}\r\n`,
      );
      const poison = mail('Nested', deep.join('\r\n'), [
        'MIME-Version: 1.0',
        'Content-Type: multipart/mixed; boundary=0',
      ]);
      mail('Dark corridor', 'The lamp\u0000 is out.');
      expect(await run()).toBe('Mails read: 3. Failed: 1.');
      expect(await read('ticket', one.id)).toMatchObject({ replies: [{}, { text: 'Attached: slip.pdf' }] });
      const [chair, corridor] = (await made()).slice(1);
      expect(await read('ticket', chair!.id)).toMatchObject({
        description: 'See the slip.\n\nAttached: slip.pdf\nNot stored: setup.pdf (This kind of file is not accepted)',
      });
      expect(await read('ticket', corridor!.id)).toMatchObject({ description: 'The lamp is out.' });
      const [[slip], own] = await Promise.all([files(chair!.id), files(one.id)]);
      expect(own).toMatchObject([{ name: 'slip.pdf', type: 'application/pdf', mine: false }]);
      expect((await ravi.call('GET', `/tapi/files/${String(slip!.file_id)}/link`)).statusCode).toBe(200);
      expect((await co.nora.call('GET', `/tapi/files/${String(slip!.file_id)}/link`)).statusCode).toBe(404);
      // After three attempts it waits for people: the administrator learns of it, once.
      for (const result of ['Mails read: 0. Failed: 1.', 'Mails read: 0. Failed: 1.', 'Mails read: 0.'])
        expect(await run()).toBe(result);
      const failed = { sender: 'ravi@example.com', subject: 'Nested', tries: 3 };
      expect(await read('ticket_mailbox', id)).toMatchObject({ failed_count: 1, failed_mails: [failed] });
      const told = await acme.sql<{ title: string; body: string }>(
        `select title, body from {s}.notification where event_code = 'mailbox.mail_failed'`,
      );
      expect(told).toMatchObject([{ title: 'Mailbox Desk: "Nested" could not be processed' }]);
      expect(told[0]!.body).toContain('nesting depth');
      const { version } = await read('ticket_mailbox', id);
      await ok(admin.call('POST', '/tapi/ticket_mailbox/action/act_desk.retry_mails', { id, version, params: {} }));
      while ((await world.app.deliveries.deliver(acme)) > 0);
      await world.app.jobs.drain();
      expect(await read('ticket_mailbox', id)).toMatchObject({ failed_mails: [{ ...failed, tries: 1 }] });
      // Somebody has read it in the mailbox.
      server.read.add(poison);
      expect(await run()).toBe('Mails read: 0.');
      expect(await read('ticket_mailbox', id)).toMatchObject({ failed_count: 0, failed_mails: [] });
      await acme.sql('update {s}.ticket_mailbox set active = false');
      for (const ticket of [one, ...(await made())]) {
        const { version } = await read('ticket', ticket.id);
        await ok(co.lead.call('POST', `/tapi/ticket/${ticket.id}/cancel`, { version, reason: 'Done.' }));
      }
    } finally {
      await server.close();
    }
  });
});

describe('the articles of a service', () => {
  it('are shown with links to people for whom they are published, in its order', async () => {
    const { ids, add, admin, ok, ravi, read, raise } = co;
    const article = (more: object) => add('media_item', { kind: 'article', publish_from: '2020-01-01', ...more });
    const others = await add('role', { code: 'OTHERS', role_name: 'Others' });
    const article_ids = [
      await article({ title: 'Paper [A4] is stuck' }),
      await article({ title: 'Old printers', publish_to: '2020-02-01' }),
      await article({ title: 'For the board', role_ids: [others] }),
      await article({ title: 'Empty toner' }),
    ];
    const { version } = await read('service', ids.queue!);
    await ok(admin.call('PUT', `/tapi/service/${ids.queue}`, { version, article_ids: article_ids.toReversed() }));
    const expected = `- [Empty toner](/media_page?item=${article_ids[3]})\n- [Paper \\[A4\\] is stuck](/media_page?item=${article_ids[0]})`;
    const values = { service_id: ids.queue, branch_id: ids.branch, subject: 'Paper' };
    const typed = (await ravi.call('POST', '/tapi/ticket/fill', { values })).json<{ data: Doc }>().data;
    expect(typed.articles).toBe(expected);
    const ticket = await raise({ subject: 'Paper jam' }, ravi);
    expect(ticket.articles).toBe(expected);
    await ok(co.step(ravi, ticket.id, 'withdraw', { reason: 'Solved by the article.' }));
  });
});

describe('the clocks of a ticket', () => {
  it('S1, S3, S4, S6, S8: run over working hours, stop while paused, and are shared by the holders', async () => {
    const { ids, lead, asha, nora, ravi, ok, step, raise } = co;
    now = at('14-08 17:10');
    const one = await raise({ requester_id: ids.ravi, raised_at: now.toISOString() }, lead);
    expect([shown(one.response_by), shown(one.resolution_by)]).toEqual(['16-08 09:40', '18-08 12:40']);
    await ok(step(lead, one.id, 'assign', { assignee_id: ids.asha }));
    now = at('16-08 11:00');
    await ok(
      step(asha, one.id, 'forward', {
        forward_group_id: ids.network,
        forward_to_id: ids.nora,
        reason: 'The line is dead.',
      }),
    );
    await ok(step(nora, one.id, 'start'));
    now = at('18-08 11:00');
    await ok(step(nora, one.id, 'pause', { pause_category_id: ids.wait }));
    expect(await resolution(one.id)).toMatchObject({ elapsed: 380, state: 'paused', due: null });
    now = at('19-08 15:30');
    const going = await ok(step(nora, one.id, 'resume'));
    expect(shown(going.resolution_by)).toBe('19-08 17:10');
    now = at('20-08 10:20');
    await ok(step(nora, one.id, 'resolve', { resolution_code: 'fixed', resolution_note: 'Line repaired.' }));
    const done = await resolution(one.id);
    expect(done).toMatchObject({ elapsed: 580, state: 'missed' });
    expect(done.by.map(({ assignee_id: id, minutes }) => [id, minutes])).toEqual([
      [null, 0],
      [ids.asha, 140],
      [ids.nora, 440],
    ]);
    expect(done.by.reduce((sum, { minutes }) => sum + minutes, 0)).toBe(done.elapsed);
    await world.sweep(now);
    while ((await world.app.deliveries.deliver(acme)) > 0);
    now = at('22-08 12:00');
    const again = await ok(step(ravi, one.id, 'reopen', { reason: 'It is dead again.' }));
    expect(again).toMatchObject({ status: 'in_progress', reopen_count: 1, resolution_breached: true });
    expect((await resolution(one.id)).elapsed).toBe(580);
    await ok(step(nora, one.id, 'resolve', { resolution_code: 'workaround', resolution_note: 'Another line.' }));
    await acme.sql('update {s}.ticket set resolved_at = $2 where id = $1', [one.id, now.toISOString()]);
    now = at('01-09 10:00');
    expect((await step(ravi, one.id, 'reopen', { reason: 'Again.' })).body).toContain(
      'for 5 working days, until 30-08-2025',
    );
    // The service closes it after three working days: Monday, Tuesday and, after a holiday, Thursday.
    const swept = async (moment: string) => {
      await world.sweep(at(moment));
      return (await co.read('ticket', one.id)).status;
    };
    expect(await swept('28-08 11:59')).toBe('resolved');
    expect(await swept('28-08 12:01')).toBe('closed');
    now = undefined;
  });

  it('S5: keep the used time when the priority rises', async () => {
    const { ids, lead, ok, step, raise } = co;
    now = at('14-08 17:10');
    const one = await raise({ requester_id: ids.ravi, raised_at: now.toISOString() }, lead);
    now = at('18-08 10:00');
    const higher = await ok(step(lead, one.id, 'set_priority', { impact: 'company', urgency: 'now' }));
    expect(higher).toMatchObject({ priority: 'p1' });
    expect(shown(higher.resolution_by)).toBe('16-08 12:40');
    expect((await resolution(one.id)).elapsed).toBe(320);
    await ok(step(lead, one.id, 'assign', { assignee_id: ids.binu }));
    await ok(step(lead, one.id, 'cancel', { reason: 'Twice.' }));
    now = undefined;
  });
});

describe('the clocks of open tickets', () => {
  it('are compared with their log at night: a difference is reported', async () => {
    const one = await co.raise();
    const compare = async () => {
      await world.app.jobs.runNow(acme, 'compare_clocks', { userId: co.admin.userId, companies: acme.entityIds });
      await world.app.jobs.drain();
      const [last] = (await world.app.jobs.log(acme.schema, { name: 'compare_clocks' })) as {
        state: string;
        message: string | null;
        error: string | null;
      }[];
      return [last!.state, last!.message ?? last!.error];
    };
    const fine = ['done', expect.stringMatching(/^The clocks of \d+ records are as their log says\.$/)];
    expect(await compare()).toEqual(fine);
    const due = String((await co.read('ticket', one.id)).resolution_by);
    const moved = new Date(Date.parse(due) + 3_600_000).toISOString();
    await acme.sql('update {s}.ticket set resolution_by = $2 where id = $1', [one.id, moved]);
    const words = `${String(one.ticket_no)} Password forgotten: Solution, due time of the record: ${moved} is stored, ${new Date(due).toISOString()} by its log`;
    expect(await compare()).toEqual(['failed', expect.stringContaining(words)]);
    await acme.sql('update {s}.ticket set resolution_by = $2 where id = $1', [one.id, due]);
    expect(await compare()).toEqual(fine);
    await co.ok(co.step(co.lead, one.id, 'cancel', { reason: 'Done.' }));
  });
});

describe('a changed slab', () => {
  it('applies to open tickets only on request, and keeps their used time', async () => {
    const { ids, admin, lead, ok, step, raise, read } = co;
    now = at('14-08 17:10');
    const one = await raise({ requester_id: ids.ravi, raised_at: now.toISOString() }, lead);
    const slab = await read('slab', ids.slab!);
    const targets = slab.targets as (Doc & { priority: string })[];
    const minutes = (resolution_minutes: number) =>
      targets.map((line) => (line.priority === 'p2' ? { ...line, resolution_minutes } : line));
    const version = async () => (await read('slab', ids.slab!)).version;
    const apply = async () =>
      (
        await ok(
          admin.call('POST', '/tapi/slab/action/act_desk.apply_to_open', {
            id: ids.slab,
            version: await version(),
            params: {},
          }),
        )
      ).done;
    now = at('18-08 10:00');
    await ok(admin.call('PUT', `/tapi/slab/${ids.slab}`, { version: slab.version, targets: minutes(600) }));
    await ok(step(lead, one.id, 'note', { note_text: 'Looked at.' }));
    expect(shown((await read('ticket', one.id)).resolution_by)).toBe('18-08 12:40');
    expect(await apply()).toContain('open ticket');
    const renewed = await read('ticket', one.id);
    expect(shown(renewed.resolution_by)).toBe('18-08 15:10');
    expect(renewed.promised_at).not.toBeNull();
    expect((await resolution(one.id)).elapsed).toBe(320);
    expect(await events(one.id)).toEqual(['created', 'noted', 'times']);
    await ok(admin.call('PUT', `/tapi/slab/${ids.slab}`, { version: await version(), targets: minutes(480) }));
    await apply();
    expect(shown((await read('ticket', one.id)).resolution_by)).toBe('18-08 12:40');
    await ok(step(lead, one.id, 'assign', { assignee_id: ids.asha }));
    await ok(step(lead, one.id, 'cancel', { reason: 'Done.' }));
    now = undefined;
  });
});

describe('a workflow rule for an overdue ticket', () => {
  it('runs when the time has passed, and not before', async () => {
    const { ids, admin, lead, ok, step, raise, read } = co;
    await ok(
      admin.call('POST', '/tapi/workflow_rule', {
        name: 'Late tickets',
        record_type: 'ticket',
        event: 'ticket_breached',
        condition: "subject == 'Too long'",
        run_as: 'author',
        actions: [{ action: 'set_field', set_name: 'root_cause', set_value: "'Found late'" }],
      }),
      201,
    );
    now = at('14-08 17:10');
    const one = await raise({ subject: 'Too long', requester_id: ids.ravi, raised_at: now.toISOString() }, lead);
    await ok(step(lead, one.id, 'assign', { assignee_id: ids.asha }));
    const swept = async (moment: string) => {
      now = at(moment);
      await world.sweep(now);
      while ((await world.app.deliveries.deliver(acme)) > 0);
      return (await read('ticket', one.id)).root_cause;
    };
    expect(await swept('14-08 17:30')).toBeNull();
    expect(await swept('18-08 12:41')).toBe('Found late');
    await ok(step(lead, one.id, 'cancel', { reason: 'Done.' }));
    now = undefined;
  });
});

describe('assignment', () => {
  it('takes turns, or chooses the least busy person, among members of the group only', async () => {
    const { ids, lead, asha, ok, step, raise, read } = co;
    const turns = [];
    for (let count = 0; count < 3; count++) turns.push((await raise({ service_id: ids.turn })).assignee_id);
    expect(turns).toEqual([ids.asha, ids.binu, ids.asha]);
    const least = await raise({ service_id: ids.least });
    expect(least).toMatchObject({ assignee_id: ids.binu, status: 'assigned' });
    // Binu's turn passes while he is on leave.
    const leave = { employee_id: ids.binu, kind: 'sick', part: 'day', from_date: '2020-01-01', to_date: '2020-01-01' };
    const away = await ok(co.admin.call('POST', '/tapi/leave', leave), 201);
    await acme.sql(`update {s}.leave set from_date = now() - interval '1 day', to_date = now() + interval '1 day'`);
    expect((await raise({ service_id: ids.turn })).assignee_id).toBe(ids.binu);
    await ok(co.admin.call('POST', `/tapi/leave/${away.id}/approve`, { version: away.version }));
    expect([
      (await raise({ service_id: ids.turn })).assignee_id,
      (await raise({ service_id: ids.turn })).assignee_id,
    ]).toEqual([ids.asha, ids.asha]);
    await acme.sql('delete from {s}.leave');
    const waits = await raise();
    expect((await step(lead, waits.id, 'assign', { assignee_id: ids.nora })).body).toContain('is not in the group');
    expect((await step(asha, waits.id, 'assign', { assignee_id: ids.asha })).statusCode).toBe(403);
    await ok(step(asha, waits.id, 'forward', { forward_service_id: ids.network_service, reason: 'A line.' }));
    expect(await read('ticket', waits.id)).toMatchObject({
      status: 'new',
      group_role_id: ids.network,
      assignee_id: null,
      forward_count: 1,
    });
    expect((await asha.call('GET', `/tapi/ticket/${waits.id}`)).statusCode).toBe(404);
  });

  it('shows each queue to its own members only', async () => {
    const { asha, ravi } = co;
    const list = async (by: typeof asha, query: string) =>
      (await by.call('GET', `/tapi/ticket?${query}`)).json<{ data: Doc[] }>().data;
    expect(
      (await list(asha, 'mine=assignee_id&columns=assignee_id')).every((one) => one.assignee_id === co.ids.asha),
    ).toBe(true);
    const group = await list(asha, 'mine=group_role_id&columns=group_role_id');
    expect(group.length).toBeGreaterThan(3);
    expect(group.every((one) => one.group_role_id === co.ids.l1)).toBe(true);
    expect((await list(ravi, 'mine=requester_id')).length).toBeGreaterThan(5);
    expect(await list(ravi, 'mine=group_role_id')).toEqual([]);
    expect((await ravi.call('GET', '/tapi/ticket?mine=subject')).statusCode).toBe(400);
    const soon = encodeURIComponent(JSON.stringify(['resolution_by', 'within', 'next_2_hours']));
    expect((await asha.call('GET', `/tapi/ticket?filter=${soon}`)).statusCode).toBe(200);
  });
});

describe('a duplicate ticket', () => {
  it('is merged with its messages; tickets of different requesters only by a lead', async () => {
    const { ids, lead, asha, ok, step, raise, read } = co;
    const [one, two] = [await raise(), await raise({ subject: 'Cannot sign in' })];
    const other = await raise({ requester_id: ids.nora }, lead);
    expect((await step(asha, two.id, 'merge', { merged_into_id: other.id })).body).toContain('Only a lead');
    const gone = await ok(step(asha, two.id, 'merge', { merged_into_id: one.id }));
    expect(gone).toMatchObject({ status: 'merged', merged_into_id: one.id });
    expect(await read('ticket', one.id)).toMatchObject({
      replies: [{ text: 'Cannot sign in\nI cannot sign in.', from_requester: true }],
    });
    await ok(step(lead, other.id, 'merge', { merged_into_id: one.id }));
    expect((await read('ticket', one.id)).watcher_ids).toEqual([ids.nora]);
  });
});

describe('the reports', () => {
  const report = async (name: string, parameters: object) => {
    const query = new URLSearchParams(parameters as Record<string, string>).toString();
    const got = await co.lead.call('GET', `/tapi/report/${name}/rows?${query}`);
    expect(got.statusCode, got.body).toBe(200);
    return got.json<{ data: { rows: Record<string, unknown>[]; figures: { title: string; value: string }[] } }>().data;
  };
  const august = { from: '2025-08-01', to: '2025-08-31' };

  it('show the minutes of each clock, its pauses, and how long each group held the ticket', async () => {
    const { rows } = await report('tickets_report', august);
    const one = rows.find(({ forwarded }) => forwarded === 1)!;
    expect(one).toMatchObject({ resolution_target: 480, paused: 720, reopened: 1, priority: 'p2' });
    expect(Number(one.resolution_used)).toBeGreaterThanOrEqual(580);
    const held = await report('ticket_holdings', { ...august, ticket_id: one.ticket });
    const minutes = held.rows.reduce((sum, row) => sum + Number(row.minutes), 0);
    expect(minutes).toBe(one.resolution_used);
  });

  it('score people by the time that they held tickets, without cancelled ones', async () => {
    const months = { from: '2025-08', to: '2025-08' };
    const people = await report('sla_score', { ...months, score_by: 'person' });
    expect(people.rows.map(({ name, tickets }) => [name, tickets])).toEqual([
      ['asha', 1],
      ['nora', 1],
    ]);
    expect(people.rows[0]).toMatchObject({ score: '100.00', breached: 0 });
    const services = await report('sla_score', { ...months, score_by: 'service' });
    expect(services.rows).toHaveLength(1);
    expect(services.rows[0]).toMatchObject({ tickets: 1, breached: 1, reopened: 1 });
    expect(
      (await co.ravi.call('GET', '/tapi/report/sla_score/rows?from=2025-08&to=2025-08&score_by=person')).statusCode,
    ).toBe(403);
  });
});

describe('mail configuration', () => {
  const rule = (more: object) =>
    co.admin.call('POST', '/tapi/esclation', {
      code: 'R1',
      name: 'Rule',
      module: 'ticket',
      event: 'assigned',
      recipients: [{ copy: 'to', kind: 'assignee' }],
      channels: ['in_app'],
      subject: '{{ticket_no}} is yours',
      body: '{{subject}} {{link}}',
      working_hours_only: false,
      ...more,
    });
  const told = async (user: number) =>
    (
      await acme.sql<{ title: string; body: string }>(
        `select title, body from {s}.notification where user_id = $1 and event_code = 'escalation' order by id`,
        [user],
      )
    ).map(({ title, body }) => `${title} | ${body}`);
  const swept = async () => {
    while ((await world.app.deliveries.deliver(acme)) > 0);
    return sweepNotices(
      { notifications: world.app.notifications, screens: world.app.store.screens, addressOf: () => 'http://acme.test' },
      acme,
      now ?? new Date(),
    );
  };

  it('refuses a rule that never fires, and a placeholder that tickets do not have', async () => {
    expect((await rule({ event: 'missed' })).body).toContain('has no event');
    expect((await rule({ module: 'survey', event: 'closed' })).body).toContain('Nothing is sent for');
    expect((await rule({ subject: '{{remaining}}' })).body).toContain('{{remaining}} is not a word');
    expect((await rule({ days: 2 })).body).toContain('Leave the days at 0');
  });

  it('notifies the people whom a rule names once, with copies, and by level when a band is reached', async () => {
    const { ids, asha, lead, ok, step, raise } = co;
    await ok(
      rule({
        recipients: [
          { copy: 'to', kind: 'assignee' },
          { copy: 'cc', kind: 'employee', employee_id: ids.lead },
        ],
      }),
      201,
    );
    await ok(
      rule({
        code: 'R2',
        name: 'Band 1',
        event: 'band',
        level: 1,
        subject: '{{ticket_no}} late',
        recipients: [{ copy: 'to', kind: 'employee', employee_id: ids.nora }],
      }),
      201,
    );
    await ok(
      rule({
        code: 'R3',
        name: 'Band 2',
        event: 'band',
        level: 2,
        subject: '{{ticket_no}} very late',
        recipients: [{ copy: 'to', kind: 'employee', employee_id: ids.nora }],
      }),
      201,
    );
    while ((await world.app.deliveries.deliver(acme)) > 0);
    await acme.sql('delete from {s}.escalation_waiting');
    now = at('18-08 09:45');
    const one = await raise({ requester_id: ids.ravi, raised_at: now.toISOString(), subject: 'Told' }, lead);
    await ok(step(lead, one.id, 'assign', { assignee_id: ids.asha }));
    await swept();
    await swept();
    const mine = (await told(asha.userId)).filter((text) => text.includes(`${String(one.ticket_no)} is yours`));
    expect(mine).toHaveLength(1);
    const copies = (await told(lead.userId)).filter((text) => text.includes(`${String(one.ticket_no)} is yours`));
    expect(copies).toHaveLength(1);
    expect(copies[0]).toContain('For information');
    now = at('19-08 09:50');
    await world.sweep(now);
    await swept();
    const late = await told(co.nora.userId);
    expect(late.filter((text) => text.includes(`${String(one.ticket_no)} late`))).toHaveLength(1);
    expect(late.filter((text) => text.includes('very late'))).toEqual([]);
    await ok(step(lead, one.id, 'cancel', { reason: 'Done otherwise.' }));
    now = undefined;
  });

  it('waits for the working hours of the branch except for P1, and collects digests', async () => {
    const { ids, lead, ravi, ok, raise } = co;
    await ok(
      rule({
        code: 'R4',
        name: 'Received',
        event: 'created',
        subject: '{{ticket_no}} received',
        recipients: [{ copy: 'to', kind: 'requester' }],
        working_hours_only: true,
        digest: 'daily',
      }),
      201,
    );
    now = at('17-08 12:00');
    const raised_at = now.toISOString();
    const [one, two] = [
      await raise({ requester_id: ids.ravi, raised_at }, lead),
      await raise({ requester_id: ids.ravi, raised_at }, lead),
    ];
    await swept();
    expect((await told(ravi.userId)).join()).not.toContain(String(one.ticket_no));
    const urgent = await raise({ requester_id: ids.ravi, raised_at, impact: 'company' }, lead);
    await swept();
    expect((await told(ravi.userId)).join()).toContain(`${String(urgent.ticket_no)} received`);
    now = at('18-08 09:31');
    await swept();
    const all = (await told(ravi.userId)).at(-1)!;
    expect(all).toContain('Received: 2');
    expect(all).toContain(String(one.ticket_no));
    expect(all).toContain(String(two.ticket_no));
    now = undefined;
  });

  it('tells nobody of past tickets: they are imported with their times, and their clocks are over', async () => {
    const { ids, lead, read } = co;
    const queued = async () =>
      acme.sql(
        `select 1 from {s}.escalation_waiting w join {s}.ticket t on t.id = w.record_id where t.subject = 'Past'`,
      );
    await importRecords(world, co.admin, 'ticket', [
      {
        service_id: 'Service PRINTER',
        branch_id: 'CHN',
        subject: 'Past',
        description: 'It was so.',
        requester_id: 'E20005',
        raised_at: '14-08-2025 17:10',
        status: 'Closed',
        assignee_id: 'E20002',
        responded_at: '14-08-2025 17:40',
        resolved_at: '20-08-2025 10:20',
        closed_at: '',
        resolution_code: 'Fixed',
        rating: '4',
        former_no: 'HD-0815',
      },
    ]);
    while ((await world.app.deliveries.deliver(acme)) > 0);
    await world.sweep(new Date());
    while ((await world.app.deliveries.deliver(acme)) > 0);
    expect(await queued()).toEqual([]);
    const [{ id } = { id: 0 }] = await acme.sql<{ id: number }>(`select id from {s}.ticket where subject = 'Past'`);
    // Answered in time, solved late; not the next one's turn.
    expect(await read('ticket', id)).toMatchObject({
      status: 'closed',
      assignee_id: ids.asha,
      closed_at: '2025-08-20T04:50:00Z',
      response_breached: false,
      resolution_breached: true,
      rating: 4,
    });
    // It keeps its own number beside that of the product, and is found by it.
    const found = await lead.call('GET', '/tapi/ticket?q=HD-0815&columns=former_no');
    expect(found.json()).toMatchObject({ data: [{ id, former_no: 'HD-0815' }] });
    const clocks = await clocksOf(id);
    expect(clocks.map(({ name, state, elapsed }) => [name, state, elapsed])).toEqual([
      ['response', 'met', 30],
      ['resolution', 'missed', 1300],
    ]);
    // 20 minutes of the group's queue, then the assignee.
    expect(clocks[1]!.by.map(({ minutes }) => minutes)).toEqual([30, 1270]);
    expect(await events(id)).toEqual(['created', 'resolved']);
    const history = await lead.call('GET', `/tapi/ticket/${id}/history`);
    expect(history.body).toMatch(/import/);
    // Only an import takes these steps.
    const refused = await co.step(lead, id, 'take_over', { resolution_code: 'fixed' });
    expect(refused.statusCode).toBe(404);
  });
});

describe('many messages', () => {
  it('to one person at the same time arrive as a single list', async () => {
    const { ids, ravi, ok, raise } = co;
    await acme.sql('update {s}.esclation set active = false');
    await acme.sql('delete from {s}.escalation_waiting');
    await ok(
      co.admin.call('POST', '/tapi/esclation', {
        code: 'R5',
        name: 'Reopened and new',
        module: 'ticket',
        event: 'created',
        recipients: [{ copy: 'to', kind: 'requester' }],
        channels: ['in_app'],
        subject: '{{ticket_no}} is here',
        body: '{{subject}}',
        working_hours_only: false,
      }),
      201,
    );
    const before = (await acme.sql('select 1 from {s}.escalation_log')).length;
    for (let count = 0; count < 21; count++) await raise({ subject: `Burst ${count}`, requester_id: ids.ravi }, ravi);
    while ((await world.app.deliveries.deliver(acme)) > 0);
    await sweepNotices(
      { notifications: world.app.notifications, screens: world.app.store.screens, addressOf: () => 'http://acme.test' },
      acme,
      new Date(),
    );
    expect((await acme.sql('select 1 from {s}.escalation_log')).length - before).toBe(21);
    const told = await acme.sql<{ title: string; body: string }>(
      `select title, body from {s}.notification where user_id = $1 and event_code = 'escalation' and title like 'Reopened and new%'`,
      [ravi.userId],
    );
    expect(told).toHaveLength(1);
    expect(told[0]!.title).toBe('Reopened and new: 21');
    expect(told[0]!.body.match(/is here/g)).toHaveLength(21);
  });
});

describe('a QR code on a wall', () => {
  it('raises a ticket without signing in, which is tracked, answered and rated through its own link', async () => {
    const { ids, admin, asha, add, ok, step, read } = co;
    const place = await add('desk_point', {
      code: 'LOBBY',
      name: 'Lobby',
      branch_id: ids.branch,
      service_id: ids.outside,
    });
    const made = await admin.call('POST', `/tapi/desk_point/${place}/public`, {});
    expect(made.statusCode, made.body).toBeLessThan(300);
    const token = made.json<{ data: { address: string }[] }>().data[0]!.address.split('/').at(-1)!;
    const host = { host: acme.host };
    let key = 0;
    const send = (to: string, act: string | null, values: object) =>
      world.inject({
        method: 'POST',
        url: `/papi/${to}`,
        headers: { ...host, 'idempotency-key': `desk-${++key}-00000000` },
        payload: { act, values },
      });
    const page = await world.inject({ method: 'GET', url: `/papi/${token}`, headers: host });
    expect(page.body).toContain('Lobby, Chennai');
    const sent = await send(token, null, {
      subject: 'It drips',
      description: 'Water on the floor.',
      requester_name: 'Devi',
    });
    expect(sent.statusCode, sent.body).toBe(200);
    const { next } = sent.json<{ data: { next: string } }>().data;
    const own = next.split('/').at(-1)!;
    const [row] = await acme.sql<{ id: number }>('select max(id)::int as id from {s}.ticket');
    const ticket = await read('ticket', row!.id);
    expect(ticket).toMatchObject({
      channel: 'qr',
      service_id: ids.outside,
      branch_id: ids.branch,
      group_role_id: ids.l1,
      requester_id: null,
    });
    await ok(step(asha, ticket.id, 'take'));
    await ok(step(asha, ticket.id, 'reply', { reply_text: 'Somebody comes.' }));
    await ok(step(asha, ticket.id, 'note', { note_text: 'The old pipe again.' }));
    const followed = await world.inject({ method: 'GET', url: `/papi/${own}`, headers: host });
    expect(followed.body).toContain('Somebody comes.');
    expect(followed.body).not.toContain('old pipe');
    expect((await send(own, 'reply', { reply_text: 'Thank you.' })).statusCode).toBe(200);
    expect((await send(own, 'resolve', {})).statusCode).toBe(404);
    await ok(step(asha, ticket.id, 'resolve', { resolution_code: 'fixed', resolution_note: 'Pipe sealed.' }));
    const rated = await send(own, 'rate', { rating: 5 });
    expect(rated.statusCode, rated.body).toBe(200);
    expect(await read('ticket', ticket.id)).toMatchObject({
      rating: 5,
      replies: [{ from_requester: false }, { by_name: 'Devi', from_requester: true }],
    });
    await acme.sql('update {s}.service set external_requesters = false where id = $1', [ids.outside]);
    expect((await world.inject({ method: 'GET', url: `/papi/${token}`, headers: host })).statusCode).toBe(404);
  });

  it('may be named by a workflow rule, which calls another program for the tickets of that place only', async () => {
    const { ids, admin, add, read } = co;
    await acme.sql('update {s}.service set external_requesters = true where id = $1', [ids.outside]);
    const place = (code: string) =>
      add('desk_point', { code, name: code, branch_id: ids.branch, service_id: ids.outside });
    const [garage, roof] = [await place('GARAGE'), await place('ROOF')];
    // The table of deliveries is made with the first list.
    expect((await admin.call('GET', '/tapi/api_delivery')).statusCode).toBe(200);
    const webhook = await add('api_config', {
      name: 'Facility',
      direction: 'outgoing',
      url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`,
      events: ['branch.created'],
    });
    await add('workflow_rule', {
      name: 'Garage',
      record_type: 'ticket',
      event: 'form_submitted',
      desk_point_id: garage,
      run_as: 'author',
      actions: [
        { action: 'set_field', set_name: 'root_cause', set_value: "'From the garage'" },
        { action: 'call_webhook', webhook_id: webhook, text: '{subject}' },
      ],
    });
    const sent = async (point: number, subject: string) => {
      const made = await admin.call('POST', `/tapi/desk_point/${point}/public`, {});
      const token = made.json<{ data: { address: string }[] }>().data[0]!.address.split('/').at(-1)!;
      const got = await world.inject({
        method: 'POST',
        url: `/papi/${token}`,
        headers: { host: acme.host, 'idempotency-key': `place-${point}-0000000` },
        payload: { act: null, values: { subject, description: 'Please look.', requester_name: 'Devi' } },
      });
      expect(got.statusCode, got.body).toBe(200);
      const [row] = await acme.sql<{ id: number }>('select id::int from {s}.ticket where subject = $1', [subject]);
      return row!.id;
    };
    const [inside, above] = [await sent(garage, 'The gate is stuck'), await sent(roof, 'The roof leaks')];
    while ((await world.app.deliveries.deliver(acme)) > 0);
    expect((await read('ticket', inside)).root_cause).toBe('From the garage');
    expect((await read('ticket', above)).root_cause).toBeNull();
    await expect
      .poll(async () => {
        await world.app.jobs.drain();
        return heard;
      })
      .toEqual([
        expect.objectContaining({
          type: 'ticket.rule',
          data: expect.objectContaining({ type: 'ticket', id: inside, rule: 'Garage', text: 'The gate is stuck' }),
        }),
      ]);
  });
});

describe('a task that nobody does', () => {
  it('is missed when its grace and the days until it is closed have passed, in its time zone', async () => {
    const { ids, admin, ok } = co;
    const made = await ok(
      admin.call('POST', '/tapi/chk_task_instance', {
        title: 'Count the keys',
        criticality: 'low',
        assignee_id: ids.ravi,
        due_on: '2025-08-20',
        branch_id: ids.branch,
      }),
      201,
    );
    // 90 days after its date and one more: the 19th of November begins at half past six of the 18th, UTC.
    const swept = async (moment: string) => {
      await world.sweep(new Date(moment));
      return (await ok(admin.call('GET', `/tapi/chk_task_instance/${made.id}`))).state;
    };
    expect(await swept('2025-11-18T18:29:00Z')).toBe('open');
    expect(await swept('2025-11-18T18:30:00Z')).toBe('missed');
    expect(await ok(admin.call('GET', `/tapi/chk_task_instance/${made.id}`))).toMatchObject({
      outcome: 'missed',
      score: '0.00',
    });
  });
});

describe('a failed checkpoint of a checklist', () => {
  it('raises its ticket and starts its case once, however often the task is submitted', async () => {
    const { ids, admin, ok, add, read } = co;
    const caseType = await add('case_type', {
      code: 'INC',
      name: 'Incident',
      steps: [{ code: 'A', title: 'Find the cause', days: 2, assign_by: 'owner' }],
    });
    // The same type of case starts with each ticket of a service.
    const service = await read('service', ids.least!);
    await ok(admin.call('PUT', `/tapi/service/${ids.least}`, { version: service.version, case_type_id: caseType }));
    const started = await read('ticket', (await co.raise({ service_id: ids.least, subject: 'It hums' })).id);
    const [itsCase] = await acme.sql<{ status: string; title: string; owner_id: number; started_by_rule: string }>(
      'select status, title, owner_id, started_by_rule from {s}.act_case where id = $1',
      [started.case_id],
    );
    expect(itsCase).toEqual({
      status: 'running',
      title: 'It hums',
      owner_id: started.assignee_id,
      started_by_rule: `Ticket ${String(started.ticket_no)}`,
    });
    const point = (title: string, more: object) => ({ title, answer_type: 'yes_no', fails_on: 'no', ...more });
    const without = await admin.call('POST', '/tapi/master_checklist', {
      title: 'Round',
      category: 'safety',
      owner_id: ids.lead,
      expand_by: 'entity',
      repeat: 'once',
      start_on: '2035-01-01',
      tasks: [
        {
          title: 'Walk',
          criticality: 'high',
          weight: '1',
          subtasks: [point('Lamps', { fail_action: 'raise_ticket' })],
        },
      ],
    });
    expect(without.statusCode, without.body).toBe(422);
    const list = await add('master_checklist', {
      title: 'Evening round',
      category: 'safety',
      owner_id: ids.lead,
      expand_by: 'entity',
      kind: 'one_time',
      repeat: 'once',
      start_on: '2035-01-01',
      tasks: [
        {
          title: 'Walk through',
          criticality: 'high',
          weight: '1',
          approval: 'owner',
          assign: [{ assign_by: 'employee', employee_id: ids.ravi }],
          subtasks: [
            point('Air conditioning works', { fail_action: 'raise_ticket', fail_service_id: ids.queue }),
            point('Nobody was hurt', { fail_action: 'start_case', fail_case_type_id: caseType }),
          ],
        },
      ],
    });
    await ok(admin.call('POST', `/tapi/master_checklist/${list}/start`, { version: 1 }));
    const today = new Date(Date.now() + 5.5 * 3_600_000).toISOString().slice(0, 10);
    const instance = await add('chk_instance', { mstr_chk_id: list, due_on: today });
    const [task] = await acme.sql<{ id: number }>(
      `select id from {s}.chk_task_instance where origin_type = 'chk_instance' and origin_id = $1`,
      [instance],
    );
    const move = async (by: Caller, name: string, more: object = {}) =>
      ok(
        by.call('POST', `/tapi/chk_task_instance/${task!.id}/${name}`, {
          version: (await read('chk_task_instance', task!.id)).version,
          ...more,
        }),
      );
    const opened = await read('chk_task_instance', task!.id);
    await ok(
      co.ravi.call('PUT', `/tapi/chk_task_instance/${task!.id}`, {
        ...opened,
        subtasks: (opened.subtasks as object[]).map((one) => ({ ...one, yes_no: 'no', remark: 'Found at seven.' })),
      }),
    );
    await move(co.ravi, 'submit');
    await move(co.lead, 'return', { reason: 'Which room?' });
    await move(co.ravi, 'submit');
    const made = async () => ({
      tickets: await acme.sql<{ id: number; ticket_no: string; requester_id: number; description: string }>(
        `select id, ticket_no, requester_id, description from {s}.ticket where subject = 'Walk through: Air conditioning works'`,
      ),
      cases: await acme.sql<{ case_no: string; status: string; owner_id: number }>(
        `select case_no, status, owner_id from {s}.act_case where title = 'Walk through: Nobody was hurt'`,
      ),
    });
    const { tickets, cases } = await made();
    expect(tickets).toMatchObject([
      { requester_id: ids.ravi, description: expect.stringContaining('Found at seven.') },
    ]);
    expect(cases).toMatchObject([{ status: 'running', owner_id: ids.lead }]);
    expect((await read('chk_task_instance', task!.id)).subtasks).toMatchObject([
      { follow_up: `Ticket ${tickets[0]!.ticket_no}` },
      { follow_up: `Case ${cases[0]!.case_no}` },
    ]);
  });
});
