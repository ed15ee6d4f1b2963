import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveAnswers } from '../../../src/server/engine/questionnaire/answers.ts';
import { versionById } from '../../../src/server/engine/questionnaire/versions.ts';
import * as XLSX from 'xlsx';
import { figureOf } from '../record_figure.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { question } from './question_row.ts';
import { startWorld } from '../world.ts';
import { publicAnswerCases } from './public_answers.ts';

// Surveys: built, published as versions, answered one by one on any device, handed in.

type Row = Record<string, unknown>;
type Doc = Row & { id: number; version: number; status: string };
interface Sheet {
  version: { id: number; version_no: number; content: { sections: { questions: { code: string }[] }[] } } | null;
  answers: { code: string; value: unknown; na: boolean; at: string }[];
  editable: boolean;
  locked: string | null;
  attributes: Row;
}

let world: World;
let acme: TestTenant;
let admin: Caller;
let owner: Caller;
let reader: Caller;
let stranger: Caller;
let kind: number;
let person: number;

const SCREENS = ['SCN_SURVEY', 'SCN_SURVEY_ANSWER', 'SCN_TYPE_OF_QUESTIONAIRE'];
const pages = ['landing', 'add_screen', 'edit_screen', 'view_screen'] as const;

beforeAll(async () => {
  world = await startWorld();
  acme = await world.tenant({ products: ['SURVEY', 'FMS'], companies: 2 });
  const rights = (of: readonly (typeof pages)[number][]) =>
    Object.fromEntries(SCREENS.map((code) => [code, { module: 'SURVEYS', pages: [...of] }]));
  const modules = ['MASTERS', 'SURVEYS'];
  const owns = await acme.role({ modules, screens: rights(pages) });
  const reads = await acme.role({ modules, screens: rights(['landing', 'view_screen']) });
  await acme.user('admin', { isAdmin: true });
  await acme.user('owner', { companies: [{ company: 1, roles: [owns] }] });
  await acme.user('reader', { companies: [{ company: 1, roles: [reads] }] });
  await acme.user('stranger', { companies: [{ company: 2, roles: [owns] }] });
  [admin, owner, reader, stranger] = await Promise.all([
    world.signIn(acme, 'admin'),
    world.signIn(acme, 'owner'),
    world.signIn(acme, 'reader'),
    world.signIn(acme, 'stranger'),
  ]);
  const add = async (type: string, record: Row) => (await ok(admin.call('POST', `/tapi/${type}`, record), 201)).id;
  const [place] = await acme.sql<{ id: number; state_id: number; country_id: number }>(
    'select c.id, c.state_id, s.country_id from {s}.city_mstr c join {s}.state_mstr s on s.id = c.state_id',
  );
  const address = { address1: 'Road', city: place!.id, state_id: place!.state_id, country: place!.country_id };
  person = await add('employee', {
    empno: 'E10001',
    first_name: 'Asha',
    mobile: '+919840010001',
    date_of_joining: '2024-04-01',
    employment_type: 'permanent',
    branch_id: await add('branch', {
      code: 'B1',
      name: 'Chennai',
      branch_type: 'branch',
      pincode: '600001',
      ...address,
    }),
    department_id: await add('department', { code: 'D1', name: 'Service' }),
    designation_id: await add('designation', { code: 'T1', name: 'Manager', level_no: 3 }),
  });
  kind = await add('type_of_questionaire', {
    code: 'NPS',
    name: 'Recommendation',
    audience: 'customer',
    main_measure: 'nps',
  });
});
afterAll(() => world.close());

async function ok<T = Doc>(
  answer: Promise<{ statusCode: number; body: string; json<J>(): J }>,
  status = 200,
): Promise<T> {
  const got = await answer;
  expect(got.statusCode, got.body).toBe(status);
  return got.json<{ data: T }>().data;
}
async function refused(answer: Promise<{ statusCode: number; body: string; json<J>(): J }>, status: number) {
  const got = await answer;
  expect(got.statusCode, got.body).toBe(status);
  return got.json<{ error: { message: string; details: { field: string; message: string }[] } }>().error;
}

