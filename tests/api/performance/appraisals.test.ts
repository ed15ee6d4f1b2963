import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Doc, PerformanceWorld, Row } from './performance_world.ts';
import { branchWithMembers } from '../fms/branch_with_members.ts';
import { callsOf, ok, startPerformance } from './performance_world.ts';

// An appraisal from its launch to the letter, with what each may see on the way (performance.md §4, 5.11).

let made: PerformanceWorld;
let { add, read, list, step, change, setLines } = {} as ReturnType<typeof callsOf>;
let launch = 0;
let template = 0;
const numbers: Record<string, number> = {};

/** What a refused call says, by field. */
const findings = (answer: { json: <T>() => T }) =>
  answer.json<{ error: { details: { field: string; message: string }[] } }>().error.details;
const drain = async () => {
  while ((await made.world.app.deliveries.deliver(made.acme)) > 0);
  await made.world.app.jobs.drain();
};
const appraisalOf = async (name: string): Promise<Doc> =>
  (await list('appraisal', 'admin', ['employee_id', 'eq', made.ids[name]]))[0]!;

beforeAll(async () => {
  made = await startPerformance();
  ({ add, read, list, step, change, setLines } = callsOf(made));
  const { acme, ids } = made;
  const sheet = await add('kpi_sheet', {
    employee_id: ids.asha,
    financial_year: '2025-2026',
    valid_from: '2025-04-01',
    valid_to: '2026-03-31',
    lines: [
      { kpi_id: ids.SALES, weight: '60', year_target: '1200', ...months('100') },
      { kpi_id: ids.COMPLAINTS, weight: '40', year_target: '0', ...months('0') },
    ],
  });
  await ok(step('kpi_sheet', sheet, 'submit', 'mina'));
  await ok(step('kpi_sheet', sheet, 'approve', 'head'));
  await acme.sql(
    `update {s}.kpi_actual a set counts = true, status = case when month <= '2025-08' then 'frozen' else 'approved' end,
       value = case when kpi_id = $1 then 90 when month <= '2025-06' then 1 else 0 end where month <= '2025-09'`,
    [ids.SALES],
  );
  const group = await add('skillsgroup', { code: 'SOFT', name: 'Soft skills' });
  const competency = (code: string) => add('competencies', { code, name: code, skillsgroup_id: group });
  template = await add('appraisal_template', {
    code: 'STD',
    name: 'Standard',
    kpi_weight: '70',
    competency_weight: '20',
    feedback_weight: '10',
    kpis_needed: false,
    competencies: [
      { competency_id: await competency('NEG'), expected_level: 4, weight: '50' },
      { competency_id: await competency('TEAM'), expected_level: 3, weight: '30' },
      { competency_id: await competency('PLAN'), expected_level: 3, weight: '20' },
    ],
    questions: [{ question: 'What went well?', asked_of: 'self', needed: true }],
    feedback_questions: [{ question: 'Keeps what was agreed' }],
  });
  await add('performance_rating', {
    code: 'APR',
    name: 'Appraisal',
    applies_to: 'appraisal',
    valid_from: '2024-04-01',
    is_default: true,
    bands: [
      band('1', 'Needs improvement', '0', '59.99', '0', '0'),
      band('2', 'Developing', '60', '79.99', '2', '4'),
      band('3', 'Meets', '80', '94.99', '5', '8'),
      band('4', 'Exceeds', '95', '120', '8', '12'),
    ],
  });
  await add('rating_setting', {
    kpi_weight: '70',
    competency_weight: '30',
    feedback_weight: '0',
    self_rating: 'yes',
    reviewer_level: 'skip_level',
    moderation: 'required',
    release_shows: ['rating', 'comments'],
  });
  const period = await add('appraisal_period', {
    code: 'H1',
    name: 'First half 2025-26',
    financial_year: '2025-2026',
    kind: 'half_yearly',
    starts_on: '2025-04-01',
    ends_on: '2025-09-30',
  });
  launch = await add('appraisal_launch', {
    title: 'Half-year review',
    period_id: period,
    template_id: template,
    self_from: '2026-10-01',
    self_to: '2099-10-10',
    manager_from: '2099-10-11',
    manager_to: '2099-10-20',
    moderation_to: '2099-10-25',
    release_on: '2099-10-30',
  });
});
afterAll(() => made.world.close());

const months = (target: string) =>
  Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`t${String(at + 1).padStart(2, '0')}`, target]));
const band = (code: string, label: string, from: string, to: string, low: string, high: string) => ({
  code,
  label,
  from_score: from,
  to_score: to,
  grade_points: code,
  increment_min: low,
  increment_max: high,
});

test('launch dates out of order: refused naming the dates', async () => {
  const wrong = await change(
    'appraisal_launch',
    launch,
    { manager_from: '2099-10-09', release_on: '2099-10-24' },
    'admin',
  );
  expect(findings(wrong).map(({ message }) => message)).toEqual([
    "The managers' part would begin on 09-10-2099, before self-rating ends on 10-10-2099.",
    'Results would be released on 24-10-2099, before moderation ends on 25-10-2099.',
  ]);
});

