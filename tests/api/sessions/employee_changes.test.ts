import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as XLSX from 'xlsx';
import { untilIn } from '../import_end.ts';
import { checkRecords } from '../import_records.ts';
import { upload } from '../multipart.ts';
import { dayIn } from '../../../src/descriptor/place.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

type Row = Record<string, unknown> & { id: number; version: number };

let world: World;
let acme: TestTenant;
let hr: Caller;
let guest: Caller;
let reason: number;
const ids: Record<string, number> = {};
const at = (days: number) => new Date(Date.now() + days * 86_400_000 + 5.5 * 3_600_000).toISOString().slice(0, 10);

beforeAll(async () => {
  world = await startWorld({ types: [] });
  acme = await world.tenant({ everyTable: true });
  await acme.user('hr', { isAdmin: true, companies: [{ company: 1 }] });
  await acme.user('guest', {
    companies: [
      { company: 1, roles: [await acme.role({ modules: ['MASTERS'], screens: { SCN_EMPLOYEE: ['view_screen'] } })] },
    ],
  });
  [hr, guest] = await Promise.all([world.signIn(acme, 'hr'), world.signIn(acme, 'guest')]);
  const [place] = await acme.sql<{ id: number; state_id: number; country_id: number }>(
    'select c.id, c.state_id, s.country_id from {s}.city_mstr c join {s}.state_mstr s on s.id = c.state_id',
  );
  const add = async (type: string, record: object) => {
    const answer = await hr.call('POST', `/tapi/${type}`, record);
    expect(answer.statusCode, answer.body).toBe(201);
    return answer.json<{ data: Row }>().data.id;
  };
  const branch = (code: string) =>
    add('branch', {
      code,
      name: code,
      branch_type: 'branch',
      address1: 'Road',
      city: place!.id,
      state_id: place!.state_id,
      country: place!.country_id,
      pincode: '600001',
    });
  ids.Chennai = await branch('CHE');
  ids.Kochi = await branch('KOC');
  const department = await add('department', { code: 'D1', name: 'Service' });
  const designation = await add('designation', { code: 'T1', name: 'Technician', level_no: 2 });
  reason = await add('reason', { code: 'LV', name: 'Better offer', used_for: ['leaving'] });
  for (const [name, above] of [
    ['Head', null],
    ['Lead', 'Head'],
    ['Fitter', 'Lead'],
    ['Helper', 'Lead'],
    ['Clerk', 'Head'],
  ] as const)
    ids[name] = await add('employee', {
      empno: name,
      first_name: name,
      mobile: '+919840012345',
      date_of_joining: '2020-04-01',
      branch_id: ids.Chennai,
      department_id: department,
      designation_id: designation,
      reporting_to_id: above && ids[above],
    });
  ids.Service = department;
});
afterAll(() => world.close());

const person = async (name: string) =>
  (await hr.call('GET', `/tapi/employee/${ids[name]!}`)).json<{ data: Row }>().data;
const post = (name: string, call: string, body: object, caller = hr) =>
  caller.call('POST', `/tapi/employee/${ids[name]!}/${call}`, body);
const changesOf = (name: string) =>
  acme.sql('select change, state, result from {s}.employee_history where employee_id = $1 and active order by id', [
    ids[name],
  ]);
const field = (answer: LightMyRequestResponse) =>
  answer.json<{ error: { message: string; details: { field: string; message: string }[] } }>().error;
const runJob = async () => {
  await world.app.jobs.enqueue(acme.schema, 'employee_changes');
  await world.app.jobs.drain();
};

