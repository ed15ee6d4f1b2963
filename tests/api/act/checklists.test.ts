import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeUserTypes } from '../../../src/server/platform/clients/user_types.ts';
import { storePassword } from '../../../src/server/access/people/accounts.ts';
import { hashPassword } from '../../../src/server/access/sessions/password.ts';
import { branchWithMembers } from '../fms/branch_with_members.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { PASSWORD, platformSql, startWorld } from '../world.ts';

// A master checklist makes its tasks, for every branch and day, once.

type Row = Record<string, unknown>;
type Doc = Row & { id: number; version: number; state: string };

let world: World;
let acme: TestTenant;
let admin: Caller;
const ids: Record<string, number> = {};
const IST = 5.5 * 3_600_000;
const day = (offset: number) => new Date(Date.now() + IST + offset * 86_400_000).toISOString().slice(0, 10);

async function ok(answer: ReturnType<Caller['call']>, status = 200): Promise<Doc> {
  const got = await answer;
  expect(got.statusCode, got.body).toBe(status);
  return got.json<{ data: Doc }>().data;
}
const add = async (type: string, record: object) => (await ok(admin.call('POST', `/tapi/${type}`, record), 201)).id;
const read = (type: string, id: number) => ok(admin.call('GET', `/tapi/${type}/${id}`));
const step = async (type: string, id: number, name: string, more: object = {}) =>
  admin.call('POST', `/tapi/${type}/${id}/${name}`, { version: (await read(type, id)).version, ...more });
const tasksOf = (checklist: number) =>
  acme.sql<Row & { id: number; state: string; due_on: string; assignee_id: number; branch_id: number }>(
    `select t.id, t.state, t.due_on::text, t.assignee_id, t.branch_id, t.occurrence_key::text, t.title from {s}.chk_task_instance t join {s}.chk_instance i on i.id = t.origin_id
     where i.mstr_chk_id = $1 order by t.occurrence_key, t.scope_id, t.id`,
    [checklist],
  );
const checklist = (more: object, task: object = {}) => ({
  title: 'Safety round',
  category: 'safety',
  owner_id: ids.owner,
  expand_by: 'branch',
  repeat: 'weekly',
  weekdays: ['mo', 'th'],
  start_on: day(1),
  generate_ahead_days: 14,
  tasks: [
    {
      title: 'Walk through the branch',
      criticality: 'high',
      weight: '2',
      lead_days: 0,
      holiday_rule: 'none',
      penalty_note: 'Fine of up to ₹ 1,00,000',
      assign: [{ assign_by: 'branch_head' }],
      evidence: [{ label: 'Photo', evidence_kind: 'photo', required: true, camera_only: true }],
      subtasks: [{ title: 'Exits are free', answer_type: 'yes_no', fails_on: 'no', fail_action: 'block_submit' }],
      ...task,
    },
  ],
  ...more,
});
const run = async (name: string) => {
  await world.app.jobs.runNow(acme, name, { userId: admin.userId, companies: acme.entityIds });
  const last = async () =>
    ((await world.app.jobs.log(acme.schema, { name })) as { state: string; message: string }[])[0]!;
  await expect
    .poll(async () => {
      await world.app.jobs.drain();
      return (await last()).state;
    })
    .toMatch(/^(done|failed)$/);
  expect(await last()).toMatchObject({ state: 'done' });
  return (await last()).message;
};
const hear = async () => {
  while ((await world.app.deliveries.deliver(acme)) > 0);
};

beforeAll(async () => {
  world = await startWorld();
  acme = await world.tenant({ products: ['CHCK', 'SURVEY', 'TKT'], everyTable: true });
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  admin = await world.signIn(acme, 'admin');
  const [tn] = await acme.sql<{ id: number; city: number; country_id: number }>(
    `select s.id, s.country_id, (select c.id from {s}.city_mstr c where c.state_id = s.id order by c.id limit 1) as city from {s}.state_mstr s`,
  );
  const place = { city: tn!.city, state_id: tn!.id, country: tn!.country_id };
  const { branch, member } = await branchWithMembers(add, place, {
    branch: { code: 'CHN' },
    department: { code: 'D1', name: 'Safety' },
    designation: { code: 'S1', name: 'Officer' },
  });
  ids.chennai = branch;
  ids.owner = await member('E10001');
  ids.head = await member('E10002', { reporting_to_id: ids.owner });
  ids.other = await add('department', { code: 'D2', name: 'Stores' });
  ids.kg = await add('uom', { code: 'KG', name: 'Kilograms', decimals: 3, dimension: 'mass', uqc: 'KGS' });
  ids.madurai = await add('branch', {
    name: 'Madurai',
    branch_type: 'branch',
    address1: '2 West Street',
    ...place,
    pincode: '600002',
    code: 'MDU',
  });
  await acme.sql('update {s}.branch set head_id = $2 where id = $1', [ids.chennai, ids.head]);
});

afterAll(() => world.close());

