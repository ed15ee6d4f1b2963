import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { notifyFailure } from '../../../src/server/services/jobs/failure_notices.ts';
import type { ServerPresence } from '../../../src/server/db/server_presence.ts';
import { createServerPresence } from '../../../src/server/db/server_presence.ts';
import { createJobs } from '../../../src/server/services/jobs/jobs.ts';
import { brokenAuditEntry } from '../../../src/server/platform/upkeep/audit_chain.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

let world: World;
let acme: TestTenant;
let admin: Caller;
let asha: Caller;

beforeAll(async () => {
  world = await startWorld();
  acme = await world.tenant({ companies: 1 });
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  await acme.user('asha', { companies: [{ company: 1 }] });
  [admin, asha] = await Promise.all([world.signIn(acme, 'admin'), world.signIn(acme, 'asha')]);
});
afterAll(() => world.close());

const quiet = { info: () => undefined, error: () => undefined };
const runsOf = (name: string) =>
  world.database.directory.main.query<{
    id: number;
    state: string;
    attempts: number;
    message: string | null;
    error: string | null;
  }>('select id, state, attempts, message, error from public.job where name = $1 order by id', [name]);
let number = 0;
let name: string;
beforeEach(() => {
  name = `test_${process.pid}_${++number}`;
});
let presence: ServerPresence;
beforeAll(() => {
  presence = createServerPresence(world.database.directory.main);
});
afterAll(() => presence.close());
const queue = (turnMs?: number) =>
  createJobs({
    directory: world.database.directory,
    presence,
    bus: world.app.services.bus,
    log: quiet,
    ...(turnMs !== undefined && { turnMs }),
  });

it('administrators of the client are notified of a failed run without further retries', async () => {
  const failing = { name, title: `Failing ${name}`, run: () => Promise.reject(new Error('The disk is full.')) };
  const failures: string[] = [];
  const jobs = createJobs({
    directory: world.database.directory,
    presence,
    bus: world.app.services.bus,
    log: quiet,
    onFailed: async (failure) => {
      failures.push(`${failure.definition.name} ${failure.schema}`);
      await notifyFailure(
        world.app.notifications,
        failure,
        () => Promise.reject(new Error('not the platform')),
        (schema) => world.app.services.tenants.bySchema(schema),
      );
    },
  });
  jobs.define({ ...failing, retrySeconds: [60] });
  await jobs.enqueue(acme.schema, name);
  await jobs.drain();
  expect(failures).toEqual([]);
  await world.database.directory.main.query('update public.job set run_at = now() where name = $1', [name]);
  await jobs.drain();
  expect(failures).toEqual([`${name} ${acme.schema}`]);
  const told = () =>
    acme.sql<{ user_id: number; title: string; body: string }>(
      `select user_id, title, body from {s}.notification where event_code = 'job.failed'`,
    );
  expect(await told()).toEqual([
    { user_id: admin.userId, title: `The job "Failing ${name}" failed`, body: 'The disk is full.' },
  ]);
  await jobs.close();
});

