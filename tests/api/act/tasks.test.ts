import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { branchWithMembers } from '../fms/branch_with_members.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';
import { upload } from '../multipart.ts';
import { unpackedZip } from '../unpacked_zip.ts';

// Tasks: from opening to approval, with evidence, points and score.

type Row = Record<string, unknown>;
type Doc = Row & { id: number; version: number; state: string };

let world: World;
let acme: TestTenant;
let admin: Caller;
const people: Record<string, Caller> = {};
const ids: Record<string, number> = {};
const IST = 5.5 * 3_600_000;
const day = (offset: number) => new Date(Date.now() + IST + offset * 86_400_000).toISOString().slice(0, 10);

async function ok(answer: ReturnType<Caller['call']>, status = 200): Promise<Doc> {
  const got = await answer;
  expect(got.statusCode, got.body).toBe(status);
  return got.json<{ data: Doc }>().data;
}
const add = async (type: string, record: object) => (await ok(admin.call('POST', `/tapi/${type}`, record), 201)).id;
const task = (id: number, by = admin) => ok(by.call('GET', `/tapi/chk_task_instance/${id}`));
const step = async (by: string, id: number, name: string, more: object = {}) =>
  people[by]!.call('POST', `/tapi/chk_task_instance/${id}/${name}`, { version: (await task(id)).version, ...more });
const newTask = (more: object) =>
  ok(
    people.owner!.call('POST', '/tapi/chk_task_instance', {
      title: 'Test the fire alarm',
      assignee_id: ids.doer,
      owner_id: ids.owner,
      due_on: day(2),
      ...more,
    }),
    201,
  );

beforeAll(async () => {
  world = await startWorld();
  acme = await world.tenant({ products: ['CHCK', 'SURVEY'], everyTable: true });
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  const pages = ['landing', 'add_screen', 'edit_screen', 'view_screen'] as const;
  const role = (actions: string[]) =>
    acme.role({
      modules: ['COMPLIANCE'],
      screens: { SCN_MY_TASKS: { pages: [...pages], scope: 'own' } },
      actions,
    });
  const [giver, plain] = [await role(['CREATE_CHK']), await role([])];
  for (const name of ['doer', 'approver', 'owner', 'other'])
    await acme.user(name, { companies: [{ company: 1, roles: [name === 'owner' ? giver : plain] }] });
  admin = await world.signIn(acme, 'admin');
  const [tn] = await acme.sql<{ id: number; city: number; country_id: number }>(
    `select s.id, s.country_id, (select c.id from {s}.city_mstr c where c.state_id = s.id order by c.id limit 1) as city from {s}.state_mstr s`,
  );
  const { branch, member } = await branchWithMembers(
    add,
    { city: tn!.city, state_id: tn!.id, country: tn!.country_id },
    {
      branch: { code: 'CHN' },
      department: { code: 'D1', name: 'Safety' },
      designation: { code: 'S1', name: 'Officer' },
    },
  );
  ids.branch = branch;
  for (const [at, name] of ['owner', 'approver', 'doer', 'other'].entries()) {
    ids[name] = await member(`E1000${at}`, name === 'doer' ? { reporting_to_id: ids.approver } : {});
    people[name] = await world.signIn(acme, name);
    await acme.sql('update {s}.users set employee_id = $2 where id = $1', [people[name].userId, ids[name]]);
    await acme.sql('update {s}.employee set user_id = $2 where id = $1', [ids[name], people[name].userId]);
    people[name] = await world.signIn(acme, name);
  }
});

afterAll(() => world.close());