describe('A master checklist', () => {
  let id = 0;
  it('shows its schedule in words, and cannot run while a place has no doer', async () => {
    const exits = { title: 'Exits are free', answer_type: 'yes_no', fails_on: 'no', fail_action: 'block_submit' };
    const weight = { title: 'Extinguisher', answer_type: 'number', mandatory: false, unit_id: ids.kg };
    const made = await ok(
      admin.call('POST', '/tapi/master_checklist', checklist({}, { subtasks: [exits, weight] })),
      201,
    );
    id = made.id;
    expect(made).toMatchObject({ schedule_words: 'Every week on Monday, Thursday' });
    const refused = await step('master_checklist', id, 'start');
    expect(refused.json()).toMatchObject({
      error: { message: 'No person found for task Walk through the branch at Madurai.' },
    });
  });

  it('that is due more than 400 times a year at one place is activated when somebody has confirmed it', async () => {
    const daily = checklist({ title: 'Rounds', repeat: 'daily', branch_ids: [ids.chennai], generate_ahead_days: 1 });
    const [walk] = daily.tasks;
    const { id: rounds } = await ok(
      admin.call('POST', '/tapi/master_checklist', {
        ...daily,
        tasks: [walk, { ...walk, title: 'Night round', schedule_mode: 'own', repeat: 'daily' }],
      }),
      201,
    );
    expect((await step('master_checklist', rounds, 'start')).json()).toMatchObject({
      error: {
        field: 'frequent',
        message: expect.stringMatching(/^Too frequent: 73\d tasks a year .*"So many tasks"/),
      },
    });
    const { version } = await read('master_checklist', rounds);
    await ok(admin.call('PUT', `/tapi/master_checklist/${rounds}`, { version, frequent: true }));
    await ok(step('master_checklist', rounds, 'start'));
    await ok(step('master_checklist', rounds, 'retire'));
  });

  it('creates the tasks of every branch on activation, and no duplicates the second time', async () => {
    await acme.sql('update {s}.branch set head_id = $2 where id = $1', [ids.madurai, ids.owner]);
    await ok(step('master_checklist', id, 'start'));
    const tasks = await tasksOf(id);
    expect(tasks).toHaveLength(8);
    expect(new Set(tasks.map((one) => `${one.branch_id} ${one.assignee_id}`))).toEqual(
      new Set([`${ids.chennai} ${ids.head}`, `${ids.madurai} ${ids.owner}`]),
    );
    await acme.sql(`update {s}.master_checklist set generated_through = null where id = $1`, [id]);
    expect(await run('generate_instances')).toBe('0 tasks created from 1 checklists.');
    expect(await tasksOf(id)).toHaveLength(8);
    const one = await read('chk_task_instance', tasks[0]!.id);
    expect(one).toMatchObject({
      origin: 'checklist',
      origin_name: 'Safety round',
      criticality: 'high',
      penalty_note: 'Fine of up to ₹ 1,00,000',
      evidence_missing: 1,
      subtasks: [
        { title: 'Exits are free', fail_action: 'block_submit', answered: false },
        { title: 'Extinguisher', unit_id: ids.kg, unit_id__label: 'Kilograms' },
      ],
      evidence: [{ label: 'Photo', required: true, camera_only: true, given: false }],
    });
  });

  it('recreates untouched tasks when its schedule changes, keeps the others, and is found by the control that it tests', async () => {
    const kind = { code: 'MAN', name: 'Manual', nature: 'preventive', acts_on: 'both', execution: 'manual' };
    const control_type_id = await add('audit_control_type', kind);
    const [control] = await acme.sql<{ id: number }>(
      `insert into {s}.audit_controls (entity_id, title, sub_process_ids, control_type_id, owner_id, frequency, design, status)
       values ($1, 'Exits are kept free', '{}', $2, $3, 'daily', 'strong', 'active') returning id`,
      [acme.entityIds[0], control_type_id, ids.owner],
    );
    const stored = await read('master_checklist', id);
    const changed = { ...stored, weekdays: ['we'], audit_control_id: control!.id };
    await ok(admin.call('PUT', `/tapi/master_checklist/${id}`, changed));
    const filter = encodeURIComponent(JSON.stringify(['audit_control_id', 'eq', control!.id]));
    const found = await admin.call('GET', `/tapi/master_checklist?filter=${filter}&columns=*`);
    expect(found.json<{ data: Row[] }>().data).toMatchObject([{ id, audit_control_id__label: 'Exits are kept free' }]);
    await hear();
    const days = (await tasksOf(id)).map((one) => new Date(`${String(one.occurrence_key)}T00:00Z`).getUTCDay());
    expect(new Set(days)).toEqual(new Set([3]));
    expect(await tasksOf(id)).toHaveLength(4);
  });

  it('finds its doer in a field of the branch, which must be a reference to a person', async () => {
    const named = (field: string) =>
      checklist(
        { title: 'Cash count', branch_ids: [ids.chennai] },
        { assign: [{ assign_by: 'field', field_of: 'branch', person_field: field }] },
      );
    const refused = await admin.call('POST', '/tapi/master_checklist', named('code'));
    expect([refused.statusCode, refused.body]).toEqual([
      422,
      expect.stringContaining('\\"code\\" is not a field of the branch that can be chosen here. Choose one of'),
    ]);
    const { id: counting } = await ok(admin.call('POST', '/tapi/master_checklist', named('head_id')), 201);
    await ok(step('master_checklist', counting, 'start'));
    expect(new Set((await tasksOf(counting)).map((one) => one.assignee_id))).toEqual(new Set([ids.head]));
    await acme.sql('update {s}.master_checklist set owner_id = $2 where id = $1', [counting, ids.owner]);
    await ok(step('master_checklist', counting, 'retire'));
  });

  it('with working hours of its own works on the days on which these are open, whatever the branch does', async () => {
    const hours = (days: string[]) => days.map((weekday) => ({ weekday, from_time: '08:00', to_time: '16:00' }));
    const plant = await add('business_calendar', { code: 'PLANT', name: 'Plant', hours: hours(['mo', 'tu']) });
    const daily = checklist(
      { title: 'Plant round', branch_ids: [ids.chennai], repeat: 'working_days', weekdays: null, calendar_id: plant },
      { holiday_rule: 'next' },
    );
    const { id: round } = await ok(admin.call('POST', '/tapi/master_checklist', daily), 201);
    await ok(step('master_checklist', round, 'start'));
    const weekdays = async () =>
      new Set((await tasksOf(round)).map(({ due_on: on }) => new Date(`${on}T00:00Z`).getUTCDay()));
    expect(await weekdays()).toEqual(new Set([1, 2]));
    await acme.sql('update {s}.master_checklist set owner_id = $2 where id = $1', [round, ids.owner]);
    await ok(step('master_checklist', round, 'retire'));
  });

  it('cancels unopened tasks when it is retired', async () => {
    await ok(step('master_checklist', id, 'pause', { reason: 'Rebuilding' }));
    await ok(step('master_checklist', id, 'resume'));
    expect(await tasksOf(id)).toHaveLength(4);
    await acme.sql('update {s}.master_checklist set owner_id = $2 where id = $1', [id, ids.owner]);
    await ok(step('master_checklist', id, 'retire'));
    expect(new Set((await tasksOf(id)).map(({ state }) => state))).toEqual(new Set(['cancelled']));
  });

  it('starts one occurrence by hand, which is complete when all its tasks are', async () => {
    const own = await add(
      'master_checklist',
      checklist(
        { title: 'Stock count', expand_by: 'entity', repeat: 'once', kind: 'one_time', start_on: day(200) },
        { assign: [{ assign_by: 'owner' }], evidence: [], subtasks: [] },
      ),
    );
    await ok(step('master_checklist', own, 'start'));
    const made = await add('chk_instance', { mstr_chk_id: own, due_on: day(3) });
    expect(await read('chk_instance', made)).toMatchObject({
      tasks_total: 1,
      tasks_open: 1,
      state: 'open',
      next_due_on: day(3),
    });
    const [task] = await tasksOf(own);
    await acme.sql('update {s}.users set employee_id = $2 where id = $1', [admin.userId, ids.owner]);
    admin = await world.signIn(acme, 'admin');
    await ok(step('chk_task_instance', task!.id, 'submit'));
    expect(await read('chk_instance', made)).toMatchObject({
      tasks_open: 0,
      state: 'completed',
      progress: '100.0000',
      score: '100.00',
    });
  });
});

