import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { World } from '../world.ts';
import { startWorld } from '../world.ts';
import type { ComplianceCompany, Doc } from './compliance_company.ts';
import { complianceCompany, day } from './compliance_company.ts';

// A case is started from its type; its tasks open one after another, and it closes when they have ended.

let world: World;
let co: ComplianceCompany;
const ids: Record<string, number> = {};
const events = async () => {
  await world.app.deliveries.deliver(co.acme);
};
const steps = async (id: number): Promise<Record<string, Doc & { state: string; task_id: number }>> =>
  Object.fromEntries(
    ((await co.read('act_case', id)).steps as (Doc & { state: string; task_id: number; code: string })[]).map((one) => [
      one.code,
      one,
    ]),
  );
const submit = async (task: number) => {
  await co.ok(co.step(co.clerk, 'chk_task_instance', task, 'submit'));
  await events();
};

beforeAll(async () => {
  world = await startWorld();
  co = await complianceCompany(world, {
    screens: ['SCN_CASE_BASED_CHECKLIST', 'SCN_CASE_BASED_WORKFLOW', 'SCN_MY_TASKS'],
    clerk: [],
    head: ['CASE_START'],
  });
  ids.type = await co.add('case_type', {
    code: 'OUT',
    name: 'Member leaves',
    subject_type: 'employee',
    duration_basis: 'calendar',
    stages: [
      { code: 'A', name: 'Hand over' },
      { code: 'B', name: 'Settle' },
    ],
    steps: [
      { code: 'A', title: 'Hand over', stage: 'A', days: 1, assign_by: 'employee', employee_id: co.ids.clerk },
      {
        code: 'B',
        title: 'Return laptop',
        stage: 'A',
        days: 2,
        after: ['A'],
        assign_by: 'employee',
        employee_id: co.ids.clerk,
      },
      {
        code: 'C',
        title: 'Only abroad',
        stage: 'A',
        days: 9,
        after: ['A'],
        assign_by: 'owner',
        condition: "empno == 'X'",
      },
      { code: 'D', title: 'Settle', stage: 'B', days: 1, after: ['B', 'C'], assign_by: 'role', role_id: co.ids.clerks },
    ],
  });
});
afterAll(() => world.close());

const begin = async (more: object = {}) => {
  const id = await co.add('act_case', {
    case_type_id: ids.type,
    title: 'Leaver',
    subject_id: co.ids.clerk,
    owner_id: co.ids.head,
    branch_id: co.ids.branch,
    start_on: day(0),
    ...more,
  });
  return id;
};