test('a launch starts with members who have a manager, and creates one appraisal for each', async () => {
  const refused = await step('appraisal_launch', launch, 'schedule', 'admin');
  expect(findings(refused)).toMatchObject([
    { field: 'exclude_ids', message: expect.stringContaining('Without a manager') as string },
  ]);
  await ok(change('appraisal_launch', launch, { exclude_ids: [made.ids.head] }, 'admin'));
  await ok(step('appraisal_launch', launch, 'schedule', 'admin'));
  await drain();
  expect((await list('appraisal', 'admin')).map(({ employee_id: id, status }) => [id, status])).toEqual(
    expect.arrayContaining(['mina', 'asha', 'ravi'].map((name) => [made.ids[name], 'not_started'])),
  );
  // A second launch of the period names who is appraised already, and where.
  const same: Row = await read('appraisal_launch', launch);
  const fields = ['title', 'period_id', 'template_id', 'self_from', 'self_to', 'manager_from', 'manager_to'];
  const again = await add('appraisal_launch', {
    ...Object.fromEntries([...fields, 'moderation_to', 'release_on'].map((name) => [name, same[name]])),
    exclude_ids: [made.ids.head, made.ids.mina, made.ids.ravi],
  });
  expect(findings(await step('appraisal_launch', again, 'schedule', 'admin'))).toMatchObject([
    {
      field: 'exclude_ids',
      message: expect.stringMatching(
        new RegExp(`^Appraised for this period already: .+ in ${String(same.number)}\\. Exclude them\\.$`),
      ) as string,
    },
  ]);
  await ok(step('appraisal_launch', again, 'cancel', 'admin', { reason: 'Only tried.' }));
  expect(same.number).toMatch(/^APL\//);
  const single = { employee_id: made.ids.asha, period_id: same.period_id, template_id: template };
  const twice = await made.people.admin!.call('POST', '/tapi/appraisal', single);
  expect([twice.statusCode, twice.body]).toEqual([
    409,
    expect.stringContaining('This member has an appraisal for the period already.') as string,
  ]);
  await ok(step('appraisal_launch', launch, 'start_self', 'admin'));
  await drain();
  for (const name of ['mina', 'asha', 'ravi']) numbers[name] = (await appraisalOf(name)).id;
  expect(await read('appraisal', numbers.asha!)).toMatchObject({
    status: 'self_rating',
    kpi_score: '82.00',
    waiting_for_id: made.ids.asha,
    due_on: '2099-10-10',
    reviewer_id: made.ids.head,
    kpi_lines: [
      { target: '600.00', actual: '540.00', achievement: '90.00' },
      { target: '0.00', actual: '3.00', achievement: '70.00' },
    ],
  });
});

test('appraisals opened together leave the same trail as one that is opened by itself', async () => {
  const period_id = await add('appraisal_period', {
    code: 'Q1',
    name: 'First quarter 2025-26',
    financial_year: '2025-2026',
    kind: 'quarterly',
    starts_on: '2025-04-01',
    ends_on: '2025-06-30',
  });
  const alone = await add('appraisal', { employee_id: made.ids.asha, period_id, template_id: template });
  await ok(step('appraisal', alone, 'open', 'admin'));
  const trailOf = async (id: number) => ({
    history: await made.acme.sql(
      `select h.version, h.op, h.what, x.key, jsonb_typeof(x.value) as type,
         case when jsonb_typeof(x.value) = 'object' then (
           select count(*)::int from jsonb_each(x.value) r where r.key ~ '^[+][0-9]+$' and r.value <> 'null') end as rows
       from {s}.history h cross join jsonb_each(h.change) x
       where h.record_type = 'appraisal' and h.record_id = $1 and h.op = 'U' order by h.version, x.key`,
      [id],
    ),
    log: await made.acme.sql(
      `select transition, from_state, to_state, cause from {s}.transition_log where record_type = 'appraisal' and record_id = $1`,
      [id],
    ),
    notices: await made.acme.sql(
      `select user_id, event_code, severity, body from {s}.notification where record_type = 'appraisal' and record_id = $1`,
      [id],
    ),
  });
  const [one, many] = [await trailOf(alone), await trailOf(numbers.asha!)];
  // The periods differ, and with them the day on which it is due.
  const alike = ({ history }: typeof one) => history.filter(({ key }) => key !== 'due_on');
  expect(alike(many)).toEqual(alike(one));
  expect(many.log).toEqual([
    { transition: 'open', from_state: 'not_started', to_state: 'self_rating', cause: 'action' },
  ]);
  expect(many.log).toEqual(one.log);
  expect(many.notices).toHaveLength(1);
  expect(many.notices.map(({ user_id: user, event_code: event }) => [user, event])).toEqual(
    one.notices.map(({ user_id: user, event_code: event }) => [user, event]),
  );
  await made.acme.sql('update {s}.appraisal set active = false where id = $1', [alone]);
});

test('the manager sees the member’s answers after their submission, the member no rating before the release', async () => {
  const id = numbers.asha!;
  const rows = (await read('appraisal', id, 'asha')) as unknown as { competency_lines: Row[]; answers: Row[] };
  expect(findings(await step('appraisal', id, 'submit_self', 'asha')).map(({ field }) => field)).toEqual([
    'competency_lines',
    'answers',
  ]);
  await ok(
    change(
      'appraisal',
      id,
      {
        competency_lines: rows.competency_lines.map((row) => ({ ...row, self_level: 4 })),
        answers: rows.answers.map((row) => ({ ...row, self_answer: 'Two large orders.' })),
        self_summary: 'A good half-year.',
      },
      'asha',
    ),
  );
  expect((await read('appraisal', id, 'mina')).self_summary).toBeUndefined();
  expect((await step('appraisal', id, 'submit_self', 'mina')).statusCode).toBe(403);
  await ok(step('appraisal', id, 'submit_self', 'asha'));
  const seen = (await read('appraisal', id, 'mina')) as Doc & { competency_lines: Row[] };
  expect(seen).toMatchObject({ self_summary: 'A good half-year.', waiting_for_id: made.ids.mina });
  expect(seen.competency_lines[0]).toMatchObject({ self_level: 4 });
});

test('feedback of colleagues counts from three answers on, and never reveals its authors', async () => {
  const id = numbers.asha!;
  const answer = async (reviewer: string, stars: number, comment: string) => {
    const asked = await add(
      'appraisal_feedback',
      { appraisal_id: id, reviewer_id: made.ids[reviewer], relation: 'peer' },
      'mina',
    );
    const { ratings, ...rest } = (await read('appraisal_feedback', asked, reviewer)) as unknown as { ratings: Row[] };
    // The form shows the rest as fixed; who asked may still change the request.
    expect(rest).toMatchObject({ _open: { in: 'asked', fields: expect.arrayContaining(['comment']) as string[] } });
    await ok(
      change('appraisal_feedback', asked, { ratings: ratings.map((row) => ({ ...row, stars })), comment }, reviewer),
    );
    await ok(step('appraisal_feedback', asked, 'give', reviewer));
    return asked;
  };
  const given = await answer('ravi', 4, 'Zealous');
  await answer('head', 5, 'Always on time');
  expect(await read('appraisal', id, 'mina')).toMatchObject({
    feedback_answers: 2,
    feedback_score: null,
    feedback_lines: [],
  });
  const stored = await read('appraisal_feedback', given, 'mina');
  expect([stored.comment, (stored.ratings as Row[])[0]!.stars]).toEqual([undefined, undefined]);
  expect((await made.people.asha!.call('GET', `/tapi/appraisal_feedback/${given}`)).statusCode).toBe(404);
  await answer('mina', 3, 'Plans well');
  expect(await read('appraisal', id, 'mina')).toMatchObject({
    feedback_score: '80.00',
    feedback_lines: [{ question: 'Keeps what was agreed', stars: '4.00', answers: 3 }],
    feedback_comments: [
      { comment: 'Always on time', said_by: null },
      { comment: 'Plans well' },
      { comment: 'Zealous' },
    ],
  });
});

test('the manager submits when the KPIs are frozen and the adjustment is within its limit', async () => {
  const id = numbers.asha!;
  // Appraisals that are open keep the weights they were opened with.
  await ok(
    change(
      'appraisal_template',
      template,
      { kpi_weight: '10', competency_weight: '90', feedback_weight: '0' },
      'admin',
    ),
  );
  const stored = (await read('appraisal', id, 'mina')) as Doc & { competency_lines: Row[] };
  const rated = await ok(
    change(
      'appraisal',
      id,
      {
        competency_lines: stored.competency_lines.map((row, at) => ({ ...row, manager_level: [3, 3, 4][at] })),
        manager_adjust: '6',
        strengths: 'Negotiates well.',
      },
      'mina',
    ),
  );
  // (82.00 · 70 + 91.50 · 20 + 80.00 · 10) / 100
  expect(rated).toMatchObject({
    competency_score: '91.50',
    computed_score: '83.70',
    rated_score: '89.70',
    rated_band: 'Meets',
  });
  // With half of the weight for the own levels 4, 4, 4: 87.50 · 50, 116.67 · 30 and 120 · 20.
  const setting = (set: string) => made.acme.sql(`update {s}.rating_setting set ${set}`);
  await setting('self_weight = 50');
  expect(await ok(change('appraisal', id, { manager_adjust: '7' }, 'mina'))).toMatchObject({
    competency_score: '102.75',
  });
  await setting('self_weight = 0');
  expect(await ok(change('appraisal', id, { manager_adjust: '6' }, 'mina'))).toMatchObject({
    competency_score: '91.50',
  });
  // A KPI whose score is replaced counts by it, with a reason, where the settings allowed it when the appraisal was made.
  const { kpi_lines: kpis } = rated as unknown as { kpi_lines: Row[] };
  const replacedBy = (given_score: string | null, given_reason: string | null) =>
    change(
      'appraisal',
      id,
      { kpi_lines: kpis.map((row, at) => (at === 0 ? { ...row, given_score, given_reason } : row)) },
      'mina',
    );
  expect(await ok(replacedBy('100', 'The target was raised in May.'))).toMatchObject({ computed_score: '83.70' });
  expect(findings(await step('appraisal', id, 'submit', 'mina')).map(({ message }) => message)).toContain(
    'The scores of KPIs may not be replaced. Leave them empty.',
  );
  await ok(replacedBy(null, null));
  await made.acme.sql('update {s}.appraisal set may_replace_kpis = true where id = $1', [id]);
  expect((await replacedBy('100', null)).statusCode).toBe(422);
  const [first] = kpis;
  const points = (82 + ((100 - Number(first!.score)) * Number(first!.weight)) / 100).toFixed(2);
  expect(await ok(replacedBy('100', 'The target was raised in May.'))).toMatchObject({
    kpi_score: '82.00',
    kpi_rated_score: points,
    computed_score: (Number(points) * 0.7 + 91.5 * 0.2 + 80 * 0.1).toFixed(2),
  });
  const seen = (await read('appraisal', id, 'asha')) as Doc & { kpi_lines: Row[] };
  expect([seen.kpi_rated_score, seen.kpi_lines[0]!.given_score]).toEqual([undefined, undefined]);
  expect(await ok(replacedBy(null, null))).toMatchObject({ kpi_rated_score: null, computed_score: '83.70' });
  const refused = await step('appraisal', id, 'submit', 'mina');
  expect(findings(refused).map(({ message }) => message)).toEqual([
    'September 2025 is not frozen. Scores may still change.',
    'A manager may adjust by 5 points at most.',
    'Enter why you adjust the score.',
  ]);
  // The limit is that of the settings, and a rating may need a summary.
  await setting('manager_max_adjust = 6.5');
  const needsSummary = (is: boolean) =>
    made.acme.sql(`update {s}.performance_rating__bands set comment_required = $1 where label = 'Meets'`, [is]);
  await needsSummary(true);
  expect(findings(await step('appraisal', id, 'submit', 'mina')).map(({ message }) => message)).toEqual([
    'September 2025 is not frozen. Scores may still change.',
    'Enter why you adjust the score.',
    'The rating "Meets" needs your summary.',
  ]);
  await setting('manager_max_adjust = 5');
  await needsSummary(false);
  await made.acme.sql(`update {s}.kpi_actual set status = 'frozen' where month = '2025-09'`);
  await ok(change('appraisal', id, { manager_adjust: '2', adjust_reason: 'Took over a region in May.' }, 'mina'));
  expect((await change('appraisal', id, { moderated_score: '100' }, 'mina')).statusCode).not.toBe(200);
  await ok(step('appraisal', id, 'submit', 'mina'));
  const own = await read('appraisal', id, 'asha');
  for (const field of [
    'strengths',
    'manager_adjust',
    'computed_score',
    'rated_score',
    'rated_band',
    'competency_score',
    'band',
  ])
    expect(own[field], field).toBeUndefined();
  expect((await list('appraisal', 'asha')).map((row) => [row.id, row.rated_score])).toEqual([[id, null]]);
  const history = await made.people.asha!.call('GET', `/tapi/appraisal/${id}/history`);
  expect(history.statusCode).toBe(200);
  expect(history.body).not.toContain('Took over a region');
});

test('the reviewer agrees, a session is held, the rating becomes final and no longer follows the KPIs', async () => {
  const id = numbers.asha!;
  // The reviewer has until the end of the moderation.
  expect(await read('appraisal', id)).toMatchObject({ status: 'reviewed', due_on: '2099-10-25' });
  expect((await step('appraisal', id, 'agree', 'mina')).statusCode).toBe(403);
  await ok(step('appraisal', id, 'agree', 'head'));
  expect(findings(await step('appraisal', id, 'finalise', 'admin'))[0]!.message).toContain('No moderation session');
  const session = await add('moderation_session', { launch_id: launch, title: 'Sales', group_by: 'department' });
  await ok(step('moderation_session', session, 'close', 'admin', { held_on: '2025-11-01' }));
  const moderated = { moderated_score: '96.13', moderation_note: 'As strict as others.' };
  const [days] = await made.acme.sql<{ until: string }>(
    'select moderation_to::text as until from {s}.appraisal_launch where id = $1',
    [launch],
  );
  const ends = (day: string) =>
    made.acme.sql('update {s}.appraisal_launch set moderation_to = $2 where id = $1', [launch, day]);
  await ends('2025-11-30');
  expect((await step('appraisal', id, 'moderate', 'admin', moderated)).body).toContain('Moderation');
  await ends(days!.until);
  await ok(step('appraisal', id, 'moderate', 'admin', moderated));
  await made.acme.sql('update {s}.kpi_actual set value = 1 where kpi_id = $1', [made.ids.SALES]);
  // The pay in force on the day counts.
  for (const [valid_from, annual_pay] of [
    ['2024-04-01', '900000'],
    ['2025-04-01', '960000'],
    ['2099-04-01', '990000'],
  ])
    await add('employee_pay', { employee_id: made.ids.asha, valid_from, annual_pay });
  const asksPlan = (label: string) =>
    made.acme.sql('update {s}.performance_rating__bands set improvement_plan = (label = $1)', [label]);
  // A band with an improvement plan marks its appraisals; another band does not.
  await asksPlan('Exceeds');
  expect(await ok(step('appraisal', id, 'finalise', 'admin'))).toMatchObject({
    final_score: '96.13',
    band: 'Exceeds',
    kpi_score: '82.00',
    needs_plan: true,
  });
  await made.acme.sql(`update {s}.appraisal set status = 'moderation' where id = $1`, [id]);
  await asksPlan('Meets');
  expect(await ok(step('appraisal', id, 'finalise', 'admin'))).toMatchObject({ band: 'Exceeds', needs_plan: false });
  // 9,60,000 · 8.18 %
  expect(await read('appraisal', id)).toMatchObject({
    increment_percent: '8.1800',
    annual_pay: '960000.00',
    increment_amount: '78528.00',
  });
});

test('after the release the member sees what the settings allow, with the letter, and may appeal once', async () => {
  const id = numbers.asha!;
  await made.acme.sql('update {s}.rating_setting set acknowledge_days = 2, appeal_days = 3');
  await ok(step('appraisal', id, 'release', 'admin'));
  const own = await read('appraisal', id, 'asha');
  const days = (from: unknown, to: unknown) => (Date.parse(String(to)) - Date.parse(String(from))) / 86_400_000;
  expect([days(own.released_on, own.acknowledge_by), days(own.released_on, own.appeal_until)]).toEqual([2, 3]);
  expect(own).toMatchObject({ status: 'released', band: 'Exceeds', strengths: 'Negotiates well.' });
  // Its months stay frozen.
  const month = await add('kpi_period_lock', { month: '2025-08' });
  await ok(step('kpi_period_lock', month, 'freeze', 'admin'));
  const reopened = await step('kpi_period_lock', month, 'reopen', 'admin', {
    reopen_until: '2099-01-01',
    reason: 'A late order',
  });
  expect(findings(reopened)[0]!.message).toBe(
    `Used by ${String(own.number)}. Cancel those first or make a correction.`,
  );
  expect([own.final_score, own.increment_percent, own.manager_adjust]).toEqual([undefined, undefined, undefined]);
  const letter = await made.people.asha!.call('GET', `/tapi/appraisal/${id}/print/letter.pdf`);
  expect(letter.statusCode, letter.body.slice(0, 200)).toBe(200);
  // The letter is for the member: it says no more than they may see.
  const [kept] = await made.acme.sql<{ content: string }>(
    `select content::text as content from {s}.kept_print where record_type = 'appraisal' and record_id = $1`,
    [id],
  );
  expect(kept!.content).toContain('Exceeds');
  expect(kept!.content).toContain('Negotiates well.');
  for (const title of ['Final score', 'Increment']) expect(kept!.content).not.toContain(title);
  const [mail] = await made.acme.sql<{ prints: number[] }>(
    `select prints from {s}.outbox where event_code = 'appraisal.released' and channel = 'mail'`,
  );
  expect(mail!.prints).toHaveLength(1);
  // The pay is HR's; the member reads it once the settings show increments, the manager never.
  const payFields = ['annual_pay', 'increment_amount'];
  const payLetter = (by: string) => made.people[by]!.call('GET', `/tapi/appraisal/${id}/print/pay_letter.pdf`);
  const nothingFor = async (by: string) => {
    const seen = await read('appraisal', id, by);
    expect(payFields.map((field) => seen[field])).toEqual([undefined, undefined]);
    const rows = await ok<Row[]>(made.people[by]!.call('GET', '/tapi/appraisal?columns=*'));
    expect(rows.flatMap((row) => payFields.map((field) => row[field] ?? null).filter(Boolean))).toEqual([]);
    for (const door of ['history', 'prints']) {
      const answer = await made.people[by]!.call('GET', `/tapi/appraisal/${id}/${door}`);
      for (const word of ['78528', '960000', 'pay_letter']) expect(answer.body).not.toContain(word);
    }
    expect((await payLetter(by)).statusCode).toBe(404);
    expect((await made.people[by]!.call('GET', '/tapi/employee_pay')).statusCode).toBe(403);
  };
  for (const by of ['asha', 'mina', 'head']) await nothingFor(by);
  await made.acme.sql('update {s}.appraisal set shows_increment = true where id = $1', [id]);
  for (const by of ['mina', 'head']) await nothingFor(by);
  expect(await read('appraisal', id, 'asha')).toMatchObject({ annual_pay: '960000.00', increment_amount: '78528.00' });
  for (const by of ['asha', 'admin']) expect((await payLetter(by)).statusCode).toBe(200);
  await made.acme.sql('update {s}.appraisal set shows_increment = false where id = $1', [id]);
  expect((await step('appraisal', id, 'appeal', 'asha', { appeal_reason: 'Too low.' })).statusCode).toBe(422);
  const until = (set: string) =>
    made.acme.sql(`update {s}.appraisal set appeal_until = released_on + ${set} where id = $1`, [id]);
  await until('-1');
  expect(
    (await step('appraisal', id, 'appeal', 'asha', { appeal_reason: 'The orders of September are not in these.' }))
      .body,
  ).toContain('The deadline for appeals has passed.');
  await until('3');
  await ok(
    step('appraisal', id, 'appeal', 'asha', { appeal_reason: 'The orders of September are not in these figures.' }),
  );
  await ok(step('appraisal', id, 'keep', 'admin', { appeal_note: 'They were counted in October.' }));
  const again = await step('appraisal', id, 'appeal', 'asha', {
    appeal_reason: 'The orders of September are still not in these figures.',
  });
  expect(again.statusCode).toBe(409);
});

test('an open appraisal follows a new manager; a rating that has begun moves only with the open approvals', async () => {
  const { ids, people, acme } = made;
  const [head, mina] = [ids.head!, ids.mina!];
  const moveTo = async (manager: number, from: string, more: object = {}) => {
    await ok(
      people.admin!.call('POST', `/tapi/employee/${ids.ravi}/move`, {
        effective_from: from,
        reporting_to_id: manager,
        reason: 'New teams',
        ...more,
      }),
    );
    await drain();
    return read('appraisal', numbers.ravi!);
  };
  // The period ended on 30 September: a manager from October on does not rate it, one from September on does.
  expect(await moveTo(mina, '2025-10-01')).toMatchObject({ status: 'self_rating', manager_id: head });
  await moveTo(head, '2025-10-02');
  expect(await moveTo(mina, '2025-10-03', { moves_open: true })).toMatchObject({ manager_id: mina, reviewer_id: head });
  await moveTo(head, '2025-10-04', { moves_open: true });
  await ok(step('appraisal', numbers.ravi!, 'end_self', 'admin'));
  expect(await moveTo(mina, '2025-10-05')).toMatchObject({ manager_id: head, waiting_for_id: head });
  await moveTo(head, '2025-10-06');
  expect(await moveTo(mina, '2025-10-07', { moves_open: true })).toMatchObject({
    status: 'manager_rating',
    manager_id: mina,
    waiting_for_id: mina,
  });
  // Nothing waits for a manager who has left.
  await acme.sql(`update {s}.employee set status = 'left' where id = $1`, [mina]);
  expect(await moveTo(head, '2025-10-08')).toMatchObject({ manager_id: head, reviewer_id: null, waiting_for_id: head });
  await acme.sql(`update {s}.employee set status = 'active' where id = $1`, [mina]);
  await ok(step('appraisal', numbers.ravi!, 'send_back', 'head', { reason: 'Please answer the question.' }));
});

test('a launch updates the days of its appraisals, excludes members, and closes when all are done', async () => {
  await ok(
    change('appraisal_launch', launch, { self_to: '2099-10-11', exclude_ids: [made.ids.head, made.ids.mina] }, 'admin'),
  );
  await drain();
  expect(await read('appraisal', numbers.ravi!)).toMatchObject({ status: 'self_rating', due_on: '2099-10-11' });
  expect(await read('appraisal', numbers.mina!)).toMatchObject({ status: 'excluded' });
  for (const name of ['start_manager', 'start_moderation', 'start_release'])
    await ok(step('appraisal_launch', launch, name, 'admin'));
  expect(findings(await step('appraisal_launch', launch, 'close', 'admin'))[0]!.message).toMatch(
    /is not acknowledged yet/,
  );
  expect(await read('appraisal', numbers.mina!)).toMatchObject({ status: 'excluded' });
  await ok(step('appraisal', numbers.ravi!, 'exclude', 'admin', { reason: 'He was away for the half-year.' }));
  await ok(step('appraisal_launch', launch, 'close', 'admin'));
  await drain();
  expect(await read('appraisal', numbers.asha!)).toMatchObject({ status: 'closed', band: 'Exceeds' });
});

test('a reopened stage brings back what its later stage has not decided, and keeps what was entered', async () => {
  const { ids, acme, people } = made;
  const period_id = await add('appraisal_period', {
    code: 'Q2',
    name: 'Second quarter 2025-26',
    financial_year: '2025-2026',
    kind: 'quarterly',
    starts_on: '2025-07-01',
    ends_on: '2025-09-30',
  });
  const plain = await add('appraisal_template', {
    code: 'PLAIN',
    name: 'Competencies',
    kpi_weight: '0',
    competency_weight: '100',
    feedback_weight: '0',
    kpis_needed: false,
    competencies: [{ competency_id: (await list('competencies', 'admin'))[0]!.id, expected_level: 4, weight: '100' }],
  });
  const days = {
    self_to: '2099-10-10',
    manager_from: '2099-10-11',
    manager_to: '2099-10-20',
    moderation_to: '2099-10-25',
    release_on: '2099-10-30',
  };
  const quarter = await add('appraisal_launch', {
    title: 'Second quarter',
    period_id,
    template_id: plain,
    self_from: '2026-10-01',
    ...days,
    exclude_ids: [ids.head],
  });
  const go = async (name: string, more: object = {}) => {
    await ok(step('appraisal_launch', quarter, name, 'admin', more));
    await drain();
  };
  // What the settings allow holds for appraisals of a launch as for single ones.
  await acme.sql(`update {s}.rating_setting set kpi_override = 'with_reason'`);
  await go('schedule');
  await acme.sql(`update {s}.rating_setting set kpi_override = 'never'`);
  await go('start_self');
  const launched = await list('appraisal', 'admin', ['launch_id', 'eq', quarter]);
  expect((await read('appraisal', launched[0]!.id)).may_replace_kpis).toBe(true);
  const of = Object.fromEntries(
    launched.map(({ id, employee_id: member }) => [Object.entries(ids).find(([, one]) => one === member)![0], id]),
  );
  const state = async (name: string) => (await read('appraisal', of[name]!)).status;
  const rate = async (name: string, manager: string, level: number) => {
    const { competency_lines: rows } = (await read('appraisal', of[name]!, manager)) as unknown as {
      competency_lines: Row[];
    };
    const rated = rows.map((row) => ({ ...row, manager_level: level }));
    await ok(change('appraisal', of[name]!, { competency_lines: rated }, manager));
  };
  const { competency_lines: own } = (await read('appraisal', of.asha!, 'asha')) as unknown as {
    competency_lines: Row[];
  };
  await ok(
    change(
      'appraisal',
      of.asha!,
      { competency_lines: own.map((row) => ({ ...row, self_level: 5 })), self_summary: 'Good.' },
      'asha',
    ),
  );
  for (const name of ['asha', 'ravi', 'mina']) await ok(step('appraisal', of[name]!, 'end_self', 'admin'));
  await go('start_manager');
  // Asha's manager has begun, Mina's has submitted.
  await rate('asha', 'mina', 3);
  await rate('mina', 'head', 4);
  await ok(step('appraisal', of.mina!, 'submit', 'head'));
  const mina = await read('appraisal', of.mina!);
  expect(mina.status).toBe('moderation');

  // With a reason, and with days that let the stage last.
  const later = { ...days, self_to: '2099-10-12', manager_from: '2099-10-13' };
  const reason = 'Two branches were closed by the flood.';
  const refusedFor = async (more: object) =>
    findings(await step('appraisal_launch', quarter, 'reopen_stage', 'admin', { ...later, reason, ...more })).map(
      ({ field }) => field,
    );
  expect(await refusedFor({ reason: null })).toEqual(['reason']);
  expect(await refusedFor({ manager_from: '2026-10-05' })).toEqual(['manager_from']);
  await go('reopen_stage', { ...later, reason });
  expect(await read('appraisal', of.asha!, 'asha')).toMatchObject({
    status: 'self_rating',
    waiting_for_id: ids.asha,
    due_on: '2099-10-12',
    self_summary: 'Good.',
    self_done_on: null,
    competency_lines: [{ self_level: 5 }],
  });
  // Hidden again until it is submitted, with what the manager had begun.
  const seen = (await read('appraisal', of.asha!, 'mina')) as Doc & { competency_lines: Row[] };
  expect([seen.self_summary, seen.competency_lines[0]!.manager_level]).toEqual([undefined, 3]);
  const untouched = await read('appraisal', of.mina!);
  expect(untouched).toMatchObject({
    status: 'moderation',
    rated_score: mina.rated_score,
    manager_done_on: mina.manager_done_on,
  });
  const notices = await acme.sql<{ user_id: number; title: string; body: string }>(
    `select user_id, title, body from {s}.notification where event_code = 'appraisal.reopened' and record_id = $1`,
    [of.asha],
  );
  expect(new Set(notices.map(({ user_id: user }) => user))).toEqual(
    new Set([people.asha!.userId, people.mina!.userId]),
  );
  expect(notices[0]!.body).toContain(reason);
  // A date of the launch, as people read it.
  expect(notices[0]!.title).toMatch(/ is open again until \d\d-\d\d-\d{4}$/);

  // A moderated score outlasts the reopening of the managers' part; a rating without one comes back.
  await ok(step('appraisal', of.ravi!, 'end_self', 'admin'));
  await ok(step('appraisal', of.asha!, 'submit_self', 'asha'));
  await go('start_manager');
  const manager = Object.keys(ids).find((name) => ids[name] === seen.manager_id)!;
  await ok(step('appraisal', of.asha!, 'submit', manager));
  await ok(step('appraisal', of.asha!, 'agree', 'head'));
  await go('start_moderation');
  await ok(step('appraisal', of.mina!, 'moderate', 'admin', { moderated_score: '91', moderation_note: 'As others.' }));
  const again = { manager_to: days.manager_to, moderation_to: days.moderation_to, release_on: days.release_on };
  await go('reopen_rating', { ...again, reason });
  expect([await state('asha'), await state('mina')]).toEqual(['manager_rating', 'moderation']);
  expect(await read('appraisal', of.asha!)).toMatchObject({ rated_score: '75.00', manager_done_on: null });

  // What is released stays; what is only final is open again.
  await ok(step('appraisal', of.asha!, 'submit', manager));
  await ok(step('appraisal', of.asha!, 'agree', 'head'));
  await ok(step('appraisal', of.ravi!, 'exclude', 'admin', { reason: 'Away.' }));
  await go('start_moderation');
  const session = await add('moderation_session', { launch_id: quarter, title: 'All', group_by: 'department' });
  await ok(step('moderation_session', session, 'close', 'admin', { held_on: '2025-11-01' }));
  for (const name of ['asha', 'mina']) await ok(step('appraisal', of[name]!, 'finalise', 'admin'));
  await ok(step('appraisal', of.mina!, 'release', 'admin'));
  await go('start_release');
  await go('reopen_moderation', { moderation_to: '2099-10-26', release_on: '2099-10-31', reason });
  expect(await read('appraisal', of.mina!)).toMatchObject({ status: 'released', final_score: '91.00' });
  expect(await read('appraisal', of.asha!)).toMatchObject({
    status: 'moderation',
    rated_score: '75.00',
    final_score: null,
    band: null,
    release_on: '2099-10-31',
  });
  await ok(step('appraisal', of.asha!, 'exclude', 'admin', { reason: 'The test ends.' }));
});

test('a push has a preview, gives members without a sheet the KPIs of their designations, and can be undone', async () => {
  const { ids, people } = made;
  const { designation_id } = await read('employee', ids.ravi!);
  const mapping = (kpi: string, weight: string) =>
    add('kpi_mapping', {
      kpi_id: ids[kpi],
      map_to: 'designation',
      designation_id,
      weight,
      target_basis: 'fixed',
      year_target: '120',
      valid_from: '2025-04-01',
    });
  await mapping('SALES', '70');
  await mapping('COMPLAINTS', '30');
  const push = await add('kpi_push', {
    financial_year: '2025-2026',
    mode: 'add_missing',
    employee_ids: [ids.asha, ids.ravi],
  });
  await ok(step('kpi_push', push, 'preview', 'admin'));
  const lines = (await read('kpi_push', push)).lines as Row[];
  expect(lines.map(({ employee_id: id, change: what }) => [id, what])).toEqual(
    expect.arrayContaining([
      [ids.asha, 'skip'],
      [ids.ravi, 'add'],
    ]),
  );
  expect(await list('kpi_sheet', 'admin', ['employee_id', 'eq', ids.ravi])).toEqual([]);
  await ok(step('kpi_push', push, 'apply', 'admin'));
  const [sheet] = await list('kpi_sheet', 'admin', ['employee_id', 'eq', ids.ravi]);
  expect(await read('kpi_sheet', sheet!.id)).toMatchObject({
    status: 'draft',
    total_weight: '100.0000',
    lines: expect.arrayContaining([expect.objectContaining({ kpi_id: ids.SALES, weight: '70.0000' })]) as Row[],
  });
  await ok(step('kpi_push', push, 'undo', 'admin'));
  expect((await people.admin!.call('GET', `/tapi/kpi_sheet/${sheet!.id}`)).statusCode).toBe(404);

  // A mapping may be for a role, by the head of a team, and required; the target is spread by its profile.
  const role = await add('distinct_role_assignments', {
    code: 'LEAD',
    role_name: 'Lead',
    shared: true,
    holders: [{ employee_id: ids.head, from_date: '2025-04-01' }],
  });
  const profile = await add('phasing_profile', {
    code: 'Q',
    name: 'Quarters',
    frequency: 'quarterly',
    parts: ['40', '30', '20', '10'].map((percent, at) => ({ period_no: at + 1, percent })),
  });
  await add('kpi_mapping', {
    kpi_id: ids.AUDIT,
    map_to: 'member_role',
    member_role_id: role,
    weight: '0',
    target_basis: 'per_head',
    year_target: '5',
    phasing_profile_id: profile,
    mandatory: true,
    valid_from: '2025-04-01',
  });
  const forHead = await add('kpi_push', { financial_year: '2025-2026', mode: 'add_missing', employee_ids: [ids.head] });
  await ok(step('kpi_push', forHead, 'preview', 'admin'));
  const [own] = ((await read('kpi_push', forHead)).lines as Row[]).filter(({ kpi_id: kpi }) => kpi === ids.AUDIT);
  expect(own).toMatchObject({ year_target: '15.0000', note: 'For 3 members of the team.' });
  await ok(step('kpi_push', forHead, 'apply', 'admin'));
  const [pushed] = await list('kpi_sheet', 'admin', ['employee_id', 'eq', ids.head]);
  const sheetOfHead = (await read('kpi_sheet', pushed!.id)) as Doc & { lines: Row[] };
  const isAudit = ({ kpi_id: kpi }: Row) => kpi === ids.AUDIT;
  expect(sheetOfHead.lines.find(isAudit)).toMatchObject({ phasing: 'profile', phasing_profile_id: profile });
  const others = sheetOfHead.lines.filter((line) => !isAudit(line));
  await ok(setLines(pushed!.id, others, 'admin'));
  expect((await step('kpi_sheet', pushed!.id, 'submit', 'admin')).body).toContain(
    'AUDIT is required by a KPI mapping.',
  );
});

test('boards and reports of appraisals respond, without records that the reader may not see', async () => {
  const { people, ids } = made;
  interface Tile {
    name: string;
    problem?: string;
    widget?: unknown;
  }
  const board = async (name: string, by: string, filters: object = {}) =>
    (await people[by]!.call('POST', `/tapi/dashboard/${name}`, { filters })).json<{ data: { tiles: Tile[] } }>().data
      .tiles;
  for (const name of [
    'appraisal_trend',
    'appraisal_trend_chart',
    'employee_scorecard',
    'scorecard_board',
    'reportee_scorecard',
    'my_scorecard',
    'dashboard_home_employee_kpi',
  ]) {
    const tiles = await board(name, 'admin');
    expect(tiles.length, name).toBeGreaterThan(0);
    expect(
      tiles.filter(({ problem }) => problem !== undefined),
      name,
    ).toEqual([]);
  }
  await made.acme.sql('update {s}.kpi_actual set achievement = 90 where counts');
  const [heat] = await board('appraisal_heatmap', 'admin', { from: '2025-04', to: '2025-09' });
  expect(heat!.widget).toMatchObject({
    columns: [{ name: 'COMPLAINTS' }, { name: 'SALES' }],
    rows: [{ id: ids.asha }],
  });
  const [ratings] = await board('appraisal_moderation', 'admin', { launch_id: String(launch) });
  expect(ratings!.widget).toMatchObject({ cards: [{ score: '96.13', band: 'Exceeds', open: false }] });
  // Scores are compared between managers from the number of members in the settings on.
  expect(ratings!.widget).toMatchObject({ cards: [{ normalised: null }] });
  await made.acme.sql('update {s}.rating_setting set moderation_min_group = 1');
  const compared = async () =>
    ((await board('appraisal_moderation', 'admin', { launch_id: String(launch) }))[0]!.widget as { cards: Row[] })
      .cards[0]!.normalised;
  await expect.poll(compared, { timeout: 15_000 }).toBe('96.13');
  const [nobody] = await board('reportees_rating_updates', 'admin');
  expect(nobody!.widget).toMatchObject({ rows: [] });
  for (const name of [
    'apparaisal_rating_report',
    'cumulative_actuals_targets_report?financial_year=2025-2026',
    'emp_kpi_rating_report?financial_year=2025-2026',
    'new_appraisal_detail_report',
  ]) {
    const [report, query = ''] = name.split('?');
    const { rows } = await ok<{ rows: Row[] }>(people.admin!.call('GET', `/tapi/report/${report}/rows?${query}`));
    expect(rows.length, name).toBeGreaterThan(0);
  }
});

test('the heat map computes a period of the totals of its months, and each of its choices narrows it', async () => {
  const { acme, people, ids } = made;
  const targets = (...three: string[]) =>
    Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`t${String(at + 1).padStart(2, '0')}`, three[at % 3]]));
  const [sales] = await acme.sql<{
    kpi_type_id: number;
    uom_id: number;
    city: number;
    state_id: number;
    country: number;
  }>(
    `select k.kpi_type_id, k.uom_id, b.city, b.state_id, b.country from {s}.kpi k, {s}.branch b where k.id = $1 limit 1`,
    [ids.SALES],
  );
  const internal = await add('kpi_type', { code: 'INT', name: 'Internal', perspective: 'process' });
  const audits = await add('kpi', {
    code: 'AUDITS',
    name: 'AUDITS',
    kpi_type_id: internal,
    uom_id: sales!.uom_id,
    valid_from: '2024-04-01',
  });
  for (const name of ['asha', 'ravi', 'mina']) {
    const sheet = await add('kpi_sheet', {
      employee_id: ids[name],
      financial_year: '2033-2034',
      valid_from: '2033-04-01',
      valid_to: '2034-03-31',
      lines: [
        { kpi_id: ids.SALES, weight: '60', ...targets('90', '90', '100') },
        { kpi_id: audits, weight: '40', ...targets('40', '40', '40') },
      ],
    });
    await ok(step('kpi_sheet', sheet, 'submit', 'admin'));
    await ok(step('kpi_sheet', sheet, 'approve', 'head'));
    await acme.sql(
      `update {s}.kpi_actual a set value = v.value, achievement = round(100 * v.value / a.target, 4), counts = true, status = 'approved'
       from (values ('2033-04', 80, 40), ('2033-05', 95, 40), ('2033-06', 110, 40)) m(month, sales, audits)
       cross join lateral (values ($2::bigint, m.sales), ($3::bigint, m.audits)) v(kpi_id, value)
       where a.sheet_id = $1 and a.month = m.month and a.kpi_id = v.kpi_id`,
      [sheet, ids.SALES, audits],
    );
  }
  interface Heat {
    columns: { name: string }[];
    rows: { id: number; cells: ({ achievement: string } | null)[] }[];
    shows: string;
  }
  const heat = async (filters: object = {}, headers: Record<string, string> = {}) =>
    (
      await ok<{ tiles: { widget: Heat }[] }>(
        people.admin!.call(
          'POST',
          '/tapi/dashboard/appraisal_heatmap',
          {
            filters: Object.fromEntries(
              Object.entries({ from: '2033-04', to: '2033-06', ...filters }).flatMap(([name, value]) =>
                value === null ? [] : [[name, String(value)]],
              ),
            ),
          },
          headers,
        ),
      )
    ).tiles[0]!.widget;
  // 285 of 280; the mean of the months would be 101.48.
  const rated = await ok<{ rows: Row[] }>(
    people.admin!.call(
      'GET',
      `/tapi/report/emp_kpi_rating_report/rows?from=2033-04&to=2033-06&employee_id=${ids.asha}&kpi_id=${ids.SALES}`,
    ),
  );
  expect(rated.rows).toMatchObject([{ kpi: 'SALES', achievement: '101.79', score: '101.79', band: 'Exceeds', n: 3 }]);
  const reached = async (filters: object) =>
    (await heat(filters)).rows.find(({ id }) => id === ids.asha)?.cells.map((cell) => Number(cell?.achievement));

  // 285 of 280; the mean of the months' 88.8889, 105.5556 and 110 would be 101.4815 (§5.6).
  expect(await reached({})).toEqual([100, 101.7857]);
  expect(await reached({ to: '2033-05' })).toEqual([100, 97.2222]);
  expect(await reached({ from: '2033-06' })).toEqual([100, 110]);
  // A month has the score of its KPIs by their weights, or the achievement of the one that is chosen.
  expect(await reached({ columns: 'month' })).toEqual([93.33, 103.33, 106]);
  expect(await heat({ columns: 'month' })).toMatchObject({ shows: 'score' });
  expect(await reached({ columns: 'month', kpi_id: ids.SALES })).toEqual([88.8889, 105.5556, 110]);

  // Ravi differs in everything that can be chosen, so a choice that is ignored shows him as well.
  const { branch, member } = await branchWithMembers(add, sales!, {
    branch: { code: 'HEAT', name: 'Heat' },
    department: { code: 'HEAT', name: 'Heat' },
    designation: { code: 'HEAT', name: 'Heat' },
  });
  const grade = await add('employee_grade', { code: 'HEAT', name: 'Heat', rank_no: 9 });
  const other = await read('employee', await member('E10099'));
  const [before] = await acme.sql<{ designation_id: number; grade_id: number | null }>(
    `select designation_id, grade_id from {s}.employee where id = $1`,
    [ids.ravi],
  );
  const place = (designation: unknown, of: unknown) =>
    acme.sql('update {s}.employee set designation_id = $2, grade_id = $3 where id = $1', [ids.ravi, designation, of]);
  await place(other.designation_id, grade);
  await acme.sql(
    `update {s}.kpi_actual set department_id = $2, branch_id = $3 where employee_id = $1 and month like '2033%'`,
    [ids.ravi, other.department_id, branch],
  );
  const shown = async (filters: object, headers: Record<string, string> = {}) => {
    const map = await heat(filters, headers);
    return [map.rows.map(({ id }) => id).toSorted((a, b) => a - b), map.columns.map(({ name }) => name)];
  };
  const of = (...names: string[]) => [
    names.map((name) => ids[name]!).toSorted((a, b) => a - b),
    names.length === 0 ? [] : ['AUDITS', 'SALES'],
  ];
  const everybody = of('asha', 'mina', 'ravi');
  expect(await shown({})).toEqual(everybody);
  for (const [filters, expected] of [
    [{ department_id: other.department_id }, of('ravi')],
    [{ branch_id: branch }, of('ravi')],
    [{ designation_id: other.designation_id }, of('ravi')],
    [{ grade_id: grade }, of('ravi')],
    [{ employee_id: ids.mina }, of('mina')],
    [{ manager_id: ids.head }, everybody],
    [{ manager_id: ids.head, direct: true }, of('mina', 'ravi')],
    [{ manager_id: ids.mina }, of('asha')],
    [{ kpi_id: ids.SALES }, [everybody[0], ['SALES']]],
    [{ kpi_type_id: internal }, [everybody[0], ['AUDITS']]],
    [{ from: null, to: null, financial_year: '2033-2034' }, everybody],
    [{ from: null, to: null, financial_year: '2032-2033' }, of()],
    [{ from: '2033-07', to: '2033-09' }, of()],
  ] as const)
    expect(await shown(filters), JSON.stringify(filters)).toEqual(expected);
  // The map of another company has none of these figures.
  const [company] = await acme.sql<{ id: number }>(
    `insert into {s}.entity (code, name, legal_name, address1, city, state_id, country, pincode, fy_start_month, currency, timezone, sequence_no)
     select 'HEAT', 'Heat', 'Heat', address1, city, state_id, country, pincode, fy_start_month, currency, timezone, 9
     from {s}.entity where id = 1 returning id`,
  );
  await acme.sql(
    'insert into {s}.users__companies (parent_id, position, entity_id, is_default) values ($1, 9, $2, false)',
    [people.admin!.userId, company!.id],
  );
  expect(await shown({}, { 'x-entity-id': '1' })).toEqual(everybody);
  expect(await shown({}, { 'x-entity-id': String(company!.id) })).toEqual(of());
  await place(before!.designation_id, before!.grade_id);
  await acme.sql(`update {s}.kpi_actual set active = false where month >= '2033-04'`);
});

