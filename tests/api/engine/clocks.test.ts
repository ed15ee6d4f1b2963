import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copySchemas } from '../schemas_with.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';
import desk, { ran, said } from './desk_module.ts';

// A service desk: fields that functions fill in, actions, steps by date and event, and clocks.

type Row = Record<string, unknown>;
type Doc = Row & { id: number; version: number; status: string; lines: Row[] };

let schemasDir: string;
let world: World;
let acme: TestTenant;
let agent: Caller;
let reader: Caller;
let boss: Caller;
/** When it is for clocks; undefined = as it is. */
let now: Date | undefined;

const TICKET = 'desk_ticket';
const SERVICE = 'desk_service';
const CODES = ['SCN_DESK_TICKET', 'SCN_DESK_SERVICE'];

beforeAll(async () => {
  schemasDir = mkdtempSync(join(tmpdir(), 'desk-'));
  copySchemas(schemasDir, ['business_calendar', 'esclation', 'slab']);
  for (const file of readdirSync(join(import.meta.dirname, 'desk')))
    cpSync(join(import.meta.dirname, 'desk', file), join(schemasDir, 'organisation', file));
  // A sweep goes through all clients of a database: at days of its own only where there are no others.
  world = await startWorld({ schemasDir, modules: [desk], now: () => now ?? new Date(), alone: true });
  acme = await world.tenant();
  const pages = (...names: ('landing' | 'add_screen' | 'edit_screen' | 'view_screen')[]) =>
    Object.fromEntries(CODES.map((code) => [code, names]));
  const works = await acme.role({
    modules: ['MASTERS'],
    screens: pages('landing', 'add_screen', 'edit_screen', 'view_screen'),
    actions: ['CREATE_MASTERS'],
  });
  const reads = await acme.role({ modules: ['MASTERS'], screens: pages('landing', 'view_screen') });
  await acme.user('agent', { companies: [{ company: 1, roles: [works] }] });
  await acme.user('reader', { companies: [{ company: 1, roles: [reads] }] });
  await acme.user('boss', { isAdmin: true, companies: [{ company: 1 }] });
  boss = await world.signIn(acme, 'boss');
  agent = await world.signIn(acme, 'agent');
  reader = await world.signIn(acme, 'reader');
});
afterAll(async () => {
  await world.close();
  rmSync(schemasDir, { recursive: true, force: true });
});

async function ok(answer: Promise<{ statusCode: number; body: string; json<T>(): T }>, status = 200): Promise<Doc> {
  const got = await answer;
  expect(got.statusCode, got.body).toBe(status);
  return got.json<{ data: Doc }>().data;
}
let made = 0;
const service = (more: object = {}) =>
  ok(agent.call('POST', `/tapi/${SERVICE}`, { name: `Service ${++made}`, rate: '100', ...more }), 201);
const ticket = (more: object = {}) =>
  ok(agent.call('POST', `/tapi/${TICKET}`, { subject: `Ticket ${++made}`, ...more }), 201);
const read = (id: number) => ok(agent.call('GET', `/tapi/${TICKET}/${id}`));
const put = async (id: number, change: object) =>
  agent.call('PUT', `/tapi/${TICKET}/${id}`, { version: (await read(id)).version, ...change });
const step = async (id: number, name: string, more: object = {}) =>
  agent.call('POST', `/tapi/${TICKET}/${id}/${name}`, { version: (await read(id)).version, ...more });

/** The steps that administrators see refused, under Jobs. */
const refused = async () => (await boss.call('GET', '/tapi/refused_steps')).json<{ data: Row[] }>().data;