describe('the queue', () => {
  it('each run is processed once, by whichever process comes first', async () => {
    const [one, two] = [queue(), queue()];
    const done: string[] = [];
    for (const [who, jobs] of [
      ['one', one],
      ['two', two],
    ] as const)
      jobs.define({
        name,
        title: name,
        run: async ({ payload }) => {
          await new Promise((resolve) => setTimeout(resolve, 5));
          done.push(`${who} ${String(payload.n)}`);
          return undefined;
        },
      });
    for (let n = 0; n < 20; n++) await one.enqueue(acme.schema, name, { n });
    await Promise.all([one.drain(), two.drain()]);
    expect(done.map((text) => Number(text.split(' ')[1])).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, n) => n),
    );
    expect(new Set(done.map((text) => text.split(' ')[0])).size).toBe(2);
    await Promise.all([one.close(), two.close()]);
  });

  it('does not queue a waiting job twice, and passes the client’s tenant', async () => {
    const jobs = queue();
    const schemas: (string | undefined)[] = [];
    jobs.define({
      name,
      title: name,
      run: ({ tenant }) => Promise.resolve(void schemas.push(tenant?.schema)).then(() => 'done'),
    });
    expect(await jobs.enqueue(acme.schema, name, {}, { key: 'a' })).toBeTypeOf('number');
    expect(await jobs.enqueue(acme.schema, name, {}, { key: 'a' })).toBeNull();
    expect(await jobs.drain()).toBe(1);
    expect(schemas).toEqual([acme.schema]);
    expect(await runsOf(name)).toMatchObject([{ state: 'done', message: 'done' }]);
    await jobs.close();
  });

  it('runs with the same key take turns, and the waiting one replaces a retry', async () => {
    const [one, two] = [queue(), queue()];
    let together = 0;
    let most = 0;
    const runs: number[] = [];
    for (const jobs of [one, two])
      jobs.define({
        name,
        title: name,
        retrySeconds: [60],
        run: async ({ id }) => {
          most = Math.max(most, ++together);
          runs.push(id);
          if (runs.length === 1) {
            // The second run is queued while the first one runs, and nobody takes it up.
            await one.enqueue(acme.schema, name, {}, { key: 'a' });
            expect(await two.drain()).toBe(0);
          }
          together--;
          if (runs.length === 1) throw new Error('No luck');
          return 'done';
        },
      });
    await one.enqueue(acme.schema, name, {}, { key: 'a' });
    expect(await one.drain()).toBe(2);
    expect(most).toBe(1);
    expect(await runsOf(name)).toMatchObject([
      { state: 'failed', error: 'No luck' },
      { state: 'done', message: 'done' },
    ]);
    await Promise.all([one.close(), two.close()]);
  });

  it('retries after a failure, then reports the failure', async () => {
    const jobs = queue();
    jobs.define({ name, title: name, retrySeconds: [60], run: () => Promise.reject(new Error('No luck')) });
    await jobs.enqueue(acme.schema, name);
    await jobs.drain();
    expect(await runsOf(name)).toMatchObject([{ state: 'queued', attempts: 1, error: 'No luck' }]);
    await world.database.directory.main.query('update public.job set run_at = now() where name = $1', [name]);
    await jobs.drain();
    expect(await runsOf(name)).toMatchObject([{ state: 'failed', attempts: 2, error: 'No luck' }]);
    await jobs.close();
  });

  it('takes over at once the runs of a dead server, never those of a living one', async () => {
    const other = createServerPresence(world.database.directory.main);
    const jobs = queue();
    jobs.define({ name, title: name, run: () => Promise.resolve('done') });
    await jobs.enqueue(acme.schema, name);
    await world.database.directory.main.query(
      `update public.job set state = 'running', attempts = 1, server = $2, leased_until = now() + interval '1 hour' where name = $1`,
      [name, await other.number()],
    );
    expect(await jobs.drain()).toBe(0);
    other.close();
    await expect.poll(() => jobs.drain()).toBe(1);
    expect(await runsOf(name)).toMatchObject([{ state: 'done', attempts: 2 }]);
    await jobs.close();
  });

  it('gives up a run during which the server stopped repeatedly', async () => {
    const jobs = queue();
    jobs.define({ name, title: name, run: () => Promise.resolve('done') });
    await jobs.enqueue(acme.schema, name);
    await world.database.directory.main.query(
      `update public.job set state = 'running', attempts = 5, server = 1, leased_until = now() + interval '1 hour' where name = $1`,
      [name],
    );
    expect(await jobs.drain()).toBe(1);
    expect(await runsOf(name)).toMatchObject([
      { state: 'failed', error: 'The server stopped each of 5 times while this ran.' },
    ]);
    await jobs.close();
  });

  it('takes over a run of another release when its lease has expired', async () => {
    const jobs = queue();
    let ran = 0;
    jobs.define({ name, title: name, run: () => Promise.resolve(String(++ran)) });
    await jobs.enqueue(acme.schema, name);
    await world.database.directory.main.query(
      `update public.job set state = 'running', attempts = 1, leased_until = now() + interval '1 minute' where name = $1`,
      [name],
    );
    expect(await jobs.drain()).toBe(0);
    await world.database.directory.main.query(
      `update public.job set leased_until = now() - interval '1 second' where name = $1`,
      [name],
    );
    expect(await jobs.drain()).toBe(1);
    expect(ran).toBe(1);
    await jobs.close();
  });

  it('a schedule runs when it is due, in the client’s time, and missed runs are not repeated', async () => {
    const jobs = queue();
    // The run's database has clients of other tests too.
    let ran = 0;
    jobs.define({
      name,
      title: name,
      cron: '30 9 * * *',
      run: ({ tenant }) => Promise.resolve(String(tenant?.schema === acme.schema ? ++ran : ran)),
    });
    const at = (text: string) => new Date(`${text}+05:30`);
    await jobs.tick(at('2026-11-21T08:00:00'));
    await jobs.drain();
    expect(ran).toBe(0);
    const next = async () =>
      (
        await world.database.directory.main.query<{ at: string }>(
          `select next_at as at from public.job_schedule where name = $1 and schema_name = $2`,
          [name, acme.schema],
        )
      )[0]!.at;
    expect(Date.parse(await next())).toBe(at('2026-11-21T09:30:00').getTime());
    await jobs.tick(at('2026-11-24T10:00:00'));
    await jobs.drain();
    expect(ran).toBe(1);
    expect(Date.parse(await next())).toBe(at('2026-11-25T09:30:00').getTime());
    await jobs.close();
  });

  it('alternates between clients: a client with many runs does not delay others', async () => {
    const jobs = queue();
    const order: string[] = [];
    jobs.define({
      name,
      title: name,
      run: ({ tenant }) => Promise.resolve(void order.push(tenant!.schema)).then(() => ''),
    });
    const other = await world.tenant();
    for (let n = 0; n < 5; n++) await jobs.enqueue(acme.schema, name, { n });
    await jobs.enqueue(other.schema, name);
    await jobs.drain();
    expect(order).toHaveLength(6);
    expect(order.indexOf(other.schema)).toBeLessThan(2);
    await jobs.close();
  });

  it('a long run yields to another client after each turn, and continues where it was', async () => {
    const jobs = queue(0);
    const order: string[] = [];
    const other = await world.tenant();
    // How far each client is, as a job of descriptors stores it with its steps.
    const done = new Map<string, number>();
    jobs.define({
      name,
      title: name,
      async run({ tenant, progress }) {
        for (let at = done.get(tenant!.schema) ?? 0; at < 3; at++) {
          await progress(at, 3);
          order.push(tenant!.schema);
          done.set(tenant!.schema, at + 1);
        }
        return 'done';
      },
    });
    await jobs.enqueue(acme.schema, name);
    await jobs.enqueue(other.schema, name);
    await jobs.drain();
    expect([...done.values()]).toEqual([3, 3]);
    // Neither does all of its steps before the other begins.
    expect(order.lastIndexOf(acme.schema)).toBeGreaterThan(order.indexOf(other.schema));
    expect(order.lastIndexOf(other.schema)).toBeGreaterThan(order.indexOf(acme.schema));
    expect(await runsOf(name)).toMatchObject([
      { state: 'done', attempts: 1 },
      { state: 'done', attempts: 1 },
    ]);
    await jobs.close();
  });

  it('nothing runs for a client that is switched off', async () => {
    const jobs = queue();
    let ran = 0;
    jobs.define({ name, title: name, run: () => Promise.resolve(String(++ran)) });
    const off = await world.tenant({ active: false });
    await jobs.enqueue(off.schema, name);
    await jobs.drain();
    expect(ran).toBe(0);
    await jobs.close();
  });
});

