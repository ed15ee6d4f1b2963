import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { APPROVALS, schemasWith } from '../schemas_with.ts';
import type { ServerProcess } from '../server_process.ts';
import { startServerProcess } from '../server_process.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';
import modules, { wish } from './heard_module.ts';
import { TOLD, killedDatabaseCases } from './killed_database.ts';

// Servers start one after the other, beside the browser tests, which go first.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 180_000 });

interface Heard {
  event: string;
  record: number | null;
  fields: string;
}
interface Parked {
  id: number;
  event: string;
  subscriber: string;
  record_id: number;
  attempts: number;
  error: string;
  waiting: number;
}

let world: World;
let acme: TestTenant;
let admin: Caller;
let clerk: Caller;
let writer: PoolClient;

const type = (title: string, properties: object, more: object = {}) => ({
  $schema: '../meta/screen.schema.json',
  kind: 'master',
  title,
  access: { screen: `SCN_${title.toUpperCase()}`, module: 'MASTERS' },
  label: [Object.keys(properties)[0]],
  schema: { required: [Object.keys(properties)[0]], properties },
  grid: Object.keys(properties),
  ...more,
});
const text = { $ref: 'types#text', maxLength: 80 };
const DESCRIPTORS = {
  spoken: type(
    'Spoken',
    { name: text, note: text },
    {
      workflow: {
        states: { draft: {}, posted: { is: 'closed' } },
        transitions: { post: { from: ['draft'], to: 'posted', effects: [{ 'test_heard.say': {} }] } },
      },
    },
  ),
  told: TOLD,
  slip: type(
    'Slip',
    { name: text, due_on: { $ref: 'types#date' } },
    {
      workflow: {
        states: { open: {}, asked: {}, sent: {}, over: { is: 'closed' } },
        transitions: {
          ask: { from: ['open'], to: 'asked' },
          send: { from: ['open', 'asked'], to: 'sent', effects: [{ print: { name: 'letter', keep: true } }] },
          lapse: { from: ['open'], to: 'over', auto: { date: 'due_on', after: 1 } },
        },
      },
      approval: { asks: 'ask', approved: 'send' },
      print: { letter: { blocks: [{ box: ['name', 'due_on'] }] } },
    },
  ),
  circling: type('Circling', { note: text }),
  unheard: type('Unheard', { note: text }),
  heard: type('Heard', {
    event: text,
    record: { $ref: 'types#integer' },
    delivery: { $ref: 'types#integer' },
    fields: text,
  }),
};

const { schemasDir, remove } = schemasWith(DESCRIPTORS, APPROVALS);

beforeAll(async () => {
  world = await startWorld({ schemasDir, killable: true, modules });
  world.app.jobs.define({
    name: 'test_job',
    title: 'Test',
    run: ({ payload }) => Promise.resolve(String(payload.record)),
  });
  acme = await world.tenant();
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  await acme.user('clerk', { companies: [{ company: 1 }] });
  [admin, clerk] = await Promise.all([world.signIn(acme, 'admin'), world.signIn(acme, 'clerk')]);
  for (const name of Object.keys(DESCRIPTORS)) await admin.call('GET', `/tapi/${name}`);
  writer = await acme.db.owner.connect();
});
afterAll(async () => {
  writer.release();
  await world.close();
  remove();
});
beforeEach(async () => {
  wish.fails = () => false;
  await acme.sql('delete from {s}.domain_event');
  await acme.sql('delete from {s}.heard');
});

type Answer = { json: () => unknown; body: string; statusCode: number };
const data = <T>(answer: Answer): T => {
  expect(answer.statusCode, answer.body).toBeLessThan(300);
  return (answer.json() as { data: T }).data;
};
const spoken = async (name: string) =>
  data<{ id: number; version: number }>(await admin.call('POST', '/tapi/spoken', { name }));
