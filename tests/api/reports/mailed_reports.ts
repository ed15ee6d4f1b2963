import * as XLSX from 'xlsx';
import { expect, it } from 'vitest';
import type { MailServer } from '../messages/mail_server.ts';
import type { Caller, TestTenant, World } from '../world.ts';

/** Counts for minutes for every errand. */
export const SLOW = {
  $schema: '../meta/screen.schema.json',
  kind: 'view',
  title: 'Slow errand',
  access: { screen: 'SCN_ERRAND' },
  scope: 'entity',
  reads: { errand: ['name'] },
  subject: { errand: 'errand_id' },
  schema: {
    properties: {
      errand_id: { $ref: 'types#ref', 'x-ref': 'errand' },
      day: { $ref: 'types#date' },
      part: { $ref: 'types#integer' },
    },
  },
};
export const SLOW_SQL =
  'select e.id, e.id as errand_id, e.day, (select sum(n % 7 + e.id)::int from generate_series(1, 2000000000) n) as part from {errand} e';
export const SLOW_REPORT = {
  $schema: '../meta/report.schema.json',
  kind: 'report',
  title: 'Slow errands',
  access: { screen: 'SCN_ERRAND_REPORT' },
  from: {
    type: 'slow_errand',
    group: ['errand_id'],
    filters: ['day'],
    measures: [{ name: 'parts', title: 'Parts', sum: 'part' }],
  },
};

interface Known {
  world: World;
  acme: TestTenant;
  chief: Caller;
  mail: MailServer;
}
interface Shown {
  id: number;
  paused: boolean;
  problem: string | null;
  sent_at: string | null;
  next_at: string;
  people__label: string[];
  left_by__label: string[];
}