test('23 ratings stand beside the 2, 5, 9, 5 and 2 that the scheme expects, and by manager', async () => {
  const { acme, people, ids } = made;
  const labels = ['Low', 'Below', 'Middle', 'Above', 'Top'];
  const counts = [1, 6, 10, 4, 2];
  const shares = ['10', '20', '40', '20', '10'];
  const scheme = await add('performance_rating', {
    code: 'DIST',
    name: 'Distributed',
    applies_to: 'appraisal',
    valid_from: '2024-04-01',
    bands: labels.map((label, at) => ({
      ...band(String(at + 1), label, String(at * 20), at === 4 ? '120' : (at * 20 + 19.99).toFixed(2), '0', '1'),
      distribution_percent: shares[at],
    })),
  });
  const period = await add('appraisal_period', {
    code: 'DIST',
    name: 'Distribution',
    financial_year: '2024-2025',
    kind: 'project',
    starts_on: '2024-04-01',
    ends_on: '2024-09-30',
  });
  // The first twelve are rated by Mina, the others by the head; one without a final rating does not count.
  await acme.sql(
    `with made as (
       insert into {s}.employee (entity_id, empno, first_name, name, status, branch_id, department_id, mobile, designation_id, employment_type, date_of_joining)
       select 1, 'D' || n, 'D' || n, 'D' || n, 'active', m.branch_id, m.department_id, '+9198500000' || (10 + n), m.designation_id, m.employment_type, '2020-04-01'::date
       from generate_series(1, 24) n, {s}.employee m where m.id = $1 returning id, substr(empno, 2)::int as n)
     insert into {s}.appraisal (entity_id, number, employee_id, period_id, template_id, rating_scheme_id, manager_id, department_id, status, band)
     select 1, 'DIST/' || n, id, $3::bigint, $4::bigint, $5::bigint, case when n <= 12 then $1::bigint else $2::bigint end, null, 'final',
       ($6::text[])[n] from made`,
    [
      ids.mina,
      ids.head,
      period,
      template,
      scheme,
      labels.flatMap((label, at) => Array<string>(counts[at]!).fill(label)),
    ],
  );
  const report = async (name: string, by: string, query = '') => {
    const answer = await people[by]!.call('GET', `/tapi/report/${name}/rows?period_id=${period}${query}`);
    return ok<{ rows: Row[]; totals: Row; chart: { x: string[]; series: { title: string; values: number[] }[] } }>(
      Promise.resolve(answer),
    );
  };
  const whole = await report('rating_distribution', 'admin');
  expect(whole.rows.map((row) => [row.band, Number(row.share), row.expected, row.rated, row.difference])).toEqual([
    ['Low', 10, 2, 1, -1],
    ['Below', 20, 5, 6, 1],
    ['Middle', 40, 9, 10, 1],
    ['Above', 20, 5, 4, -1],
    ['Top', 10, 2, 2, 0],
  ]);
  expect(whole.totals).toMatchObject({ expected: 23, rated: 23 });
  expect(whole.chart).toMatchObject({
    x: labels,
    series: [
      { title: 'Expected', values: [2, 5, 9, 5, 2] },
      { title: 'Rated', values: counts },
    ],
  });
  // A department without ratings has no figures.
  const other = await add('department', { code: 'DISTX', name: 'Nobody' });
  expect((await report('rating_distribution', 'admin', `&department_id=${other}`)).rows).toEqual([]);

  const { chart } = await report('ratings_by_manager', 'admin');
  const places = ['head', 'mina'].map((name) =>
    chart.x.findIndex((label) => label.includes(name === 'head' ? 'E10000' : 'E10001')),
  );
  expect(
    chart.series.map(({ title, values }) => [title.split(' · ')[0], ...places.map((at) => values[at] ?? 0)]),
  ).toEqual([
    ['Low', 0, 1],
    ['Below', 0, 6],
    ['Middle', 5, 5],
    ['Above', 4, 0],
    ['Top', 2, 0],
  ]);
});