describe('fills', () => {
  it('run on the server on insert and when their inputs change, and otherwise never', async () => {
    const { id: rope, name } = await service({ rate: '250' });
    const sent = { service_id: rope, grade: 'mine', lines: [{ service_id: rope, qty: 2, rate: '1' }] };
    const one = await ticket(sent);
    expect(one).toMatchObject({ grade: `p3/${String(name)}`, total: '500.00', lines: [{ rate: '250.00' }] });
    expect(await ok(put(one.id, { priority: 'p1' }))).toMatchObject({ grade: `p1/${String(name)}` });
    const before = { ...ran };
    expect(await ok(put(one.id, { subject: 'Another', grade: 'mine' }))).toMatchObject({ grade: `p1/${String(name)}` });
    expect(ran).toEqual(before);
    // The rate of the service is another now; a row that did not change keeps what it has.
    const { version } = await ok(agent.call('GET', `/tapi/${SERVICE}/${rope}`));
    await ok(agent.call('PUT', `/tapi/${SERVICE}/${rope}`, { version, rate: '300' }));
    const lines = [...(await read(one.id)).lines, { service_id: rope, qty: 1 }];
    const more = await ok(put(one.id, { lines }));
    expect(more.lines.map(({ rate }) => rate)).toEqual(['250.00', '300.00']);
    // Typed in its place, it does not stay, unless the record says so.
    const typed = (rate: string) => more.lines.map((row, at) => (at === 0 ? { ...row, rate } : row));
    expect((await ok(put(one.id, { lines: typed('7') }))).lines[0]!.rate).toBe('300.00');
    expect((await ok(put(one.id, { own_rate: true, lines: typed('7') }))).lines[0]!.rate).toBe('7.00');
    const attended = await ok(step(one.id, 'attend'));
    expect(attended.lines.map(({ rate }) => rate)).toEqual(['7.00', '300.00']);
  });

  it('run again once if a transition says so', async () => {
    const { id: rope } = await service({ rate: '250' });
    const one = await ticket({ lines: [{ service_id: rope, qty: 1 }] });
    const { version } = await ok(agent.call('GET', `/tapi/${SERVICE}/${rope}`));
    await ok(agent.call('PUT', `/tapi/${SERVICE}/${rope}`, { version, rate: '300' }));
    const before = ran.rate;
    expect(await ok(step(one.id, 'attend'))).toMatchObject({ total: '300.00', lines: [{ rate: '300.00' }] });
    expect(ran.rate).toBe(before + 1);
  });

  it('preview their values while somebody types, and store nothing', async () => {
    const { id: rope, name } = await service({ rate: '250' });
    const values = { subject: 'Typed', priority: 'p1', service_id: rope, lines: [{ service_id: rope }, {}] };
    const asked = await ok(agent.call('POST', `/tapi/${TICKET}/fill`, { values }));
    expect(asked).toEqual({ grade: `p1/${String(name)}`, lines: [{ rate: '250.00' }, { rate: null }] });
    const one = await ticket({ service_id: rope });
    const again = await ok(agent.call('POST', `/tapi/${TICKET}/fill`, { id: one.id, values: { priority: 'p1' } }));
    expect(again.grade).toBe(`p1/${String(name)}`);
    expect((await read(one.id)).grade).toBe(`p3/${String(name)}`);
    expect((await reader.call('POST', `/tapi/${TICKET}/fill`, { values })).statusCode).toBe(403);
    expect((await agent.call('POST', `/tapi/${SERVICE}/fill`, { values: {} })).statusCode).toBe(404);
    expect((await agent.call('POST', `/tapi/${TICKET}/fill`, {})).statusCode).toBe(400);
  });
});