/** The worked example of act_engage.md §4.1, with a picture of what went wrong and a computed figure. */
const QUESTIONS = [
  question('nps', 'nps', { required: true }),
  question('reason', 'long_text', { visible_if: 'nps <= 6', text: 'You gave us {{q:nps|value}}. Why?' }),
  question('friend', 'short_text', { visible_if: 'nps >= 9' }),
  question('parts', 'matrix_rating', {
    rows: [
      { code: 'price', label: 'Price' },
      { code: 'delivery', label: 'Delivery', visible_if: "recipient.city == 'Madurai'" },
    ],
    may_be_na: true,
  }),
  question('proof', 'file', { visible_if: 'nps <= 6' }),
  question('sum', 'calculated', { formula: 'nps * 10' }),
];
const survey = (title: string, questions: Row[] = QUESTIONS, more: Row = {}) =>
  ok(
    owner.call('POST', '/tapi/survey', {
      title,
      type_of_questionaire_id: kind,
      audience: 'customer',
      owner_id: person,
      sections: [{ code: 'all', title: 'All', questions }],
      ...more,
    }),
    201,
  );
const step = (of: Row, name: string, type = 'survey') =>
  owner.call('POST', `/tapi/${type}/${String(of.id)}/${name}`, { version: of.version });
const begin = (of: Row, more: Row = {}) =>
  ok(owner.call('POST', '/tapi/survey_answer', { survey_id: of.id, ...more }), 201);
const sheet = (of: Row, by = owner) =>
  ok<Sheet>(by.call('GET', `/tapi/survey_answer/${String(of.id)}/answers/answers`));
let seq = 0;
const say = (of: Row, values: Row, { at = new Date().toISOString(), by = owner, client = 'phone' } = {}) =>
  by.call('PATCH', `/tapi/survey_answer/${String(of.id)}/answers/answers`, {
    answers: Object.entries(values).map(([code, value]) => ({ code, value, at, client, seq: seq++ })),
  });
const kept = async (of: Row) => Object.fromEntries((await sheet(of)).answers.map(({ code, value }) => [code, value]));

describe('publishing', () => {
  it('reports the errors of each question, and freezes nothing', async () => {
    const draft = await survey('Broken', [
      question('reason', 'short_text', { visible_if: 'nps2 > 1' }),
      question('nps2', 'nps'),
    ]);
    const { details } = await refused(step(draft, 'publish'), 422);
    expect(details).toEqual([
      { field: 'sections.0.questions.0', message: "Q1 'reason' asks for 'nps2', which comes later." },
    ]);
    expect((await ok(owner.call('GET', `/tapi/survey/${draft.id}`))).status).toBe('draft');
    expect(await acme.sql('select 1 from {s}.questionnaire_version where record_id = $1', [draft.id])).toEqual([]);
  });

  it('creates a version for changes only', async () => {
    const first = await ok(step(await survey('Versions'), 'publish'));
    const again = await ok(step(await ok(step(first, 'change')), 'publish'));
    const versions = () =>
      acme.sql('select version_no from {s}.questionnaire_version where record_id = $1 order by 1', [first.id]);
    expect(await versions()).toEqual([{ version_no: 1 }]);
    const draft = await ok(step(again, 'change'));
    const [section] = draft.sections as Row[];
    const questions = (section!.questions as Row[]).map((one) =>
      one.code === 'friend' ? { ...one, text: 'Whom?' } : one,
    );
    const changed = await ok(
      owner.call('PUT', `/tapi/survey/${draft.id}`, { version: draft.version, sections: [{ ...section, questions }] }),
    );
    await refused(owner.call('POST', '/tapi/survey_answer', { survey_id: first.id }), 422);
    await ok(step(changed, 'publish'));
    expect(await versions()).toEqual([{ version_no: 1 }, { version_no: 2 }]);
  });
});