describe('a case', () => {
  it('opens its steps one after another, and closes automatically', async () => {
    const id = await begin();
    expect((await co.step(co.clerk, 'act_case', id, 'start')).statusCode).toBe(403);
    await co.ok(co.step(co.head, 'act_case', id, 'start'));
    const at = await steps(id);
    expect(Object.fromEntries(Object.values(at).map((one) => [one.code, one.state]))).toEqual({
      A: 'open',
      B: 'waiting',
      C: 'dropped',
      D: 'waiting',
    });
    expect(await co.read('act_case', id)).toMatchObject({ status: 'running', planned_end: day(3), progress: '0.00' });
    expect((await co.read('chk_task_instance', at.B!.task_id)).state).toBe('scheduled');
    expect((await co.step(co.head, 'act_case', id, 'close')).body).toContain(
      '3 tasks are open: Hand over, Return laptop, Settle.',
    );
    await submit(at.A!.task_id);
    expect((await steps(id)).B!.state).toBe('open');
    await submit(at.B!.task_id);
    expect((await co.read('act_case', id)).stage_id__label).toContain('Settle');
    await submit(at.D!.task_id);
    expect(await co.read('act_case', id)).toMatchObject({
      status: 'closed',
      progress: '100.00',
      score: '100.00',
      closed_on: day(0),
    });
  });

  it('plans a step with a pause of its own after one of the steps before it', async () => {
    const own = { days: 1, assign_by: 'owner' };
    const type = {
      code: 'PAUSE',
      name: 'Site handed over',
      duration_basis: 'calendar',
      steps: [
        { ...own, code: 'A', title: 'Pour concrete' },
        { ...own, code: 'B', title: 'Order lift', days: 3 },
        { ...own, code: 'C', title: 'Install', after: ['A', 'B'], offset_days: 1 },
      ],
      pauses: [{ step: 'C', after: 'A', days: 28 }],
    };
    const wrong = await co.admin.call('POST', '/tapi/case_type', {
      ...type,
      pauses: [{ step: 'B', after: 'A', days: 28 }],
    });
    expect(wrong.json()).toMatchObject({
      error: { field: 'pauses', message: expect.stringContaining('Step B does not wait for A.') },
    });
    const id = await begin({ case_type_id: await co.add('case_type', type), subject_id: null });
    await co.ok(co.step(co.head, 'act_case', id, 'start'));
    const at = await steps(id);
    expect(at.C).toMatchObject({ planned_from: day(29), pauses: [{ after: 'A', days: 28 }] });
    // A running case keeps its pauses when its type loses them.
    const stored = await co.read('case_type', (await co.read('act_case', id)).case_type_id as number);
    await co.ok(co.admin.call('PUT', `/tapi/case_type/${stored.id}`, { version: stored.version, pauses: [] }));
    const early = await co.read('chk_task_instance', at.B!.task_id);
    await co.ok(co.step(co.head, 'chk_task_instance', early.id, 'submit'));
    await events();
    expect((await steps(id)).C).toMatchObject({ from_on: day(29) });
  });

  it('on hold blocks its tasks until it is resumed', async () => {
    const id = await begin();
    await co.ok(co.step(co.head, 'act_case', id, 'start'));
    const { A } = await steps(id);
    await co.ok(co.step(co.head, 'act_case', id, 'hold', { reason: 'Papers are missing' }));
    for (const name of ['start', 'submit', 'ask_na']) {
      const refused = await co.step(
        co.clerk,
        'chk_task_instance',
        A!.task_id,
        name,
        name === 'ask_na' ? { na_reason: 'No' } : {},
      );
      expect(refused.body, name).toContain('The case is on hold.');
    }
    await co.ok(co.step(co.head, 'act_case', id, 'resume'));
    await submit(A!.task_id);
    expect((await steps(id)).B!.state).toBe('open');
  });

  it('sets fields of its record when it is closed, with the rights of whoever closes it', async () => {
    const kind = {
      code: 'CONF',
      name: 'Confirmation',
      subject_type: 'employee',
      duration_basis: 'calendar',
      close_rule: 'manual',
      steps: [{ code: 'A', title: 'Talk', days: 1, assign_by: 'employee', employee_id: co.ids.clerk }],
    };
    const of = (value: string) => ({ ...kind, on_close_set: [{ field: 'cost_centre', value }] });
    expect((await co.admin.call('POST', '/tapi/case_type', of("concat('ex "))).body).toContain('Field cost_centre: ');
    const set = [...of("concat('ex ', empno)").on_close_set, { field: 'confirmed_on', value: 'today()' }];
    const id = await begin({ case_type_id: await co.add('case_type', { ...kind, on_close_set: set }) });
    await co.ok(co.step(co.head, 'act_case', id, 'start'));
    await submit((await steps(id)).A!.task_id);
    expect((await co.step(co.head, 'act_case', id, 'close')).statusCode).toBe(403);
    await co.ok(co.step(co.admin, 'act_case', id, 'close'));
    expect(await co.read('employee', co.ids.clerk!)).toMatchObject({ cost_centre: 'ex E10001', confirmed_on: day(0) });
  });

  it('does not start if its steps have a cycle, and cancels its open tasks', async () => {
    const type = await co.read('case_type', ids.type!);
    const id = await begin();
    const row = (type.steps as Doc[])[0]!;
    const changed = await co.ok(
      co.admin.call('PUT', `/tapi/case_type/${ids.type}`, {
        version: type.version,
        steps: (type.steps as (Doc & { after: string[] })[]).map((one) =>
          one.id === row.id ? { ...one, after: ['D'] } : one,
        ),
      }),
    );
    expect((await co.step(co.head, 'act_case', id, 'start')).body).toContain('waits for itself');
    await co.ok(co.admin.call('PUT', `/tapi/case_type/${ids.type}`, { version: changed.version, steps: type.steps }));
    await co.ok(co.step(co.head, 'act_case', id, 'start'));
    const { A } = await steps(id);
    await co.ok(co.step(co.head, 'act_case', id, 'cancel', { reason: 'Stays' }));
    expect((await co.read('chk_task_instance', A!.task_id)).state).toBe('cancelled');
  });
});