describe('A task', () => {
  it('opens at once, is submitted with its evidence, returned, and approved by another person', async () => {
    const made = await newTask({
      approver_id: ids.approver,
      evidence: [{ label: 'Reading', evidence_kind: 'number' }],
      subtasks: [{ title: 'Siren heard', answer_type: 'yes_no' }],
    });
    expect((await task(made.id)).state).toBe('open');
    await ok(step('doer', made.id, 'start'));
    expect((await step('doer', made.id, 'submit')).json()).toMatchObject({
      error: { message: 'Answer every required checkpoint.' },
    });
    const begun = await task(made.id);
    const [point] = begun.subtasks as { id: number }[];
    await ok(
      people.doer!.call('PUT', `/tapi/chk_task_instance/${made.id}`, {
        ...begun,
        evidence: (begun.evidence as Row[]).map((one) => ({ ...one, value: '42' })),
        subtasks: [{ ...point, yes_no: 'yes' }],
      }),
    );
    const sent = await ok(step('doer', made.id, 'submit'));
    expect((await task(made.id)).evidence).toMatchObject([{ given: true, taken_at: expect.any(String) }]);
    expect(sent).toMatchObject({ state: 'submitted', progress: '100.0000' });
    expect((await step('doer', made.id, 'approve')).statusCode).toBe(403);
    const back = await ok(step('approver', made.id, 'return', { reason: 'Enter the reading.' }));
    expect(back).toMatchObject({ state: 'in_progress', returns_count: 1, submitted_at: null });
    await ok(step('doer', made.id, 'submit'));
    await ok(step('approver', made.id, 'approve'));
    expect(await task(made.id)).toMatchObject({
      state: 'completed',
      outcome: 'on_time',
      score: '100.00',
      days_late: 0,
    });
  });

  it('has made the progress of the weights of its answered points', async () => {
    const points = [3, 2, 1].map((weight) => ({
      title: `Weighs ${weight}`,
      answer_type: 'check',
      weight: String(weight),
    }));
    const made = await newTask({ subtasks: points });
    const stored = await task(made.id);
    const answered = (stored.subtasks as Row[]).map((one) => ({ ...one, ticked: one.weight !== '2.00' }));
    await ok(people.doer!.call('PUT', `/tapi/chk_task_instance/${made.id}`, { ...stored, subtasks: answered }));
    expect((await task(made.id)).progress).toBe('66.6700');
  });

  it('without an approver is complete on submission, with its lateness by the slab', async () => {
    const made = await newTask({ due_on: day(-6) });
    await ok(step('doer', made.id, 'submit'));
    expect(await task(made.id)).toMatchObject({ state: 'completed', outcome: 'late', days_late: 6, score: '50.00' });
  });

  it('is approved by the process of its checklist, by those whom the process asks, not by its owner', async () => {
    const once = (more: object) => ({
      title: 'Boiler test',
      category: 'safety',
      kind: 'one_time',
      owner_id: ids.owner,
      repeat: 'once',
      start_on: day(200),
      tasks: [
        {
          title: 'Test the boiler',
          criticality: 'high',
          weight: '1',
          approval: 'process',
          assign: [{ assign_by: 'employee', employee_id: ids.doer }],
        },
      ],
      ...more,
    });
    const without = await admin.call('POST', '/tapi/master_checklist', once({}));
    expect(without.json()).toMatchObject({ error: { field: 'approval_process_id' } });
    const process = await add('approval_process', {
      name: 'Safety tests',
      transaction_type: 'chk_task_instance',
      mode: 'cumulative',
      levels: [
        { level: 1, approver_by: 'reporting_manager', need: 'any_one' },
        { level: 2, approver_by: 'employee', employee_id: ids.other, need: 'any_one' },
      ],
    });
    const checklist = await add('master_checklist', once({ approval_process_id: process }));
    await ok(admin.call('POST', `/tapi/master_checklist/${checklist}/start`, { version: 1 }));
    const instance = await add('chk_instance', { mstr_chk_id: checklist, due_on: day(2) });
    const [made] = await acme.sql<{ id: number }>(
      `select id from {s}.chk_task_instance where origin_type = 'chk_instance' and origin_id = $1`,
      [instance],
    );
    const { id } = made!;
    expect(await task(id)).toMatchObject({ approval_process_id: process, approver_id: null });
    expect(await ok(step('doer', id, 'submit'))).toMatchObject({ state: 'submitted' });
    expect((await step('owner', id, 'approve')).statusCode).toBe(403);
    expect(await ok(step('approver', id, 'approve', {}))).toMatchObject({ state: 'submitted' });
    expect(await ok(step('other', id, 'approve'))).toMatchObject({ state: 'completed', outcome: 'on_time' });
    // Other tasks do not follow the process, although it is for tasks.
    const plain = await newTask({});
    expect(await ok(step('doer', plain.id, 'submit'))).toMatchObject({ state: 'completed' });
  });

  it('that is returned keeps the day of its first submission if its slab says so', async () => {
    const slab = await add('slab', {
      code: 'FIRST',
      name: 'First submission',
      applies_to: 'checklist',
      basis: 'calendar_days',
      valid_from: '2024-04-01',
      first_submission: true,
      bands: [{ level: 0, from_value: '0', score: '100' }],
    });
    const made = await newTask({ approver_id: ids.approver, due_on: day(-1) });
    await acme.sql(
      `update {s}.chk_task_instance set slab_id = $2, opens_at = opens_at - interval '9 days' where id = $1`,
      [made.id, slab],
    );
    await ok(step('doer', made.id, 'start'));
    const begun = await task(made.id);
    await ok(
      people.doer!.call('PUT', `/tapi/chk_task_instance/${made.id}`, { version: begun.version, done_on: day(-1) }),
    );
    await ok(step('doer', made.id, 'submit'));
    const back = await ok(step('approver', made.id, 'return', { reason: 'The stamp is missing.' }));
    expect(back).toMatchObject({ state: 'in_progress', done_on: day(-1), submitted_at: expect.any(String) });
    await ok(step('doer', made.id, 'submit'));
    await ok(step('approver', made.id, 'approve'));
    expect(await task(made.id)).toMatchObject({ outcome: 'on_time', days_late: 0, done_on: day(-1) });
  });

  it('shared by several people belongs to the first one; evidence of the second is kept as a comment', async () => {
    const reading = { label: 'Reading', evidence_kind: 'number' };
    const made = await newTask({
      candidate_ids: [ids.other],
      evidence: [reading, { label: 'Log', evidence_kind: 'file', required: false }],
    });
    await ok(step('other', made.id, 'start'));
    expect(await task(made.id)).toMatchObject({ state: 'in_progress', assignee_id: ids.other, candidate_ids: null });
    expect((await step('doer', made.id, 'submit')).statusCode).toBe(403);
    // The one who comes second with the evidence finds it among the comments.
    const { payload, headers } = upload('log.txt', 'All quiet');
    const sent = await people.doer!.call('POST', '/tapi/files?for=chk_task_instance.evidence.file', payload, headers);
    const file = sent.json<{ data: Doc }>().data.id;
    const seen = await task(made.id, people.doer);
    const [number, log] = seen.evidence as (Row & { id: number })[];
    const give = (evidence: Row[], by: string, of = seen) =>
      people[by]!.call('PUT', `/tapi/chk_task_instance/${made.id}`, { version: of.version, evidence });
    await ok(give([{ ...number, value: '41' }, log!], 'other'));
    await ok(step('other', made.id, 'submit'));
    const late = await give(
      [
        { ...number, value: '42' },
        { ...log, file },
      ],
      'doer',
    );
    expect(late.json()).toMatchObject({
      error: { code: 'bad_state', message: expect.stringMatching(/ submitted this task at .* kept as a comment/) },
    });
    expect(await task(made.id)).toMatchObject({ evidence: [{ value: '41' }, { file: null }] });
    const of = `/tapi/chk_task_instance/${made.id}`;
    expect((await admin.call('GET', `${of}/comments`)).json()).toMatchObject({
      data: [{ by: people.doer!.userId, text: expect.stringMatching(/Reading: 42\nLog: log\.txt$/) }],
    });
    expect((await admin.call('GET', `${of}/attachments`)).json()).toMatchObject({ data: [{ file_id: file }] });
    // Neither is what the fields could not hold kept, nor does it fail.
    const wrong = [
      { ...number, value: { a: 1 } },
      { ...log, file: 'x', document_id: 1e300 },
    ];
    expect((await give(wrong, 'doer')).json()).toMatchObject({ error: { code: 'stale_version' } });
    // Nothing new is no reason for a comment.
    expect((await give([], 'doer')).json()).toMatchObject({ error: { code: 'stale_version' } });
  });

  it('is given to others with the action CREATE_CHK only, also by assigning it later', async () => {
    const own = { title: 'Order gloves', due_on: day(3), owner_id: ids.doer };
    const give = (assignee: number | undefined) =>
      people.doer!.call('POST', '/tapi/chk_task_instance', { ...own, assignee_id: assignee });
    const refused = await give(ids.other);
    expect(refused.statusCode, refused.body).toBe(422);
    expect(refused.body).toContain('Your role allows tasks for yourself only');
    const made = await ok(give(ids.doer), 201);
    expect((await step('doer', made.id, 'reassign', { assignee_id: ids.other })).body).toContain('for yourself only');
    const given = await newTask({});
    await ok(step('owner', given.id, 'reassign', { assignee_id: ids.other }));
  });

  it('is moved only by its owner with a reason; somebody else confirms "not applicable"', async () => {
    const made = await newTask({});
    expect((await step('doer', made.id, 'reschedule', { due_on: day(9), move_reason: 'Later' })).statusCode).toBe(403);
    await ok(step('owner', made.id, 'reschedule', { due_on: day(9), move_reason: 'The vendor is late' }));
    expect(await task(made.id)).toMatchObject({
      due_on: day(9),
      reschedules: [{ from_date: day(2), to_date: day(9), why: 'The vendor is late' }],
    });
    await ok(step('doer', made.id, 'ask_na', { na_reason: 'No alarm in this building' }));
    await ok(step('owner', made.id, 'grant_na', { reason: 'Right' }));
    expect(await task(made.id)).toMatchObject({ state: 'not_applicable', outcome: 'not_applicable', score: null });
  });

  it('of a closed month cannot be submitted', async () => {
    const made = await newTask({ due_on: day(-40) });
    const month = await add('compliance_period', { month: day(-40).slice(0, 7) });
    await ok(admin.call('POST', `/tapi/compliance_period/${month}/close`, { version: 1 }));
    expect((await step('doer', made.id, 'submit')).json()).toMatchObject({
      error: { message: expect.stringContaining('is closed') },
    });
    await ok(admin.call('POST', `/tapi/compliance_period/${month}/reopen`, { version: 2, reason: 'Found late' }));
    await ok(step('doer', made.id, 'submit'));
  });

  it('names a published document as evidence; the ZIP of its evidence has the files of that document', async () => {
    const { payload, headers } = upload('policy.txt', 'Fire safety policy');
    const sent = await admin.call('POST', '/tapi/files?for=media_item.files.file', payload, headers);
    const policy = {
      kind: 'circular',
      title: 'Fire safety policy',
      publish_from: day(-9),
      publish_to: day(9),
      files: [{ file: sent.json<{ data: Doc }>().data.id }],
    };
    const document_id = await add('media_item', policy);
    const gone = await add('media_item', { ...policy, title: 'Old policy', publish_to: day(-2), files: [] });
    const made = await newTask({ evidence: [{ label: 'Policy in force', evidence_kind: 'document' }] });
    const give = async (document: number) => {
      const now = await task(made.id);
      const evidence = (now.evidence as Row[]).map((one) => ({ ...one, document_id: document }));
      await ok(people.doer!.call('PUT', `/tapi/chk_task_instance/${made.id}`, { ...now, evidence }));
    };
    await give(gone);
    expect((await step('doer', made.id, 'submit')).body).toContain('The document \\"Old policy\\" is not published');
    await give(document_id);
    await ok(step('doer', made.id, 'submit'));
    expect((await task(made.id)).evidence).toMatchObject([{ given: true, document_id__label: 'Fire safety policy' }]);
    const zip = await admin.call('POST', '/tapi/chk_task_instance/files', { ids: [made.id] });
    const files = unpackedZip(zip.rawPayload);
    const name = [...files.keys()].find((one) => one.endsWith('policy.txt'))!;
    expect(name).toContain('/Fire safety policy/');
    expect(files.get(name)!.toString()).toBe('Fire safety policy');
  });

  it('shows where its photo was taken; one that must come from the camera cannot be a chosen file', async () => {
    await acme.sql(`update {s}.branch set geo = '{"lat": 13.0837, "lng": 80.2707}' where id = $1`, [ids.branch]);
    const gate = { label: 'Gate', evidence_kind: 'photo' };
    const made = await newTask({ branch_id: ids.branch, evidence: [gate] });
    await acme.sql(
      'update {s}.chk_task_instance__evidence set camera_only = true, required = true where parent_id = $1',
      [made.id],
    );
    const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#445566' } })
      .png()
      .toBuffer();
    const { payload, headers } = upload('gate.png', picture);
    const give = async (how: string) => {
      const address = `/tapi/files?for=chk_task_instance.evidence.photo${how}`;
      const sent = await people.doer!.call('POST', address, payload, headers);
      expect(sent.statusCode, sent.body).toBe(201);
      const now = await task(made.id);
      const photo = sent.json<{ data: Doc }>().data.id;
      const evidence = (now.evidence as Row[]).map((one) => ({ ...one, photo }));
      await ok(people.doer!.call('PUT', `/tapi/chk_task_instance/${made.id}`, { version: now.version, evidence }));
      return step('doer', made.id, 'submit');
    };
    expect((await give('')).body).toContain('Take the photo \\"Gate\\" here with the camera of your device.');
    await ok(give('&camera=1&place=13.0827,80.2707'));
    expect((await task(made.id)).evidence).toMatchObject([
      { from_camera: true, place: { lat: 13.0827, lng: 80.2707 }, distance: 111, given: true },
    ]);
  });

  it('with a questionnaire is submitted when its questions are answered', async () => {
    const kind = {
      code: 'ROUND',
      name: 'Round',
      audience: 'employee',
      main_measure: 'ces',
      good_from: '75',
      bad_below: '55',
    };
    const exits = { code: 'exits', question_type: 'yes_no', text: 'Exits free?', required: true };
    const survey = await ok(
      admin.call('POST', '/tapi/survey', {
        title: 'Round of the building',
        type_of_questionaire_id: await add('type_of_questionaire', kind),
        audience: 'employee',
        owner_id: ids.owner,
        sections: [{ code: 'all', title: 'Building', questions: [exits] }],
      }),
      201,
    );
    await ok(admin.call('POST', `/tapi/survey/${survey.id}/publish`, { version: survey.version }));
    const made = await newTask({ form_id: survey.id });
    expect((await step('doer', made.id, 'submit')).body).toContain('Exits free: Please answer this question.');
    const given = { code: 'exits', value: 'yes', at: new Date().toISOString(), client: 'phone', seq: 1 };
    await ok(people.doer!.call('PATCH', `/tapi/chk_task_instance/${made.id}/answers/answers`, { answers: [given] }));
    await ok(step('doer', made.id, 'submit'));
    expect(await task(made.id)).toMatchObject({ state: 'completed' });
  });
});