describe('answering', () => {
  it('saves each answer separately and shows it on any device', async () => {
    const published = await ok(step(await survey('One by one'), 'publish'));
    const answer = await begin(published, { respondent: 'Ravi', city: 'Madurai' });
    const before = await sheet(answer);
    expect(before).toMatchObject({ version: { version_no: 1 }, answers: [], editable: true, locked: null });
    expect(before.attributes).toMatchObject({ city: 'Madurai', survey_id: 'One by one' });
    await ok(say(answer, { nps: 5 }));
    await ok(say(answer, { reason: ' late ' }, { client: 'desk' }));
    expect(await kept(answer)).toEqual({ nps: 5, reason: 'late' });
    expect(
      await acme.sql('select 1 from {s}.answer where record_id = $1 and by = $2', [answer.id, owner.userId]),
    ).toHaveLength(2);
    // What was said later counts, whenever it arrives; a clock that is ahead wins nothing.
    await ok(say(answer, { nps: 9 }, { at: '2020-01-01T00:00:00Z' }));
    expect((await kept(answer)).nps).toBe(5);
    await ok(say(answer, { nps: 6 }, { at: '2099-01-01T00:00:00Z' }));
    await ok(say(answer, { nps: 4 }, { at: new Date(Date.now() + 5).toISOString() }));
    expect((await kept(answer)).nps).toBe(4);
    // The record was not changed by it: nobody else's form is stale.
    expect((await ok(owner.call('GET', `/tapi/survey_answer/${answer.id}`))).version).toBe(answer.version);
  });

  it('refuses an invalid answer, and keeps the rest', async () => {
    const answer = await begin(await ok(step(await survey('Refusals'), 'publish')));
    const got = await ok<{ refused: { field: string }[]; answers: { code: string }[] }>(
      say(answer, { nps: 11, other: 1, 'nps#1': 2, parts: { price: 3, speed: 1 }, sum: 4, friend: 'Devi' }),
    );
    expect(got.refused.map(({ field }) => field).sort()).toEqual(['nps', 'nps#1', 'other', 'parts', 'sum']);
    expect(got.answers.map(({ code }) => code)).toEqual(['friend']);
    const [foreign] = await acme.sql<{ id: number }>(
      `insert into {s}.file (name, size, type, sha256, path, by) values ('x.pdf', 1, 'application/pdf', 'x', 'x', $1) returning id`,
      [admin.userId],
    );
    expect((await refused(say(answer, { proof: [foreign!.id] }), 422)).message).toContain('file');
    expect((await refused(say(answer, { nps: 3 }, { at: 'yesterday' }), 400)).message).toBeTruthy();
  });

  it('respects rights and company', async () => {
    const answer = await begin(await ok(step(await survey('Rights'), 'publish')));
    expect(await sheet(answer, reader)).toMatchObject({ editable: false, locked: expect.stringContaining('read') });
    await refused(say(answer, { nps: 1 }, { by: reader }), 403);
    await refused(say(answer, { nps: 1 }, { by: stranger }), 404);
    await refused(stranger.call('GET', `/tapi/survey_answer/${answer.id}/answers/answers`), 404);
    await refused(owner.call('GET', `/tapi/survey_answer/${answer.id}/answers/score`), 404);
    const put = await ok(
      owner.call('PUT', `/tapi/survey_answer/${answer.id}`, { version: answer.version, answers: 1, respondent: 'X' }),
    );
    expect(put.answers).toBeNull();
  });

  it('ends on the version with which it started', async () => {
    const published = await ok(step(await survey('Snapshot'), 'publish'));
    const begun = await begin(published);
    await ok(say(begun, { nps: 9 }));
    const draft = await ok(step(published, 'change'));
    const sections = [{ ...(draft.sections as Row[])[0], questions: [question('other', 'yes_no')] }];
    const changed = await ok(owner.call('PUT', `/tapi/survey/${draft.id}`, { version: draft.version, sections }));
    const second = await ok(step(changed, 'publish'));
    expect((await sheet(begun)).version?.version_no).toBe(1);
    expect((await sheet(await begin(second))).version?.version_no).toBe(2);
    expect((await ok(step(begun, 'hand_in', 'survey_answer'))).status).toBe('complete');
  });
});

