import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { cutAt, cutStatements } from '../cut_statements.ts';
import type { Caller, TestTenant, World } from '../world.ts';

const text = { $ref: 'types#text', maxLength: 80 };

/** A type whose one step gives a number, writes to people, queues a job and says an event. */
export const TOLD = {
  $schema: '../meta/screen.schema.json',
  kind: 'master',
  title: 'Told',
  access: { screen: 'SCN_TOLD', module: 'MASTERS' },
  label: ['name'],
  schema: { required: ['name'], properties: { name: text, reader: { $ref: 'types#integer' }, told_no: text } },
  grid: ['name'],
  number: { field: 'told_no', pattern: 'T{0000}', on: 'post' },
  workflow: {
    states: { draft: {}, posted: { is: 'closed' } },
    transitions: { post: { from: ['draft'], to: 'posted', effects: [{ 'test_told.tell': {} }] } },
  },
};

interface Told {
  id: number;
  name: string;
  version: number;
}

/** The database server is killed with all its processes, at another statement each time. */
export function killedDatabaseCases(
  known: () => { world: World; acme: TestTenant; admin: Caller; clerk: Caller },
): void {
  let made = 0;
  const drafted = async (): Promise<Told> => {
    const { acme, admin, clerk } = known();
    // Many unread notices become one.
    await acme.sql('update {s}.notification set read_at = now() where read_at is null');
    const answer = await admin.call('POST', '/tapi/told', { name: `N${++made}`, reader: clerk.userId });
    expect(answer.statusCode, answer.body).toBe(201);
    return answer.json<{ data: Told }>().data;
  };
  /** Posts it, as a caller does who calls again with the same key until there is an answer. */
  const poster = ({ id, version }: Told) => {
    const key = { 'idempotency-key': randomUUID() };
    return async () => (await known().admin.call('POST', `/tapi/told/${id}/post`, { version }, key)).statusCode;
  };
  const deliver = () => known().world.app.deliveries.deliver(known().acme);
  const killed = () => Promise.resolve(known().world.database.kill());
  /** The database is there again, by itself. */
  const again = () =>
    expect
      .poll(() =>
        known()
          .acme.sql('select 1 as up')
          .catch(() => null),
      )
      .toEqual([{ up: 1 }]);
  /** All that follows from what was posted, so often as it is there. */
  const found = () =>
    known().acme.sql(
      `select t.name, t.status, t.told_no, t.version,
         (select count(*)::int from {s}.history h where h.record_type = 'told' and h.record_id = t.id and h.op = 'U') as changes,
         (select count(*)::int from {s}.transition_log l where l.record_type = 'told' and l.record_id = t.id) as steps,
         (select sum(n.count)::int from {s}.notification n where n.record_type = 'told' and n.record_id = t.id) as notices,
         (select count(*)::int from {s}.outbox o where o.recipient = 'buyer@example.in' and o.subject = t.name) as mails,
         (select count(*)::int from {s}.heard h where h.event = 'test_told.said' and h.record = t.id) as heard,
         (select count(*)::int from public.job j where j.schema_name = $1 and j.name = 'test_job' and j.payload = jsonb_build_object('told', t.id)) as jobs
       from {s}.told t order by t.id`,
      [known().acme.schema],
    );
  const once = ({ name }: Told, heard: number) => ({
    name,
    status: 'posted',
    told_no: `T${name.slice(1).padStart(4, '0')}`,
    version: 2,
    changes: 1,
    steps: 1,
    notices: 1,
    mails: 1,
    heard,
    jobs: heard,
  });

  test('a database killed at any write of a step or a delivery loses and repeats nothing', async () => {
    const { acme } = known();
    const uncut = cutStatements();
    try {
      const all: Told[] = [];
      for (let at = 0, cut = true; cut; at++) {
        const told = await drafted();
        const post = poster(told);
        all.push(told);
        cut = await cutAt(at, killed, post);
        await again();
        expect(await post()).toBe(200);
        expect((await found()).at(-1)).toEqual(once(told, 0));
      }
      // From writing the key to committing.
      expect(all.length).toBeGreaterThan(10);
      // What was acknowledged is there though the database is killed at once, and is delivered then.
      await killed();
      await again();
      expect(await found()).toEqual(all.map((told) => once(told, 0)));
      await deliver();
      expect(await found()).toEqual(all.map((told) => once(told, 1)));

      for (let at = 0, cut = true; cut; at++) {
        const told = await drafted();
        all.push(told);
        expect(await poster(told)()).toBe(200);
        cut = await cutAt(at, killed, () => deliver().catch(() => undefined));
        await again();
        await acme.sql(`update {s}.event_delivery set next_at = now() where state = 'waiting'`);
        await deliver();
        expect((await found()).at(-1)).toEqual(once(told, 1));
      }
      expect(await found()).toEqual(all.map((told) => once(told, 1)));
      expect(await acme.sql(`select 1 from {s}.event_delivery where state <> 'done'`)).toEqual([]);
    } finally {
      uncut();
    }
  });
}