describe('A checklist that needs approval', () => {
  it('is active when somebody else has approved it; no tasks before', async () => {
    await acme.user('boss', { isAdmin: true, companies: [{ company: 1 }] });
    await acme.sql(`update {s}.users set employee_id = $1 where username = 'boss'`, [ids.head]);
    await acme.sql(
      `update {s}.employee set user_id = (select id from {s}.users where username = 'boss') where id = $1`,
      [ids.head],
    );
    const boss = await world.signIn(acme, 'boss');
    await add('approval_process', {
      name: 'Statutory checklists',
      transaction_type: 'master_checklist',
      condition: 'statutory == true',
      mode: 'cumulative',
      levels: [{ level: 1, amount_from: '0', approver_by: 'employee', employee_id: ids.head, need: 'any_one' }],
    });
    const id = await add('master_checklist', checklist({ title: 'Boiler', statutory: true, expand_by: 'entity' }));
    const stepBy = async (by: Caller, name: string, more: object = {}) =>
      by.call('POST', `/tapi/master_checklist/${id}/${name}`, {
        version: (await read('master_checklist', id)).version,
        ...more,
      });
    expect(await ok(stepBy(admin, 'start'))).toMatchObject({ state: 'waiting' });
    expect(await tasksOf(id)).toEqual([]);
    expect((await stepBy(admin, 'approve')).statusCode).toBe(403);
    await ok(stepBy(boss, 'send_back', { reason: 'Add the pressure test.' }));
    await ok(stepBy(admin, 'start'));
    expect(await ok(stepBy(boss, 'approve'))).toMatchObject({ state: 'active' });
    expect((await tasksOf(id)).length).toBeGreaterThan(2);
    await acme.sql('update {s}.master_checklist set owner_id = $2 where id = $1', [id, ids.owner]);
    await ok(step('master_checklist', id, 'retire'));
  });
});

describe('Tasks of a checklist that wait for others', () => {
  const closing = (tasks: Row[]) =>
    checklist({
      title: 'Month-end closing',
      expand_by: 'entity',
      repeat: 'once',
      kind: 'one_time',
      start_on: day(200),
      tasks: tasks.map((task) => ({
        title: `Task ${String(task.code)}`,
        criticality: 'medium',
        weight: '1',
        lead_days: 0,
        holiday_rule: 'none',
        assign: [{ assign_by: 'owner' }],
        ...task,
      })),
    });

  it('open when those before them have ended, due a number of working days later', async () => {
    const own = await add(
      'master_checklist',
      closing([{ code: 'BANK' }, { code: 'STOCK' }, { code: 'REVIEW', after: ['bank', 'STOCK'], after_days: 2 }]),
    );
    await ok(step('master_checklist', own, 'start'));
    const made = await add('chk_instance', { mstr_chk_id: own, due_on: day(40) });
    const all = async () =>
      acme.sql<{ id: number; title: string; state: string; due_on: string; opens_at: string | null }>(
        `select id, title, state, due_on::text, opens_at, waits_for from {s}.chk_task_instance where origin_type = 'chk_instance' and origin_id = $1 order by task_id`,
        [made],
      );
    const [bank, stock, review] = await all();
    expect([bank!.state, stock!.state, review!.state]).toEqual(['open', 'open', 'scheduled']);
    expect(review).toMatchObject({ opens_at: null, due_on: day(40), waits_for: 'Task BANK, Task STOCK' });
    await ok(step('chk_task_instance', bank!.id, 'submit'));
    await hear();
    expect((await all())[2]!.state).toBe('scheduled');
    await ok(step('chk_task_instance', stock!.id, 'submit'));
    await hear();
    const opened = (await all())[2]!;
    expect(opened.state).toBe('open');
    const isWorking = (offset: number) => new Date(`${day(offset)}T00:00Z`).getUTCDay() !== 0;
    const second = day([1, 2, 3, 4, 5].filter(isWorking)[1]!);
    expect(opened.due_on).toBe(second);
    expect((await read('chk_instance', made)).next_due_on).toBe(second);
    // What was missed is caught by the job, once.
    await acme.sql(`update {s}.chk_task_instance set state = 'scheduled', opens_at = null where id = $1`, [opened.id]);
    expect(await run('open_tasks')).toMatch(/^1 tasks opened/);
    expect(await run('open_tasks')).toMatch(/^0 tasks opened/);
  });

  it('count a task before them only if its condition is true, and are left out if none counts', async () => {
    const own = await add(
      'master_checklist',
      closing([
        {
          code: 'COUNT',
          subtasks: [{ title: 'Cash agrees', answer_type: 'yes_no', fails_on: 'no', mandatory: false }],
        },
        { code: 'FIX', after: ['count'], after_when: [{ task: 'COUNT', condition: 'failed_points > 0' }] },
        { code: 'FILE', after: ['COUNT'], after_when: [{ task: 'count', condition: "outcome == 'on_time'" }] },
        { code: 'CLOSE', after: ['COUNT', 'FIX'], after_when: [{ task: 'FIX', condition: "state == 'completed'" }] },
      ]),
    );
    await ok(step('master_checklist', own, 'start'));
    const made = await add('chk_instance', { mstr_chk_id: own, due_on: day(40) });
    const all = () =>
      acme.sql<Row & { id: number }>(
        `select id, state, na_reason from {s}.chk_task_instance where origin_type = 'chk_instance' and origin_id = $1 order by task_id`,
        [made],
      );
    const [count] = await all();
    await ok(step('chk_task_instance', count!.id, 'submit'));
    await hear();
    expect(await all()).toMatchObject([
      { state: 'completed' },
      { state: 'cancelled', na_reason: 'Its condition is not true (COUNT: failed_points > 0).' },
      { state: 'open' },
      // The task that was left out no longer counts; the other one does.
      { state: 'open' },
    ]);
  });

  it('are due by the number of days of each task before them', async () => {
    const own = await add(
      'master_checklist',
      closing([
        { code: 'A' },
        { code: 'B' },
        { code: 'C', after: ['A', 'B'], after_days: 1, after_when: [{ task: 'a', days: 4 }] },
      ]),
    );
    await ok(step('master_checklist', own, 'start'));
    const made = await add('chk_instance', { mstr_chk_id: own, due_on: day(40) });
    const all = () =>
      acme.sql<{ id: number; due_on: string; state: string }>(
        `select id, due_on::text, state from {s}.chk_task_instance where origin_type = 'chk_instance' and origin_id = $1 order by task_id`,
        [made],
      );
    const [a, b] = await all();
    for (const { id } of [a!, b!]) await ok(step('chk_task_instance', id, 'submit'));
    await hear();
    const isWorking = (offset: number) => new Date(`${day(offset)}T00:00Z`).getUTCDay() !== 0;
    expect((await all())[2]).toMatchObject({ state: 'open', due_on: day([1, 2, 3, 4, 5, 6].filter(isWorking)[3]!) });
    expect(
      (
        await admin.call(
          'POST',
          '/tapi/master_checklist',
          closing([{ code: 'A' }, { code: 'C', after: ['A'], after_when: [{ task: 'A' }] }]),
        )
      ).body,
    ).toContain('enter a number of days or a condition');
  });

  it('are refused if they name no task of the checklist, or wait for themselves', async () => {
    const refusal = async (tasks: Row[]) => (await admin.call('POST', '/tapi/master_checklist', closing(tasks))).body;
    expect(await refusal([{ code: 'A', after: ['Z'] }])).toContain(
      'Task A waits for Z, but no task here has this code',
    );
    expect(await refusal([{ code: 'A' }, { code: 'a' }])).toContain('Two tasks have the code A');
    expect(
      await refusal([
        { code: 'A', after: ['B'] },
        { code: 'B', after: ['A'] },
      ]),
    ).toContain('Task A waits for itself through B');
    const condition = (task: string, words: string) =>
      refusal([{ code: 'A' }, { code: 'B', after: ['A'], after_when: [{ task, condition: words }] }]);
    expect(await condition('C', 'days_late > 1')).toContain('Task B has a line for C, but does not wait for it.');
    expect(await condition('A', 'days_early > 1')).toContain(
      'condition for A: \\"days_early\\" is not known of a task. Use outcome, state, days_late',
    );
  });
});