const change = async ({ id, version }: { id: number; version: number }, set: object) =>
  data<{ id: number; version: number }>(await admin.call('PUT', `/tapi/spoken/${id}`, { ...set, version }));
const deliver = () => world.app.deliveries.deliver(acme);
const heard = () => acme.sql<Heard>('select event, record, fields from {s}.heard order by id');
const events = () => acme.sql<{ name: string }>('select name from {s}.domain_event order by id');
const dueNow = () => acme.sql(`update {s}.event_delivery set next_at = now() where state = 'waiting'`);
const parked = async () => data<Parked[]>(await admin.call('GET', '/tapi/event_delivery'));
const as = (statement: string) => writer.query(statement.replaceAll('{s}', `"${acme.schema}"`));
const waiting = (count: number) =>
  expect
    .poll(
      async () =>
        (
          await world.database.directory.main.query(
            `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).length,
      { timeout: 60_000 },
    )
    .toBe(count);
const another = (more: Record<string, string> = {}): Promise<ServerProcess> =>
  startServerProcess(world.database, {
    SCHEMAS_DIR: schemasDir,
    TEST_MODULES: join(import.meta.dirname, 'heard_module.ts'),
    ...more,
  });

test('record events are delivered in order, with names of fields and no values', async () => {
  const one = await spoken('One');
  const two = await change(one, { note: 'Secret' });
  const key = { 'idempotency-key': randomUUID() };
  const post = (address: string) =>
    admin.call('POST', `/tapi/spoken/${one.id}/${address}`, { version: two.version }, key);
  // A preview leaves neither event nor key behind.
  data(await post('post?preview=1'));
  expect((await events()).map(({ name }) => name)).toEqual(['spoken.created', 'spoken.changed']);
  const posted = data<{ version: number; status: string }>(await post('post'));
  expect(data(await post('post'))).toMatchObject({ status: 'posted', version: posted.version });
  data(await admin.call('POST', `/tapi/spoken/${one.id}/deactivate`, { version: posted.version }));
  data<object>(await admin.call('POST', '/tapi/unheard', { note: 'Nobody' }));
  expect(await heard()).toEqual([]);
  expect(await deliver()).toBe(7);
  expect(await heard()).toEqual(
    [
      ['spoken.created', '{}'],
      ['spoken.changed', '{"fields":["note"]}'],
      ['spoken.changed', '{"fields":["status"]}'],
      ['test_heard.said', '{"word":"posted"}'],
      ['spoken.post', '{}'],
      ['spoken.changed', '{"fields":["active"]}'],
    ].map(([event, fields]) => ({ event, record: one.id, fields })),
  );
  expect(await deliver()).toBe(0);
  const other = await spoken('Two');
  expect((await admin.call('DELETE', `/tapi/spoken/${other.id}`)).statusCode).toBe(204);
  await deliver();
  expect((await heard()).slice(-2).map(({ event }) => event)).toEqual(['spoken.created', 'spoken.removed']);
  expect((await events()).some(({ name }) => name.startsWith('unheard'))).toBe(false);
});

test('a refused or rolled-back write publishes nothing', async () => {
  expect((await admin.call('POST', '/tapi/spoken', { note: 'No name' })).statusCode).toBe(422);
  const one = await spoken('Stale');
  await acme.sql('delete from {s}.domain_event');
  expect((await admin.call('PUT', `/tapi/spoken/${one.id}`, { note: 'x', version: 9 })).statusCode).toBe(409);
  expect(await events()).toEqual([]);
});

test('a job queued by a unit runs once, however often it is delivered', async () => {
  const one = await spoken('Job');
  data(await admin.call('POST', `/tapi/spoken/${one.id}/post`, { version: one.version }));
  await deliver();
  await world.app.jobs.drain();
  // As if the server had stopped after it queued the job and before it noted so.
  await acme.sql(`update {s}.event_delivery set state = 'waiting', next_at = now() where subscriber = 'job'`);
  expect(await deliver()).toBe(1);
  await world.app.jobs.drain();
  const runs = (await world.app.jobs.log(acme.schema, { name: 'test_job' })) as { message: string; state: string }[];
  expect(runs.filter(({ message }) => message === String(one.id))).toMatchObject([{ state: 'done' }]);
});

test('a failed event is retried and finally parked; later events of its record wait for it, others do not', async () => {
  const one = await spoken('Fails');
  await deliver();
  wish.fails = (name) => name === 'spoken.changed';
  await change(one, { note: 'a' });
  wish.fails = (name) => name === 'spoken.changed';
  expect(await deliver()).toBe(0);
  const [{ wait }] = (await acme.sql<{ wait: number }>(
    `select round(extract(epoch from next_at - now()))::int as wait from {s}.event_delivery where state = 'waiting'`,
  )) as [{ wait: number }];
  expect(wait).toBeGreaterThan(5);
  expect(wait).toBeLessThanOrEqual(10);
  expect((await admin.call('DELETE', `/tapi/spoken/${one.id}`)).statusCode).toBe(204);
  const other = await spoken('Goes on');
  expect(await deliver()).toBe(1);
  for (let time = 2; time <= 6; time++) {
    expect(await parked()).toEqual([]);
    await dueNow();
    expect(await deliver()).toBe(0);
  }
  const [stuck, ...more] = await parked();
  expect(more).toEqual([]);
  expect(stuck).toMatchObject({
    event: 'spoken.changed',
    subscriber: 'test_heard',
    record_id: one.id,
    attempts: 6,
    error: 'This one fails.',
    waiting: 1,
  });
  expect(
    await acme.sql(`select user_id, link from {s}.notification where event_code = 'job.failed' order by id`),
  ).toEqual([{ user_id: admin.userId, link: '/jobs?tab=parked' }]);
  // What failed wrote nothing.
  expect((await heard()).map(({ event, record }) => [event, record])).toEqual([
    ['spoken.created', one.id],
    ['spoken.created', other.id],
  ]);
  await dueNow();
  expect(await deliver()).toBe(0);

  expect((await clerk.call('GET', '/tapi/event_delivery')).statusCode).toBe(403);
  expect((await clerk.call('POST', `/tapi/event_delivery/${stuck!.id}/retry`)).statusCode).toBe(403);
  data(await admin.call('POST', `/tapi/event_delivery/${stuck!.id}/retry`));
  expect((await admin.call('POST', `/tapi/event_delivery/${stuck!.id}/drop`)).statusCode).toBe(409);
  wish.fails = () => false;
  expect(await deliver()).toBe(2);
  expect((await heard()).slice(-2).map(({ event }) => event)).toEqual(['spoken.changed', 'spoken.removed']);
});

test('dropping a parked event lets the later ones continue', async () => {
  const one = await spoken('Dropped');
  wish.fails = (name) => name === 'spoken.created';
  await acme.sql('update {s}.event_delivery set attempts = 5');
  expect(await deliver()).toBe(0);
  await change(one, { note: 'a' });
  expect(await deliver()).toBe(0);
  const [stuck] = await parked();
  data(await admin.call('POST', `/tapi/event_delivery/${stuck!.id}/drop`));
  expect((await admin.call('POST', '/tapi/event_delivery/999999999/drop')).statusCode).toBe(404);
  expect(await deliver()).toBe(1);
  expect((await heard()).map(({ event }) => event)).toEqual(['spoken.changed']);
});

test('events in a cycle are parked at the sixth', async () => {
  const { id, version } = data<{ id: number; version: number }>(
    await admin.call('POST', '/tapi/circling', { note: 'a' }),
  );
  data(await admin.call('PUT', `/tapi/circling/${id}`, { note: 'b', version }));
  expect(await deliver()).toBe(5);
  expect(await acme.sql('select note from {s}.circling')).toEqual([{ note: 'b.....' }]);
  const [stuck] = await parked();
  expect(stuck).toMatchObject({ event: 'circling.changed', subscriber: 'test_circle' });
  expect(stuck!.error).toMatch(/6th event/);
  data(await admin.call('POST', `/tapi/event_delivery/${stuck!.id}/drop`));
});

test('two processes deliver each event once, those of a record in order', async () => {
  const others = await Promise.all([another({ TEST_DELIVERS: '1' }), another({ TEST_DELIVERS: '1' })]);
  try {
    const records = await Promise.all(['A', 'B', 'C', 'D'].map(spoken));
    await Promise.all(
      records.map(async (record) => {
        let now = record;
        for (let time = 0; time < 8; time++) now = await change(now, { note: `${time}` });
      }),
    );
    await expect
      .poll(async () => (await acme.sql(`select 1 from {s}.event_delivery where state <> 'done'`)).length, {
        timeout: 60_000,
      })
      .toBe(0);
    const all = await acme.sql<{ record: number; delivery: number }>(
      'select record, delivery from {s}.heard order by id',
    );
    expect(all).toHaveLength(records.length * 9);
    for (const { id } of records) {
      const numbers = all.filter(({ record }) => record === id).map(({ delivery }) => delivery);
      expect(numbers).toHaveLength(9);
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    }
  } finally {
    await Promise.all(others.map((one) => one.kill()));
  }
});

test('a claimed delivery is performed though another worker’s claim locks its row for a moment', async () => {
  await spoken('Locked');
  const db: typeof acme.db = Object.create(acme.db, {
    query: {
      value: async (statement: string, values?: unknown[]) => {
        const rows = await acme.db.query(statement, values);
        if (statement.includes('set attempts = attempts + 1') && rows.length > 0)
          await as('begin; select 1 from {s}.event_delivery for update');
        return rows;
      },
    },
  });
  const delivered = world.app.deliveries.deliver({ ...acme, db });
  await waiting(1);
  await as('commit');
  expect(await delivered).toBe(1);
  expect((await heard()).map(({ event }) => event)).toEqual(['spoken.created']);
});

test('a server killed before the commit, after it, or in a subscriber loses and repeats nothing', async () => {
  const authorization = `Bearer ${admin.token}`;
  const body = { name: 'Killed' };
  const before = await another();
  await as('begin; lock table {s}.domain_event in share mode');
  const lost = before.call(acme.host, 'POST', '/tapi/spoken', body, { authorization }).catch(() => null);
  await waiting(1);
  await before.kill();
  await as('commit');
  expect(await lost).toBeNull();
  await waiting(0);
  expect(await acme.sql(`select 1 from {s}.spoken where name = 'Killed'`)).toEqual([]);
  expect(await events()).toEqual([]);

  const after = await another();
  const done = await after.call(acme.host, 'POST', '/tapi/spoken', body, { authorization });
  expect(done.status, done.body).toBe(201);
  await after.kill();
  expect(await heard()).toEqual([]);
  expect(await world.app.deliveries.sweep()).toBe(1);
  expect((await heard()).map(({ event }) => event)).toEqual(['spoken.created']);

  await as('begin; lock table {s}.heard in share mode');
  const within = await another({ TEST_DELIVERS: '1' });
  await spoken('Killed too');
  await waiting(1);
  await within.kill();
  await as('commit');
  await waiting(0);
  expect(await heard()).toHaveLength(1);
  await dueNow();
  expect(await world.app.deliveries.sweep()).toBe(1);
  expect(await heard()).toHaveLength(2);
  expect(await world.app.deliveries.sweep()).toBe(0);
});

/** Another server reminds, takes a step that is due and lays out a document, and is cut off before anything of it is done. */
async function cutWhileSweeping(
  cut: (server: ServerProcess) => Promise<unknown>,
  { endsLocks = false } = {},
): Promise<void> {
  for (const name of ['approval_request', 'approval_process']) await admin.call('GET', `/tapi/${name}`);
  const slip = async (set: object) =>
    data<{ id: number; version: number }>(await admin.call('POST', '/tapi/slip', { name: 'Slip', ...set }));
  const sent = await slip({ due_on: '2099-01-01' });
  const late = await slip({ due_on: '2020-01-01' });
  data(await admin.call('POST', `/tapi/slip/${sent.id}/send`, { version: sent.version }));
  const [asked] = await acme.sql<{ id: number }>(
    `insert into {s}.approval_request (entity_id, subject, transaction_type, record_id, state, asked_at, remind_at, waiting_for_ids, current_level)
     values ($1, 'Killed', 'slip', $3, 'waiting', now(), now(), $2, 1) returning id`,
    [acme.entityIds[0], [clerk.userId], sent.id],
  );
  await deliver();
  const SWEEPS = ['approvals', 'due_steps', 'issued_documents'];
  const queue = async () => {
    for (const name of SWEEPS) await world.app.jobs.enqueue(acme.schema, name);
  };
  const done = async () =>
    (
      await acme.sql<Record<string, number>>(
        `select (select count(*)::int from {s}.notification where event_code = 'approval.reminder' and record_id = $2) as reminders,
           (select count(*)::int from {s}.outbox where event_code = 'approval.reminder' and channel = 'mail' and link = $4) as mails,
           (select count(*)::int from {s}.approval_request where remind_at is null and id = $2) as reminded,
           (select count(*)::int from {s}.slip where status = 'over' and id = $1) as lapsed,
           (select count(*)::int from {s}.transition_log where record_type = 'slip' and record_id = $1) as steps,
           (select count(*)::int from {s}.kept_print where file_id is not null and record_id = $3) as documents,
           (select count(*)::int from {s}.file f where not exists (select 1 from {s}.kept_print k where k.file_id = f.id)) as lost_files`,
        [late.id, asked!.id, sent.id, `/approval/view/${asked!.id}`],
      )
    )[0]!;
  const nothing = { reminders: 0, mails: 0, reminded: 0, lapsed: 0, steps: 0, documents: 0, lost_files: 0 };
  await as('begin; lock table {s}.notification, {s}.slip, {s}.file in share mode');
  await queue();
  const within = await another({ TEST_DRAINS: '3' });
  try {
    await waiting(3);
    await cut(within);
    if (!endsLocks) {
      expect(await done()).toEqual(nothing);
      await as('commit');
      await waiting(0);
    }
    // A server that lives on may have begun again by itself.
    const once = { reminders: 1, mails: 1, reminded: 1, lapsed: 1, steps: 1, documents: 1, lost_files: 0 };
    for (let time = 0; time < 2; time++) {
      await queue();
      await world.app.jobs.drain();
      await expect.poll(done, { timeout: 60_000 }).toEqual(once);
    }
  } finally {
    await within.kill();
  }
}

test('a server killed during a reminder, a due step or a print does each once afterwards', () =>
  cutWhileSweeping((server) => server.kill()));

test('a database that ends the connections of a sweep loses and repeats nothing', () =>
  cutWhileSweeping(async () => {
    const cut = await world.database.directory.main.query<{ ended: boolean }>(
      `select pg_terminate_backend(pid) as ended from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    expect(cut.map(({ ended }) => ended)).toEqual([true, true, true]);
  }));

test('a database killed with all its processes during a sweep loses and repeats nothing', () =>
  cutWhileSweeping(
    async () => {
      // It ends this connection too, with the locks that held the sweep up.
      const held = writer;
      held.on('error', () => undefined);
      world.database.kill();
      await expect.poll(() => acme.sql('select 1 as up').catch(() => null)).toEqual([{ up: 1 }]);
      held.release(true);
      writer = await acme.db.owner.connect();
    },
    { endsLocks: true },
  ));

killedDatabaseCases(() => ({ world, acme, admin, clerk }));