describe('actions', () => {
  const act = (by: Caller, run: string, body: object) => by.call('POST', `/tapi/${TICKET}/action/desk.${run}`, body);
  const named = async (name: string) =>
    (await acme.sql(`select 1 from ${acme.schema}.desk_service where name = $1`, [name])).length;

  it('store the results of a stored record together with their side effects', async () => {
    const { id: help } = await service();
    const one = await ticket({ subject: 'Stuck' });
    const { version } = one;
    const wrong = [{ why: 'no' }, {}, { why: 'x', other: 1 }, { why: 'x', help_id: 999_999 }];
    for (const params of wrong)
      expect((await act(agent, 'escalate', { id: one.id, version, params })).statusCode).toBe(422);
    expect(await named('Stuck stored')).toBe(0);
    const body = { id: one.id, version, params: { why: 'Smoke', help_id: help } };
    expect((await act(reader, 'escalate', body)).statusCode).toBe(403);
    expect((await act(agent, 'escalate', { ...body, version: version + 1 })).statusCode).toBe(409);
    const key = { 'idempotency-key': 'escalate-1' };
    const done = await ok(agent.call('POST', `/tapi/${TICKET}/action/desk.escalate`, body, key));
    expect(done).toEqual({ set: null, done: 'It is urgent now.' });
    await ok(agent.call('POST', `/tapi/${TICKET}/action/desk.escalate`, body, key));
    // What depends on it was filled in as in any other change.
    expect(await read(one.id)).toMatchObject({ priority: 'p1', note: 'Smoke', service_id: help });
    expect(await named('Stuck stored')).toBe(1);
    const again = await act(agent, 'escalate', { ...body, version: version + 1 });
    expect([again.statusCode, again.body]).toEqual([409, expect.stringContaining('not possible')]);
    expect((await act(agent, 'unknown', body)).statusCode).toBe(404);
  });

  it('compute from the values of a form, and store nothing', async () => {
    const { id: help, name } = await service();
    const form = { values: { subject: 'Typed', lines: [] }, params: { why: 'Smoke', help_id: help } };
    expect(await ok(act(agent, 'escalate', form))).toEqual({
      set: { priority: 'p1', note: 'Smoke', service_id: help, service_id__label: name },
      done: 'It is urgent now.',
    });
    expect(await named('Typed typed')).toBe(0);
    const lines = [{ service_id: help }, { service_id: help }];
    const rates = { on: 'rows:lines', values: { subject: 'Typed', lines }, rows: [1], params: { percent: '10' } };
    const { set } = await ok(act(agent, 'change_rates', rates));
    expect((set as { lines: Row[] }).lines.map(({ rate }) => Number(rate))).toEqual([100, 110]);
    expect((await act(agent, 'change_rates', { ...rates, rows: 'all' })).statusCode).toBe(400);
    const choices = `/tapi/${SERVICE}/options?for=${TICKET}.help_id&q=${encodeURIComponent(String(name))}`;
    expect((await agent.call('GET', choices)).json<{ data: Row[] }>().data).toHaveLength(1);
  });

  it('run on a selection as a whole, and on the list', async () => {
    const [one, two] = [await ticket(), await ticket()];
    const other = await ok(act(agent, 'note_all', { on: 'selection', ids: [one.id, two.id] }));
    expect(other.done).toBeNull();
    expect((await read(two.id)).note).toBe('One of 2');
    expect((await act(agent, 'note_all', { on: 'selection', ids: [one.id, 999_999] })).statusCode).toBe(404);
    expect((await read(one.id)).note).toBe('One of 2');
    // What people enter stays in a state in which they cannot change it any more.
    const ended = await ticket();
    await acme.sql(`update ${acme.schema}.${TICKET} set status = 'expired' where id = $1`, [ended.id]);
    const late = await act(agent, 'note_all', { on: 'selection', ids: [one.id, two.id, ended.id] });
    expect([late.statusCode, late.body]).toEqual([409, expect.stringContaining('can no longer be changed')]);
    expect((await read(one.id)).note).toBe('One of 2');
    expect((await ok(act(agent, 'clear_notes', { on: 'list' }))).done).toBe('All are cleared.');
    expect((await read(one.id)).note).toBeNull();
  });
});