describe('Changes around tasks', () => {
  const settled = async () => {
    await hear();
    await world.app.jobs.drain();
  };

  it('a new holiday moves untouched tasks and keeps their keys; removing it moves them back', async () => {
    const id = await add(
      'master_checklist',
      checklist(
        { title: 'Till count', expand_by: 'entity', repeat: 'daily', start_on: day(3), generate_ahead_days: 10 },
        { assign: [{ assign_by: 'owner' }], evidence: [], subtasks: [], holiday_rule: 'next' },
      ),
    );
    await ok(step('master_checklist', id, 'start'));
    // What was said of the checklist itself makes its tasks anew.
    await settled();
    const before = await tasksOf(id);
    const one = before.find((task) => task.due_on === task.occurrence_key && task.due_on > day(3))!;
    const holiday = await add('holiday', {
      name: 'Flood',
      date: one.due_on,
      holiday_type: 'national',
      holiday_group: 'all',
    });
    await settled();
    const after = await tasksOf(id);
    expect(after.map((task) => [task.id, task.occurrence_key])).toEqual(
      before.map((task) => [task.id, task.occurrence_key]),
    );
    expect(after.find((task) => task.id === one.id)!.due_on > one.due_on).toBe(true);
    expect((await admin.call('DELETE', `/tapi/holiday/${holiday}`)).statusCode).toBeLessThan(300);
    await settled();
    expect(await tasksOf(id)).toEqual(before);
    await ok(step('master_checklist', id, 'retire'));
  });

  it('tasks of a leaver go to the person whom the rule names, otherwise to the manager', async () => {
    const task = await add('chk_task_instance', {
      title: 'Call the insurer',
      criticality: 'low',
      weight: '1',
      assignee_id: ids.head,
      due_on: day(5),
    });
    await acme.sql(`update {s}.employee set status = 'left', date_of_leaving = $2 where id = $1`, [ids.head, day(0)]);
    const member = await read('employee', ids.head!);
    await ok(admin.call('PUT', `/tapi/employee/${ids.head}`, { version: member.version, department_id: ids.other }));
    await settled();
    expect((await read('chk_task_instance', task)).assignee_id).toBe(ids.owner);
    await acme.sql(`update {s}.employee set status = 'active', date_of_leaving = null where id = $1`, [ids.head]);
  });

  it('a closed month keeps its scores until it is reopened', async () => {
    const month = day(-31).slice(0, 7);
    const [done] = await acme.sql<{ id: number }>(
      `update {s}.chk_task_instance set due_on = $1 where id = (select id from {s}.chk_task_instance where outcome = 'on_time' limit 1) returning id`,
      [`${month}-10`],
    );
    const period = await add('compliance_period', { month });
    await ok(step('compliance_period', period, 'close'));
    const score = async () =>
      (
        await acme.sql<{ score: string; frozen: boolean; tasks_counted: number }>(
          `select score::text, frozen, tasks_counted from {s}.chk_score_snapshot where month = $1 and level = 'entity'`,
          [month],
        )
      )[0];
    expect(await score()).toEqual({ score: '100.00', frozen: true, tasks_counted: 1 });
    await acme.sql('update {s}.chk_task_instance set score = 50.00 where id = $1', [done!.id]);
    await run('score_snapshot');
    expect((await score())!.score).toBe('100.00');
    await ok(step('compliance_period', period, 'reopen', { reason: 'A challan came late.' }));
    await run('score_snapshot');
    expect(await score()).toEqual({ score: '50.00', frozen: false, tasks_counted: 1 });
    await acme.sql('update {s}.chk_task_instance set score = 100.00 where id = $1', [done!.id]);
  });
});