test('ratings are compared between the managers of a launch, or within the groups of their session', async () => {
  const { acme, people } = made;
  const { period_id, template_id } = await read('appraisal_launch', launch);
  const compared = await add('appraisal_launch', {
    title: 'Compared',
    period_id,
    template_id,
    self_from: '2099-10-01',
    self_to: '2099-10-10',
    manager_from: '2099-10-11',
    manager_to: '2099-10-20',
    moderation_to: '2099-10-25',
    release_on: '2099-10-30',
  });
  // Two managers (performance.md §5.12): 101 of the generous one is 96.57, and 84 of the strict one is 91.00.
  const scores = { D1: 98, D2: 101, D3: 95, D4: 104, D5: 92, D13: 84, D14: 88, D15: 80, D16: 86, D17: 82 };
  for (const [name, score] of Object.entries(scores))
    await acme.sql(
      `update {s}.appraisal a set launch_id = $1, rated_score = $2 from {s}.employee e where e.id = a.employee_id and e.empno = $3`,
      [compared, score, name],
    );
  await acme.sql('update {s}.rating_setting set moderation_min_group = 5');
  const normalised = async (name: string) => {
    const { tiles } = await ok<{ tiles: { widget?: { cards: Row[] } }[] }>(
      people.admin!.call('POST', '/tapi/dashboard/appraisal_moderation', { filters: { launch_id: String(compared) } }),
    );
    return tiles[0]!.widget!.cards.find((card) => card.name === name)!.normalised;
  };
  expect([await normalised('D2'), await normalised('D13')]).toEqual(['96.57', '91.00']);
  await add('moderation_session', { launch_id: compared, title: 'By manager', group_by: 'manager' });
  const both = async () => [await normalised('D2'), await normalised('D13')];
  await expect.poll(both, { timeout: 15_000 }).toEqual(['101.00', '84.00']);
});