/** Reports that people have sent by mail, and those that would take too long. */
export function mailedReportCases(known: () => Known): void {
  const AT = '/tapi/report/errands_by_department/subscriptions';
  const daily = { format: 'xlsx', every: 'daily', hour: 8 };
  const list = async (caller: Caller) => {
    const answer = await caller.call('GET', AT);
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json<{ data: Shown[] }>().data;
  };
  const add = async (caller: Caller, body: object, at = AT) => {
    const made = await caller.call('POST', at, body);
    expect(made.statusCode, made.body).toBe(201);
    return made.json<{ data: { id: number } }>().data.id;
  };
  /** All that is not paused is due now. */
  const due = () => known().acme.sql(`update {s}.report_subscription set next_at = now() - interval '1 minute'`);
  const run = async () => {
    const { world, acme } = known();
    await world.app.jobs.enqueue(acme.schema, 'report_mail');
    await world.app.jobs.drain();
  };
  const deliver = () => known().world.app.outbox.send(known().acme);
  const waiting = () =>
    known().acme.sql<{ recipient: string; files: object[] | null; state: string }>(
      `select recipient, files, state from {s}.outbox where event_code = 'report.sent' order by id`,
    );
  const told = () =>
    known().acme.sql<{ user_id: number; body: string }>(
      `select user_id, body from {s}.notification where event_code = 'report.not_sent' order by id`,
    );
  let taker: Caller;
  let role: number;

  it('that would run for minutes are stopped, and the reader is told how to get them', async () => {
    const { chief } = known();
    const message = 'The report took longer than 1 seconds and was ended. Choose a shorter period.';
    for (const path of ['rows', 'export.pdf', 'export.xlsx'])
      expect((await chief.call('GET', `/tapi/report/slow_errands/${path}`)).json(), path).toMatchObject({
        error: { code: 'too_slow', message },
      });
    // A period without errands is made at once.
    const some = await chief.call('GET', '/tapi/report/slow_errands/rows?day_from=2030-01-01&day_to=2030-01-31');
    expect(some.json()).toMatchObject({ data: { rows: [] } });
  });

  it('need the right to export, with words for periods; a person sees only their own subscriptions', async () => {
    const { acme, chief, world } = known();
    role = await acme.role({
      modules: ['MASTERS'],
      screens: { SCN_ERRAND_REPORT: ['landing'], SCN_ERRAND: { pages: ['landing', 'add_screen'], scope: 'own' } },
      actions: ['CREATE_MASTERS', 'EXPORT_DATA'],
    });
    await acme.user('taker', { name: 'Tara', companies: [{ company: 1, roles: [role] }] });
    taker = await world.signIn(acme, 'taker');
    expect(
      (await taker.call('POST', '/tapi/errand', { name: 'Hers', state: 'open', day: '2026-06-01' })).statusCode,
    ).toBe(201);
    expect((await (await world.signIn(acme, 'own')).call('GET', AT)).statusCode).toBe(403);
    const refused = async (body: object) =>
      (await chief.call('POST', AT, body)).json<{ error: { field: string } }>().error.field;
    expect(await refused({ ...daily })).toBe('people');
    expect(await refused({ ...daily, people: [999_999] })).toBe('people');
    expect(await refused({ ...daily, every: 'weekly', people: [chief.userId] })).toBe('day');
    expect(await refused({ ...daily, people: [chief.userId], parameters: { colour: 'red' } })).toBe('parameters');
    expect(await refused({ ...daily, people: [chief.userId], parameters: { day_from: 'someday' } })).toBe('day_from');
    const id = await add(taker, { ...daily, people: [taker.userId], parameters: { day_from: 'last_fy' } });
    expect((await list(taker)).map((one) => one.id)).toEqual([id]);
    const change = { ...daily, every: 'monthly', day: 31, people: [taker.userId], paused: true };
    expect((await taker.call('PUT', `${AT}/${id}`, change)).statusCode).toBe(200);
    expect(await list(taker)).toMatchObject([{ paused: true, every: 'monthly', day: 31, people__label: ['Tara'] }]);
    await acme.user('other', { companies: [{ company: 1, roles: [role] }] });
    const other = await world.signIn(acme, 'other');
    expect(await list(other)).toEqual([]);
    expect((await other.call('PUT', `${AT}/${id}`, change)).statusCode).toBe(404);
    expect((await other.call('DELETE', `${AT}/${id}`)).statusCode).toBe(404);
    expect((await taker.call('DELETE', `${AT}/${id}`)).statusCode).toBe(204);
    const found = await chief.call('GET', '/tapi/report/errands_by_department/recipients?search=tar');
    expect(found.json()).toMatchObject({ data: { people: [{ id: taker.userId, name: 'Tara' }] } });
  });

  it('are mailed with each recipient’s rights; people without the right get nothing, and the owner is notified once', async () => {
    const { acme, chief, mail, world } = known();
    const own = await world.signIn(acme, 'own');
    const before = mail.mails.length;
    await add(chief, { ...daily, people: [chief.userId, own.userId], roles: [role] });
    await due();
    await run();
    await deliver();
    // The owner's notice is a mail too.
    const reports = () => mail.mails.slice(before).filter(({ attachments }) => attachments.length > 0);
    await expect.poll(() => reports().length).toBe(3);
    const mails = reports();
    const sheet = (name: string) => {
      const to = mails.find((one) => one.to?.[0]?.address?.startsWith(`${name}@`))!;
      expect(to.subject).toContain('Errands by department');
      expect(to.attachments.map(({ filename }) => filename)).toEqual(['Errands by department.xlsx']);
      const book = XLSX.read(to.attachments[0]!.content as ArrayBuffer);
      expect(XLSX.utils.sheet_to_json(book.Sheets.About!, { header: 1 })).toContainEqual([
        'Report',
        'Errands by department',
      ]);
      return XLSX.utils.sheet_to_json<unknown[]>(book.Sheets.Sheet1!, { header: 1 });
    };
    expect(sheet('chief').length).toBeGreaterThan(3);
    expect(
      sheet('taker')
        .slice(1)
        .map(([department, count]) => [department, count]),
    ).toEqual([
      [undefined, 1],
      ['Total', 1],
    ]);
    const body = 'Person own: may not take data along.';
    expect(await told()).toMatchObject([{ user_id: chief.userId, body: expect.stringContaining(body) }]);
    expect(await list(chief)).toMatchObject([{ paused: false, problem: body, sent_at: expect.any(String) }]);
    // The files wait for nobody any more.
    expect((await waiting()).map(({ files, state }) => [files, state])).toEqual(Array(3).fill([null, 'sent']));
    await due();
    await run();
    expect(await told()).toHaveLength(1);
    await acme.sql(`delete from {s}.outbox where event_code = 'report.sent'`);
  });

  it('can be left by a recipient, who may subscribe again; the owner sees who left', async () => {
    const { acme, chief } = known();
    const shown = async (caller: Caller) =>
      (await caller.call('GET', AT)).json<{ data: Shown[]; received: (Shown & { has_left: boolean })[] }>();
    const { data, received } = await shown(taker);
    expect([data, received.map(({ has_left: left }) => left)]).toEqual([[], [false]]);
    const { id } = received[0]!;
    const receive = async (caller: Caller, wanted: boolean) =>
      (await caller.call('PUT', `${AT}/${id}/receive`, { wanted })).statusCode;
    expect([await receive(taker, false), await receive(taker, false)]).toEqual([200, 200]);
    expect((await shown(taker)).received).toMatchObject([{ id, has_left: true }]);
    expect((await list(chief))[0]!.left_by__label).toEqual(['Tara']);
    const sentTo = async () => {
      await acme.sql(`delete from {s}.outbox where event_code = 'report.sent'`);
      await due();
      await run();
      return new Set((await waiting()).map(({ recipient }) => recipient.split('@')[0]));
    };
    expect(await sentTo()).toEqual(new Set(['chief', 'other']));
    const [{ body } = { body: '' }] = await acme.sql<{ body: string }>(
      `select body from {s}.outbox where event_code = 'report.sent' limit 1`,
    );
    expect(body).toContain('/errands_by_department?by-mail=1');
    // The owner's change keeps it so: only who left comes back.
    const [{ people, roles } = { people: [], roles: [] }] = await acme.sql<{ people: number[]; roles: number[] }>(
      'select people, roles from {s}.report_subscription where id = $1',
      [id],
    );
    expect((await chief.call('PUT', `${AT}/${id}`, { ...daily, people, roles })).statusCode).toBe(200);
    expect(await sentTo()).toEqual(new Set(['chief', 'other']));
    expect(await receive(taker, true)).toBe(200);
    expect(await sentTo()).toEqual(new Set(['chief', 'other', 'taker']));
    expect((await list(chief))[0]!.left_by__label).toEqual([]);
    // Of one of which they are no recipient nobody decides.
    const mine = await add(chief, { ...daily, people: [chief.userId] });
    expect((await taker.call('PUT', `${AT}/${mine}/receive`, { wanted: false })).statusCode).toBe(404);
    await acme.sql('delete from {s}.report_subscription where id = $1', [mine]);
    await acme.sql(`delete from {s}.outbox where event_code = 'report.sent'`);
  });

  it('are sent once, whether a run is killed before it ends, repeated, or started by two processes at the same time', async () => {
    const { acme, world } = known();
    const s = `"${acme.schema}"`;
    // What a run has made is gone with it: here the database refuses the last of its mails.
    await world.database.directory.main.query(
      `create function ${s}.refuse() returns trigger language plpgsql as 'begin raise exception ''killed''; end';
       create trigger refuse before insert on ${s}.outbox for each row when (new.recipient like 'taker@%') execute function ${s}.refuse()`,
    );
    await due();
    await run();
    expect(await waiting()).toEqual([]);
    await world.database.directory.main.query(`drop function ${s}.refuse() cascade`);
    await Promise.all([run(), run()]);
    await world.database.directory.main.query(
      `update public.job set run_at = now() where schema_name = $1 and name = 'report_mail' and state = 'queued'`,
      [acme.schema],
    );
    await world.app.jobs.drain();
    const once = new Set((await waiting()).map(({ recipient }) => recipient.split('@')[0]));
    expect(once).toEqual(new Set(['chief', 'other', 'taker']));
    expect(await waiting()).toHaveLength(3);
    await run();
    expect(await waiting()).toHaveLength(3);
    await acme.sql(`delete from {s}.outbox where event_code = 'report.sent'`);
  });

  it('stop if their owner loses the right, and name the parts of a report that take too long', async () => {
    const { acme, chief } = known();
    await acme.sql(`delete from {s}.report_subscription`);
    await add(taker, { ...daily, people: [chief.userId] });
    await add(chief, { ...daily, format: 'pdf', people: [chief.userId] }, '/tapi/report/slow_errands/subscriptions');
    await acme.sql('delete from {s}.screen_rights where role_id = $1', [role]);
    await due();
    await run();
    expect(await waiting()).toEqual([]);
    expect(await list(chief)).toMatchObject([
      { paused: true, problem: 'may no longer open "Errands by department".', sent_at: null },
    ]);
    const slow = (await chief.call('GET', '/tapi/report/slow_errands/subscriptions')).json<{ data: Shown[] }>().data;
    expect(slow[0]!.problem).toMatch(/took longer than 1 seconds and was ended\. Choose a shorter period/);
    expect((await told()).map(({ user_id }) => user_id)).toEqual(expect.arrayContaining([taker.userId]));
  });
}