describe('A template', () => {
  /** A published questionnaire. */
  async function questionnaire(): Promise<number> {
    const kind = { code: 'ROUND', name: 'Round', audience: 'employee', main_measure: 'ces', good_from: '75' };
    const survey = await ok(
      admin.call('POST', '/tapi/survey', {
        title: 'Round of the exits',
        type_of_questionaire_id: await add('type_of_questionaire', { ...kind, bad_below: '55' }),
        audience: 'employee',
        owner_id: ids.owner,
        sections: [
          { code: 'all', title: 'Exits', questions: [{ code: 'free', question_type: 'yes_no', text: 'Free?' }] },
        ],
      }),
      201,
    );
    await ok(step('survey', survey.id, 'publish'));
    return survey.id;
  }

  /** A service of the desk. */
  async function service(): Promise<number> {
    const slab = await add('slab', {
      code: 'DESK',
      name: 'Desk',
      applies_to: 'ticket',
      basis: 'pct_of_target',
      valid_from: '2024-04-01',
      targets: [{ priority: 'p3', response_minutes: 60, resolution_minutes: 480 }],
      bands: [{ level: 0, from_value: '0', score: '100' }],
    });
    const category = await add('service_category', {
      code: 'REP',
      name: 'Repairs',
      department_id: ids.other,
      group_role_id: await add('role', { code: 'FIX', role_name: 'Fitters' }),
    });
    return add('service', {
      code: 'REPAIR',
      name: 'Repair of alarms',
      service_category_id: category,
      slab_id: slab,
      assign_mode: 'queue',
      default_impact: 'person',
      default_urgency: 'now',
    });
  }

  it('is adopted with a preview of its days and the own services; a newer version is taken over as chosen', async () => {
    const form = await questionnaire();
    const officers = await add('role', { code: 'SAFE', role_name: 'Safety officers' });
    const repairs = await service();
    const template = await ok(
      admin.call('POST', '/tapi/chk_template', {
        code: 'FIRE',
        title: 'Fire safety',
        template_kind: 'process',
        category: 'safety',
        repeat: 'monthly',
        month_day: 10,
        tasks: [
          {
            code: 'T1',
            title: 'Test the alarm',
            criticality: 'high',
            weight: '2',
            holiday_rule: 'none',
            assign_hint: 'branch_head',
            subtasks: [
              { title: 'Siren heard', answer_type: 'yes_no', fail_action: 'raise_ticket', fail_service: 'repair' },
              { title: 'Lamp lit', answer_type: 'yes_no', fail_action: 'raise_ticket', fail_service: 'Lamps' },
              { title: 'Extinguisher', answer_type: 'number', unit_id: ids.kg },
            ],
            evidence: [{ label: 'Log', evidence_kind: 'text' }],
          },
          {
            code: 'T2',
            title: 'Check the exits',
            criticality: 'low',
            weight: '1',
            holiday_rule: 'next',
            after: ['T1', 'T3'],
            after_when: ['T1', 'T3'].map((task) => ({ task, condition: 'days_late > 0' })),
            form_id: form,
            assign_hint: 'role',
            hint_text: 'safety OFFICERS',
          },
          { code: 'T3', title: 'Test the lamps', criticality: 'low', weight: '1', holiday_rule: 'none' },
        ],
      }),
      201,
    );
    await ok(step('chk_template', template.id, 'publish'));
    const adoption = {
      template_id: template.id,
      owner_id: ids.owner,
      expand_by: 'branch',
      branch_ids: [ids.chennai],
      start_on: '2027-01-01',
      activate: false,
      tasks: [
        { task_code: 'T1', title: 'Test the alarm', take: true },
        { task_code: 'T2', title: 'Check the exits', take: true },
        { task_code: 'T3', title: 'Test the lamps', take: false },
      ],
    };
    const adopt = (...more: Row[]) =>
      admin.call('POST', '/tapi/chk_adoption', { ...adoption, tasks: [...adoption.tasks, ...more] });
    // One chosen branch: by its own calendar; several: by that of the company.
    const closed = { date: '2027-01-11', branches: [ids.chennai], holiday_type: 'national', holiday_group: 'all' };
    const holiday = await add('holiday', { name: 'Works day', ...closed });
    const previewOf = async (chosen: Row) =>
      String((await ok(admin.call('POST', '/tapi/chk_adoption/fill', { values: { ...adoption, ...chosen } }))).preview)
        .split('\n')
        .slice(0, 3);
    const preview = (branch_ids: unknown[]) => previewOf({ branch_ids });
    const alarm = '10-01-2027  Test the alarm';
    expect(await preview([ids.chennai])).toEqual(['By the calendar of Chennai:', alarm, '12-01-2027  Check the exits']);
    expect(await preview([ids.chennai, ids.madurai])).toEqual([
      'By the calendar of the company; each branch follows its own:',
      alarm,
      '11-01-2027  Check the exits',
    ]);
    // A registration has the calendar of its branch.
    const registration = await add('compliance_unit', {
      unit_type: 'other',
      unit_no: 'LWF-7',
      name: 'Welfare fund Chennai',
      branch_ids: [ids.chennai],
    });
    expect(await previewOf({ expand_by: 'unit', branch_ids: [], unit_ids: [registration] })).toEqual(
      await preview([ids.chennai]),
    );
    for (const made of [`holiday/${holiday}`, `compliance_unit/${registration}`])
      expect((await admin.call('DELETE', `/tapi/${made}`)).statusCode).toBeLessThan(300);
    const forStates = (of: string) =>
      acme.sql(`update {s}.chk_template set states_applicable = ${of} where id = $1`, [template.id]);
    await forStates(`'{999}'`);
    expect((await adopt()).body).toContain('This template is for other states');
    await forStates('null');
    const forCountry = (of: string) =>
      acme.sql(`update {s}.chk_template set country = ${of} where id = $1`, [template.id]);
    await forCountry(String(await add('country', { code: 'BT', name: 'Bhutan' })));
    expect((await adopt()).body).toContain('This template is for another country');
    await forCountry(`(select id from {s}.country where code = 'IN')`);
    await forStates('array(select distinct state_id from {s}.branch)');
    // Its tasks are those of the template: nobody adds others.
    expect((await adopt({ task_code: 'T9', title: 'Own', take: true })).json()).toMatchObject({
      error: { field: 'tasks.3', message: 'Rows of Tasks cannot be added by hand. Remove this one.' },
    });
    const adopted = await ok(adopt(), 201);
    expect((await read('chk_adoption', adopted.id)).tasks).toMatchObject([{ criticality: 'high' }, {}, {}]);
    const { mstr_chk_id: made } = await read('chk_adoption', adopted.id);
    const own = (await read('master_checklist', made as number)) as Doc & { tasks: (Row & { id: number })[] };
    expect(own).toMatchObject({
      template_code: 'FIRE',
      template_version: 0,
      month_day: 10,
      tasks: [
        {
          title: 'Test the alarm',
          template_task_code: 'T1',
          subtasks: [
            { title: 'Siren heard', fail_action: 'raise_ticket', fail_service_id: repairs },
            { title: 'Lamp lit', fail_action: 'remark', fail_service_id: null },
            { title: 'Extinguisher', unit_id: ids.kg },
          ],
          evidence: [{ label: 'Log' }],
        },
        // A task that was not taken is not waited for.
        {
          title: 'Check the exits',
          code: 'T2',
          after: ['T1'],
          after_when: [{ task: 'T1', condition: 'days_late > 0' }],
          form_id: form,
          assign: [{ assign_by: 'role', role_id: officers }],
        },
      ],
    });
    await ok(
      admin.call('PUT', `/tapi/master_checklist/${own.id}`, {
        ...own,
        tasks: own.tasks.map((task) => (task.template_task_code === 'T2' ? { ...task, weight: '4' } : task)),
      }),
    );
    await ok(step('chk_template', template.id, 'new_version'));
    const [draft] = await acme.sql<{ id: number }>(
      `select id from {s}.chk_template where code = 'FIRE' and state = 'draft'`,
    );
    const next = (await read('chk_template', draft!.id)) as Doc & { tasks: Row[] };
    await ok(
      admin.call('PUT', `/tapi/chk_template/${draft!.id}`, {
        ...next,
        month_day: 12,
        tasks: next.tasks.map((task) => ({
          ...task,
          weight: task.code === 'T1' ? '3' : '5',
          ...(task.code === 'T1' && { subtasks: [{ title: 'Bell heard', answer_type: 'number', unit_id: ids.kg }] }),
          ...(task.code === 'T2' && {
            offset_days: 3,
            mandatory_update: true,
            after: ['T3'],
            after_when: [{ task: 'T3', condition: 'score < 50' }],
          }),
        })),
      }),
    );
    await ok(step('chk_template', draft!.id, 'publish'));
    expect(await run('template_updates')).toBe('Owners notified of a new version: 1.');
    expect(await run('template_updates')).toBe('Owners notified of a new version: 0.');
    // A mandatory date applies at once, whatever else the company changed; anything else waits.
    expect(await read('master_checklist', own.id)).toMatchObject({
      month_day: 12,
      template_version: 0,
      tasks: [
        { weight: '2.00', offset_days: 0 },
        { weight: '4.00', offset_days: 3 },
      ],
    });
    expect((await read('chk_adoption', adopted.id)).notified_version).toBe(1);
    const offered = await ok(
      admin.call('GET', `/tapi/chk_template_update/new?from=chk_adoption/${adopted.id}&make=update`),
    );
    const update = await ok(admin.call('POST', '/tapi/chk_template_update', offered), 201);
    expect(update).toMatchObject({
      template_version: 1,
      summary: 'Version 1: 5 differences; the company changed 3 of them too.',
      changes: [
        { task: 'Test the alarm', what: 'weight', kind: 'template', was: '2.00', template: '3.00', take: 'template' },
        { what: 'subtasks', kind: 'template', template: 'Bell heard (number, Kilograms)', take: 'template' },
        { task: 'Check the exits', what: 'weight', kind: 'both', template: '5.00', ours: '4.00', take: 'ours' },
        { what: 'after', template: 'T3', ours: 'T1' },
        { what: 'after_when', template: 'T3: only if score < 50', ours: 'T1: only if days_late > 0' },
      ],
    });
    expect((await admin.call('POST', '/tapi/chk_template_update', offered)).body).toContain('already in progress');
    const change = (changes: Row[]) =>
      admin.call('PUT', `/tapi/chk_template_update/${update.id}`, { version: update.version, changes });
    const invented = { line: 'T1 secret', take: 'template' };
    expect((await change([...(update.changes as Row[]), invented])).json()).toMatchObject({
      error: { field: 'changes.5', message: 'Rows of Changes cannot be added by hand. Remove this one.' },
    });
    // Nor is one left out, by the whole list or by its id: it is taken or not.
    const first = (update.changes as Row[])[0]!;
    for (const less of [(update.changes as Row[]).slice(1), { remove: [first.id] }])
      expect((await change(less as Row[])).json()).toMatchObject({
        error: {
          field: 'changes',
          message: `Rows of Changes cannot be removed by hand. Put "${String(first.line)}" back.`,
        },
      });
    const lines = (update.changes as Row[]).map((line) =>
      line.what === 'after' ? { ...line, take: 'template' } : line,
    );
    await ok(change(lines));
    await ok(step('chk_template_update', update.id, 'apply'));
    expect(await read('master_checklist', own.id)).toMatchObject({
      template_version: 1,
      tasks: [
        {
          weight: '3.00',
          subtasks: [{ title: 'Bell heard', unit_id: ids.kg }],
          evidence: [{ label: 'Log' }],
          locally_changed: false,
        },
        // The company has no task T3, so that nothing is left to wait for.
        { weight: '4.00', locally_changed: true, after: [], after_when: [] },
      ],
    });
    expect((await read('chk_adoption', adopted.id)).notified_version).toBeNull();
    const again = await admin.call('GET', `/tapi/chk_template_update/new?from=chk_adoption/${adopted.id}&make=update`);
    expect(again.body).toContain('This checklist has the newest version of its template.');
  });

  it('of the platform is in the library of every client, follows its versions, and is changed by the platform alone', async () => {
    const main = world.database.directory.main;
    const mark = randomBytes(3).toString('hex').toUpperCase();
    await writeUserTypes(main);
    const [root] = await platformSql<{ id: number }>(
      main,
      `insert into public.common_user (username, name, email, user_type_id) select $1, $1, $2, id from public.user_type where code = 'SUPER' returning id`,
      [`root-${mark.toLowerCase()}`, 'platform@mainstay.example'],
    );
    await storePassword(main, 'public', root!.id, await hashPassword(PASSWORD));
    const keeper = await world.signIn({ host: 'admin.localhost:3000' } as TestTenant, `root-${mark.toLowerCase()}`);
    const common = (path: string, body: object, method = 'POST') =>
      keeper.call(method, `/tapi/admin_chk_template${path}`, body);
    const code = `G${mark}`;
    const first = await ok(
      common('', {
        code,
        title: 'GSTR-3B',
        template_kind: 'process',
        category: 'tax',
        repeat: 'monthly',
        month_day: 20,
        country: 'IN',
        tasks: [
          { code: 'T1', title: 'File it', criticality: 'critical', weight: '10', holiday_rule: 'previous' },
          { code: 'T2', title: 'Explain the delay', criticality: 'low', weight: '1', after: ['T1'] },
        ],
        conditions: [{ task_code: 'T2', task: 'T1', condition: 'day_late > 0' }],
        evidence: [{ task_code: 'T9', label: 'Challan', evidence_kind: 'file', required: true }],
        points: [
          {
            task_code: 'T1',
            title: 'Reverse charge',
            answer_type: 'choice',
            choices: ['yes', 'no'],
            fails_on: 'no',
            fail_action: 'raise_ticket',
            fail_service: 'Repairs',
          },
          { task_code: 'T1', title: 'Bales', answer_type: 'number', unit: 'kg' },
        ],
      }),
      201,
    );
    // Evidence of a task that is not there would be lost.
    expect((await common(`/${first.id}/publish`, { version: first.version })).json()).toMatchObject({
      error: { field: 'evidence', message: 'There is no task T9 in this template.' },
    });
    const corrected = await ok(
      common(
        `/${first.id}`,
        { version: first.version, evidence: [{ task_code: 'T1', label: 'Challan', evidence_kind: 'file' }] },
        'PUT',
      ),
    );
    expect((await common(`/${first.id}/publish`, { version: corrected.version })).body).toContain(
      'is not known of a task',
    );
    const right = await ok(
      common(
        `/${first.id}`,
        { version: corrected.version, conditions: [{ task_code: 'T2', task: 'T1', condition: 'days_late > 0' }] },
        'PUT',
      ),
    );
    await run('common_templates');
    const copies = () =>
      acme.sql<Doc & { common_version: number; version_no: number }>(
        'select id, version, state, common_version, version_no from {s}.chk_template where code = $1 order by id',
        [code],
      );
    expect(await copies()).toEqual([]);
    await ok(common(`/${first.id}/publish`, { version: right.version }));
    await run('common_templates');
    await run('common_templates');
    const [copy, ...twice] = await copies();
    const [ownIndia] = await acme.sql<{ id: number }>(`select id from {s}.country where code = 'IN'`);
    expect(twice).toEqual([]);
    expect(await read('chk_template', copy!.id)).toMatchObject({
      state: 'published',
      common_version: 0,
      month_day: 20,
      country: ownIndia!.id,
      tasks: [
        {
          code: 'T1',
          weight: '10.00',
          holiday_rule: 'previous',
          evidence: [{ label: 'Challan' }],
          subtasks: [
            {
              title: 'Reverse charge',
              choices: ['yes', 'no'],
              fails_on: 'no',
              fail_action: 'raise_ticket',
              fail_service: 'Repairs',
            },
            { title: 'Bales', unit_id: ids.kg },
          ],
        },
        { code: 'T2', after_when: [{ task: 'T1', condition: 'days_late > 0' }] },
      ],
    });
    const adopted = await ok(
      admin.call('POST', '/tapi/chk_adoption', {
        template_id: copy!.id,
        owner_id: ids.owner,
        expand_by: 'entity',
        start_on: '2027-01-01',
        activate: false,
        tasks: [{ task_code: 'T1', title: 'File it', take: true }],
      }),
      201,
    );
    // The client cannot change it, make a version of it or retire it.
    expect((await step('chk_template', copy!.id, 'new_version')).statusCode).toBe(409);
    expect((await step('chk_template', copy!.id, 'retire')).statusCode).toBe(409);
    expect(
      (await admin.call('PUT', `/tapi/chk_template/${copy!.id}`, { version: copy!.version, title: 'Ours' })).statusCode,
    ).toBe(409);

    // A newer version is in the library within the hour; the checklist follows when somebody accepts it.
    await ok(
      common(`/${first.id}/new_version`, {
        version: (await ok(keeper.call('GET', `/tapi/admin_chk_template/${first.id}`))).version,
      }),
    );
    const [next] = await platformSql<{ id: number }>(
      main,
      `select id from public.admin_chk_template where code = $1 and state = 'draft'`,
      [code],
    );
    const draft = (await ok(keeper.call('GET', `/tapi/admin_chk_template/${next!.id}`))) as Doc & { tasks: Row[] };
    const edited = await ok(
      common(
        `/${next!.id}`,
        { version: draft.version, tasks: draft.tasks.map((task) => ({ ...task, advance_days: 2 })) },
        'PUT',
      ),
    );
    await ok(common(`/${next!.id}/publish`, { version: edited.version }));
    await run('common_templates');
    expect(await copies()).toMatchObject([
      { state: 'superseded', common_version: 0 },
      { state: 'published', common_version: 1, version_no: 1 },
    ]);
    expect(await run('template_updates')).toBe('Owners notified of a new version: 1.');
    const advance = async () =>
      ((await read('master_checklist', adopted.mstr_chk_id as number)) as Doc & { tasks: Row[] }).tasks[0]!
        .advance_days;
    adopted.mstr_chk_id = (await read('chk_adoption', adopted.id)).mstr_chk_id;
    expect(await advance()).toBe(0);
    const offered = await ok(
      admin.call(
        'GET',
        `/tapi/chk_template_update/new?from=master_checklist/${String(adopted.mstr_chk_id)}&make=update`,
      ),
    );
    const update = await ok(admin.call('POST', '/tapi/chk_template_update', offered), 201);
    await ok(step('chk_template_update', update.id, 'apply'));
    expect(await advance()).toBe(2);

    // What the platform withdraws can no longer be adopted.
    await ok(
      common(`/${next!.id}/retire`, {
        version: (await ok(keeper.call('GET', `/tapi/admin_chk_template/${next!.id}`))).version,
      }),
    );
    await run('common_templates');
    expect(await copies()).toMatchObject([{ state: 'superseded' }, { state: 'retired' }]);
  });
});