test('after its last day a self-rating goes on to the manager by itself, unless the settings leave it open', async () => {
  const { acme, ids, world } = made;
  const after = async (code: string, isAuto: boolean) => {
    await acme.sql('update {s}.rating_setting set auto_submit_self = $1', [isAuto]);
    const period_id = await add('appraisal_period', {
      code,
      name: code,
      financial_year: '2027-2028',
      kind: code === 'AUTO' ? 'quarterly' : 'half_yearly',
      starts_on: '2027-04-01',
      ends_on: '2027-06-30',
    });
    const id = await add('appraisal', { employee_id: ids.mina, period_id, template_id: template });
    await ok(step('appraisal', id, 'open', 'admin'));
    await acme.sql(`update {s}.appraisal set self_to = '2027-07-10', manager_to = '2099-01-01' where id = $1`, [id]);
    await world.sweep(new Date('2027-07-10T06:00:00Z'));
    const lastDay = (await read('appraisal', id)).status;
    await world.sweep(new Date('2027-07-11T06:00:00Z'));
    const then = (await read('appraisal', id)).status;
    await acme.sql('update {s}.appraisal set active = false where id = $1', [id]);
    return [lastDay, then];
  };
  expect(await after('AUTO', true)).toEqual(['self_rating', 'manager_rating']);
  expect(await after('OPEN', false)).toEqual(['self_rating', 'self_rating']);
});