describe('submission', () => {
  it('names missing answers, drops hidden ones, keeps computed ones and sets the score', async () => {
    const answer = await begin(await ok(step(await survey('Complete'), 'publish')), {
      respondent: 'Ravi',
      city: 'Salem',
    });
    const { details } = await refused(step(answer, 'hand_in', 'survey_answer'), 422);
    expect(details).toEqual([{ field: 'answers.nps', message: 'nps: Please answer this question.' }]);
    await ok(say(answer, { nps: 5, reason: 'late', parts: { price: 3, delivery: 1 } }));
    await ok(say(answer, { nps: 9 }));
    const done = await ok(
      step(await ok(owner.call('GET', `/tapi/survey_answer/${answer.id}`)), 'hand_in', 'survey_answer'),
    );
    // (9/10 + 3/5) / 2, the hidden line not counted.
    expect(done).toMatchObject({ status: 'complete', score: '75.0000', screened_out: false });
    expect(await kept(answer)).toEqual({ nps: 9, parts: { price: 3 }, sum: 90 });
    expect(await sheet(answer)).toMatchObject({ editable: false, locked: expect.stringContaining('Complete') });
    await refused(say(answer, { nps: 1 }), 409);
    // What a device sends only now is kept beside, and counts for nothing.
    const of = { type: 'survey_answer', id: answer.id, field: 'answers' };
    const version = (await versionById(acme, done.answers as number))!;
    const at = new Date().toISOString();
    const late = [{ code: 'nps', value: 2, at, client: 'phone', seq: 1 }];
    expect(await saveAnswers(acme, of, version, late, { by: null, late: true, isFixed: true })).toEqual([]);
    const { answers } = await sheet(answer);
    expect(answers.filter(({ code }) => code === 'nps')).toMatchObject([
      { value: 9, late: false },
      { value: 2, late: true },
    ]);
    const shut = { field: 'status', value: 'open' };
    await expect(saveAnswers(acme, of, version, late, { by: null, state: shut })).rejects.toThrow('in the meantime');
  });

  it('and answering at the same moment: a late answer is refused, and nothing is lost', async () => {
    const answer = await begin(await ok(step(await survey('Race'), 'publish')));
    await ok(say(answer, { nps: 10 }));
    const fresh = await ok(owner.call('GET', `/tapi/survey_answer/${answer.id}`));
    const [done, ...said] = await Promise.all([
      step(fresh, 'hand_in', 'survey_answer'),
      ...Array.from({ length: 6 }, (_, at) => say(answer, { friend: `F${at}` }, { client: `c${at}` })),
    ]);
    expect(done.statusCode, done.body).toBe(200);
    expect(said.every(({ statusCode }) => statusCode === 200 || statusCode === 409)).toBe(true);
    const { friend } = await kept(answer);
    expect(said.some(({ statusCode }) => statusCode === 200)).toBe(friend !== undefined);
  });
});