describe('a step for a person named in the record of the case', () => {
  it('goes to that person, and a case without one does not start', async () => {
    const step = { code: 'A', title: 'Welcome', days: 1, assign_by: 'field' };
    const type = { code: 'WEL', name: 'Member joins', subject_type: 'employee' };
    const wrong = await co.admin.call('POST', '/tapi/case_type', {
      ...type,
      steps: [{ ...step, person_field: 'name' }],
    });
    expect(wrong.body).toContain('is not a field of the employee that can be chosen here.');
    const made = await co.add('case_type', { ...type, steps: [{ ...step, person_field: 'reporting_to_id' }] });
    const manager = async (id: number | null) =>
      co.acme.sql('update {s}.employee set reporting_to_id = $2 where id = $1', [co.ids.clerk, id]);
    const [{ before }] = (await co.acme.sql<{ before: number | null }>(
      'select reporting_to_id as before from {s}.employee where id = $1',
      [co.ids.clerk],
    )) as [{ before: number | null }];
    await manager(null);
    const id = await begin({ case_type_id: made, owner_id: co.ids.clerk });
    expect((await co.step(co.head, 'act_case', id, 'start')).body).toContain(
      'No person found for step Welcome. Enter one',
    );
    await manager(co.ids.head!);
    await co.ok(co.step(co.head, 'act_case', id, 'start'));
    expect((await steps(id)).A).toMatchObject({ assignee_id: co.ids.head });
    await manager(before);
  });
});

describe('a stage with a condition', () => {
  it('is passed over when the case reaches it and the condition is false: what follows opens', async () => {
    const ownerDoes = { days: 1, assign_by: 'owner' };
    const kind = {
      code: 'STG',
      name: 'Transfer',
      subject_type: 'employee',
      duration_basis: 'calendar',
      stages: [
        { code: 'A', name: 'Agree' },
        { code: 'B', name: 'Abroad', entry_condition: 'personal_email != null' },
        { code: 'C', name: 'Move' },
      ],
      steps: [
        { code: 'A', title: 'Agree', stage: 'A', ...ownerDoes, assign_by: 'employee', employee_id: co.ids.clerk },
        { code: 'B', title: 'Visa', stage: 'B', after: ['A'], ...ownerDoes },
        { code: 'B2', title: 'Flight', stage: 'B', after: ['B'], ...ownerDoes },
        { code: 'C', title: 'Move', stage: 'C', after: ['B2'], ...ownerDoes },
      ],
    };
    const wrong = { ...kind, stages: [{ ...kind.stages[1], entry_condition: 'grade ==' }] };
    expect((await co.admin.call('POST', '/tapi/case_type', wrong)).body).toContain('Stage B: ');
    const type = await co.add('case_type', kind);
    const reached = async (email: string | null) => {
      const id = await begin({ case_type_id: type });
      await co.ok(co.step(co.head, 'act_case', id, 'start'));
      // What counts is the record when the stage is reached, not when the case began.
      await co.acme.sql('update {s}.employee set personal_email = $2 where id = $1', [co.ids.clerk, email]);
      await submit((await steps(id)).A!.task_id);
      await events();
      return Object.fromEntries(Object.entries(await steps(id)).map(([code, { state }]) => [code, state]));
    };
    expect(await reached(null)).toEqual({ A: 'done', B: 'dropped', B2: 'dropped', C: 'open' });
    expect(await reached('a@example.com')).toEqual({ A: 'done', B: 'open', B2: 'waiting', C: 'waiting' });
    // A board of cases has the stages of their types alone, also those without a case.
    await begin();
    const columns = async (of: number[]) =>
      (await co.admin.call('GET', `/tapi/act_case/board?filter=${JSON.stringify(['case_type_id', 'in', of])}`))
        .json<{ data: { value: string | null; label: string }[] }>()
        .data.flatMap(({ value, label }) => (value === null ? [] : [label]));
    const here = kind.stages.map(({ name }) => name);
    expect(await columns([type])).toEqual(here);
    expect(await columns([ids.type!])).toEqual(['Hand over', 'Settle']);
    expect(new Set(await columns([type, ids.type!]))).toEqual(new Set([...here, 'Hand over', 'Settle']));
  });
});

