import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startServerProcess } from '../server_process.ts';
import { cutOffAt } from './cut_off.ts';
import type { Caller, TestTenant, World } from '../world.ts';

type Row = Record<string, unknown>;
interface Outcome extends Row {
  key: string;
  state: string;
}

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const text = { $ref: 'types#text', maxLength: 60 };

/** A made-up type that people work on without a network. */
export const OFFLINE_TYPES: Record<string, object> = {
  offline_visit: {
    $schema: '../meta/screen.schema.json',
    kind: 'document',
    title: 'Visit',
    scope: 'entity',
    access: { screen: 'SCN_ACT_BILL', module: 'MASTERS' },
    label: ['place'],
    relations: { author: 'created_by' },
    schema: {
      required: ['place'],
      properties: {
        place: text,
        found: text,
        advice: text,
        quietly: { ...text, 'x-visible': 'viewer.author' },
        photos: { type: 'array', items: { properties: { shows: text, picture: { $ref: 'types#image' } } } },
        after_id: { $ref: 'types#ref', 'x-ref': 'offline_visit', title: 'After' },
        left_at: { $ref: 'types#datetime', readOnly: true },
      },
    },
    workflow: {
      states: { planned: { edit: true }, there: { edit: true }, left: { is: 'closed' } },
      transitions: {
        arrive: { from: ['planned'], to: 'there' },
        leave: { from: ['there'], to: 'left', ask: ['advice'], set: { left_at: 'now()' } },
        skip: { from: ['planned'], to: 'left' },
      },
    },
    offline: {
      does: ['create', 'change', 'rows:photos', 'arrive', 'leave'],
      notify: ['author'],
      packet: [
        { type: 'offline_visit', filter: ['status', 'eq', 'there'] },
        { type: 'offline_visit', via: 'after_id' },
        { type: 'offline_visit', via: 'after_id.after_id' },
      ],
    },
  },
};