describe('results', () => {
  it('count by question, compare, list single answers, and are for people who may see the answers', async () => {
    const published = await ok(
      step(
        await survey('Counted', [
          question('nps', 'nps', { required: true }),
          question('again', 'yes_no'),
          question('words', 'short_text'),
        ]),
        'publish',
      ),
    );
    const given: [Row, string][] = [
      [{ nps: 10, again: 'yes', words: '=1+1' }, 'Madurai'],
      [{ nps: 9, again: 'yes' }, 'Madurai'],
      [{ nps: 3, again: 'no' }, 'Salem'],
    ];
    for (const [values, city] of given) {
      const answer = await begin(published, { respondent: `From ${city}`, city });
      await ok(say(answer, values, { at: '2025-10-15T06:00:00Z' }));
      await ok(step(answer, 'hand_in', 'survey_answer'));
    }
    await ok(say(await begin(published), { nps: 1 }, { at: '2025-10-15T06:00:00Z' }));
    // The owner of the survey is measured by it, in the month of the answers.
    const october = ['2025-10-01', '2025-10-31'] as const;
    expect(await figureOf(acme, 'sur_nps', person, october)).toBe('33.3');
    const liked = await ok(step(await survey('Liked', [question('happy', 'csat')]), 'publish'));
    for (const happy of [5, 4, 3]) {
      const answer = await begin(liked);
      await ok(say(answer, { happy }, { at: '2025-10-15T06:00:00Z' }));
      await ok(step(answer, 'hand_in', 'survey_answer'));
    }
    expect(await figureOf(acme, 'sur_csat', person, october)).toBe('66.7');
    expect(await figureOf(acme, 'sur_nps', person, ['2025-11-01', '2025-11-30'])).toBeNull();
    const at = `/tapi/survey/${published.id}/results`;
    type Found = {
      answered: number;
      open: number;
      score: Row[];
      questions: Row[];
      groups: { code: string }[];
      cross: Row[] | null;
    };
    const found = await ok<Found>(reader.call('GET', at));
    expect(found).toMatchObject({
      answered: 3,
      open: 1,
      score: expect.arrayContaining([{ title: 'Mean', value: '73.33' }]),
      cross: null,
      questions: [
        { code: 'nps', n: 3, figures: expect.arrayContaining([{ title: 'NPS', value: '33.3 ± 106.7' }]) },
        {
          code: 'again',
          n: 3,
          bars: [
            { code: 'yes', n: 2, percent: '66.7' },
            { code: 'no', n: 1, percent: '33.3' },
          ],
        },
        { code: 'words', n: 1, texts: ['=1+1'] },
      ],
    });
    expect(found.groups.map(({ code }) => code)).toEqual(['q.nps', 'q.again', 'r.city', 'r.channel']);
    const byCity = await ok<Found>(owner.call('GET', `${at}?by=r.city`));
    expect(byCity.cross!.find(({ code }) => code === 'again')).toMatchObject({
      columns: ['Yes', 'No'],
      rows: [
        { label: 'Madurai', counts: [2, 0] },
        { label: 'Salem', counts: [0, 1] },
      ],
      test: { df: 1, isReliable: false },
    });
    await refused(owner.call('GET', `${at}?by=r.respondent`), 400);
    const { lines } = await ok<{ lines: { title: string; answers: Row }[] }>(owner.call('GET', `${at}/answers`));
    expect(lines.map(({ title, answers }) => [title, answers.nps])).toEqual([
      ['From Salem', '3'],
      ['From Madurai', '9'],
      ['From Madurai', '10'],
    ]);
    await refused(owner.call('GET', `${at}/export.xlsx`), 403);
    const file = await admin.call('GET', `${at}/export.xlsx`);
    expect([file.statusCode, file.headers['content-type']]).toEqual([
      200,
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ]);
    const book = XLSX.read(file.rawPayload);
    expect(book.SheetNames).toEqual(['Summary', 'Texts', 'Answers']);
    expect(XLSX.utils.sheet_to_json<string[]>(book.Sheets.Answers!, { header: 1 })[3]!.slice(0, 3)).toEqual([
      'From Madurai',
      100,
      '10',
    ]);
    await refused(stranger.call('GET', at), 404);
    await refused(owner.call('GET', '/tapi/survey_answer/1/results'), 404);
    const blind = await acme.role({
      modules: ['MASTERS', 'SURVEYS'],
      screens: { SCN_SURVEY: { module: 'SURVEYS', pages: ['landing', 'view_screen'] } },
    });
    await acme.user('blind', { companies: [{ company: 1, roles: [blind] }] });
    const none = await world.signIn(acme, 'blind');
    await refused(none.call('GET', at), 403);
    await refused(none.call('GET', `${at}/answers`), 403);
    await refused(none.call('GET', `${at}/export.xlsx`), 403);
  });
});

publicAnswerCases(() => ({
  world,
  acme,
  owner,
  published: async (title, questions, more) => ok(step(await survey(title, questions, more), 'publish')),
}));
