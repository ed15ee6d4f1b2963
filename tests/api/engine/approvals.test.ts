import type { AddressInfo } from 'node:net';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { APPROVALS, copySchemas } from '../schemas_with.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

type Row = Record<string, unknown>;
type Doc = Row & { id: number; version: number; status: string };

let schemasDir: string;
let world: World;
let acme: TestTenant;
const by: Record<string, Caller> = {};
const roles: Record<string, number> = {};
const OFFER = 'quotation_erp';
const stopped = new AbortController();
const people = ['bina', 'chand', 'dev', 'seller'];
const employees: Record<string, number> = {};
const today = new Date().toISOString().slice(0, 10);

async function ok<T = Doc>(
  answer: Promise<{ statusCode: number; body: string; json<A>(): A }>,
  status = 200,
): Promise<T> {
  const got = await answer;
  expect(got.statusCode, got.body).toBe(status);
  return got.json<{ data: T }>().data;
}

beforeAll(async () => {
  schemasDir = mkdtempSync(join(tmpdir(), 'approvals-'));
  copySchemas(schemasDir, [...APPROVALS, 'approval_turn', 'approval_turn.sql', 'terms_and_conditions']);
  for (const file of readdirSync(join(import.meta.dirname, 'erp')))
    cpSync(join(import.meta.dirname, 'erp', file), join(schemasDir, 'organisation', file));
  world = await startWorld({ schemasDir });
  acme = await world.tenant();
  const pages = ['landing', 'add_screen', 'edit_screen', 'view_screen'] as const;
  const offers = { SCN_ERP_QUOTATION: [...pages] };
  roles.sells = await acme.role({ modules: ['MASTERS'], screens: offers });
  roles.first = await acme.role({ modules: ['MASTERS'], screens: offers });
  roles.second = await acme.role({
    modules: ['MASTERS'],
    screens: { SCN_ERP_QUOTATION: [...pages, 'approval_screen'] },
  });
  await acme.user('admin', { isAdmin: true });
  for (const [name, role] of [
    ['seller', 'sells'],
    ['bina', 'first'],
    ['chand', 'first'],
    ['dev', 'second'],
  ] as const)
    await acme.user(name, { companies: [{ company: 1, roles: [roles[role]!] }] });
  for (const { name } of await acme.sql<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = '{s}.employee'::regclass and attnum > 0 and attnotnull and not atthasdef and attidentity = '' and attname <> 'entity_id'`,
  ))
    await acme.sql(`alter table {s}.employee alter column "${name}" drop not null`);
  const rows = await acme.sql<{ id: number }>(
    `insert into {s}.employee (entity_id, empno, first_name, name, status) select 1, 'E' || n, n, n, 'active' from unnest($1::text[]) n returning id`,
    [people],
  );
  for (const [at, name] of people.entries()) {
    employees[name] = rows[at]!.id;
    await acme.sql(`update {s}.users set employee_id = $1 where username = $2`, [rows[at]!.id, name]);
  }
  for (const name of ['admin', ...people]) by[name] = await world.signIn(acme, name);
  await ok(
    by.admin!.call('POST', '/tapi/approval_process', {
      name: 'Offers',
      transaction_type: OFFER,
      mode: 'cumulative',
      levels: [
        { level: 1, amount_from: '0', approver_by: 'role', role_id: roles.first, need: 'all' },
        { level: 2, amount_from: '100000.01', approver_by: 'role', role_id: roles.second, need: 'any_one' },
      ],
    }),
    201,
  );
});
afterAll(async () => {
  stopped.abort();
  await world.close();
  rmSync(schemasDir, { recursive: true, force: true });
});

const read = (id: number) => ok(by.seller!.call('GET', `/tapi/${OFFER}/${id}`));
const step = async (who: string, id: number, name: string, more: object = {}) =>
  by[who]!.call('POST', `/tapi/${OFFER}/${id}/${name}`, { version: (await read(id)).version, ...more });
async function submitted(rate: string, party = 'Towers'): Promise<Doc> {
  const made = await ok(
    by.seller!.call('POST', `/tapi/${OFFER}`, {
      party,
      offered_on: today,
      valid_until: '2099-12-31',
      lines: [{ item: 'Rope', qty: '10', rate }],
    }),
    201,
  );
  return ok(step('seller', made.id, 'submit'));
}
/** Opens the stream of changes. @returns what came until now */
async function listen({ token }: Caller): Promise<() => string> {
  await world.app.server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = world.app.server.server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/tapi/live`, {
    headers: { authorization: `Bearer ${token}`, 'x-entity-id': String(acme.entityIds[0]) },
    signal: stopped.signal,
  });
  expect(answer.status).toBe(200);
  let text = '';
  const decoder = new TextDecoder();
  void (async () => {
    for await (const chunk of answer.body!) text += decoder.decode(chunk as Uint8Array, { stream: true });
  })().catch(() => undefined);
  return () => text;
}
const inbox = async (who: string) =>
  ok<(Row & { id: number })[]>(
    by[who]!.call(
      'GET',
      `/tapi/approval_request?filter=${encodeURIComponent('["state","eq","waiting"]')}&mine=1&columns=*`,
    ),
  );
const request = async (id: number) =>
  (await acme.sql<Row>(`select * from {s}.approval_request where record_id = $1 order by id desc limit 1`, [id]))[0]!;

describe('an approval', () => {
  it('is requested from the amount’s level, and given when all its approvers agree', async () => {
    const offer = await submitted('1000.00');
    expect((await request(offer.id)).state).toBe('waiting');
    expect((await inbox('bina')).map(({ record_id: id }) => id)).toContain(offer.id);
    expect((await inbox('dev')).map(({ record_id: id }) => id)).not.toContain(offer.id);
    // The right to approve is not enough: others are asked.
    expect((await step('dev', offer.id, 'approve')).statusCode).toBe(403);
    expect((await step('seller', offer.id, 'approve')).statusCode).toBe(403);
    expect((await ok(step('bina', offer.id, 'approve'))).status).toBe('submitted');
    expect((await step('bina', offer.id, 'approve')).statusCode).toBe(403);
    expect((await ok(step('chand', offer.id, 'approve'))).status).toBe('approved');
    expect((await request(offer.id)).state).toBe('approved');
  });

  it('above the first band reaches the second level when the first has agreed', async () => {
    const offer = await submitted('20000.00');
    expect((await step('dev', offer.id, 'approve')).statusCode).toBe(403);
    await ok(step('bina', offer.id, 'approve'));
    await ok(step('chand', offer.id, 'approve'));
    expect(await request(offer.id)).toMatchObject({ state: 'waiting', current_level: 2 });
    const [waiting] = (await inbox('dev')).filter(({ record_id: id }) => id === offer.id);
    expect(waiting).toMatchObject({ amount: '200000.00', asked_by_id: by.seller!.userId });
    await ok(by.dev!.call('POST', `/tapi/approval_request/${waiting!.id}/approve`, {}));
    expect((await read(offer.id)).status).toBe('approved');
    expect((await by.dev!.call('POST', `/tapi/approval_request/${waiting!.id}/approve`, {})).statusCode).toBe(409);
    // Whoever has the page sees how long each approver had it.
    expect((await by.dev!.call('GET', '/tapi/approval_turn')).statusCode).toBe(403);
    await acme.sql(`update {s}.approval_request set asked_at = asked_at - interval '5 hours' where id = $1`, [
      waiting!.id,
    ]);
    const turns = async (who: string) =>
      ok<Row[]>(
        by[who]!.call(
          'GET',
          `/tapi/approval_turn?columns=*&filter=${encodeURIComponent(JSON.stringify(['request_id', 'eq', waiting!.id]))}`,
        ),
      );
    const seen = await turns('admin');
    expect(seen.map(({ level, state, approver_id: id }) => [level, state, id])).toEqual(
      expect.arrayContaining([
        [1, 'approved', by.bina!.userId],
        [1, 'approved', by.chand!.userId],
        [2, 'approved', by.dev!.userId],
      ]),
    );
    expect(seen.map(({ level, hours }) => [level, hours])).toEqual(
      expect.arrayContaining([
        [1, '5.0'],
        [2, '0.0'],
      ]),
    );
  });

  it('is returned with a reason, and starts again when it is requested again', async () => {
    const offer = await submitted('1000.00');
    await ok(step('bina', offer.id, 'approve'));
    expect((await step('chand', offer.id, 'send_back')).statusCode).toBe(422);
    await ok(step('chand', offer.id, 'send_back', { reason: 'Too cheap' }));
    expect((await read(offer.id)).status).toBe('draft');
    expect((await request(offer.id)).state).toBe('returned');
    await ok(step('seller', offer.id, 'submit'));
    expect((await ok(step('chand', offer.id, 'approve'))).status).toBe('submitted');
    expect((await ok(step('bina', offer.id, 'approve'))).status).toBe('approved');
  });

  it('is not needed below the condition, and withdrawn when the record takes another step', async () => {
    expect((await submitted('1.00')).status).toBe('approved');
    const offer = await submitted('1000.00');
    await ok(step('seller', offer.id, 'lose', { reason: 'Gone' }));
    expect((await request(offer.id)).state).toBe('withdrawn');
    expect((await inbox('bina')).map(({ record_id: id }) => id)).not.toContain(offer.id);
  });

  it('given by two people at once counts both, and completes once', async () => {
    const offer = await submitted('1000.00');
    const { version } = await read(offer.id);
    const answers = await Promise.all(
      ['bina', 'chand'].map((who) => by[who]!.call('POST', `/tapi/${OFFER}/${offer.id}/approve`, { version })),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect((await read(offer.id)).status).toBe('approved');
    expect(
      await acme.sql(
        `select 1 from {s}.transition_log where record_type = $1 and record_id = $2 and transition = 'approve'`,
        [OFFER, offer.id],
      ),
    ).toHaveLength(1);
  });

  it('is given for several records from the list; one that is not allowed does not stop the others', async () => {
    const offers = [await submitted('1000.00'), await submitted('2000.00')];
    await ok(step('chand', offers[0]!.id, 'approve'));
    const ids = (await Promise.all(offers.map(({ id }) => request(id)))).map(({ id }) => id);
    const answer = await ok<{ changed: number[]; errors: Row[] }>(
      by.bina!.call('POST', '/tapi/approval_request/bulk/approve', { ids: [...ids, 999_999] }),
    );
    expect(answer).toMatchObject({ changed: ids, errors: [{ id: 999_999 }] });
    expect([(await read(offers[0]!.id)).status, (await read(offers[1]!.id)).status]).toEqual(['approved', 'submitted']);
    expect((await by.bina!.call('POST', '/tapi/approval_request/bulk/approve', { ids: 'all' })).statusCode).toBe(400);
  });

  it('without an approver cannot be requested, and nothing is stored', async () => {
    await acme.sql(`update {s}.users set status = 'disabled' where username in ('bina', 'chand')`);
    const made = await ok(
      by.seller!.call('POST', `/tapi/${OFFER}`, {
        party: 'Towers',
        currency: 'USD',
        offered_on: today,
        valid_until: '2099-12-31',
        lines: [{ item: 'Rope', qty: '10', rate: '1000' }],
      }),
      201,
    );
    const answer = await step('seller', made.id, 'submit');
    // In the money of the offer, not in that of the company.
    expect([answer.statusCode, answer.body]).toEqual([
      422,
      expect.stringContaining('No approver found for this offer of $10,000.00'),
    ]);
    expect(await read(made.id)).toMatchObject({ status: 'draft', offer_no: null });
    await acme.sql(`update {s}.users set status = 'active' where username in ('bina', 'chand')`);
    await ok(step('seller', made.id, 'submit'));
    expect(await request(made.id)).toMatchObject({ amount: '10000.00', currency: 'USD' });
    await ok(step('seller', made.id, 'take_back'));
    // The highest level is not left out because the first one has people.
    await acme.sql(`update {s}.users set status = 'disabled' where username = 'dev'`);
    const large = await ok(
      by.seller!.call('POST', `/tapi/${OFFER}`, {
        party: 'Towers',
        offered_on: today,
        valid_until: '2099-12-31',
        lines: [{ item: 'Rope', qty: '10', rate: '20000' }],
      }),
      201,
    );
    const refused = await step('seller', large.id, 'submit');
    expect([refused.statusCode, refused.body]).toEqual([422, expect.stringContaining('level 2')]);
    await acme.sql(`update {s}.users set status = 'active' where username = 'dev'`);
  });

  it('restarts at the first level when its content changes, and says what changed', async () => {
    const offer = await submitted('20000.00');
    await ok(step('bina', offer.id, 'approve'));
    await ok(step('chand', offer.id, 'approve'));
    const change = async (set: object) =>
      ok(by.seller!.call('PUT', `/tapi/${OFFER}/${offer.id}`, { version: (await read(offer.id)).version, ...set }));
    await change({ valid_until: '2099-12-30' });
    expect(await request(offer.id)).toMatchObject({ current_level: 2, began_again: null });
    await change({ lines: [{ item: 'Rope', qty: '10', rate: '25000' }] });
    expect(await request(offer.id)).toMatchObject({
      current_level: 1,
      waiting_for_ids: [by.bina!.userId, by.chand!.userId],
      began_again: 'Changed after approval by Person seller.',
      changes: expect.stringContaining('Person seller: Lines') as string,
    });
    expect((await step('dev', offer.id, 'approve')).statusCode).toBe(403);
  });

  it('is withdrawn by the requester before anybody agrees; of a simultaneous decision only one succeeds', async () => {
    const offer = await submitted('1000.00');
    const { id } = await request(offer.id);
    expect((await by.bina!.call('POST', `/tapi/approval_request/${String(id)}/withdraw`, {})).statusCode).toBe(403);
    await ok(by.seller!.call('POST', `/tapi/approval_request/${String(id)}/withdraw`, {}));
    expect([(await request(offer.id)).state, (await read(offer.id)).status]).toEqual(['withdrawn', 'draft']);
    await ok(step('seller', offer.id, 'submit'));
    await ok(step('bina', offer.id, 'approve'));
    const late = await step('seller', offer.id, 'take_back');
    expect([late.statusCode, late.body]).toEqual([409, expect.stringContaining('already approved')]);

    const other = await submitted('1000.00');
    await ok(step('bina', other.id, 'approve'));
    const { version } = await read(other.id);
    const answers = await Promise.all([
      by.chand!.call('POST', `/tapi/${OFFER}/${other.id}/approve`, { version }),
      by.seller!.call('POST', `/tapi/${OFFER}/${other.id}/lose`, { version, reason: 'Gone' }),
    ]);
    const { status } = await read(other.id);
    const { state } = await request(other.id);
    // Approved first, it may still be lost; lost first, nobody approves it any more.
    if (answers[0].statusCode === 200) expect(state).toBe('approved');
    else expect([state, status]).toEqual(['withdrawn', 'lost']);
    expect(answers.some(({ statusCode }) => statusCode === 200)).toBe(true);
  });

  it('is rejected with a reason, also from the list, for one kind of document', async () => {
    const offers = [await submitted('1000.00'), await submitted('1000.00')];
    const ids = (await Promise.all(offers.map(({ id }) => request(id)))).map(({ id }) => id);
    const without = await ok<{ errors: Row[] }>(by.bina!.call('POST', '/tapi/approval_request/bulk/reject', { ids }));
    expect(without.errors).toHaveLength(2);
    await ok(by.bina!.call('POST', '/tapi/approval_request/bulk/reject', { ids, reason: 'Too dear' }));
    expect([(await read(offers[0]!.id)).status, (await request(offers[1]!.id)).state]).toEqual(['lost', 'rejected']);
    await acme.sql(
      `insert into {s}.approval_request (entity_id, subject, transaction_type, record_id, state) values (1, 'X', 'employee', 1, 'withdrawn')`,
    );
    const [other] = await acme.sql<{ id: number }>(
      `select id from {s}.approval_request where transaction_type = 'employee'`,
    );
    const mixed = await by.bina!.call('POST', '/tapi/approval_request/bulk/approve', { ids: [ids[0], other!.id] });
    expect(mixed.statusCode).toBe(400);
  });

  it('shows its levels to readers of the record, and its actions only to the approvers asked', async () => {
    const offer = await submitted('20000.00');
    await ok(step('bina', offer.id, 'approve'));
    const [shown] = await ok<Row[]>(by.seller!.call('GET', `/tapi/${OFFER}/${offer.id}/approval`));
    expect(shown).toMatchObject({
      state: 'waiting',
      process: 'Offers',
      asked_by: 'Person seller',
      levels: [
        {
          level: 1,
          state: 'waiting',
          need: 'all',
          people: [
            { name: 'Person bina', state: 'approved', why: expect.stringContaining('Role') as string },
            { name: 'Person chand', state: 'waiting', at: null },
          ],
        },
        { level: 2, state: 'later', people: [{ name: 'Person dev' }] },
      ],
    });
    const { id } = await request(offer.id);
    const as = async (who: string) => (await ok<Row>(by[who]!.call('GET', `/tapi/approval_request/${String(id)}`)))._as;
    // The document is named by its own number; what the product compares it by is nobody's to read.
    const read = await ok<Row>(by.bina!.call('GET', `/tapi/approval_request/${String(id)}`));
    expect(read).toMatchObject({ record_id__label: expect.any(String), address: expect.stringContaining('/') });
    expect(read).not.toHaveProperty('digest');
    const all = await ok<Row[]>(by.bina!.call('GET', `/tapi/approval_request?ids=${String(id)}&columns=*`));
    expect(all[0]).not.toHaveProperty('digest');
    const got = await ok<{ screen: { fields: { name: string }[] } }>(
      by.bina!.call('GET', '/tapi/screens/approval_request'),
    );
    const names = got.screen.fields.map(({ name }) => name);
    expect([names.includes('digest'), names.includes('address'), names.includes('record_id')]).toEqual([
      false,
      false,
      true,
    ]);
    const probed = encodeURIComponent('["digest","starts","a"]');
    expect((await by.bina!.call('GET', `/tapi/approval_request?filter=${probed}`)).statusCode).toBe(400);
    expect([await as('seller'), await as('bina'), await as('chand')]).toEqual([['submitter'], [], ['approver_now']]);
  });

  it('reminds once and asks further people once after the time limit, however many servers check, and never decides', async () => {
    await acme.sql(
      `update {s}.approval_process__levels set time_unit = 'hours', remind_after = 4, time_limit = 8, on_timeout = 'next_level' where level = 1`,
    );
    const offer = await submitted('20000.00');
    const { id, remind_at: remindAt, due_at: dueAt } = await request(offer.id);
    expect(Date.parse(String(dueAt))).toBeGreaterThan(Date.parse(String(remindAt)));
    const told = async (event: string) =>
      (
        await acme.sql<{ user_id: number }>(
          `select user_id from {s}.notification where event_code = $1 and record_id = $2 order by user_id`,
          [event, id],
        )
      ).map(({ user_id: user }) => user);
    const sweep = async () => {
      await world.app.jobs.enqueue(acme.schema, 'approvals');
      await world.app.jobs.enqueue(acme.schema, 'approvals');
      // Both at once, as two servers would.
      await Promise.all([world.app.jobs.drain(), world.app.jobs.drain()]);
    };
    await ok(step('bina', offer.id, 'approve'));
    await sweep();
    expect(await told('approval.reminder')).toEqual([]);
    // The day is that of the company: at this moment it is the one after in the Line Islands.
    await acme.sql(`update {s}.entity set timezone = 'Pacific/Kiritimati'`);
    await acme.sql(`update {s}.approval_request set remind_at = now(), due_at = '2099-01-01T11:00:00Z' where id = $1`, [
      id,
    ]);
    // What ends before its commit has told nobody, and is done the next time.
    await acme.sql(`alter table {s}.outbox add constraint broken check (event_code <> 'approval.reminder')`);
    await sweep();
    expect([await told('approval.reminder'), (await request(offer.id)).remind_at]).toEqual([[], expect.anything()]);
    await acme.sql(`alter table {s}.outbox drop constraint broken`);
    await sweep();
    await sweep();
    expect(await told('approval.reminder')).toEqual([by.chand!.userId]);
    const [reminder] = await acme.sql<{ body: string }>(
      `select body from {s}.outbox where channel = 'mail' and event_code = 'approval.reminder'`,
    );
    expect(reminder!.body).toContain('It should be decided by 02-01-2099.');
    await acme.sql(`update {s}.entity set timezone = 'Asia/Kolkata'`);
    await acme.sql(`update {s}.approval_request set due_at = now() where id = $1`, [id]);
    await sweep();
    await sweep();
    expect(await told('approval.escalated')).toEqual([by.dev!.userId]);
    expect(await request(offer.id)).toMatchObject({
      state: 'waiting',
      current_level: 1,
      waiting_for_ids: [by.chand!.userId, by.dev!.userId],
    });
    const [mails] = await acme.sql<{ count: number }>(
      `select count(*)::int from {s}.outbox where channel = 'mail' and event_code = 'approval.escalated'`,
    );
    expect(mails!.count).toBe(1);
    // Whoever was added agrees in place of the one who did not; the next level is asked all the same.
    expect((await ok(step('dev', offer.id, 'approve'))).status).toBe('submitted');
    expect(await request(offer.id)).toMatchObject({ current_level: 2, waiting_for_ids: [by.dev!.userId] });
    expect((await ok(step('dev', offer.id, 'approve'))).status).toBe('approved');
    await acme.sql(`update {s}.approval_process__levels set remind_after = null, time_limit = null`);
  });

  it('follows the bands of its slab: each reminds once, and asks managers and sends mail if configured', async () => {
    const message = await ok(
      by.admin!.call('POST', '/tapi/esclation', {
        code: 'LATE',
        name: 'Late approvals',
        module: 'approval',
        event: 'band',
        recipients: [{ copy: 'to', kind: 'requester' }],
        channels: ['in_app'],
        subject: '{{record}} waits at level {{level}}',
        body: '{{amount}}',
      }),
      201,
    );
    const bands = [
      { level: 0, from_value: '0', to_value: '1', score: '100' },
      { level: 1, from_value: '1', to_value: '5', score: '50', esclation_id: message.id },
      { level: 2, from_value: '5', score: '0', action: 'assign_manager' },
    ];
    const slab = { code: 'APP', name: 'Approvals', applies_to: 'approval', valid_from: '2020-01-01', bands };
    const { id: slabId } = await ok(by.admin!.call('POST', '/tapi/slab', { ...slab, basis: 'calendar_days' }), 201);
    await acme.sql(`update {s}.employee set reporting_to_id = $1 where id = $2`, [employees.dev, employees.bina]);
    await acme.sql(`update {s}.approval_process__levels set slab_id = $1 where level = 1`, [slabId]);
    const offer = await submitted('20000.00');
    const { id, waits_since: since, band_at: first } = await request(offer.id);
    expect(Date.parse(String(first)) - Date.parse(String(since))).toBe(86_400_000);
    const waitedFor = async (days: number) => {
      await acme.sql(
        `update {s}.approval_request set waits_since = now() - make_interval(days => $2), band_at = now() where id = $1`,
        [id, days],
      );
      for (let times = 0; times < 2; times++) {
        await world.app.jobs.enqueue(acme.schema, 'approvals');
        await world.app.jobs.drain();
      }
    };
    const told = async (event: string) =>
      (
        await acme.sql<{ user_id: number }>(
          `select user_id from {s}.notification where event_code = $1 and link = $2 order by id`,
          [event, `/approval/view/${id}`],
        )
      ).map(({ user_id: user }) => user);
    const level = [by.bina!.userId, by.chand!.userId].sort((a, b) => a - b);
    await waitedFor(2);
    expect([(await told('approval.reminder')).sort((a, b) => a - b), await told('escalation')]).toEqual([
      level,
      [by.seller!.userId],
    ]);
    const [said] = await acme.sql<{ title: string; text: string }>(
      `select title, body as text from {s}.notification where event_code = 'escalation' and link = $1`,
      [`/approval/view/${id}`],
    );
    expect(said).toEqual({ title: expect.stringMatching(/^Offer OF.* waits at level 1$/), text: '₹2,00,000.00' });
    expect(await request(offer.id)).toMatchObject({ bands_done: 1, waiting_for_ids: level });
    await waitedFor(6);
    expect(await told('approval.escalated')).toEqual([by.dev!.userId]);
    expect(await told('escalation')).toHaveLength(1);
    expect(await request(offer.id)).toMatchObject({
      bands_done: 2,
      band_at: null,
      waiting_for_ids: [...level, by.dev!.userId],
    });
    const { data: sent } = (await by.admin!.call('GET', '/tapi/escalation_log?sort=level')).json<{ data: Row[] }>();
    const name = (who: string) => `Person ${who}`;
    expect(sent).toMatchObject([
      {
        level: 1,
        esclation_id: message.id,
        recipients: expect.stringContaining(name('seller')),
      },
      { level: 2, esclation_id: null, recipients: expect.stringContaining(name('dev')) },
    ]);
    await ok(step('seller', offer.id, 'take_back'));
    const relative = await ok(
      by.admin!.call('POST', '/tapi/slab', { ...slab, code: 'PCT', name: 'In %', basis: 'pct_of_target' }),
      201,
    );
    const wrong = await by.admin!.call('POST', '/tapi/approval_process', {
      name: 'Without a limit',
      transaction_type: OFFER,
      mode: 'cumulative',
      levels: [{ level: 1, approver_by: 'role', role_id: roles.first, need: 'any_one', slab_id: relative.id }],
    });
    expect([wrong.statusCode, wrong.body]).toEqual([422, expect.stringContaining('% of the time limit')]);
    await acme.sql(`update {s}.approval_process__levels set slab_id = null`);
    await acme.sql(`update {s}.employee set reporting_to_id = null`);
  });

  it('is requested by an additional process too, and both must agree', async () => {
    const made = await ok(
      by.admin!.call('POST', '/tapi/approval_process', {
        name: 'Large offers',
        transaction_type: OFFER,
        condition: 'total > 300000',
        beside: true,
        mode: 'cumulative',
        levels: [{ level: 1, approver_by: 'relation', relation: 'requester', need: 'any_one' }],
      }),
      201,
    );
    // Whoever asked is nobody's approver: the process is named in what is to be done.
    const alone = await ok(
      by.seller!.call('POST', `/tapi/${OFFER}`, {
        party: 'Towers',
        offered_on: today,
        valid_until: '2099-12-31',
        lines: [{ item: 'Rope', qty: '10', rate: '40000' }],
      }),
      201,
    );
    const refused = await step('seller', alone.id, 'submit');
    expect([refused.statusCode, refused.body]).toEqual([422, expect.stringContaining('Large offers')]);
    const { version } = await ok(by.admin!.call('GET', `/tapi/approval_process/${made.id}`));
    const levels = [{ level: 1, approver_by: 'role', role_id: roles.second, need: 'any_one' }];
    await ok(by.admin!.call('PUT', `/tapi/approval_process/${made.id}`, { version, levels }));
    const offer = await ok(step('seller', alone.id, 'submit'));
    for (const who of ['bina', 'chand', 'dev', 'dev'])
      expect((await ok(step(who, offer.id, 'approve'))).status, who).toBe(
        (await acme.sql(`select 1 from {s}.approval_request where record_id = $1 and state = 'waiting'`, [offer.id]))
          .length > 0
          ? 'submitted'
          : 'approved',
      );
    expect((await read(offer.id)).status).toBe('approved');
    const small = await submitted('20000.00');
    expect(
      await acme.sql(`select 1 from {s}.approval_request where record_id = $1 and state = 'waiting'`, [small.id]),
    ).toHaveLength(1);
    await acme.sql(`update {s}.approval_process set active = false where id = $1`, [made.id]);
  });

  it('refuses processes that could not be executed', async () => {
    const answer = await by.admin!.call('POST', '/tapi/approval_process', {
      name: 'Wrong',
      transaction_type: OFFER,
      condition: 'totl > 1',
      mode: 'cumulative',
      levels: [
        {
          level: 1,
          approver_by: 'relation',
          relation: 'boss',
          need: 'any_one',
          may_change: ['total', 'status', 'valid_untl'],
        },
      ],
    });
    expect([answer.statusCode, answer.json<{ error?: object }>()]).toEqual([422, expect.anything()]);
    expect(answer.body).toContain('totl');
    expect(answer.body).toContain('boss');
    for (const name of ['total', 'status', 'valid_untl']) expect(answer.body).toContain(`\\"${name}\\"`);
  });

  it('can be simulated with approvers and reasons, without storing anything', async () => {
    const before = await acme.sql(`select 1 from {s}.approval_request`);
    const tried = await ok<{ processes: (Row & { levels: Row[] })[] }>(
      by.admin!.call('POST', '/tapi/approval_process/try', {
        type: OFFER,
        amount: '200000',
        requester_id: by.bina!.userId,
      }),
    );
    expect(tried.processes).toMatchObject([
      {
        name: 'Offers',
        refused: null,
        levels: [
          { level: 1, asked: true, people: [{ name: 'Person chand' }], left_out: ['Person bina'] },
          { level: 2, asked: true, people: [{ name: 'Person dev', why: expect.stringContaining('Role') as string }] },
        ],
      },
    ]);
    const small = await ok<typeof tried>(
      by.admin!.call('POST', '/tapi/approval_process/try', { type: OFFER, amount: '900' }),
    );
    expect(small.processes[0]!.levels[1]).toMatchObject({ asked: false });
    const wrong = await by.admin!.call('POST', '/tapi/approval_process/try', { type: 'branch' });
    expect(wrong.statusCode).toBe(422);
    expect((await by.seller!.call('POST', '/tapi/approval_process/try', { type: OFFER })).statusCode).toBe(403);
    expect(await acme.sql(`select 1 from {s}.approval_request`)).toHaveLength(before.length);
  });

  it('is visible only to the people involved', async () => {
    const offer = await submitted('1000.00');
    const { id } = await request(offer.id);
    for (const [who, status] of [
      ['seller', 200],
      ['bina', 200],
      ['dev', 404],
    ] as const)
      expect((await by[who]!.call('GET', `/tapi/approval_request/${String(id)}`)).statusCode, who).toBe(status);
    const { version } = await ok(by.seller!.call('GET', `/tapi/approval_request/${String(id)}`));
    await by.seller!.call('PUT', `/tapi/approval_request/${String(id)}`, { version, state: 'approved' });
    const off = await by.admin!.call('POST', `/tapi/approval_request/${String(id)}/deactivate`, { version });
    expect([off.statusCode, off.body]).toEqual([422, expect.stringContaining('is waiting for a decision')]);
    expect((await request(offer.id)).state).toBe('waiting');
    expect((await read(offer.id)).status).toBe('submitted');
  });
});

describe('the levels of a process', () => {
  const process = async (name: string, more: object) =>
    ok(
      by.admin!.call('POST', '/tapi/approval_process', {
        name,
        transaction_type: OFFER,
        mode: 'cumulative',
        levels: [{ level: 1, approver_by: 'role', role_id: roles.second, need: 'any_one' }],
        ...more,
      }),
      201,
    );
  const group = (level: number, names: string[], more: object = {}) => ({
    level,
    approver_by: 'group',
    employee_ids: names.map((name) => employees[name]),
    need: 'any_one',
    ...more,
  });
  const waitingFor = async (id: number) =>
    ((await request(id)).waiting_for_ids as number[]).map((one) => people.find((name) => by[name]!.userId === one));

  it('belong to the matching process with the lowest order; without an order, to the more specific one', async () => {
    const asked = async (party: string) => Number((await request((await submitted('1000.00', party)).id)).process_id);
    const narrow = await process('With a condition', {
      condition: `party in ['Harbour', 'Pier'] and label(sales_person_id) == 'Person seller'`,
    });
    const others = await process('Of somebody else', { condition: `label(sales_person_id) == 'Person bina'` });
    const second = await process('Second', { seq: 2, condition: `party == 'Pier'` });
    const first = await process('First', { seq: 1, condition: `party == 'Quay'` });
    expect(await asked('Harbour')).toBe(narrow.id);
    expect(await asked('Pier')).toBe(second.id);
    expect(await asked('Quay')).toBe(first.id);
    expect([narrow.id, second.id, first.id, others.id]).not.toContain(await asked('Towers'));
    const { version } = await ok(by.admin!.call('GET', `/tapi/approval_process/${first.id}`));
    await ok(by.admin!.call('PUT', `/tapi/approval_process/${first.id}`, { version, condition: null }));
    expect(await asked('Pier')).toBe(first.id);
    await acme.sql('update {s}.approval_process set active = false where id = any($1)', [
      [narrow.id, second.id, first.id, others.id],
    ]);
  });

  it('ask named people for their remark, let them edit what the level allows, and do not ask twice', async () => {
    await process('Grouped', {
      condition: `party == 'Group'`,
      levels: [
        group(1, ['bina', 'chand', 'dev'], {
          need: 'n',
          need_n: 2,
          remark_when: 'always',
          may_change: ['valid_until', 'lines'],
        }),
        group(2, ['bina'], { skip_agreed: true }),
        group(3, ['dev'], { remark_when: 'on_reject' }),
      ],
    });
    const offer = await submitted('1000.00', 'Group');
    const seen = await ok<{ _can: Row[] }>(by.bina!.call('GET', `/tapi/${OFFER}/${offer.id}`));
    expect(seen._can).toContainEqual({
      name: 'approve',
      blocked: null,
      change: ['valid_until', 'lines'],
      remark: true,
    });
    const lines = (rate: string) => [{ item: 'Rope', qty: '10', rate }];
    const remark = 'Fine, cheaper.';
    for (const [sent, status, words] of [
      [{}, 422, 'A remark is required'],
      [{ remark, lines: lines('1000.01') }, 422, '10,000.00 was requested'],
      [{ remark, valid_until: '2000-01-01' }, 422, 'cannot end before it begins'],
      [{ remark, party: 'Other' }, 400, 'party'],
    ] as const) {
      const refused = await step('bina', offer.id, 'approve', sent);
      expect([refused.statusCode, refused.body]).toEqual([status, expect.stringContaining(words)]);
    }
    expect(await waitingFor(offer.id)).toEqual(['bina', 'chand', 'dev']);
    expect(await ok(step('bina', offer.id, 'approve', { remark, lines: lines('900.00') }))).toMatchObject({
      status: 'submitted',
      total: '9000.00',
    });
    expect(await request(offer.id)).toMatchObject({
      amount: '9000.00',
      current_level: 1,
      began_again: null,
      changes: expect.stringContaining('Person bina: Lines') as string,
    });
    const { id } = await request(offer.id);
    const said = await by.chand!.call('POST', `/tapi/approval_request/${String(id)}/approve`, {});
    expect([said.statusCode, said.body]).toEqual([422, expect.stringContaining('remark')]);
    await ok(by.chand!.call('POST', `/tapi/approval_request/${String(id)}/approve`, { reason: 'Agreed.' }));
    expect([(await request(offer.id)).current_level, await waitingFor(offer.id)]).toEqual([3, ['dev']]);
    const [shown] = await ok<{ levels: { state: string; people: Row[] }[] }[]>(
      by.seller!.call('GET', `/tapi/${OFFER}/${offer.id}/approval`),
    );
    expect(shown!.levels.map(({ state, people: of }) => [state, ...of.map((one) => [one.state, one.remark])])).toEqual([
      ['done', ['approved', remark], ['approved', 'Agreed.'], ['not_needed', null]],
      ['done', ['approved', 'Approved at level 1.']],
      ['waiting', ['waiting', null]],
    ]);
    expect((await step('dev', offer.id, 'approve', { lines: lines('1.00') })).statusCode).toBe(400);
    expect((await ok(step('dev', offer.id, 'approve'))).status).toBe('approved');
  });

  it('follow a document that grows while it waits: the approvers of the new amount are asked too', async () => {
    const offer = await submitted('1000.00');
    const heard = await listen(by.seller!);
    await ok(step('bina', offer.id, 'approve'));
    // The record has not moved; whoever looks at it sees who has agreed.
    await expect.poll(heard, { timeout: 60_000 }).toContain(`"type":"${OFFER}","id":${offer.id},`);
    const { version } = await read(offer.id);
    const grown = [{ item: 'Rope', qty: '10', rate: '20000.00' }];
    await ok(by.seller!.call('PUT', `/tapi/${OFFER}/${offer.id}`, { version, lines: grown }));
    expect(await request(offer.id)).toMatchObject({ amount: '200000.00', current_level: 1 });
    for (const who of ['bina', 'chand']) expect((await ok(step(who, offer.id, 'approve'))).status).toBe('submitted');
    expect(await waitingFor(offer.id)).toEqual(['dev']);
    expect((await ok(step('dev', offer.id, 'approve'))).status).toBe('approved');
  });

  it('find their people in the list of authorities by amount', async () => {
    await process('By authority', {
      condition: `party == 'Authority'`,
      levels: [{ level: 1, approver_by: 'authority', need: 'any_one' }],
    });
    const authority = (more: object) =>
      ok(
        by.admin!.call('POST', '/tapi/approval_list', {
          transaction_type: OFFER,
          level: 1,
          valid_from: '2020-01-01',
          ...more,
        }),
        201,
      );
    await authority({
      approver_kind: 'group',
      employee_ids: [employees.bina, employees.chand],
      amount_to: '100000.00',
    });
    await authority({ approver_kind: 'employee', employee_id: employees.dev, amount_from: '100000.01' });
    await authority({ approver_kind: 'role', role_id: roles.first, valid_to: '2020-12-31' });
    expect(await waitingFor((await submitted('10000.00', 'Authority')).id)).toEqual(['bina', 'chand']);
    expect(await waitingFor((await submitted('10000.01', 'Authority')).id)).toEqual(['dev']);
  });
});

describe('a deputy', () => {
  it('approves within the limit, in both names; nobody approves their own request', async () => {
    const ids = people.map((name) => ({ id: employees[name]! }));
    const handOver = (from: number, to: number, limit: string | null) =>
      acme.sql(
        `insert into {s}.delegation (entity_id, number, from_employee_id, to_employee_id, from_date, to_date, scope, transaction_types, amount_limit, reason, state)
         values (1, $1, $2, $3, current_date - 1, current_date + 5, 'types', array['${OFFER}'], $4, 'Leave', 'active')`,
        [`D${from}${to}`, ids[from]!.id, ids[to]!.id, limit],
      );
    await handOver(1, 2, '50000');
    await handOver(0, 3, null);
    for (const name of people) by[name] = await world.signIn(acme, name);
    const small = await submitted('1000.00');
    const large = await submitted('6000.00');
    expect((await inbox('dev')).map(({ record_id: id }) => id)).toEqual(expect.arrayContaining([small.id, large.id]));
    const tooMuch = await step('dev', large.id, 'approve');
    expect([tooMuch.statusCode, tooMuch.body]).toEqual([403, expect.stringContaining('As deputy of chand')]);
    const own = await step('seller', small.id, 'approve');
    expect([own.statusCode, own.body]).toEqual([403, expect.stringContaining('yourself')]);
    await ok(step('dev', small.id, 'approve'));
    const [shown] = await ok<{ levels: { people: Row[] }[] }[]>(
      by.seller!.call('GET', `/tapi/${OFFER}/${small.id}/approval`),
    );
    expect(shown!.levels[0]!.people).toContainEqual(
      expect.objectContaining({ name: 'Person chand', by: 'Person dev', state: 'approved' }),
    );
  });
});
