import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { upload } from '../multipart.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

let world: World;
let acme: TestTenant;
let admin: Caller;
let lead: Caller;
let guest: Caller;
let officer: Caller;
const ids: Record<string, number> = {};

interface Person {
  id: number;
  name: string;
  depth: number;
  manager: string | null;
  designation: string | null;
  branch: string | null;
}

/** head ← lead ← (fitter ← trainee), clerk; clerk stands alone. */
const PEOPLE: [name: string, above: string | null, email: string | null][] = [
  ['Head', null, null],
  ['Lead', 'Head', 'lead@acme.in'],
  ['Fitter', 'Lead', null],
  ['Trainee', 'Fitter', null],
  ['Clerk', null, null],
];

beforeAll(async () => {
  world = await startWorld({ types: [] });
  acme = await world.tenant({ companies: 1 });
  const hr = await acme.role({
    modules: ['MASTERS'],
    screens: { SCN_EMPLOYEE: ['edit_screen', 'view_screen'] },
    actions: ['CREATE_MASTERS'],
  });
  await acme.user('admin', { isAdmin: true });
  await acme.user('lead');
  await acme.user('guest');
  await acme.user('officer', { companies: [{ company: 1, roles: [hr] }] });
  [admin, lead, guest, officer] = await Promise.all([
    world.signIn(acme, 'admin'),
    world.signIn(acme, 'lead'),
    world.signIn(acme, 'guest'),
    world.signIn(acme, 'officer'),
  ]);
  const make = async (type: string, record: object) => {
    const answer = await admin.call('POST', `/tapi/${type}`, record);
    expect(answer.statusCode, answer.body).toBe(201);
    return answer.json<{ data: { id: number } }>().data.id;
  };
  const [place] = await acme.sql<{ id: number; state_id: number; country_id: number }>(
    'select c.id, c.state_id, s.country_id from {s}.city_mstr c join {s}.state_mstr s on s.id = c.state_id',
  );
  const branch = await make('branch', {
    code: 'B1',
    name: 'Chennai',
    branch_type: 'branch',
    address1: 'Road',
    city: place!.id,
    state_id: place!.state_id,
    country: place!.country_id,
    pincode: '600001',
  });
  const department = await make('department', { code: 'D1', name: 'Service' });
  const designation = await make('designation', { code: 'T1', name: 'Technician', level_no: 2 });
  for (const [name, above, email] of PEOPLE)
    ids[name] = await make('employee', {
      empno: name.toUpperCase(),
      first_name: name,
      mobile: '+919840012345',
      work_email: email,
      date_of_joining: '2024-04-01',
      employment_type: 'permanent',
      branch_id: branch,
      department_id: department,
      designation_id: designation,
      status: 'active',
      reporting_to_id: above === null ? null : ids[above],
    });
  await acme.sql('update {s}.users set employee_id = $1 where id = $2', [ids.Lead, lead.userId]);
  world.app.services.store.forget();
});
afterAll(() => world.close());

const error = (answer: { json<T>(): T }) =>
  answer.json<{ error: { code: string; message: string; field?: string; details?: { field: string }[] } }>().error;