describe('the status of a case', () => {
  it('is public where its type says so: by a link that shows how it stands and nothing else', async () => {
    const id = await begin({ title: 'Refund' });
    await co.ok(co.step(co.head, 'act_case', id, 'start'));
    const link = () => co.admin.call('POST', `/tapi/act_case/${id}/public`);
    expect((await link()).statusCode).toBe(409);
    const set = async (public_status: boolean) =>
      co.ok(
        co.admin.call('PUT', `/tapi/case_type/${ids.type}`, {
          version: (await co.read('case_type', ids.type!)).version,
          public_status,
        }),
      );
    await set(true);
    const { data } = (await link()).json<{ data: { address: string }[] }>();
    const token = data[0]!.address.split('/').at(-1)!;
    const look = () => world.inject({ method: 'GET', url: `/papi/${token}`, headers: { host: co.acme.host } });
    const seen = await look();
    expect(seen.statusCode, seen.body).toBe(200);
    expect(seen.json()).toMatchObject({ data: { title: 'How your case stands', acts: [] } });
    expect(seen.body).toContain('Running');
    expect(seen.body).not.toContain('Return laptop');
    // Looking does not use the link up; it ends with the consent of the type.
    expect((await look()).statusCode).toBe(200);
    await set(false);
    expect((await look()).statusCode).toBe(404);
  });
});