describe('steps by date', () => {
  const notices = () =>
    acme.sql<{ title: string }>(
      `select title from ${acme.schema}.notification where event_code = 'step.refused' and user_id = $1`,
      [agent.userId],
    );
  const at = (moment: string) => world.sweep(new Date(moment));

  it('are taken when the day is over in the record’s time zone, caught up later, and only once', async () => {
    const one = await ticket({ due_on: '2030-03-04' });
    const urgent = await ticket({ due_on: '2030-03-04', priority: 'p1' });
    // In India the 5th begins at half past six of the 4th, UTC.
    await at('2030-03-04T18:29:00Z');
    expect((await read(one.id)).status).toBe('reported');
    expect((await step(one.id, 'expire')).statusCode).toBe(404);
    await Promise.all([at('2030-05-01T00:00:00Z'), at('2030-05-01T00:00:00Z'), at('2030-05-01T00:00:00Z')]);
    expect(await read(one.id)).toMatchObject({ status: 'expired', version: one.version + 1 });
    expect((await read(urgent.id)).status).toBe('reported');
    const logged = await acme.sql(
      `select transition, cause, by from ${acme.schema}.transition_log where record_type = $1 and record_id = $2`,
      [TICKET, one.id],
    );
    expect(logged).toEqual([{ transition: 'expire', cause: 'date', by: 0 }]);
  });

  it('come at a moment, and people may take them as well', async () => {
    const one = await ticket({ remind_at: '2030-03-04T10:00:00.000Z' });
    await at('2030-03-04T11:59:59Z');
    expect((await read(one.id)).status).toBe('reported');
    await at('2030-03-04T12:00:00Z');
    expect((await read(one.id)).status).toBe('attending');
    const two = await ticket();
    expect((await read(two.id))._can).toEqual(expect.arrayContaining([{ name: 'attend', blocked: null }]));
    expect(await ok(step(two.id, 'attend'))).toMatchObject({ status: 'attending' });
  });

  it('count working days by an expression of the record', async () => {
    const { id: slow } = await service({ close_after_days: 2 });
    const one = await ticket({ service_id: slow, due_on: '2030-03-01' });
    await ok(step(one.id, 'attend'));
    await ok(step(one.id, 'resolve'));
    // A Friday; Sunday is free where nobody has said otherwise, so that it is Monday.
    await at('2030-03-03T12:00:00Z');
    expect((await read(one.id)).status).toBe('resolved');
    await at('2030-03-03T18:30:00Z');
    expect((await read(one.id)).status).toBe('closed');
  });

  it('that are refused are flagged, reported once to the owner of the record, and retried', async () => {
    const one = await ticket({ subject: 'Locked', due_on: '2030-06-03', locked: true });
    await at('2030-06-05T00:00:00Z');
    await at('2030-06-05T00:00:30Z');
    await at('2030-06-05T00:02:00Z');
    expect((await read(one.id))._refused).toMatchObject([{ title: 'Expire', message: 'Unlock it first.' }]);
    const listed = { record: 'Desk ticket Locked', step: 'Expire', message: 'Unlock it first.' };
    expect(await refused()).toMatchObject([listed]);
    expect((await agent.call('GET', '/tapi/refused_steps')).statusCode).toBe(403);
    expect((await notices()).map(({ title }) => title)).toEqual([
      'Expire is due for desk ticket Locked, and is refused',
    ]);
    await ok(put(one.id, { locked: false }));
    await at('2030-06-05T12:00:00Z');
    const taken = await read(one.id);
    expect([taken.status, taken._refused]).toEqual(['expired', undefined]);
    expect(await refused()).toEqual([]);
  });
});

const delivered = async () => {
  // The event, then the steps that follow from it.
  while ((await world.app.deliveries.deliver(acme)) > 0);
};

describe('steps by a function', () => {
  it('that are refused make their act fail, and are flagged until they succeed', async () => {
    const other = await ticket({ subject: 'Left open' });
    for (const name of ['attend', 'resolve']) await ok(step(other.id, name));
    const lock = (locked: boolean) =>
      acme.sql(`update ${acme.schema}.desk_ticket set locked = $2 where id = $1`, [other.id, locked]);
    await lock(true);
    const one = await ticket({ note: String(other.id) });
    for (let time = 0; time < 2; time++) {
      const answer = await step(one.id, 'give_up');
      expect([answer.statusCode, answer.body]).toEqual([422, expect.stringContaining('Unlock it first.')]);
    }
    expect(await read(one.id)).toMatchObject({ status: 'reported', version: one.version });
    expect((await read(other.id))._refused).toMatchObject([{ title: 'Shut', message: 'Unlock it first.' }]);
    expect(await refused()).toMatchObject([{ record: 'Desk ticket Left open', step: 'Shut' }]);
    await lock(false);
    expect(await ok(step(one.id, 'give_up'))).toMatchObject({ status: 'resolved' });
    const taken = await read(other.id);
    expect([taken.status, taken._refused]).toEqual(['closed', undefined]);
    expect(await refused()).toEqual([]);
  });
});