describe('my team', () => {
  const team = async (caller: Caller) =>
    (await caller.call('GET', '/tapi/my_team')).json<{ data: Person[]; me: Person | null; reason: string | null }>();

  it('is everybody below me, at any depth, with the distance; without any right on members', async () => {
    const { data, me } = await team(lead);
    expect(data.map(({ name, depth, manager }) => [name, depth, manager])).toEqual([
      ['Fitter', 1, 'Lead'],
      ['Trainee', 2, 'Fitter'],
    ]);
    expect(data[0]).toMatchObject({ designation: 'Technician', branch: 'Chennai' });
    expect(me).toMatchObject({ name: 'Lead', manager: 'Head' });
    expect((await lead.call('GET', '/tapi/employee')).statusCode).toBe(403);
  });

  it('leavers are not in it', async () => {
    await acme.sql(`update {s}.employee set status = 'left' where id = $1`, [ids.Trainee]);
    expect((await team(lead)).data.map(({ name }) => name)).toEqual(['Fitter']);
    await acme.sql(`update {s}.employee set status = 'active' where id = $1`, [ids.Trainee]);
  });

  it('shows who is absent and has a deputy', async () => {
    expect((await admin.call('GET', '/tapi/delegation')).statusCode).toBe(200);
    await acme.sql(
      `insert into {s}.delegation (entity_id, number, from_employee_id, to_employee_id, from_date, to_date, scope, reason, state) values ($1, 'DEL/1', $2, $3, current_date - 3, current_date + 3, 'all', 'Leave', 'active')`,
      [acme.entityIds[0], ids.Fitter, ids.Clerk],
    );
    const people = (await lead.call('GET', '/tapi/my_team')).json<{
      data: { name: string; deputy: string | null; away_until: string | null }[];
    }>().data;
    expect(people.filter(({ deputy }) => deputy !== null).map(({ name, deputy }) => [name, deputy])).toEqual([
      ['Fitter', 'Clerk'],
    ]);
    expect(people.find(({ name }) => name === 'Fitter')!.away_until).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  it('when an account is disabled: the manager is notified, in the application and by mail', async () => {
    const fitter = await acme.user('fitter');
    await acme.sql('update {s}.users set employee_id = $1 where id = $2', [ids.Fitter, fitter]);
    expect((await admin.call('POST', `/tapi/users/${fitter}/disable`, { version: 1 })).statusCode).toBe(200);
    expect(
      await acme.sql(`select title, link from {s}.notification where user_id = $1 and event_code = 'user.disabled'`, [
        lead.userId,
      ]),
    ).toEqual([{ title: expect.stringMatching(/ can no longer sign in$/) as string, link: '/team_list' }]);
    expect(
      await acme.sql(`select 1 as sent from {s}.outbox where user_id = $1 and event_code = 'user.disabled'`, [
        lead.userId,
      ]),
    ).toEqual([{ sent: 1 }]);
  });

  it('of somebody without an employee is empty, with the reason', async () => {
    expect(await team(guest)).toMatchObject({
      data: [],
      me: null,
      reason: expect.stringContaining('not linked to a member') as string,
    });
  });
});

describe('my profile', () => {
  interface Profile {
    user: { language: string; roles: string[] };
    employee: (Record<string, unknown> & { version: number }) | null;
    groups: { title: string; fields: { name: string; readOnly: boolean }[] }[];
    work: { name: string }[];
    reason: string | null;
  }
  const profile = async (caller = lead) =>
    (await caller.call('GET', '/tapi/my_profile')).json<{ data: Profile }>().data;
  const put = async (change: object, caller = lead) => caller.call('PUT', '/tapi/my_profile', change);

  it('shows one’s own facts, and which of them are editable', async () => {
    const { employee, groups, work } = await profile();
    expect(employee).toMatchObject({
      empno: 'LEAD',
      mobile: '+919840012345',
      reporting_to_id__label: expect.stringContaining('Head') as string,
    });
    expect(employee).not.toHaveProperty('pan');
    expect(employee).not.toHaveProperty('monthly_ctc__set');
    const open = groups.flatMap(({ fields }) => fields.filter(({ readOnly }) => !readOnly).map(({ name }) => name));
    expect(open.sort()).toEqual([
      'alternate_phone',
      'blood_group',
      'current_address',
      'emergency',
      'mobile',
      'personal_email',
      'photo',
    ]);
    expect(work.map(({ name }) => name)).toEqual([
      'empno',
      'designation_id',
      'department_id',
      'branch_id',
      'reporting_to_id',
      'date_of_joining',
      'employment_type',
    ]);
    expect(await profile(guest)).toMatchObject({
      employee: null,
      reason: expect.stringContaining('not linked') as string,
      user: { language: 'en' },
    });
  });

  it('one’s own fields are changed, checked and kept in the history', async () => {
    const before = (await profile()).employee!;
    const saved = await put({
      version: before.version,
      personal_email: 'lead.home@acme.in',
      emergency: [{ name: 'Asha', relation: 'Wife', phone: '+919840099999' }],
    });
    expect(saved.statusCode, saved.body).toBe(200);
    expect((await profile()).employee).toMatchObject({
      personal_email: 'lead.home@acme.in',
      emergency: [{ name: 'Asha' }],
    });
    expect(
      await acme.sql(
        `select by, version from {s}.history where record_type = 'employee' and record_id = $1 and op = 'U' order by id desc limit 1`,
        [ids.Lead],
      ),
    ).toEqual([{ by: lead.userId, version: before.version + 1 }]);
    const wrong = await put({ version: before.version + 1, mobile: 'no phone' });
    expect([wrong.statusCode, error(wrong).details?.[0]?.field]).toEqual([422, 'mobile']);
    expect((await put({ version: before.version, alternate_phone: '+919840011111' })).statusCode).toBe(409);
  });

  it('other fields are not, whatever is sent', async () => {
    const { version } = (await profile()).employee!;
    for (const field of ['designation_id', 'reporting_to_id', 'monthly_ctc', 'first_name', 'status', 'user_id', 'id']) {
      const answer = await put({ version, [field]: 1 });
      expect([field, answer.statusCode, error(answer).field]).toEqual([field, 403, field]);
    }
    expect((await put({ mobile: '+919840011111' }, guest)).statusCode).toBe(403);
  });

  it('the company’s setting opens and closes fields, never those that decide pay or rights', async () => {
    const setting = async (field: string, more: object) =>
      (await admin.call('POST', '/tapi/employee_field_setting', { field, shown: true, ...more })).statusCode;
    expect(await setting('marital_status', { editable_by_employee: true, label: 'Family' })).toBe(201);
    expect(await setting('blood_group', { editable_by_employee: false })).toBe(201);
    expect(await setting('monthly_ctc', { editable_by_employee: true })).toBe(422);
    expect(await setting('personal_email', { shown: false })).toBe(201);
    const { employee, groups } = await profile();
    const fields = groups.flatMap((group) => group.fields);
    expect(fields.find(({ name }) => name === 'marital_status')).toMatchObject({ title: 'Family', readOnly: false });
    expect(fields.some(({ name }) => name === 'personal_email')).toBe(false);
    expect(employee).not.toHaveProperty('personal_email');
    expect((await put({ version: employee!.version, blood_group: 'A+' })).statusCode).toBe(403);
    expect((await put({ version: employee!.version, monthly_ctc: '1' })).statusCode).toBe(403);
    expect((await put({ version: employee!.version, marital_status: 'married' })).statusCode).toBe(200);
  });

  it('fields of members restricted by a role are restricted in the team, but not in one’s own record', async () => {
    const viewer = await acme.role({ modules: ['MASTERS'], screens: { SCN_EMPLOYEE: ['landing', 'view_screen'] } });
    await acme.sql(
      `insert into {s}.field_right (role_id, record_type, field, access) values ($1, 'employee', 'work_email', 'hidden'), ($1, 'employee', 'alternate_phone', 'hidden')`,
      [viewer],
    );
    await acme.sql(`update {s}.users__companies set role_ids = array[$1::bigint] where parent_id = $2`, [
      viewer,
      lead.userId,
    ]);
    await acme.sql(`update {s}.employee set work_email = 'fitter@acme.in' where id = $1`, [ids.Fitter]);
    world.app.services.store.forget();
    const seen = await lead.call('GET', '/tapi/employee?columns=*');
    expect([seen.statusCode, seen.body.includes('@acme.in'), seen.body.includes('+919840012345')]).toEqual([
      200,
      false,
      true,
    ]);
    expect((await lead.call('GET', '/tapi/my_team')).body).not.toContain('fitter@acme.in');
    const { data } = (await lead.call('GET', '/tapi/my_profile')).json<{
      data: {
        employee: { version: number; work_email: string };
        groups: { fields: { name: string; readOnly: boolean }[] }[];
      };
    }>();
    expect(data.employee.work_email).toBe('lead@acme.in');
    expect(data.groups.flatMap(({ fields }) => fields).find(({ name }) => name === 'alternate_phone')).toMatchObject({
      readOnly: false,
    });
    expect(
      (await lead.call('PUT', '/tapi/my_profile', { version: data.employee.version, alternate_phone: '+919840022222' }))
        .statusCode,
    ).toBe(200);
    expect(await acme.sql('select alternate_phone from {s}.employee where id = $1', [ids.Lead])).toEqual([
      { alternate_phone: '+919840022222' },
    ]);
    await acme.sql(`update {s}.users__companies set role_ids = '{}' where parent_id = $1`, [lead.userId]);
    await acme.sql(`update {s}.employee set work_email = null where id = $1`, [ids.Fitter]);
    world.app.services.store.forget();
  });

  it('one’s own picture is uploaded and shown without a right on members; nobody changes another person’s', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const send = async (caller: Caller, bytes: Buffer = png) => {
      const { payload, headers } = upload('me.png', bytes);
      return caller.call('POST', '/tapi/files?for=employee.photo', payload, headers);
    };
    const sent = await send(lead);
    expect(sent.statusCode, sent.body).toBe(201);
    const photo = sent.json<{ data: { id: number } }>().data.id;
    expect((await send(guest)).statusCode).toBe(403);
    const { version } = (await profile()).employee!;
    expect((await put({ version, photo })).statusCode).toBe(200);
    // A small one comes with signing in as it is, a large one made small; one that cannot be, by its number.
    const picture = async () =>
      (await lead.call('GET', `/tapi/get_features_by_role/${lead.userId}`)).json<{
        emp_details: { profile_pic: unknown }[];
      }>().emp_details[0]!.profile_pic;
    expect(await picture()).toEqual({ id: photo, content_binary: png.toString('base64') });
    const large = await sharp({ create: { width: 1_200, height: 900, channels: 3, background: '#336699' } })
      .jpeg({ quality: 100 })
      .toBuffer();
    const big = (await send(lead, large)).json<{ data: { id: number } }>().data.id;
    const own = async (file: number) =>
      acme.sql('update {s}.employee set photo = $1 where id = (select employee_id from {s}.users where id = $2)', [
        file,
        lead.userId,
      ]);
    await own(big);
    const { id, content_binary: content } = (await picture()) as { id: number; content_binary: string };
    expect(id).toBe(big);
    expect(content.length).toBeLessThanOrEqual(64 * 1024);
    expect(await sharp(Buffer.from(content, 'base64')).metadata()).toMatchObject({ width: 256, height: 192 });
    const torn = (await send(lead, large.subarray(0, 20))).json<{ data: { id: number } }>().data.id;
    await own(torn);
    expect(await picture()).toEqual({ id: torn, content_binary: null });
    await own(photo);
    const theirs = (await send(admin)).json<{ data: { id: number } }>().data.id;
    const stolen = await put({ version: version + 1, photo: theirs });
    expect([stolen.statusCode, error(stolen).details?.[0]?.field]).toEqual([422, 'photo']);
    expect((await guest.call('GET', `/tapi/files/${photo}/link`)).statusCode).toBe(404);
    await acme.sql('update {s}.employee set photo = $1 where id = $2', [theirs, ids.Fitter]);
    expect((await lead.call('GET', `/tapi/files/${theirs}/link`)).statusCode).toBe(200);
    await acme.sql('update {s}.employee set photo = $1 where id = $2', [theirs, ids.Head]);
    await acme.sql('update {s}.employee set photo = null where id = $1', [ids.Fitter]);
    expect((await lead.call('GET', `/tapi/files/${theirs}/link`)).statusCode).toBe(404);
  });

  it('the language can be changed too, with or without an employee', async () => {
    for (const caller of [lead, guest]) {
      expect((await put({ language: 'ta' }, caller)).statusCode).toBe(200);
      expect((await profile(caller)).user.language).toBe('ta');
    }
    expect((await put({ language: 'xx' })).statusCode).toBe(422);
    expect(await acme.sql('select is_admin from {s}.users where id = $1', [guest.userId])).toEqual([
      { is_admin: false },
    ]);
  });
});

describe('reporting lines', () => {
  const tree = async (caller = officer) =>
    (await caller.call('GET', '/tapi/reporting_lines/tree')).json<{
      data: { id: number; parent: number | null; version: number }[];
    }>().data;
  const move = async (name: string, to: string | null, version?: number) =>
    officer.call('PUT', `/tapi/reporting_lines/${ids[name]!}`, {
      reporting_to_id: to === null ? null : ids[to],
      version: version ?? (await tree()).find(({ id }) => id === ids[name])!.version,
    });

  it('are for people who may edit members', async () => {
    expect((await guest.call('GET', '/tapi/reporting_lines/tree')).statusCode).toBe(403);
    expect(
      (await guest.call('PUT', `/tapi/reporting_lines/${ids.Clerk!}`, { reporting_to_id: ids.Head, version: 1 }))
        .statusCode,
    ).toBe(403);
    expect((await tree()).find(({ id }) => id === ids.Lead)).toMatchObject({ parent: ids.Head });
  });

  it('a person moves with everybody below', async () => {
    expect((await move('Fitter', 'Clerk')).statusCode).toBe(200);
    const below = (await admin.call('GET', `/tapi/employee/${ids.Clerk!}/subordinates`)).json<{
      data: { id: number; depth: number }[];
    }>().data;
    expect(below).toEqual([
      { id: ids.Fitter, depth: 1 },
      { id: ids.Trainee, depth: 2 },
    ]);
    expect((await move('Fitter', 'Lead')).json()).toMatchObject({ data: { reporting_to_id: ids.Lead } });
    expect((await move('Clerk', null)).statusCode).toBe(200);
  });

  it('a cycle is refused with the names in it', async () => {
    const answer = await move('Lead', 'Trainee');
    expect([answer.statusCode, error(answer).message]).toEqual([
      422,
      'Trainee reports to Lead: Lead → Fitter → Trainee. Choose another manager.',
    ]);
    expect(error(await move('Lead', 'Lead')).message).toBe('Lead cannot report to themselves. Choose another manager.');
  });

  it('the second of two people is told who was first', async () => {
    const { version } = (await tree()).find(({ id }) => id === ids.Clerk)!;
    await move('Clerk', 'Head');
    const late = await move('Clerk', 'Lead', version);
    expect(late.statusCode).toBe(409);
    expect(error(late)).toMatchObject({ code: 'stale_version', changed_by: 'Person officer' });
  });
});