test('member leaves: an open self-rating goes on to the manager, a rating that the manager had begun to the reviewer', async () => {
  const { ids, people } = made;
  const leave = async (name: string) => {
    const reason = await add('reason', { code: 'LV', name: 'Leaves', used_for: ['leaving'] });
    const today = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    await ok(
      people.admin!.call('POST', `/tapi/employee/${ids[name]}/leave`, {
        last_working_day: today,
        leaving_reason_id: reason,
      }),
    );
    await drain();
  };
  const period_id = await add('appraisal_period', {
    code: 'PROJ',
    name: 'Project of the summer',
    financial_year: '2025-2026',
    kind: 'project',
    starts_on: '2025-07-01',
    ends_on: '2025-09-30',
  });
  // A lead between mina and a junior; the junior is rated by the lead, who leaves.
  const mina: Row = await read('employee', ids.mina!);
  const places = ['branch_id', 'department_id', 'designation_id', 'employment_type'];
  ids.lena = await add('employee', {
    ...Object.fromEntries(places.map((name) => [name, mina[name]])),
    empno: 'E10009',
    first_name: 'Lena',
    mobile: '+919840010009',
    date_of_joining: '2020-04-01',
    reporting_to_id: ids.mina,
  });
  await ok(change('employee', ids.ravi!, { reporting_to_id: ids.lena }, 'admin'));
  await drain();
  const ofLead = await add('appraisal', { employee_id: ids.lena, period_id, template_id: template });
  const ofRavi = await add('appraisal', { employee_id: ids.ravi, period_id, template_id: template });
  await ok(step('appraisal', ofLead, 'open', 'admin'));
  await ok(step('appraisal', ofRavi, 'open', 'admin'));
  await ok(step('appraisal', ofRavi, 'end_self', 'admin'));
  expect(await read('appraisal', ofRavi)).toMatchObject({ manager_id: ids.lena, reviewer_id: ids.mina });
  await leave('lena');
  expect(await read('appraisal', ofLead)).toMatchObject({
    status: 'manager_rating',
    has_self_rating: false,
    waiting_for_id: ids.mina,
  });
  // Nobody sends it back to a person who is not there.
  expect((await step('appraisal', ofLead, 'send_back', 'mina', { reason: 'The answer is missing.' })).statusCode).toBe(
    409,
  );
  expect(await read('appraisal', ofRavi)).toMatchObject({
    status: 'manager_rating',
    manager_id: ids.mina,
    reviewer_id: ids.head,
    waiting_for_id: ids.mina,
  });
  // No sheet for a member: the KPI part is left out if the template allows, else it blocks with the name.
  const missing = async () =>
    findings(await step('appraisal', ofLead, 'submit', 'mina')).flatMap(({ field, message }) =>
      field === 'kpi_lines' ? [message] : [],
    );
  expect(await missing()).toEqual([]);
  await made.acme.sql('update {s}.appraisal set kpis_needed = true where id = $1', [ofLead]);
  expect(await missing()).toEqual(['Lena has no KPI sheet in the period. Assign KPIs first.']);
  await ok(change('employee', ids.ravi!, { reporting_to_id: ids.head }, 'admin'));
  for (const id of [ofLead, ofRavi]) await ok(step('appraisal', id, 'exclude', 'admin', { reason: 'Only tried.' }));
  await drain();
});