describe('Lists and figures of tasks', () => {
  it('are sent to each person on the morning of a working day; missing holidays to owners of checklists', async () => {
    await acme.sql('update {s}.employee set user_id = $2 where id = $1', [ids.owner, admin.userId]);
    const own = { assignee_id: ids.owner, owner_id: ids.owner, criticality: 'low' };
    await add('chk_task_instance', { ...own, title: 'Call the auditor', due_on: day(-2) });
    await add('chk_task_instance', { ...own, title: 'Sign the register', due_on: day(0) });
    await add('chk_task_instance', { ...own, title: 'Plan the drill', due_on: day(4) });
    const isSunday = new Date(`${day(0)}T00:00Z`).getUTCDay() === 0;
    expect(await run('morning_digest')).toBe(isSunday ? '0 people notified.' : '1 person notified.');
    const mails = await acme.sql<{ subject: string; body: string }>(
      `select subject, body from {s}.outbox where event_code = 'task.morning'`,
    );
    if (!isSunday) {
      expect(mails).toMatchObject([{ subject: expect.stringContaining('1 overdue, 1 due today') }]);
      expect(mails[0]!.body).toMatch(/Call the auditor[^]*Sign the register/);
      expect(mails[0]!.body).not.toContain('Plan the drill');
    }
    expect(await run('holidays_missing')).toBe('1 owner notified.');
    const year = Number(day(0).slice(0, 4)) + 1;
    await add('holiday', {
      name: 'Republic Day',
      date: `${year}-01-26`,
      holiday_type: 'national',
      holiday_group: 'All',
    });
    expect(await run('holidays_missing')).toBe('0 owners notified.');
  });

  it('reach the levels of their slab by days late, each notified once; the mail of a band fits the records of the slab', async () => {
    const mail = (code: string, module: string, more: Row = {}) =>
      add('esclation', {
        code,
        name: `Rule ${code}`,
        module,
        event: 'band',
        channels: ['mail'],
        subject: `${code}: {{title}}`,
        body: 'Level reached.',
        recipients: [{ copy: 'to', kind: 'mail', mail: `${code.toLowerCase()}@a.example` }],
        working_hours_only: false,
        ...more,
      });
    const third = await mail('BAND3', 'chk_task_instance', { level: 3 });
    await mail('BAND1', 'chk_task_instance', { level: 1 });
    const slab = (rule: number, more: Row = {}) =>
      admin.call('POST', '/tapi/slab', {
        code: 'LATE',
        name: 'Late tasks',
        applies_to: 'checklist',
        basis: 'calendar_days',
        valid_from: '2024-04-01',
        bands: [
          { level: 0, from_value: '0', to_value: '1', score: '100' },
          {
            level: 1,
            from_value: '1',
            to_value: '5',
            score: '50',
          },
          {
            level: 3,
            from_value: '5',
            score: '0',
            esclation_id: rule,
          },
        ],
        ...more,
      });
    const strange = await mail('DESK9', 'ticket', { subject: 'Ticket {{subject}}' });
    expect((await slab(strange)).json()).toMatchObject({
      error: {
        field: 'bands.2.esclation_id',
        message: 'This mail is for other records. Choose one for those of the slab.',
      },
    });
    expect((await slab(third, { basis: 'business_minutes' })).json()).toMatchObject({ error: { field: 'basis' } });
    const of = await ok(slab(third), 201);
    const task = await add('chk_task_instance', {
      assignee_id: ids.owner,
      owner_id: ids.owner,
      criticality: 'low',
      title: 'Oil the gates',
      due_on: day(-2),
    });
    await acme.sql('update {s}.chk_task_instance set slab_id = $2 where id = $1', [task, of.id]);
    const sweep = async (due: number) => {
      await acme.sql('update {s}.chk_task_instance set due_on = $2 where id = $1', [task, day(due)]);
      const message = await run('late_levels');
      await run('escalation');
      const mails = await acme.sql<{ subject: string }>(
        `delete from {s}.outbox where subject like 'BAND%' returning subject`,
      );
      return [message, (await read('chk_task_instance', task)).noticed_level, mails.map(({ subject }) => subject)];
    };
    const [one, none] = ['1 task reached a higher level.', '0 tasks reached a higher level.'];
    expect(await sweep(-2)).toEqual([one, 1, ['BAND1: Oil the gates']]);
    expect(await sweep(-4)).toEqual([none, 1, []]);
    expect(await sweep(-6)).toEqual([one, 3, ['BAND3: Oil the gates']]);
    // An extended task begins anew.
    expect(await sweep(2)).toEqual([none, null, []]);
    expect(await sweep(-1)).toEqual([one, 1, ['BAND1: Oil the gates']]);
  });

  it('lists them, scores them by designation, and counts them on the dashboard', async () => {
    const rows = async (type: string) => {
      const answer = await admin.call('GET', `/tapi/${type}?size=50&columns=*`);
      expect(answer.statusCode, answer.body).toBe(200);
      return answer.json<{ data: Row[] }>().data;
    };
    const done = (await rows('checklist_task_row')).find((row) => row.checklist === 'Stock count');
    expect(done).toMatchObject({ outcome: 'on_time', counted: 1, score: '100.00', evidence_count: 0 });
    expect((await rows('my_compliance')).some((row) => row.state === 'completed')).toBe(true);
    expect(
      (await rows('template_process')).map(({ template_id__label: name, tasks, version_no: no }) => [name, tasks, no]),
    ).toContainEqual(['Fire safety', 3, 1]);
    const report = await admin.call('GET', '/tapi/report/main_board_designation/rows');
    expect(report.statusCode, report.body).toBe(200);
    expect(report.body).toContain('"score":"100');
    const board = await admin.call('POST', '/tapi/dashboard/dashboard_checklist', { filters: {} });
    expect(board.statusCode, board.body).toBe(200);
    type Answer = { name: string; problem?: string; figures?: { rows: Record<string, unknown>[] } };
    const { tiles } = board.json<{ data: { tiles: Answer[] } }>().data;
    expect(tiles.filter(({ problem }) => problem !== undefined)).toEqual([]);
    const points = (name: string) =>
      tiles.find((tile) => tile.name === name)!.figures!.rows.map(({ score }) => Number(score));
    // The task may be due in the next month, which the score of this month leaves out.
    expect(points('score')).toHaveLength(1);
    expect(points('by_branch')).toContain(100);
    const keeper = await acme.user('keeper');
    await acme.sql('update {s}.employee set user_id = $2 where id = $1', [ids.owner, keeper]);
    const [fire] = await acme.sql<{ id: number }>("select id from {s}.chk_template where code = 'FIRE' and is_current");
    await ok(step('chk_template', fire!.id, 'retire'));
    expect(await acme.sql('select event_code, title from {s}.notification where user_id = $1', [keeper])).toEqual([
      { event_code: 'template.retired', title: 'The template of Fire safety is no longer offered' },
    ]);
  });
});