describe('moves', () => {
  it('of today are carried out at once and stored with their day', async () => {
    const { version } = await person('Fitter');
    const answer = await post('Fitter', 'move', {
      effective_from: at(0),
      reporting_to_id: ids.Clerk,
      branch_id: ids.Kochi,
      reason: 'Transfer',
      version,
    });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json<{ data: Row }>().data).toMatchObject({
      change: 'transfer',
      state: 'done',
      result: 'Branch, manager changed.',
    });
    expect(await person('Fitter')).toMatchObject({ reporting_to_id: ids.Clerk, branch_id: ids.Kochi });
    expect((await hr.call('GET', `/tapi/employee/${ids.Clerk!}/subordinates`)).json()).toEqual({
      data: [{ id: ids.Fitter, depth: 1 }],
    });
    expect(
      (await post('Fitter', 'move', { effective_from: at(0), reporting_to_id: ids.Lead, version })).statusCode,
    ).toBe(409);
    expect(
      (await post('Fitter', 'move', { effective_from: at(0), reporting_to_id: ids.Lead })).json<{ data: Row }>().data,
    ).toMatchObject({ change: 'manager', state: 'done' });
  });

  it('that are not allowed are refused without side effects', async () => {
    // Re-parent under own subordinate, self, inactive, other company.
    const circle = await post('Lead', 'move', { effective_from: at(0), reporting_to_id: ids.Fitter });
    expect([circle.statusCode, field(circle).details]).toEqual([
      422,
      [
        {
          field: 'reporting_to_id',
          message: 'Fitter stands below Lead (1 level). Choose another one for "Reports to".',
        },
      ],
    ]);
    expect(
      field(await post('Lead', 'move', { effective_from: at(0), reporting_to_id: ids.Lead })).details,
    ).toMatchObject([{ field: 'reporting_to_id' }]);
    await acme.sql(`update {s}.employee set status = 'left' where id = $1`, [ids.Clerk]);
    expect((await post('Lead', 'move', { effective_from: at(0), reporting_to_id: ids.Clerk })).statusCode).toBe(422);
    await acme.sql(`update {s}.employee set status = 'active' where id = $1`, [ids.Clerk]);
    expect((await post('Lead', 'move', { effective_from: at(0) })).statusCode).toBe(422);
    expect(
      field(await post('Fitter', 'move', { effective_from: at(-5), branch_id: ids.Chennai })).details[0]!.message,
    ).toMatch(/^A change from \d\d-\d\d-\d{4} exists\. Choose a later day\.$/);
    expect((await post('Lead', 'move', { effective_from: at(0), salary: 5 })).statusCode).toBe(400);
    expect((await post('Lead', 'move', { effective_from: at(0), reporting_to_id: ids.Clerk }, guest)).statusCode).toBe(
      403,
    );
    expect(await changesOf('Lead')).toEqual([]);
  });

  it('of a later day wait for it', async () => {
    const planned = await post('Helper', 'move', { effective_from: at(9), reporting_to_id: ids.Clerk });
    expect(planned.json<{ data: Row }>().data).toMatchObject({ state: 'planned' });
    await runJob();
    expect((await person('Helper')).reporting_to_id).toBe(ids.Lead);
    await acme.sql('update {s}.employee_history set effective_from = $2 where employee_id = $1', [ids.Helper, at(0)]);
    await runJob();
    expect((await person('Helper')).reporting_to_id).toBe(ids.Clerk);
    expect(await changesOf('Helper')).toEqual([{ change: 'manager', state: 'done', result: 'Manager changed.' }]);
    const late = await hr.call(
      'GET',
      `/tapi/employee_history?filter=${encodeURIComponent(JSON.stringify(['state', 'eq', 'done']))}`,
    );
    const done = late.json<{ data: Row[] }>().data[0]!;
    expect(
      (await hr.call('PUT', `/tapi/employee_history/${done.id}`, { remark: 'No', version: done.version })).statusCode,
    ).toBe(422);
  });

  it('of a file that closes a loop are refused: nobody stands below themselves', async () => {
    const loop = [
      { empno: 'Fitter', reporting_to_id: 'Helper' },
      { empno: 'Helper', reporting_to_id: 'Fitter' },
    ];
    const before = [(await person('Fitter')).reporting_to_id, (await person('Helper')).reporting_to_id];
    const { id, errors } = await checkRecords(world, hr, 'employee', loop);
    expect(errors).toEqual([]);
    expect((await hr.call('POST', `/tapi/import/${id}/commit`)).statusCode).toBe(202);
    const run = await untilIn(
      async () =>
        (await hr.call('GET', `/tapi/import/${id}`)).json<{ data: { state: string; done: number; message: string } }>()
          .data,
      ['failed', 'imported'],
    );
    expect(run).toMatchObject({
      state: 'failed',
      done: 0,
      message: 'Fitter → Helper → Fitter would form a loop. Correct the parents and try again.',
    });
    expect([(await person('Fitter')).reporting_to_id, (await person('Helper')).reporting_to_id]).toEqual(before);
  });

  it('are imported from a sheet', async () => {
    const book = XLSX.utils.book_new();
    XLSX.utils.book_append_sheet(
      book,
      XLSX.utils.aoa_to_sheet([
        ['Member', 'Change', 'From', 'New manager'],
        ['Helper', 'New manager', at(0).split('-').reverse().join('-'), 'Head'],
        ['Clerk', 'New manager', at(0).split('-').reverse().join('-'), 'Lead'],
      ]),
      'Sheet1',
    );
    await acme.sql(`delete from {s}.employee_history where employee_id = $1`, [ids.Helper]);
    const { payload, headers } = upload('moves.xlsx', XLSX.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer);
    const { data } = (await hr.call('POST', '/tapi/employee_history/import', payload, headers)).json<{
      data: { id: number };
    }>();
    const state = async () =>
      (await hr.call('GET', `/tapi/import/${data.id}`)).json<{ data: { state: string; errors: unknown[] } }>().data;
    await expect.poll(async () => (await state()).state, { timeout: 60_000 }).toBe('checked');
    expect((await state()).errors).toEqual([]);
    await hr.call('POST', `/tapi/import/${data.id}/commit`);
    await expect.poll(async () => (await state()).state, { timeout: 60_000 }).toBe('imported');
    await runJob();
    expect([(await person('Helper')).reporting_to_id, (await person('Clerk')).reporting_to_id]).toEqual([
      ids.Head,
      ids.Lead,
    ]);
  });
});