describe('a workflow rule', () => {
  const runs = () => co.list('workflow_run');
  const rule = (more: object) => ({
    name: 'Big delay',
    record_type: 'act_case',
    event: 'transition',
    transition: 'hold',
    condition: "title == 'Held'",
    run_as: 'author',
    actions: [{ action: 'create_task', person_id: co.ids.clerk, text: 'Look at {title}', days: 2 }],
    ...more,
  });
  const hold = async (title: string) => {
    const id = await begin({ title });
    await co.ok(co.step(co.head, 'act_case', id, 'start'));
    await co.ok(co.step(co.head, 'act_case', id, 'hold', { reason: 'Waits' }));
    await events();
    return id;
  };

  it('runs once for each record that meets its condition', async () => {
    await co.ok(co.admin.call('POST', '/tapi/workflow_rule', rule({})), 201);
    const id = await hold('Held');
    await hold('Another');
    const done = await runs();
    expect(done).toHaveLength(1);
    expect(done[0]).toMatchObject({ record_id: id, result: 'done' });
    expect(await co.list('chk_task_instance', ['title', 'eq', 'Look at Held'])).toHaveLength(1);
    await co.ok(co.step(co.head, 'act_case', id, 'resume'));
    await co.ok(co.step(co.head, 'act_case', id, 'hold', { reason: 'Again' }));
    await events();
    expect(await runs()).toHaveLength(1);
  });

  it('starts a checklist at the place of the record', async () => {
    const round = await co.add('master_checklist', {
      title: 'Clear the desk',
      category: 'operations',
      kind: 'one_time',
      owner_id: co.ids.head,
      expand_by: 'branch',
      branch_ids: [co.ids.branch],
      repeat: 'once',
      start_on: day(30),
      tasks: [
        {
          title: 'Empty the drawers',
          criticality: 'medium',
          weight: '1',
          holiday_rule: 'none',
          assign: [{ assign_by: 'employee', employee_id: co.ids.clerk }],
        },
      ],
    });
    await co.ok(co.step(co.admin, 'master_checklist', round, 'start'));
    const before = (await co.list('chk_instance', ['mstr_chk_id', 'eq', round])).length;
    await co.add(
      'workflow_rule',
      rule({
        name: 'Clear',
        condition: "title == 'Away'",
        actions: [{ action: 'start_checklist', mstr_chk_id: round, days: 2 }],
      }),
    );
    const id = await hold('Away');
    expect((await runs()).at(-1)).toMatchObject({
      record_id: id,
      result: 'done',
      message: expect.stringMatching(/^Checklist CI\/.* started$/),
    });
    const started = await co.list('chk_instance', ['mstr_chk_id', 'eq', round]);
    expect(started).toHaveLength(before + 1);
    const one = started.at(-1)!;
    expect(one).toMatchObject({ branch_id: co.ids.branch, due_on: day(2) });
    expect(
      await co.list('chk_task_instance', ['and', ['origin_type', 'eq', 'chk_instance'], ['origin_id', 'eq', one.id]]),
    ).toMatchObject([{ title: 'Empty the drawers' }]);
  });

  it('runs once on the day of a date', async () => {
    await co.ok(
      co.admin.call(
        'POST',
        '/tapi/workflow_rule',
        rule({
          name: 'A week before',
          event: 'date_reached',
          transition: null,
          date_field: 'start_on',
          days_after: -7,
          condition: "title == 'Soon'",
          actions: [{ action: 'create_task', person_id: co.ids.clerk, text: 'Prepare {title}', days: 2 }],
        }),
      ),
      201,
    );
    await begin({ title: 'Soon', start_on: day(7) });
    await begin({ title: 'Soon', start_on: day(8) });
    expect(await co.run('rule_dates')).toBe('1 records checked.');
    await co.run('rule_dates');
    expect((await runs()).at(-1)).toMatchObject({ result: 'done' });
    expect(await co.list('chk_task_instance', ['title', 'eq', 'Prepare Soon'])).toHaveLength(1);
  });

  it('is about one form: its public answers start a case, another survey and a webhook, by what was answered', async () => {
    const kind = await co.add('type_of_questionaire', {
      code: 'VISIT',
      name: 'After a visit',
      audience: 'customer',
      main_measure: 'ces',
      good_from: '75',
      bad_below: '55',
    });
    const publish = async (title: string) => {
      const id = await co.add('survey', {
        title,
        type_of_questionaire_id: kind,
        audience: 'customer',
        owner_id: co.ids.head,
        sections: [
          {
            code: 'visit',
            title: 'Visit',
            questions: [{ code: 'well', question_type: 'yes_no', text: 'Did it go well?' }],
          },
        ],
      });
      await co.ok(co.step(co.admin, 'survey', id, 'publish'));
      return id;
    };
    const [survey, other] = [await publish('After a visit'), await publish('Why not')];
    const complaint = await co.add('case_type', {
      code: 'BAD',
      name: 'Complaint',
      steps: [{ code: 'A', title: 'Call back', days: 1, assign_by: 'owner' }],
    });
    // The table of deliveries is made with the first list.
    expect(await co.list('api_delivery')).toEqual([]);
    const webhook = await co.add('api_config', {
      name: 'Customer desk',
      direction: 'outgoing',
      url: 'https://desk.example/hook',
      events: ['branch.created'],
    });
    const ofForm = (more: object) => rule({ record_type: 'survey_answer', transition: null, condition: null, ...more });
    expect(
      (await co.admin.call('POST', '/tapi/workflow_rule', ofForm({ record_type: 'filing', event: 'form_submitted' })))
        .body,
    ).toContain('Only tickets and answers to surveys are submitted by a public form.');
    await co.add(
      'workflow_rule',
      ofForm({
        name: 'Bad visit',
        event: 'form_submitted',
        survey_id: survey,
        condition: "answers.well == 'no'",
        actions: [
          { action: 'start_case', case_type_id: complaint, person_id: co.ids.head, text: 'Call {respondent}' },
          { action: 'start_survey', ask_survey_id: other, mail: 'devi@example.com', text: 'Tell us more.' },
          { action: 'call_webhook', webhook_id: webhook, text: 'Bad visit of {respondent}' },
        ],
      }),
    );
    await co.add(
      'workflow_rule',
      ofForm({
        name: 'Answered',
        event: 'survey_answered',
        survey_id: other,
        actions: [{ action: 'create_task', person_id: co.ids.clerk, text: 'Read {respondent}', days: 1 }],
      }),
    );
    let calls = 0;
    const papi = async (token: string, method: 'POST' | 'PATCH', payload: object) => {
      const got = await world.inject({
        method,
        url: `/papi/${token}`,
        headers: { host: co.acme.host, 'idempotency-key': `case-form-${++calls}` },
        payload,
      });
      expect(got.statusCode, got.body).toBe(200);
      return got.json<{ data: { next: string } }>().data;
    };
    const link = await co.admin.call('POST', `/tapi/survey/${survey}/public`);
    const token = link.json<{ data: { address: string }[] }>().data[0]!.address.split('/').at(-1)!;
    for (const [respondent, value] of [
      ['Ravi', 'yes'],
      ['Devi', 'no'],
    ] as const) {
      const { next } = await papi(token, 'POST', { act: null, values: { respondent } });
      const own = next.split('/').at(-1)!;
      const at = new Date().toISOString();
      await papi(own, 'PATCH', { answers: [{ code: 'well', value, at, client: 'phone', seq: 1 }] });
      await papi(own, 'POST', { act: 'hand_in', values: {} });
    }
    // Recorded by a member: not by the public form.
    const told = await co.add('survey_answer', { survey_id: other, channel: 'assisted', respondent: 'Mani' });
    await co.ok(co.step(co.admin, 'survey_answer', told, 'hand_in'));
    await events();
    const ran = (await runs()).filter((one) => one.record_type === 'survey_answer');
    expect(ran.map(({ result, message }) => [result, message])).toEqual([
      ['done', expect.stringMatching(/^Case .* started; Survey sent to devi@example.com; A webhook was called$/)],
      ['done', expect.stringMatching(/^Task .* made$/)],
    ]);
    expect(await co.list('act_case', ['title', 'contains', 'Call '])).toMatchObject([
      { title: 'Call Devi', started_by_rule: 'Bad visit', status: 'running' },
    ]);
    expect(await co.list('chk_task_instance', ['title', 'contains', 'Read '])).toMatchObject([{ title: 'Read Mani' }]);
    const [sent] = await co.list('api_delivery');
    expect(sent).toMatchObject({
      event: 'survey_answer.rule',
      body: { data: { type: 'survey_answer', rule: 'Bad visit', text: 'Bad visit of Devi' } },
    });
  });

  it('runs when another program names a record to it, and no other rule does', async () => {
    const waiting = await co.add(
      'workflow_rule',
      rule({
        name: 'Called',
        event: 'webhook',
        transition: null,
        condition: "title == 'Named'",
        actions: [{ action: 'create_task', person_id: co.ids.clerk, text: 'Call about {title}', days: 1 }],
      }),
    );
    const other = (await co.list('workflow_rule', ['name', 'eq', 'Big delay']))[0]!;
    const call = async (id: number, record: number) =>
      co.admin.call('POST', '/tapi/workflow_rule/action/act_cases.call_rule', {
        on: 'record',
        id,
        version: (await co.read('workflow_rule', id)).version,
        params: { on_record: record },
      });
    const named = await begin({ title: 'Named' });
    expect((await call(other.id, named)).statusCode).toBe(409);
    expect((await call(waiting, 999_999)).statusCode).toBe(404);
    await co.ok(call(waiting, await begin({ title: 'Unnamed' })));
    await co.ok(call(waiting, named));
    await co.ok(call(waiting, named));
    await events();
    expect(await co.list('chk_task_instance', ['title', 'contains', 'Call about'])).toMatchObject([
      { title: 'Call about Named' },
    ]);
  });

  it('names steps, dates and fields that its type of record has', async () => {
    const refusal = async (more: object) =>
      (await co.admin.call('POST', '/tapi/workflow_rule', rule({ name: 'Wrong', ...more }))).body;
    expect(await refusal({ transition: 'file' })).toContain(
      '\\"file\\" is not a step of the case that can be chosen here. Choose one of Start, Hold, Resume, Close, Cancel, Reopen.',
    );
    expect(await refusal({ event: 'date_reached', transition: null, date_field: 'title' })).toContain(
      '\\"title\\" is not a field of the case that can be chosen here. Choose one of Start, Planned end',
    );
    expect(await refusal({ actions: [{ action: 'set_field', set_name: 'progress', set_value: '100' }] })).toContain(
      '\\"progress\\" is not a field of the case',
    );
  });

  it('for the closing of cases also runs when a case closes itself', async () => {
    await co.add('workflow_rule', rule({ name: 'Thanks', transition: 'close', condition: "title == 'Ends itself'" }));
    const { id } = await co.read('act_case', await begin({ title: 'Ends itself' }));
    await co.ok(co.step(co.head, 'act_case', id, 'start'));
    for (const code of ['A', 'B', 'D']) await submit((await steps(id))[code]!.task_id);
    expect((await co.read('act_case', id)).status).toBe('closed');
    expect((await runs()).find((one) => one.record_id === id)).toMatchObject({ result: 'done' });
  });

  it('refuses what its author may not do, and rolls everything back', async () => {
    const author = await co.acme.role({
      modules: ['COMPLIANCE'],
      screens: {
        SCN_WORKFLOW: ['landing', 'add_screen', 'edit_screen', 'view_screen'],
        SCN_CASE_BASED_WORKFLOW: ['landing', 'view_screen'],
      },
      actions: ['WF_RULE'],
    });
    await co.acme.user('author', { companies: [{ company: 1, roles: [author] }] });
    const by = await world.signIn(co.acme, 'author');
    const made = await by.call(
      'POST',
      '/tapi/workflow_rule',
      rule({
        name: 'Of an author',
        condition: "title == 'Other'",
        actions: [{ action: 'set_field', set_name: 'title', set_value: "'Taken'" }],
      }),
    );
    expect(made.statusCode, made.body).toBe(201);
    const id = await hold('Other');
    expect((await runs()).find((one) => one.record_id === id)).toMatchObject({ result: 'refused' });
    expect((await co.read('act_case', id)).title).toBe('Other');
  });
});