describe('steps by event', () => {
  const visit = (id: number) => ok(agent.call('POST', '/tapi/desk_visit', { ticket_id: id }), 201);
  const times = async (id: number, transition: string) =>
    (
      await acme.sql(
        `select 1 from ${acme.schema}.transition_log where record_type = $1 and record_id = $2 and transition = $3`,
        [TICKET, id, transition],
      )
    ).length;
  it('are taken on the record that the event refers to, once per delivery', async () => {
    const [one, other] = [await ticket(), await ticket()];
    await ok(step(one.id, 'attend'));
    await visit(one.id);
    await visit(other.id);
    await Promise.all([delivered(), delivered()]);
    expect([(await read(one.id)).status, (await read(other.id)).status]).toEqual(['resolved', 'reported']);
    expect(await times(one.id, 'resolve')).toBe(1);
    expect(await world.app.deliveries.parked(acme)).toEqual([]);
  });

  it('that are refused are flagged once, however often they are retried, until they succeed', async () => {
    const one = await ticket({ subject: 'Shut', locked: true });
    await ok(step(one.id, 'attend'));
    await visit(one.id);
    const tried = async () => {
      await acme.sql(`update ${acme.schema}.event_delivery set next_at = now() where state = 'waiting'`);
      await delivered();
    };
    await tried();
    await tried();
    const flagged = { title: 'Resolve', message: 'Unlock it first.' };
    expect([(await read(one.id)).status, (await read(one.id))._refused]).toMatchObject(['attending', [flagged]]);
    expect(await refused()).toMatchObject([{ record: 'Desk ticket Shut', step: 'Resolve', page: expect.any(String) }]);
    await acme.sql(`update ${acme.schema}.desk_ticket set locked = false where id = $1`, [one.id]);
    await tried();
    const taken = await read(one.id);
    expect([taken.status, taken._refused]).toEqual(['resolved', undefined]);
    expect(await refused()).toEqual([]);
  });

  it('are taken on all records that refer to it, each separately', async () => {
    const { id: rope, version } = await service();
    const same = { service_id: rope, priority: 'p1' };
    const [one, two, low] = [await ticket(same), await ticket(same), await ticket({ service_id: rope })];
    await ok(agent.call('PUT', `/tapi/${SERVICE}/${rope}`, { version, name: 'Another rope' }));
    await delivered();
    const states = await Promise.all([one, two, low].map(async ({ id }) => (await read(id)).status));
    expect(states).toEqual(['attending', 'attending', 'reported']);
  });
});