test('what a template leaves empty the settings decide when an appraisal begins; later changes do not concern it', async () => {
  const { ids, acme, people } = made;
  const scheme = await add('performance_rating', {
    code: 'TWO',
    name: 'Two bands',
    applies_to: 'appraisal',
    valid_from: '2024-04-01',
    bands: [band('1', 'Below', '0', '49.99', '0', '0'), band('2', 'Above', '50', '120', '1', '2')],
  });
  const some = await people.admin!.call('POST', '/tapi/appraisal_template', {
    code: 'X',
    name: 'X',
    competency_weight: '30',
  });
  expect(findings(some).map(({ message }) => message)).toEqual([
    'The weights of KPIs, competencies and feedback must add up to 100 %. Or leave all three empty.',
    'Competencies have a weight. Add them, or set 0.',
  ]);
  const half = await people.admin!.call('POST', '/tapi/appraisal_template', { code: 'X', name: 'X', kpi_weight: '70' });
  expect(findings(half).map(({ field }) => field)).toEqual(['feedback_weight']);
  const kpis_only = await add('appraisal_template', {
    code: 'ONE',
    name: 'KPIs',
    kpi_weight: '100',
    kpis_needed: false,
  });
  const template_id = await add('appraisal_template', { code: 'EMPTY', name: 'By the settings', kpis_needed: false });
  await acme.sql('update {s}.rating_setting set kpi_weight = 60, competency_weight = 40, rating_scheme_id = $1', [
    scheme,
  ]);
  const period_id = await add('appraisal_period', {
    code: 'EMPTY',
    name: 'Third quarter 2025-26',
    financial_year: '2025-2026',
    kind: 'quarterly',
    starts_on: '2025-10-01',
    ends_on: '2025-12-31',
  });
  const rules = ({ kpi_weight, competency_weight, feedback_weight, rating_scheme_id }: Row) =>
    [kpi_weight, competency_weight, feedback_weight, rating_scheme_id].map((value) => Number(value));
  const single = await add('appraisal', { employee_id: ids.asha, period_id, template_id });
  expect(rules(await read('appraisal', single))).toEqual([60, 40, 0, scheme]);
  const other = await add('appraisal_period', {
    code: 'ONE',
    name: 'Fourth quarter 2025-26',
    financial_year: '2025-2026',
    kind: 'quarterly',
    starts_on: '2026-01-01',
    ends_on: '2026-03-31',
  });
  const of_kpis = await add('appraisal', { employee_id: ids.asha, period_id: other, template_id: kpis_only });
  expect(rules(await read('appraisal', of_kpis))).toEqual([100, 0, 0, scheme]);
  const days = { self_from: '2026-10-01', self_to: '2099-10-10', manager_from: '2099-10-11', manager_to: '2099-10-20' };
  const alone = await acme.sql<{ id: number }>('select id from {s}.employee where reporting_to_id is null');
  const launched = await add('appraisal_launch', {
    title: 'Third quarter',
    period_id,
    template_id,
    ...days,
    moderation_to: '2099-10-25',
    release_on: '2099-10-30',
    exclude_ids: [ids.asha, ids.ravi, ...alone.map(({ id }) => id)],
  });
  await ok(step('appraisal_launch', launched, 'schedule', 'admin'));
  await drain();
  const made_by_launch = await list('appraisal', 'admin', ['launch_id', 'eq', launched]);
  expect(made_by_launch.length).toBeGreaterThan(0);
  expect(rules(await read('appraisal', made_by_launch[0]!.id))).toEqual([60, 40, 0, scheme]);

  // Without a scheme in the settings it is the default one, also after that has gone out of use.
  await acme.sql('update {s}.rating_setting set kpi_weight = 70, competency_weight = 30, rating_scheme_id = null');
  const [usual] = await list('performance_rating', 'admin', ['code', 'eq', 'APR']);
  const plain = await add('appraisal', { employee_id: ids.ravi, period_id, template_id });
  expect(rules(await read('appraisal', plain))).toEqual([70, 30, 0, usual!.id]);
  await acme.sql(`update {s}.performance_rating set active = false where id = $1`, [usual!.id]);
  await ok(change('appraisal', plain, { manager_adjust: '1' }, 'admin'));
  expect(rules(await read('appraisal', plain))).toEqual([70, 30, 0, usual!.id]);
  expect(rules(await read('appraisal', single))).toEqual([60, 40, 0, scheme]);
  await acme.sql(`update {s}.performance_rating set active = true where id = $1`, [usual!.id]);
});
