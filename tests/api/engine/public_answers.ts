import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Caller, TestTenant, World } from '../world.ts';
import { question } from './question_row.ts';

type Row = Record<string, unknown>;
type Doc = Row & { id: number; version: number; status: string };
type Answer = Awaited<ReturnType<World['inject']>>;
interface View {
  title: string;
  text: string | null;
  acts: { name: string | null; fields: { name: string }[] }[];
  questions: { answers: { code: string; value: unknown }[]; attributes: Row } | null;
  next: string | null;
  done: string | null;
}

interface Known {
  world: World;
  acme: TestTenant;
  owner: Caller;
  /** A survey with these questions, published. */
  published(title: string, questions: Row[], more?: Row): Promise<Doc>;
}

const QUESTIONS = [
  question('nps', 'nps', { required: true }),
  question('why', 'long_text', { visible_if: 'nps <= 6' }),
  question('near', 'yes_no', { visible_if: "recipient.city == 'Madurai'" }),
  question('proof', 'file', { max_choices: 2 }),
  question('sign', 'signature'),
];
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** How people without an account answer, by a link of the survey or of an answer that was begun for them. */
export function publicAnswerCases(known: () => Known): void {
  let calls = 0;
  const papi = (
    token: string,
    method: 'GET' | 'POST' | 'PATCH' = 'GET',
    body?: object,
    more: { key?: string; host?: string } = {},
  ) =>
    known().world.inject({
      method,
      url: `/papi/${token}`,
      remoteAddress: '10.1.0.1',
      headers: {
        host: more.host ?? known().acme.host,
        ...(method === 'POST' && { 'idempotency-key': more.key ?? `answer-${++calls}` }),
      },
      ...(body && { payload: body }),
    });
  const ok = async <T = View>(answer: Promise<Answer>, status = 200): Promise<T> => {
    const got = await answer;
    expect(got.statusCode, got.body).toBe(status);
    return got.json<{ data: T }>().data;
  };
  const said = (answer: Answer) => [answer.statusCode, answer.json<{ error?: { code: string } }>().error?.code];
  const say = (token: string, values: Row, at = new Date().toISOString()) =>
    papi(token, 'PATCH', {
      answers: Object.entries(values).map(([code, value]) => ({ code, value, at, client: 'phone', seq: ++calls })),
    });
  const send = (token: string, code: string, name: string, bytes: Buffer, type = 'image/png') => {
    const edge = 'edge0123456789';
    const head = `--${edge}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: ${type}\r\n\r\n`;
    return known().world.inject({
      method: 'POST',
      url: `/papi/${token}/files?question=${code}&client=phone&seq=${++calls}`,
      remoteAddress: '10.1.0.1',
      headers: { host: known().acme.host, 'content-type': `multipart/form-data; boundary=${edge}` },
      payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${edge}--\r\n`)]),
    });
  };
  const linkOf = async (type: string, id: number) => {
    const [link] = await ok<{ address: string }[]>(known().owner.call('POST', `/tapi/${type}/${id}/public`, {}));
    return link!.address.split('/').at(-1)!;
  };
  const begin = async (survey: Doc, values: Row = {}) => {
    const { next } = await ok(papi(await linkOf('survey', survey.id), 'POST', { act: null, values }));
    expect(next).toMatch(/^\/survey_answer\/public\/[\w-]{22}$/);
    return next!.split('/').at(-1)!;
  };
  const kept = ({ questions }: View) => Object.fromEntries(questions!.answers.map(({ code, value }) => [code, value]));
  const finish = (token: string) => papi(token, 'POST', { act: 'hand_in', values: {} });

  describe('answering without an account', () => {
    it('starts through the survey’s link, continues through its own link, and ends once', async () => {
      const { acme, owner, published } = known();
      const survey = await published('By link', QUESTIONS, { intro: 'We ask three things.', thanks: 'See you soon.' });
      const open = await linkOf('survey', survey.id);
      const front = await ok(papi(open));
      expect(front).toMatchObject({ title: 'By link', text: 'We ask three things.', questions: null, next: null });
      expect(front.acts.map(({ name, fields }) => [name, fields.map((field) => field.name)])).toEqual([
        [null, ['respondent', 'city']],
      ]);
      expect(JSON.stringify(front)).not.toContain('nps');
      // An answer that was lost is the same answer when it is sent again.
      const begun = { act: null, values: { respondent: 'Kavin', city: 'Madurai' } };
      const [first, again] = [
        await ok(papi(open, 'POST', begun, { key: 'begin-0001' })),
        await ok(papi(open, 'POST', begun, { key: 'begin-0001' })),
      ];
      expect(again.next).toBe(first.next);
      const token = first.next!.split('/').at(-1)!;
      expect(await begin(survey)).not.toBe(token);

      const sheet = await ok(papi(token));
      expect(sheet).toMatchObject({
        text: 'We ask three things.',
        questions: { answers: [], attributes: { city: 'Madurai' } },
      });
      // Only facts that the questions name.
      expect(Object.keys(sheet.questions!.attributes)).toEqual(['city']);
      expect((await ok<{ refused: unknown[] }>(say(token, { nps: 3, why: ' late ', near: 'yes' }))).refused).toEqual(
        [],
      );
      expect((await ok<{ refused: unknown[] }>(say(token, { nps: 11, other: 1 }))).refused).toHaveLength(2);
      // Any device goes on where the last one was.
      expect(kept(await ok(papi(token)))).toEqual({ near: 'yes', nps: 3, why: 'late' });
      await ok(say(token, { nps: 9 }));
      const done = await ok(finish(token));
      expect(done).toMatchObject({ done: 'See you soon.', questions: null, acts: [] });
      const [found] = await acme.sql<{ id: number }>(`select id from {s}.survey_answer where respondent = 'Kavin'`);
      const row = await ok<Doc>(owner.call('GET', `/tapi/survey_answer/${found!.id}`));
      expect(row).toMatchObject({ respondent: 'Kavin', channel: 'link', status: 'complete', score: '90.0000' });
      expect(await acme.sql('select code from {s}.answer where record_id = $1 order by 1', [row.id])).toEqual([
        { code: 'near' },
        { code: 'nps' },
      ]);
      const over = await papi(token);
      expect([said(over), over.json<{ error: { message: string } }>().error.message]).toEqual([
        [409, 'done'],
        'See you soon.',
      ]);
      expect(said(await say(token, { nps: 1 }))).toEqual([409, 'done']);
      expect(said(await finish(token))).toEqual([409, 'done']);
    });

    it('names what is missing in each question', async () => {
      const token = await begin(await known().published('Missing', QUESTIONS));
      const got = await finish(token);
      expect(got.statusCode).toBe(422);
      expect(got.json<{ error: { details: { field: string }[] } }>().error.details.map(({ field }) => field)).toEqual([
        'answers.nps',
      ]);
    });

    it('opens an answer that was started for somebody, and neither shows nor accepts more', async () => {
      const { owner, published } = known();
      const survey = await published('Invited', QUESTIONS);
      const record = await ok<Doc>(
        owner.call('POST', '/tapi/survey_answer', { survey_id: survey.id, respondent: 'Devi', city: 'Salem' }),
        201,
      );
      const token = await linkOf('survey_answer', record.id);
      expect(await linkOf('survey', survey.id)).not.toBe(token);
      await ok(say(token, { nps: 8 }));
      expect(said(await papi(token, 'POST', { act: null, values: {} }))).toEqual([404, 'not_found']);
      expect(said(await papi(await linkOf('survey', survey.id), 'PATCH', { answers: [] }))).toEqual([404, 'not_found']);
      expect((await papi(token, 'POST', { act: 'hand_in', values: { respondent: 'X' } })).statusCode).toBe(422);
      // Who has the right to record answers goes on with the same one.
      const sheet = await ok<{ answers: { code: string; value: unknown }[]; texts: Row }>(
        owner.call('GET', `/tapi/survey_answer/${record.id}/answers/answers`),
      );
      expect(sheet.answers).toMatchObject([{ code: 'nps', value: 8 }]);
      expect(sheet.texts).toEqual({ intro: null, thanks: null });
      await ok(finish(token));
    });

    it('cannot start while the survey is being changed, can be finished then, and is over once it is archived', async () => {
      const { owner, published } = known();
      let survey = await published('Changing', QUESTIONS);
      const step = async (name: string) => {
        survey = await ok<Doc>(owner.call('POST', `/tapi/survey/${survey.id}/${name}`, { version: survey.version }));
      };
      const open = await linkOf('survey', survey.id);
      const [one, two] = [await begin(survey), await begin(survey)];
      await ok(say(one, { nps: 7 }));
      await step('change');
      expect(said(await papi(open))).toEqual([410, 'closed']);
      expect(said(await papi(open, 'POST', { act: null, values: {} }))).toEqual([410, 'closed']);
      await ok(say(one, { nps: 10 }));
      expect(said(await say(two, { nps: 10 }))).toEqual([410, 'closed']);
      await ok(finish(one));
      await step('publish');
      await ok(say(two, { nps: 2 }));
      await step('archive');
      for (const got of [await papi(two), await say(two, { nps: 3 }), await finish(two)])
        expect(said(got)).toEqual([410, 'closed']);
    });

    it('returns the same 404 whether the link is guessed, revoked, expired or of another client', async () => {
      const { acme, owner, published, world } = known();
      const survey = await published('Guessed', QUESTIONS);
      const token = await begin(survey);
      const other = await world.tenant();
      const all = async (of: string, host = acme.host) => [
        said(await papi(of, 'GET', undefined, { host })),
        said(await papi(of, 'PATCH', { answers: [] }, { host })),
        said(await papi(of, 'POST', { act: 'hand_in', values: {} }, { host })),
      ];
      const none = Array.from({ length: 3 }, () => [404, 'not_found']);
      expect(await all('C'.repeat(22))).toEqual(none);
      expect(await all(token, other.host)).toEqual(none);
      await acme.sql(
        `update {s}.public_token set expires_at = now() - interval '1 minute' where own and record_type = 'survey_answer'`,
      );
      expect(await all(token)).toEqual(none);
      const [row] = await acme.sql<{ id: number }>('select id from {s}.survey_answer where survey_id = $1', [
        survey.id,
      ]);
      expect(await linkOf('survey_answer', row!.id)).toBe(token);
      await ok(papi(token));
      await owner.call('DELETE', `/tapi/survey_answer/${row!.id}/public`);
      expect(await all(token)).toEqual(none);
      // The link of the survey is another one, and goes on.
      await ok(papi(await linkOf('survey', survey.id)));
    });

    it('accepts files within their limits, shows them to their sender, and deletes removed ones', async () => {
      const { acme, owner, published } = known();
      const survey = await published('Photos', QUESTIONS);
      const token = await begin(survey, { respondent: 'Photographer' });
      const [one, two] = await Promise.all([
        ok<{ id: number }>(send(token, 'proof', 'a.png', PIXEL), 201),
        ok<{ id: number }>(send(token, 'proof', 'b.png', PIXEL), 201),
      ]);
      expect((await send(token, 'proof', 'c.png', PIXEL)).statusCode).toBe(422);
      expect((await send(token, 'sign', 'sign.txt', Buffer.from('no picture'), 'text/plain')).statusCode).toBe(415);
      expect(
        (await send(token, 'proof', 'x.exe', Buffer.from('MZ\u0090\u0000', 'latin1'), 'image/png')).statusCode,
      ).toBe(415);
      expect((await send(token, 'nps', 'a.png', PIXEL)).statusCode).toBe(404);
      const large = await begin(survey);
      const tooLarge = await send(large, 'proof', 'large.txt', Buffer.alloc(10 * 1024 * 1024 + 1, 'a'), 'text/plain');
      expect(tooLarge.statusCode).toBe(413);
      expect(new Set(kept(await ok(papi(token))).proof as number[])).toEqual(new Set([one.id, two.id]));
      expect((await papi(`${token}/files/${one.id}`)).statusCode).toBe(200);
      expect((await papi(`${large}/files/${one.id}`)).statusCode).toBe(404);
      // A file of somebody else is no answer.
      expect((await say(large, { proof: [one.id] })).statusCode).toBe(422);
      const open = await owner.call('GET', `/tapi/files/${one.id}/link`);
      expect(open.statusCode).toBe(200);
      await ok(say(token, { proof: [two.id] }));
      expect(await acme.sql('select id from {s}.file where id = any($1)', [[one.id, two.id]])).toEqual([
        { id: two.id },
      ]);
      expect((await papi(`${token}/files/${one.id}`)).statusCode).toBe(404);
    });

    it('stores neither person nor time nor order of anonymous answers, and counts them in batches', async () => {
      const { acme, owner, published } = known();
      const survey = await published(
        'Anonymous',
        [question('nps', 'nps', { required: true }), question('why', 'long_text'), question('at', 'geo')],
        {
          anonymity: 'anonymous',
          min_group_size: 3,
        },
      );
      const record = await ok<Doc>(
        owner.call('POST', '/tapi/survey_answer', { survey_id: survey.id, respondent: 'Meena' }),
        201,
      );
      const token = await linkOf('survey_answer', record.id);
      const sheet = await ok<View & { questions: { least: number } }>(papi(token));
      expect(sheet.questions).toMatchObject({ least: 3, answers: [], attributes: {} });
      expect(said(await say(token, { nps: 3 }))).toEqual([409, 'anonymous']);
      const hand = (of: string, values: Row) =>
        papi(of, 'POST', {
          act: 'hand_in',
          values: {},
          answers: Object.entries(values).map(([code, value]) => ({ code, value })),
        });
      expect((await hand(token, { why: 'slow' })).statusCode).toBe(422);
      expect((await hand(token, { nps: 11 })).statusCode).toBe(422);
      const both = await Promise.all(
        [1, 2].map((nps) => hand(token, { nps, why: 'slow', at: { lat: 13.0827, lng: 80.2707 } })),
      );
      expect(both.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
      expect(said(await papi(token))).toEqual([409, 'done']);
      // Who has answered is known, and nothing of it: no time, no log, no answers, no history.
      const after = await ok<Row>(owner.call('GET', `/tapi/survey_answer/${record.id}`));
      expect(after).toMatchObject({ status: 'complete', answers: null, score: null, updated_at: record.updated_at });
      for (const [table, column] of [
        ['answer', 'record_id'],
        ['transition_log', 'record_id'],
      ])
        expect(
          await acme.sql(`select 1 from {s}.${table} where record_type = 'survey_answer' and ${column} = $1`, [
            record.id,
          ]),
          table,
        ).toEqual([]);
      const address = `POST /papi/${createHash('sha256').update(token).digest('hex')}`;
      expect(await acme.sql('select 1 from {s}.write_key where address = $1', [address])).toEqual([]);
      const columns = await acme.sql<{ column_name: string }>(
        `select column_name from information_schema.columns where table_schema = '{s}' and table_name = 'anonymous_answer' order by 1`.replace(
          '{s}',
          acme.schema,
        ),
      );
      expect(columns.map((one) => one.column_name)).toEqual([
        'answers',
        'id',
        'record_id',
        'record_type',
        'score',
        'settled',
        'version_id',
      ]);
      const results = () =>
        ok<{ answered: number | null; questions: { n: number | null; texts: string[] }[] }>(
          owner.call('GET', `/tapi/survey/${survey.id}/results`),
        );
      // A survey link has no record at all.
      const open = await linkOf('survey', survey.id);
      expect((await ok(papi(open))).questions).not.toBeNull();
      await ok(hand(open, { nps: 9, why: 'fine' }));
      expect(await results()).toMatchObject({
        answered: null,
        questions: [
          { n: null, texts: [] },
          { n: null, texts: [] },
          { n: null, texts: [] },
        ],
      });
      await ok(hand(open, { nps: 10 }));
      const three = await results();
      expect(three.answered).toBe(3);
      expect(three.questions.map(({ n }) => n)).toEqual([3, null, null]);
      await ok(hand(open, { nps: 2, why: 'late' }));
      expect((await results()).answered).toBe(3);
      const places = await acme.sql<{ place: Row }>(
        `select answers->'at'->'value' as place from {s}.anonymous_answer where answers ? 'at'`,
      );
      expect(places).toEqual([{ place: { lat: 13.1, lng: 80.3 } }]);
      expect((await owner.call('GET', `/tapi/survey/${survey.id}/results/answers`)).statusCode).toBe(403);
      const sheetInside = await ok<{ editable: boolean; answers: unknown[] }>(
        owner.call('GET', `/tapi/survey_answer/${record.id}/answers/answers`),
      );
      expect(sheetInside).toMatchObject({ editable: false, answers: [] });
      // Anonymity that was promised stays.
      const draft = await ok<Doc>(owner.call('POST', `/tapi/survey/${survey.id}/change`, { version: survey.version }));
      const named = await ok<Doc>(
        owner.call('PUT', `/tapi/survey/${survey.id}`, { version: draft.version, anonymity: 'named' }),
      );
      const got = await owner.call('POST', `/tapi/survey/${survey.id}/publish`, { version: named.version });
      expect([got.statusCode, got.body]).toEqual([422, expect.stringContaining('promised')]);
    });

    it('accepts one of two simultaneous submissions', async () => {
      const token = await begin(await known().published('Twice', QUESTIONS));
      await ok(say(token, { nps: 8 }));
      const both = await Promise.all([finish(token), finish(token)]);
      expect(both.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
    });
  });
}