describe('clocks', () => {
  /** "18-08 10:40" of 2025 in India. */
  const moment = (text: string) => {
    const [, day, month, time] = /^(\d\d)-(\d\d) (\d\d:\d\d)$/.exec(text)!;
    return new Date(`2025-${month}-${day}T${time}:00+05:30`);
  };
  const go = (text: string) => {
    now = moment(text);
  };
  const due = (record: Row) => (record.restore_by === null ? null : new Date(String(record.restore_by)).getTime());
  const at = (text: string) => moment(text).getTime();
  const clock = async (id: number) => {
    const { data } = (await agent.call('GET', `/tapi/${TICKET}/${id}/clocks`)).json<{ data: Row[] }>();
    return data[0]!;
  };
  const sweep = async (text: string) => {
    go(text);
    await world.sweep(now!);
    await delivered();
  };
  const begun = (id: number) => said.filter((one) => one.startsWith(`${id} `)).map((one) => one.split('restore_')[1]);
  /** What the history says of when a record is due, the newest first. */
  const dueChanges = async (id: number) => {
    const { data } = (await agent.call('GET', `/tapi/${TICKET}/${id}/history`)).json<{
      data: { change: Record<string, [string | null, string | null]> | null }[];
    }>();
    return data.flatMap(({ change }) =>
      change?.restore_by ? [change.restore_by.map((one) => one && new Date(one).getTime())] : [],
    );
  };
  const raised = (more: object = {}) => ticket({ reported_at: moment('14-08 17:10').toISOString(), ...more });

  beforeAll(async () => {
    now = undefined;
    const day = (weekday: string) => [
      { weekday, from_time: '09:30', to_time: '13:00' },
      { weekday, from_time: '13:30', to_time: '18:00' },
    ];
    const hours = [
      ...['mo', 'tu', 'we', 'th', 'fr'].flatMap(day),
      { weekday: 'sa', from_time: '09:30', to_time: '13:30' },
    ];
    const add = (type: string, body: object) => ok(boss.call('POST', `/tapi/${type}`, body), 201);
    const calendar = { code: 'IN', name: 'India', timezone: 'Asia/Kolkata', is_default: true, hours };
    await add('business_calendar', calendar);
    const rules = [
      { weekday: 'sunday', weeks: ['all'] },
      { weekday: 'saturday', weeks: ['2', '4'] },
    ];
    await add('weekoff', { code: 'IN', name: 'India', is_default: true, effective_from: '2025-01-01', rules });
    for (const date of ['2025-08-15', '2025-08-27'])
      await acme.sql(
        `insert into ${acme.schema}.holiday (entity_id, name, date, holiday_type, holiday_group, financial_year) values ($1, $2, $3, 'national', 'All', '2025-2026')`,
        [acme.entityIds[0], `Holiday ${date}`, date],
      );
  });
  afterAll(() => {
    now = undefined;
  });

  it('are due over business hours, stop while paused, and are missed or met', async () => {
    go('14-08 17:10');
    const pause = await ok(agent.call('POST', '/tapi/desk_pause', { name: 'Parts', stops_clock: true }), 201);
    const talk = await ok(agent.call('POST', '/tapi/desk_pause', { name: 'Talk', stops_clock: false }), 201);
    const one = await raised({ holder: 'L1' });
    expect(due(one)).toBe(at('18-08 12:40'));
    expect(one.restore_clock).toMatchObject({ state: 'running', target: 480, elapsed: 0 });
    const { version } = one;
    await ok(step(one.id, 'attend'));
    go('16-08 11:00');
    expect((await ok(put(one.id, { holder: 'Network' }))).version).toBe(version + 2);
    go('18-08 11:00');
    // A pause that does not stop the clock.
    expect(due(await ok(step(one.id, 'wait', { pause_id: talk.id })))).toBe(at('18-08 12:40'));
    await ok(step(one.id, 'attend'));
    const paused = await ok(step(one.id, 'wait', { pause_id: pause.id }));
    expect(due(paused)).toBeNull();
    expect(paused.restore_clock).toMatchObject({ state: 'paused', elapsed: 380 });
    // As it was when the record came into the state.
    await ok(agent.call('PUT', `/tapi/desk_pause/${pause.id}`, { version: pause.version, stops_clock: false }));
    go('19-08 15:30');
    expect(due(await ok(step(one.id, 'attend')))).toBe(at('19-08 17:10'));
    go('20-08 10:20');
    const ended = await ok(step(one.id, 'resolve'));
    expect(ended.restore_clock).toMatchObject({ state: 'missed', elapsed: 580 });
    expect(due(ended)).toBe(at('19-08 17:10'));
    expect((await clock(one.id)).by).toEqual([
      { holder: 'L1', minutes: 140 },
      { holder: 'Network', minutes: 440 },
    ]);
    // Opened again it goes on.
    go('22-08 12:00');
    await ok(step(one.id, 'reopen'));
    go('22-08 12:30');
    expect(await clock(one.id)).toMatchObject({ state: 'running', elapsed: 610 });
    const quick = await raised();
    go('16-08 10:00');
    await ok(step(quick.id, 'attend'));
    expect((await ok(step(quick.id, 'resolve'))).restore_clock).toMatchObject({ state: 'met', elapsed: 80 });
  });

  it('keep their target until a field that it depends on changes, and keep the used time', async () => {
    go('14-08 17:10');
    const one = await raised();
    go('18-08 10:00');
    expect(due(await ok(put(one.id, { note: 'Nothing new' })))).toBe(at('18-08 12:40'));
    expect(due(await ok(put(one.id, { priority: 'p1' })))).toBe(at('16-08 12:40'));
    expect(await clock(one.id)).toMatchObject({ state: 'running', target: 240, elapsed: 320 });
    // With the change that it follows from; what a new record begins with is none.
    expect(await dueChanges(one.id)).toEqual([[at('18-08 12:40'), at('16-08 12:40')]]);
    expect(
      await acme.sql(`select 1 from ${acme.schema}.history where record_type = $1 and record_id = $2`, [
        TICKET,
        one.id,
      ]),
    ).toHaveLength(3);
  });

  it('report each band once, however late, and steps may follow', async () => {
    go('14-08 17:10');
    const one = await raised();
    await sweep('18-08 10:39');
    expect(begun(one.id)).toEqual([]);
    await Promise.all([sweep('18-08 10:40'), sweep('18-08 10:40')]);
    expect(begun(one.id)).toEqual(['soon']);
    // Nobody has looked for days.
    await sweep('25-08 12:00');
    await sweep('25-08 12:01');
    expect(begun(one.id)).toEqual(['soon', 'late', 'very_late']);
    expect((await read(one.id)).status).toBe('late');
    const ended = await ok(step(one.id, 'resolve'));
    expect(ended.restore_clock).toMatchObject({ state: 'missed' });
    const rows = await acme.sql<{ next_at: string | null }>(
      `select next_at from ${acme.schema}.record_clock where record_type = $1 and record_id = $2`,
      [TICKET, one.id],
    );
    expect(rows).toEqual([{ next_at: null }]);
  });

  it('skip working days on which a branch has no hours', async () => {
    now = undefined;
    const [branch] = await acme.sql<{ id: number }>(
      `insert into ${acme.schema}.branch (entity_id, code, name, branch_type, address1, city, state_id, country, pincode)
       select id, 'SHORT', 'Short week', 'branch', address1, city, state_id, country, pincode from ${acme.schema}.entity where id = $1 returning id`,
      [acme.entityIds[0]],
    );
    const hours = ['mo', 'tu', 'we', 'th'].map((weekday) => ({ weekday, from_time: '10:00', to_time: '16:00' }));
    const calendar = { code: 'SHORT', name: 'Short week', timezone: 'Asia/Kolkata', branch_ids: [branch!.id], hours };
    await ok(boss.call('POST', '/tapi/business_calendar', calendar), 201);
    const { id: next } = await service({ close_after_days: 1 });
    const one = await ticket({ service_id: next, branch_id: branch!.id, due_on: '2030-03-07' });
    await ok(step(one.id, 'attend'));
    await ok(step(one.id, 'resolve'));
    // A Thursday: the next day with hours is Monday.
    await world.sweep(new Date('2030-03-10T12:00:00Z'));
    expect((await read(one.id)).status).toBe('resolved');
    await world.sweep(new Date('2030-03-10T18:30:00Z'));
    expect((await read(one.id)).status).toBe('closed');
  });

  it('are recalculated when working hours change', async () => {
    go('20-08 10:00');
    const one = await ticket({ reported_at: now!.toISOString() });
    expect(due(one)).toBe(at('21-08 10:00'));
    const { data } = (await boss.call('GET', '/tapi/business_calendar?columns=*')).json<{ data: Doc[] }>();
    const [india] = data.filter(({ code }) => code === 'IN');
    const stored = await ok(boss.call('GET', `/tapi/business_calendar/${india!.id}`));
    const around = { version: stored.version, round_the_clock: true };
    await ok(boss.call('PUT', `/tapi/business_calendar/${stored.id}`, around));
    await world.app.jobs.drain();
    expect(due(await read(one.id))).toBe(at('20-08 18:00'));
    expect(await dueChanges(one.id)).toEqual([[at('21-08 10:00'), at('20-08 18:00')]]);
  });
});
