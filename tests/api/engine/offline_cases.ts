import { describe, expect, it } from 'vitest';
import type { Caller, TestTenant } from '../world.ts';

type Row = Record<string, unknown>;
interface Outcome extends Row {
  key: string;
  state: string;
}

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
    schema: {
      required: ['place'],
      properties: {
        place: text,
        found: text,
        advice: text,
        photos: { type: 'array', items: { properties: { shows: text } } },
      },
    },
    workflow: {
      states: { planned: { edit: true }, there: { edit: true }, left: { is: 'closed' } },
      transitions: {
        arrive: { from: ['planned'], to: 'there' },
        leave: { from: ['there'], to: 'left' },
        skip: { from: ['planned'], to: 'left' },
      },
    },
    offline: { does: ['change', 'arrive', 'leave'] },
  },
};

/** What a device was used for without a network arrives once and in order, or needs its person. */
export function offlineCases(known: () => { acme: TestTenant; admin: Caller; clerk: Caller }): void {
  const ok = async <T = Row>(answer: ReturnType<Caller['call']>, status = 200): Promise<T> => {
    const got = await answer;
    expect(got.statusCode, got.body).toBe(status);
    return got.json<{ data: T }>().data;
  };
  const send = (acts: object[], by = known().clerk) => ok<Outcome[]>(by.call('POST', '/tapi/offline', { acts }));
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

  describe('what was done without a network', () => {
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

    it('what others changed meanwhile is asked field by field, and what follows on that record waits', async () => {
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
        { key: keys(other)(1), state: 'done' },
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

    it('is decided by the rights and the state of arrival, and no act is taken that the type does not name', async () => {
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
  });
}