/** What a device was used for without a network arrives once and in order, or needs its person. */
export function offlineCases(
  known: () => { world: World; schemasDir: string; acme: TestTenant; admin: Caller; clerk: Caller },
): void {
  const ok = async <T = Row>(answer: ReturnType<Caller['call']>, status = 200): Promise<T> => {
    const got = await answer;
    expect(got.statusCode, got.body).toBe(status);
    return got.json<{ data: T }>().data;
  };
  const send = (acts: object[], by = known().clerk, more: object = {}) =>
    ok<Outcome[]>(by.call('POST', '/tapi/offline', { acts, ...more }));
  const add = async (place: string) =>
    (await ok<{ id: number }>(known().admin.call('POST', '/tapi/offline_visit', { place, found: 'nothing' }), 201)).id;
  const read = (id: number) => ok<Row & { version: number }>(known().admin.call('GET', `/tapi/offline_visit/${id}`));
  const keys = (id: number) => (at: number) => `visit-${id}-${at}`;
  const act = (id: number, at: number, name: string, input: object = {}) => ({
    key: keys(id)(at),
    type: 'offline_visit',
    id,
    do: name,
    input,
  });

  /** A small picture, each another. */
  const photo = (at: number) => Buffer.concat([PNG, Buffer.from(`photo ${at}`)]);
  const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  const TARGET = 'offline_visit.photos.picture';
  type Begun = Row & { id?: number; upload_id?: string; offset?: number };
  const begin = async (bytes: Buffer): Promise<Begun> => {
    const asked = { name: 'photo.png', size: bytes.length, for: TARGET, sha256: sha(bytes) };
    const answer = await known().clerk.call('POST', '/tapi/files/parts', asked);
    expect([200, 201], answer.body).toContain(answer.statusCode);
    return answer.json<{ data: Begun }>().data;
  };
  const put = (id: string, offset: number, part: Buffer) =>
    known().world.inject({
      method: 'PUT',
      url: `/tapi/files/parts/${id}?offset=${offset}`,
      payload: part,
      headers: {
        host: known().acme.host,
        authorization: `Bearer ${known().clerk.token}`,
        'content-type': 'application/octet-stream',
      },
    });
  /** Sends a photo as a device does. */
  const sent = async (bytes: Buffer): Promise<{ id: number }> => {
    const begun = await begin(bytes);
    if (begun.id !== undefined) return { id: begun.id };
    const rest = bytes.subarray(begun.offset);
    return (await put(begun.upload_id!, begun.offset!, rest)).json<{ data: { id: number } }>().data;
  };

  /** Unread notices of many refused acts are merged. */
  const readAll = () => known().acme.sql('update {s}.notification set read_at = now() where read_at is null');

  describe('offline changes', () => {
    it('forty acts of a day arrive in order and once, however often they are sent', async () => {
      const ids = await Promise.all(Array.from({ length: 10 }, (_, at) => add(`House ${at}`)));
      const photos = Array.from({ length: 3 }, (_, at) => ({ shows: `Photo ${at}` }));
      const acts = ids.flatMap((id) => [
        act(id, 1, 'arrive'),
        act(id, 2, 'change', { found: ['nothing', 'a worn rope'], photos: [[], photos] }),
        act(id, 3, 'change', { found: ['a worn rope', 'two worn ropes'] }),
        act(id, 4, 'leave'),
      ]);
      // The answer of the first part is lost: it is sent again with all the rest, by two tabs at once.
      await send(acts.slice(0, 17));
      const answers = await Promise.all([send(acts), send(acts)]);
      for (const answer of answers) expect(new Set(answer.map(({ state }) => state))).toEqual(new Set(['done']));
      for (const id of ids) {
        expect(await read(id)).toMatchObject({ status: 'left', found: 'two worn ropes', photos });
        const log = await known().acme.sql(
          `select transition, cause from {s}.transition_log where record_type = 'offline_visit' and record_id = $1 order by id`,
          [id],
        );
        expect(log).toEqual([
          { transition: 'arrive', cause: 'offline' },
          { transition: 'leave', cause: 'offline' },
        ]);
      }
    });

    it('conflicts are asked about field by field, and later acts on that record wait', async () => {
      const [one, other] = [await add('North'), await add('South')];
      const { version } = await read(one);
      const set = { version, found: 'a broken door', advice: 'Call us' };
      await ok(known().admin.call('PUT', `/tapi/offline_visit/${one}`, set));
      const acts = [
        act(one, 1, 'change', { found: ['nothing', 'a worn rope'], place: ['North', 'North gate'] }),
        act(one, 2, 'arrive'),
        act(other, 1, 'arrive'),
      ];
      expect(await send(acts)).toEqual([
        expect.objectContaining({ state: 'needs_you', theirs: { found: 'a broken door' } }),
        { key: keys(one)(2), state: 'waits' },
        { key: keys(other)(1), state: 'done', id: other },
      ]);
      expect(await read(one)).toMatchObject({ found: 'a broken door', place: 'North', status: 'planned' });
      // Decided: their value is known now, and is replaced.
      const decided = act(one, 3, 'change', {
        found: ['a broken door', 'a worn rope'],
        place: ['North', 'North gate'],
      });
      const states = (await send([decided, acts[1]!])).map(({ state }) => state);
      expect(states).toEqual(['done', 'done']);
      expect(await read(one)).toMatchObject({
        found: 'a worn rope',
        advice: 'Call us',
        place: 'North gate',
        status: 'there',
      });
    });

    it('are checked by the rights and the state on arrival, and only acts that the type allows are accepted', async () => {
      const id = await add('East');
      await ok(known().admin.call('POST', `/tapi/offline_visit/${id}/skip`, { version: (await read(id)).version }));
      const [late] = await send([act(id, 1, 'arrive')]);
      expect(late).toMatchObject({ state: 'needs_you', code: 'bad_state' });
      const open = await add('West');
      for (const [wrong, code] of [
        [act(open, 1, 'skip'), 'not_found'],
        [act(open, 2, 'change', { found: 'a worn rope' }), 'bad_request'],
        [act(open, 3, 'change', { status: ['planned', 'left'] }), undefined],
        [{ ...act(open, 4, 'change'), type: 'act_bill' }, 'not_found'],
        [act(999_999, 5, 'arrive'), 'not_found'],
      ] as const) {
        const [outcome] = await send([wrong]);
        expect(outcome, JSON.stringify(wrong)).toMatchObject({ state: 'needs_you', ...(code && { code }) });
      }
      expect(await read(open)).toMatchObject({ status: 'planned', found: 'nothing' });
      // Another person with the same key has an act of their own.
      await send([act(open, 9, 'arrive')]);
      const [again] = await send([act(open, 9, 'arrive')], known().admin);
      expect(again).toMatchObject({ state: 'needs_you', code: 'bad_state' });
      const bad = await known().clerk.call('POST', '/tapi/offline', {
        acts: [{ ...act(open, 1, 'arrive'), key: 'x' }],
      });
      expect(bad.statusCode).toBe(400);
    });

    it('added rows are kept in whatever state the record is by then, beside those of others, and once', async () => {
      const id = await add('South tower');
      const mine = { shows: 'The rope' };
      const rows = (at: number, input: object) => act(id, at, 'rows:photos', input);
      const shown = async () => ((await read(id)).photos as Row[]).map(({ shows }) => shows);
      const { version } = await read(id);
      await ok(
        known().admin.call('PUT', `/tapi/offline_visit/${id}`, { version, photos: [{ shows: 'Of the office' }] }),
      );
      await ok(known().admin.call('POST', `/tapi/offline_visit/${id}/skip`, { version: (await read(id)).version }));
      // The state takes no change any more, but what was seen there is kept.
      const [change, added] = await Promise.all([
        send([act(id, 1, 'change', { found: ['nothing', 'rust'] })]),
        send([rows(2, { photos: [[], [mine]] })]),
      ]);
      expect([change[0], added[0]]).toMatchObject([{ code: 'bad_state' }, { state: 'done' }]);
      expect(await shown()).toEqual(['Of the office', 'The rope']);
      // A second act of the same device names the first row as it knows it, without a number.
      expect(await send([rows(3, { photos: [[mine], [mine, { shows: 'The door' }]] })])).toMatchObject([
        { state: 'done' },
      ]);
      expect(await shown()).toEqual(['Of the office', 'The rope', 'The door']);
      const refused = await send([
        rows(4, { photos: [[], [{ shows: 'x'.repeat(80) }]] }),
        { ...rows(5, { photos: [[], [mine]], found: ['nothing', 'rust'] }), id: await add('North tower') },
        { ...act(await add('East tower'), 6, 'rows:found', { found: [[], [mine]] }) },
      ]);
      expect(refused.map(({ state, code }) => [state, code])).toEqual([
        ['needs_you', 'invalid'],
        ['needs_you', 'bad_request'],
        ['needs_you', 'not_found'],
      ]);
      expect(await read(id)).toMatchObject({ found: 'nothing', status: 'left' });
    });

    it('a day with forty acts and thirty photos arrives once and in order while others change the same records', async () => {
      const ids = await Promise.all(Array.from({ length: 10 }, (_, at) => add(`Tower ${at}`)));
      const photos = Array.from({ length: 30 }, (_, at) => photo(at));
      const names = photos.map((bytes) => `sha256:${sha(bytes)}`);
      const row = (at: number) => ({ shows: `Photo ${at}`, picture: names[at] });
      const acts = ids.flatMap((id, at) => [
        act(id, 1, 'arrive'),
        act(id, 2, 'change', { found: ['nothing', 'a worn rope'], photos: [[], [row(at * 3)]] }),
        act(id, 3, 'change', { photos: [[row(at * 3)], [0, 1, 2].map((more) => row(at * 3 + more))] }),
        act(id, 4, 'leave', { advice: `Tower ${at} is safe` }),
      ]);
      // Others have worked on every third record: on another field, or on the same one.
      for (const [at, id] of ids.entries()) {
        const { version } = await read(id);
        if (at % 3 === 0) await ok(known().admin.call('PUT', `/tapi/offline_visit/${id}`, { version, place: 'Moved' }));
        if (at === 4) await ok(known().admin.call('PUT', `/tapi/offline_visit/${id}`, { version, found: 'rust' }));
      }
      // An act whose photo has not come is not done, and what follows on its record waits.
      expect((await send(acts.slice(0, 4))).map(({ state, code }) => code ?? state)).toEqual([
        'done',
        'file_missing',
        'waits',
        'waits',
      ]);
      const numbers = new Map<string, number>();
      for (const bytes of photos) numbers.set(sha(bytes), (await sent(bytes)).id);
      // Sent again, the photos are the ones that are there.
      for (const bytes of photos.slice(0, 5)) expect((await sent(bytes)).id).toBe(numbers.get(sha(bytes)));

      const answers = await send(acts);
      const asked = acts.filter((_, at) => answers[at]!.state !== 'done').map(({ id, do: name }) => [id, name]);
      expect(asked).toEqual(['change', 'change', 'leave'].map((name) => [ids[4], name]));
      expect(answers.find(({ state }) => state === 'needs_you')).toMatchObject({ theirs: { found: 'rust' } });
      const decided = {
        ...act(ids[4]!, 9, 'change', { ...acts[17]!.input, found: ['rust', 'a worn rope'] }),
        instead: acts[17]!.key,
      };
      const rest = await send([...acts.slice(0, 17), decided, ...acts.slice(18)]);
      expect(new Set(rest.map(({ state }) => state))).toEqual(new Set(['done']));
      expect(await send([...acts.slice(0, 17), decided, ...acts.slice(18)])).toEqual(rest);
      for (const [at, id] of ids.entries()) {
        expect(await read(id)).toMatchObject({
          status: 'left',
          place: at % 3 === 0 ? 'Moved' : `Tower ${at}`,
          found: 'a worn rope',
          advice: `Tower ${at} is safe`,
          photos: [0, 1, 2].map((more) => ({
            shows: `Photo ${at * 3 + more}`,
            picture: numbers.get(sha(photos[at * 3 + more]!)),
          })),
        });
      }
      const [{ files, named } = {}] = await known().acme.sql(
        `select count(distinct id)::int as files, count(distinct sha256)::int as named from {s}.file where for_field = 'offline_visit.photos.picture'`,
      );
      expect([files, named]).toEqual([30, 30]);
    });

    it('a photo upload resumes where it broke off, even after its last part, and is refused when damaged', async () => {
      const bytes = Buffer.concat([photo(77), Buffer.alloc(1_000, 7)]);
      const { upload_id: id, offset } = await begin(bytes);
      expect(offset).toBe(0);
      expect((await put(id!, 0, bytes.subarray(0, 300))).json()).toMatchObject({ data: { offset: 300 } });
      // The phone was switched off and remembers nothing: the content alone says which upload it was.
      expect(await begin(bytes)).toMatchObject({ upload_id: id, offset: 300 });
      const done = (await put(id!, 300, bytes.subarray(300))).json<{ data: Row }>().data;
      expect(await begin(bytes)).toEqual(done);
      const other = Buffer.concat([photo(78), Buffer.alloc(10)]);
      const { upload_id: wrong } = await begin(other);
      const damaged = await put(wrong!, 0, Buffer.concat([photo(79), Buffer.alloc(10)]));
      expect([damaged.statusCode, damaged.json<{ error: Row }>().error.code]).toEqual([422, 'damaged']);
      expect(await begin(other)).toMatchObject({ offset: 0 });
    });

    it('a record created on the device is one record, and later acts refer to it by its temporary name', async () => {
      const made = { key: 'made-on-device-1', type: 'offline_visit', do: 'create', input: { place: 'Mill' } };
      const later = {
        ...made,
        key: 'made-on-device-2',
        input: { place: 'Mill, again', after_id: `client:${made.key}` },
      };
      const acts = [
        made,
        later,
        {
          key: 'made-change',
          type: 'offline_visit',
          client_id: made.key,
          do: 'change',
          input: { found: [null, 'dust'] },
        },
        { key: 'made-arrive', type: 'offline_visit', client_id: made.key, do: 'arrive', input: {} },
      ];
      const answers = await send(acts);
      expect(answers.map(({ state }) => state)).toEqual(['done', 'done', 'done', 'done']);
      expect(await send(acts)).toEqual(answers);
      const id = Number(answers[0]!.id);
      expect(await read(id)).toMatchObject({ place: 'Mill', found: 'dust', status: 'there' });
      expect(await read(Number(answers[1]!.id))).toMatchObject({ after_id: id });

      // One that is refused holds what rests on it, and nothing is made.
      const bad = { ...made, key: 'made-on-device-3', input: { found: 'no place' } };
      const rests = { ...later, key: 'made-on-device-4', input: { place: 'Later', after_id: `client:${bad.key}` } };
      expect((await send([bad, rests])).map(({ state, code }) => code ?? state)).toEqual(['invalid', 'waits']);
      expect((await send([rests])).map(({ code }) => code)).toEqual(['made_missing']);
      const good = { ...bad, input: { place: 'Now with one' } };
      expect((await send([good, rests])).map(({ state }) => state)).toEqual(['done', 'done']);
    });

    it('keeps the time of the device, corrected by its clock offset, in order and at most three days back', async () => {
      const id = await add('Clock');
      const hour = 3_600_000;
      const now = Date.now();
      // The device is two hours ahead.
      const at = (hours: number) => new Date(now + 2 * hour - hours * hour).toISOString();
      const acts = [
        { ...act(id, 1, 'arrive'), at: at(5) },
        { ...act(id, 2, 'leave', { advice: 'None' }), at: at(4) },
      ];
      const answer = await known().clerk.call('POST', '/tapi/offline', { acts, now: at(0) });
      expect(answer.json()).toMatchObject({ data: [{ state: 'done' }, { state: 'done' }], clock_ahead: 7200 });
      const log = await known().acme.sql(
        `select at, recorded_at from {s}.transition_log where record_type = 'offline_visit' and record_id = $1 order by id`,
        [id],
      );
      const minutes = (moment: unknown) => Math.round((new Date(String(moment)).getTime() - now) / 60_000);
      expect(log.map((row) => minutes(row.at)).map((before) => Math.round(before / 60))).toEqual([-5, -4]);
      const { left_at: leftAt } = await read(id);
      expect(new Date(String(leftAt)).getTime()).toBe(new Date(String(log[1]!.at)).getTime());
      const history = await ok<Row[]>(known().admin.call('GET', `/tapi/offline_visit/${id}/history`));
      expect(history[0]).toMatchObject({ transition: 'leave', done_at: expect.anything() });

      const odd = await add('Odd clock');
      await send([{ ...act(odd, 1, 'arrive'), at: at(24 * 365) }], undefined, { now: at(0) });
      await send([{ ...act(odd, 2, 'leave'), at: at(24 * 366) }], undefined, { now: at(0) });
      const [first, second] = await known().acme.sql(
        `select at, at >= recorded_at - interval '73 hours' as near from {s}.transition_log where record_type = 'offline_visit' and record_id = $1 order by id`,
        [odd],
      );
      expect([first!.near, second!.near]).toEqual([true, true]);
      expect(new Date(String(second!.at)).getTime()).toBeGreaterThanOrEqual(new Date(String(first!.at)).getTime());
    });

    it('arrives once if the server stops at any statement before it answers', async () => {
      const id = await add('Cut off');
      const arrive = act(id, 1, 'arrive');
      const logged = () =>
        known().acme.sql(
          `select transition from {s}.transition_log where record_type = 'offline_visit' and record_id = $1`,
          [id],
        );
      let status = 0;
      let statement = 0;
      while (status !== 200) {
        const { restore } = cutOffAt(++statement);
        try {
          status = (await known().clerk.call('POST', '/tapi/offline', { acts: [arrive] })).statusCode;
        } finally {
          restore();
        }
        if (status !== 200) expect([statement, await logged()]).toEqual([statement, []]);
      }
      expect(statement).toBeGreaterThan(5);
      expect(await send([arrive])).toEqual([{ key: arrive.key, state: 'done', id }]);
      expect([(await read(id)).status, await logged()]).toEqual(['there', [{ transition: 'arrive' }]]);
    });

    it('arrives once if the server is killed in an act, in a part of a photo, or while a photo is stored', async () => {
      const { world, schemasDir, acme, clerk } = known();
      const id = await add('Killed');
      const arrive = act(id, 1, 'arrive');
      const [parted, stored] = [90, 91].map((at) => Buffer.concat([photo(at), Buffer.alloc(1_000, at)]));
      const server = await startServerProcess(world.database, {
        SCHEMAS_DIR: schemasDir,
        DATA_DIR: world.database.dataDir,
        TEST_MODULES: join(import.meta.dirname, 'acts_module.ts'),
      });
      const headers = { authorization: `Bearer ${clerk.token}` };
      const octets = { ...headers, 'content-type': 'application/octet-stream' };
      const [{ upload_id: first }, { upload_id: second }] = [await begin(parted!), await begin(stored!)];
      const lost: Promise<unknown>[] = [];
      const stopped = await acme.db.transaction(async (tx) => {
        // Neither the act nor the photo can be stored before the server is gone.
        await tx.query(`lock table "${acme.schema}".transition_log, "${acme.schema}".file in share mode`);
        const put_ = `/tapi/files/parts/${second}?offset=0`;
        lost.push(
          server.call(acme.host, 'POST', '/tapi/offline', { acts: [arrive] }, headers),
          server.call(acme.host, 'PUT', put_, stored, octets),
        );
        // Of the other photo half has come.
        const half = request({
          host: '127.0.0.1',
          port: server.port,
          method: 'PUT',
          path: `/tapi/files/parts/${first}?offset=0`,
          headers: { ...octets, host: acme.host, 'content-length': parted!.length },
        });
        lost.push(new Promise((_, reject) => half.once('error', reject)));
        for (const one of lost) one.catch(() => undefined);
        half.write(parted!.subarray(0, 500));
        await expect.poll(async () => (await begin(parted!)).offset).toBe(500);
        const blocked = () =>
          acme.sql<{ pid: number }>(
            `select pid from pg_locks where not granted and relation in ('{s}.transition_log'::regclass, '{s}.file'::regclass)`,
          );
        await expect.poll(async () => (await blocked()).length).toBe(2);
        const pids = (await blocked()).map(({ pid }) => pid);
        await server.kill();
        return pids;
      });
      const ends = await Promise.allSettled(lost);
      expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
      await expect.poll(() => acme.sql('select pid from pg_stat_activity where pid = any($1)', [stopped])).toEqual([]);

      // The device sends the same again.
      expect(await send([arrive])).toEqual([{ key: arrive.key, state: 'done', id }]);
      expect((await begin(parted!)).offset).toBe(500);
      const names = [parted!, stored!].map((bytes) => `sha256:${sha(bytes)}`);
      for (const bytes of [parted!, stored!]) expect((await sent(bytes)).id).toEqual(expect.any(Number));
      const photos = names.map((picture, at) => ({ shows: `Photo ${at}`, picture }));
      const show = act(id, 2, 'change', { photos: [[], photos] });
      const states = (await send([arrive, show])).map(({ state }) => state);
      expect(states).toEqual(['done', 'done']);
      expect(await read(id)).toMatchObject({ status: 'there', photos: [{ shows: 'Photo 0' }, { shows: 'Photo 1' }] });
      const log = await acme.sql(
        `select transition from {s}.transition_log where record_type = 'offline_visit' and record_id = $1`,
        [id],
      );
      expect(log).toEqual([{ transition: 'arrive' }]);
      const files = await acme.sql<{ count: number }>(
        `select count(*)::int as count from {s}.file where sha256 = any($1) group by sha256`,
        [[parted!, stored!].map(sha)],
      );
      expect(files).toEqual([{ count: 1 }, { count: 1 }]);
    });

    it('a device stores what its person may see by the filter, and the referenced records', async () => {
      const { admin, clerk } = known();
      const [first, before] = [await add('First'), await add('Before')];
      const [there, left] = [await add('There'), await add('Neither')];
      await ok(
        admin.call('PUT', `/tapi/offline_visit/${before}`, { version: (await read(before)).version, after_id: first }),
      );
      const change = { version: (await read(there)).version, after_id: before };
      await ok(admin.call('PUT', `/tapi/offline_visit/${there}`, change));
      await send([act(there, 1, 'arrive')]);
      type Kept = { as_of: string; types: { type: string; more: boolean; records: (Row & { id: number })[] }[] };
      const packet = (by: Caller) => ok<Kept>(by.call('GET', '/tapi/offline/packet'));
      const [part, ...others] = (await packet(clerk)).types.filter(({ type }) => type === 'offline_visit');
      expect(others).toEqual([]);
      const kept = new Map(part!.records.map((record) => [record.id, record]));
      expect(kept.get(there)).toMatchObject({
        place: 'There',
        status: 'there',
        _can: [{ name: 'leave', blocked: null }],
      });
      expect([kept.get(before)?.place, kept.get(first)?.place, kept.has(left)]).toEqual(['Before', 'First', false]);
      expect(kept.get(there)).toMatchObject(await ok<Row>(clerk.call('GET', `/tapi/offline_visit/${there}`)));
    });

    it('people whom the type names are notified too, and the step at the record or its deletion resolves the act', async () => {
      const { acme, admin, clerk } = known();
      const [id, gone] = [await add('Named'), await add('Gone')];
      await readAll();
      await send([{ ...act(id, 1, 'leave', { advice: 'Oil it' }), title: 'Named: Leave' }, act(gone, 1, 'leave')]);
      const told = await acme.sql(
        `select link, user_id as "to" from {s}.notification where event_code = 'offline.refused' and title like 'Named: Leave%'`,
      );
      expect(told).toEqual([{ link: `/offline_visit/view/${id}`, to: admin.userId }]);
      const on = async (by: Caller, of: number) =>
        (await ok<Row[]>(by.call('GET', `/tapi/offline/refused?type=offline_visit&id=${of}`))).map(
          ({ do: name }) => name,
        );
      expect([await on(admin, id), await on(clerk, id), await on(admin, gone)]).toEqual([
        ['leave'],
        ['leave'],
        ['leave'],
      ]);
      await ok(admin.call('POST', `/tapi/offline_visit/${id}/arrive`, { version: (await read(id)).version }));
      expect(await on(admin, id)).toEqual(['leave']);
      await ok(admin.call('POST', `/tapi/offline_visit/${id}/leave`, { version: (await read(id)).version }));
      expect((await admin.call('DELETE', `/tapi/offline_visit/${gone}`)).statusCode).toBe(204);
      for (const one of [id, gone]) expect([await on(admin, one), await on(clerk, one)]).toEqual([[], []]);
    });

    it('a refused act is kept with its content, the manager is notified once, and somebody decides about it', async () => {
      const { acme, admin, clerk } = known();
      const id = await add('Refused');
      await ok(admin.call('POST', `/tapi/offline_visit/${id}/skip`, { version: (await read(id)).version }));
      const needed = await acme.sql<{ name: string }>(
        `select attname as name from pg_attribute where attrelid = '{s}.employee'::regclass and attnotnull and attnum > 0 and not atthasdef and attidentity = ''`,
      );
      for (const { name } of needed) await acme.sql(`alter table {s}.employee alter column "${name}" drop not null`);
      const [boss] = await acme.sql<Row>(
        `with boss as (insert into {s}.employee (entity_id, empno, first_name, name, status) select min(entity_id), 'B1', 'Boss', 'Boss', 'active' from {s}.users__companies returning *),
           me as (insert into {s}.employee (entity_id, empno, first_name, name, status, reporting_to_id) select entity_id, 'C1', 'Clerk', 'Clerk', 'active', id from boss returning *)
         select boss.id, me.id as me from boss, me`,
      );
      await acme.sql(
        `insert into {s}.employee_tree (ancestor_id, descendant_id, depth) values ($1, $1, 0), ($1, $2, 1), ($2, $2, 0) on conflict do nothing`,
        [boss!.id, boss!.me],
      );
      await acme.sql('update {s}.users set employee_id = $1 where id = $2', [boss!.id, admin.userId]);
      await acme.sql('update {s}.users set employee_id = $1 where id = $2', [boss!.me, clerk.userId]);
      const late = { ...act(id, 1, 'leave', { advice: 'Oil it' }), title: 'Refused: Leave' };
      await readAll();
      await send([late]);
      await send([late]);
      const refused = (by: Caller) => ok<Row[]>(by.call('GET', '/tapi/offline/refused'));
      const own = (all: Row[]) => all.filter(({ key }) => key === late.key);
      expect(own(await refused(clerk))).toEqual([
        expect.objectContaining({ do: 'leave', id, title: late.title, input: { advice: 'Oil it' }, code: 'bad_state' }),
      ]);
      expect(own(await refused(admin))).toHaveLength(1);
      const told = await acme.sql(
        `select title from {s}.notification where event_code = 'offline.refused' and title like '%Refused: Leave%'`,
      );
      expect(told).toHaveLength(1);
      // Others may not give it up.
      expect((await admin.call('DELETE', `/tapi/offline/refused/${late.key}`)).statusCode).toBe(404);
      expect((await clerk.call('DELETE', `/tapi/offline/refused/${late.key}`)).statusCode).toBe(204);
      expect(own(await refused(clerk))).toEqual([]);

      const open = await add('Changed');
      const wrong = act(open, 1, 'change', { place: ['Changed', null] });
      expect((await send([wrong]))[0]).toMatchObject({ state: 'needs_you', code: 'invalid' });
      const right = { ...act(open, 2, 'change', { place: ['Changed', 'Put right'] }), instead: wrong.key };
      expect((await send([right]))[0]).toMatchObject({ state: 'done' });
      expect((await refused(clerk)).filter(({ key }) => key === wrong.key)).toEqual([]);

      // The manager sees no field that is out of their sight, and nothing of a record that they may not view.
      const new_ = { key: 'refused-made-1', type: 'offline_visit', do: 'create', input: { found: 'x', quietly: 'y' } };
      expect((await send([new_]))[0]).toMatchObject({ state: 'needs_you', code: 'invalid' });
      const [mine, theirs] = [await refused(clerk), await refused(admin)].map((all) =>
        all.filter(({ key }) => key === new_.key),
      );
      expect([mine![0]!.input, theirs![0]!.input]).toEqual([new_.input, { found: 'x' }]);
      const gone = { ...act(open, 3, 'change', { place: ['Put right', null] }) };
      await send([gone]);
      const keysOf = async (by: Caller) => (await refused(by)).map(({ key }) => key);
      expect(await keysOf(admin)).toContain(gone.key);
      await acme.sql('delete from {s}.offline_visit where id = $1', [open]);
      expect([await keysOf(clerk), await keysOf(admin)].map((all) => all.includes(gone.key))).toEqual([true, false]);
      await clerk.call('DELETE', `/tapi/offline/refused/${gone.key}`);
      await clerk.call('DELETE', `/tapi/offline/refused/${new_.key}`);
    });
  });
}