describe('administrators', () => {
  it('see when each job ran, start one, and switch one off; others cannot', async () => {
    await world.app.jobs.tick();
    expect((await asha.call('GET', '/tapi/jobs')).statusCode).toBe(403);
    expect((await asha.call('POST', '/tapi/jobs/session_sweep/run')).statusCode).toBe(403);
    expect((await admin.call('POST', '/tapi/jobs/session_sweep/run')).statusCode).toBe(202);
    await world.app.jobs.drain();
    const { data } = (await admin.call('GET', '/tapi/jobs')).json<{
      data: { name: string; last_state: string | null; active: boolean; next_at: string }[];
    }>();
    expect(data.find((one) => one.name === 'session_sweep')).toMatchObject({ last_state: 'done', active: true });
    expect(
      (await admin.call('GET', '/tapi/jobs/log?name=session_sweep')).json<{
        data: { trigger: string; state: string }[];
      }>().data[0],
    ).toMatchObject({ trigger: 'person', state: 'done' });
    expect((await admin.call('PUT', '/tapi/jobs/session_sweep', { active: false })).statusCode).toBe(200);
    expect((await admin.call('POST', '/tapi/jobs/no_such_job/run')).statusCode).toBe(404);
  });
});

describe('the platform’s jobs', () => {
  const run = async (job: string) => {
    await world.app.jobs.enqueue(acme.schema, job);
    await world.app.jobs.drain();
    return (
      await world.database.directory.main.query<{ state: string; message: string | null; error: string | null }>(
        'select state, message, error from public.job where schema_name = $1 and name = $2 order by id desc limit 1',
        [acme.schema, job],
      )
    )[0]!;
  };

  it('audit_verify finds a changed entry', async () => {
    expect(await run('audit_verify')).toMatchObject({ state: 'done', message: 'The chain is unbroken.' });
    const [entry] = await acme.sql<{ seq: number }>('select min(seq)::int as seq from {s}.audit_log');
    await acme.sql(`update {s}.audit_log set action = 'nothing' where seq = $1`, [entry!.seq]);
    expect(await brokenAuditEntry(acme)).toBe(entry!.seq);
    expect(await run('audit_verify')).toMatchObject({
      state: 'failed',
      error: `Entry ${entry!.seq} of the audit log does not follow from the one before it.`,
    });
    await acme.sql(`update {s}.audit_log set action = 'login' where seq = $1`, [entry!.seq]);
  });

  it('user_validity disables expired users and signs them out, but never the last administrator', async () => {
    await acme.user('temp', { companies: [{ company: 1 }] });
    const temp = await world.signIn(acme, 'temp');
    await acme.sql(`update {s}.users set valid_to = current_date - 2 where username in ('temp', 'admin')`);
    expect((await run('user_validity')).message).toBe('1 users disabled.');
    expect(await acme.sql(`select username from {s}.users where status = 'disabled'`)).toEqual([{ username: 'temp' }]);
    expect((await temp.call('GET', '/tapi/menu')).statusCode).toBe(401);
    await acme.sql(`update {s}.users set valid_to = null where username = 'admin'`);
  });

  it('digest sends unread entries once a day, in one mail', async () => {
    const [{ id } = { id: 0 }] = await acme.sql<{ id: number }>(`select id from {s}.users where username = 'asha'`);
    await acme.sql(
      `insert into {s}.notification_preference (user_id, event_code, email) values ($1, 'comment', 'digest')`,
      [id],
    );
    await acme.sql(
      `insert into {s}.notification_hours (user_id, digest_at) values ($1, ((now() at time zone 'Asia/Kolkata') - interval '1 minute')::time)`,
      [id],
    );
    await acme.sql(
      `insert into {s}.notification (user_id, event_code, title) select $1, 'comment', 'Comment ' || n from generate_series(1, 53) n`,
      [id],
    );
    expect((await run('digest')).message).toBe('1 digests sent.');
    expect((await run('digest')).message).toBe('0 digests sent.');
    const [mail] = await acme.sql<{ subject: string; body: string }>(
      `select subject, body from {s}.outbox where event_code = 'digest'`,
    );
    expect(mail).toMatchObject({ subject: '53 unread notifications' });
    expect(mail!.body).toContain('and 3 more');
  });

  it('tree_verify repairs the reporting tree and reports it', async () => {
    expect((await run('tree_verify')).state).toBe('done');
  });
});