describe('leaving', () => {
  it('shows the person’s responsibilities', async () => {
    const { version } = (await hr.call('GET', `/tapi/department/${ids.Service!}`)).json<{ data: Row }>().data;
    expect((await hr.call('PUT', `/tapi/department/${ids.Service!}`, { head_id: ids.Lead, version })).statusCode).toBe(
      200,
    );
    const { data } = (await hr.call('GET', `/tapi/employee/${ids.Lead!}/holdings`)).json<{
      data: { key: string; count: number; movable: boolean }[];
    }>();
    expect(data.map(({ key, count, movable }) => [key, count, movable])).toEqual(
      expect.arrayContaining([
        ['reports', 2, true],
        ['department.head_id', 1, true],
      ]),
    );
    expect((await guest.call('GET', `/tapi/employee/${ids.Lead!}/holdings`)).statusCode).toBe(403);
  });

  it('on a later day means notice, which can be withdrawn', async () => {
    const answer = await post('Lead', 'leave', {
      last_working_day: at(30),
      leaving_reason_id: reason,
      resigned_on: at(0),
    });
    expect(answer.json<{ data: Row }>().data).toMatchObject({ state: 'planned' });
    expect(await person('Lead')).toMatchObject({ status: 'on_notice', last_working_day: at(30), resigned_on: at(0) });
    expect((await post('Lead', 'stay', {})).statusCode).toBe(200);
    expect(await person('Lead')).toMatchObject({ status: 'active', last_working_day: null, resigned_on: null });
    expect(await changesOf('Lead')).toEqual([]);
    expect((await post('Lead', 'stay', {})).statusCode).toBe(409);
  });

  it('hands everything over at once, closes the account, and is rolled back completely on an error', async () => {
    await acme.user('lead', { companies: [{ company: 1 }] });
    await acme.sql(`update {s}.users set employee_id = $1 where username = 'lead'`, [ids.Lead]);
    expect(
      (await post('Lead', 'leave', { last_working_day: at(-1), leaving_reason_id: reason, hand_over_to_id: ids.Lead }))
        .statusCode,
    ).toBe(422);
    expect(await person('Lead')).toMatchObject({ status: 'active' });
    const left = await post('Lead', 'leave', {
      last_working_day: at(-1),
      leaving_reason_id: reason,
      reports_to: ids.Helper,
      hand_over: { 'department.head_id': ids.Head },
    });
    expect(left.statusCode, left.body).toBe(200);
    expect(left.json<{ data: Row }>().data).toMatchObject({
      state: 'done',
      result: 'Left. 3 handed over. The account is closed.',
    });
    expect(await person('Lead')).toMatchObject({ status: 'left', date_of_leaving: at(-1), leaving_reason_id: reason });
    expect([(await person('Fitter')).reporting_to_id, (await person('Clerk')).reporting_to_id]).toEqual([
      ids.Helper,
      ids.Helper,
    ]);
    expect(await acme.sql('select head_id from {s}.department where id = $1', [ids.Service])).toEqual([
      { head_id: ids.Head },
    ]);
    expect(
      (await hr.call('GET', `/tapi/employee/${ids.Helper!}/subordinates`))
        .json<{ data: Row[] }>()
        .data.map(({ id }) => id),
    ).toEqual(expect.arrayContaining([ids.Fitter, ids.Clerk]));
    expect(await acme.sql(`select status from {s}.users where username = 'lead'`)).toEqual([{ status: 'disabled' }]);
    expect((await post('Lead', 'move', { effective_from: at(0), reporting_to_id: ids.Head })).statusCode).toBe(422);
    expect((await post('Lead', 'rejoin', {})).json<{ data: Row }>().data).toMatchObject({
      status: 'active',
      date_of_leaving: null,
    });
  });

  it('and returning are changes with a day of their own; the form alone changes nobody’s status', async () => {
    expect(await changesOf('Lead')).toMatchObject([
      { change: 'leave', state: 'done' },
      { change: 'join', state: 'done', result: 'Active again.' },
    ]);
    const { version } = await person('Helper');
    expect(
      (
        await hr.call('PUT', `/tapi/employee/${ids.Helper!}`, { status: 'left', date_of_leaving: at(-1), version })
      ).json<{ data: Row }>().data,
    ).toMatchObject({ status: 'active', date_of_leaving: null, version });
    expect(
      field(
        await hr.call('POST', '/tapi/employee_history', {
          employee_id: ids.Helper,
          change: 'join',
          effective_from: at(0),
        }),
      ).details,
    ).toMatchObject([{ field: 'employee_id', message: 'This person has not left. Choose another change.' }]);
  });

  it('member leaves: children must be re-parented first where nobody is above', async () => {
    const top = await post('Head', 'leave', { last_working_day: at(-1), leaving_reason_id: reason });
    expect(field(top).details).toMatchObject([
      {
        field: 'reporting_to_id',
        message: expect.stringMatching(/^\d+ members report to Head\. Choose their new manager\.$/) as string,
      },
    ]);
    expect(await person('Head')).toMatchObject({ status: 'active' });
  });

  it('of a head without a successor leaves the department without a head, and names the people to inform', async () => {
    await acme.user('boss', { companies: [{ company: 1 }] });
    await acme.sql(`update {s}.users set employee_id = $1 where username = 'boss'`, [ids.Head]);
    await acme.user('it', { isAdmin: true, companies: [{ company: 1 }] });
    await acme.sql('update {s}.department set head_id = $1 where id = $2', [ids.Clerk, ids.Service]);
    await acme.sql('update {s}.employee set reporting_to_id = $1 where id = $2', [ids.Head, ids.Clerk]);
    await acme.sql('delete from {s}.notification');
    const left = await post('Clerk', 'leave', { last_working_day: at(-1), leaving_reason_id: reason });
    expect(left.json<{ data: Row }>().data).toMatchObject({
      state: 'done',
      result: 'Left. 0 handed over. Service has no head now.',
    });
    expect(await acme.sql('select head_id from {s}.department where id = $1', [ids.Service])).toEqual([
      { head_id: null },
    ]);
    const told = await acme.sql(
      'select u.username, n.event_code, n.title from {s}.notification n join {s}.users u on u.id = n.user_id order by 1, 2',
    );
    const day = at(-1).split('-').reverse().join('-');
    expect(told).toEqual([
      { username: 'boss', event_code: 'employee.left', title: `Clerk leaves on ${day}` },
      { username: 'it', event_code: 'department.without_head', title: 'Service: no head' },
      { username: 'it', event_code: 'employee.left', title: `Clerk leaves on ${day}` },
    ]);
  });

  it('is proposed after the grade’s notice period', async () => {
    const grade = (
      await hr.call('POST', '/tapi/employee_grade', { code: 'G5', name: 'Executives', rank_no: 5, notice_days: 60 })
    ).json<{ data: Row }>().data.id;
    await acme.sql('update {s}.employee set grade_id = $1 where id = $2', [grade, ids.Fitter]);
    expect((await hr.call('GET', `/tapi/employee/${ids.Fitter!}/holdings`)).json()).toMatchObject({ notice_days: 60 });
    expect((await hr.call('GET', `/tapi/employee/${ids.Helper!}/holdings`)).json()).toMatchObject({
      notice_days: null,
    });
  });
});

it('a change is carried out on its day in the time zone of the person’s branch', async () => {
  const far = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'].find((one) => dayIn(one) !== dayIn('Asia/Kolkata'))!;
  const later = [dayIn(far), dayIn('Asia/Kolkata')].toSorted()[1]!;
  await acme.sql(`update {s}.branch set timezone = $1`, [far]);
  const made = await hr.call('POST', '/tapi/employee', {
    empno: 'Far',
    first_name: 'Far',
    mobile: '+919840012345',
    date_of_joining: '2020-04-01',
    branch_id: ids.Chennai,
    department_id: ids.Service,
    designation_id: (await person('Fitter')).designation_id,
  });
  expect(made.statusCode, made.body).toBe(201);
  ids.Far = made.json<{ data: Row }>().data.id;
  const answer = await post('Far', 'move', { effective_from: later, branch_id: ids.Kochi });
  expect(answer.statusCode, answer.body).toBe(200);
  expect(answer.json<{ data: Row }>().data.state).toBe(dayIn(far) === later ? 'done' : 'planned');
  await acme.sql(`update {s}.branch set timezone = null`);
});
