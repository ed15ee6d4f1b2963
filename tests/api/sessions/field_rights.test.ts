import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as XLSX from 'xlsx';
import type { Screen } from '../../../src/descriptor/types.ts';
import type { FieldRight } from '../../../src/domain/field_access.ts';
import { upload } from '../multipart.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

let world: World;
let acme: TestTenant;
let admin: Caller;
/** Adds and changes grades. */
let clerk: Caller;
let clerkRole: number;
let keeper: Caller;
let keeperRole: number;

const PAGES = ['landing', 'add_screen', 'edit_screen', 'view_screen'];
const WRITES = ['CREATE_MASTERS', 'EXPORT_DATA', 'IMPORT_DATA'];
const gradeRole = () =>
  acme.role({ modules: ['MASTERS'], screens: { SCN_EMPLOYEE_GRADE: PAGES as never }, actions: WRITES });

beforeAll(async () => {
  world = await startWorld({ types: [] });
  acme = await world.tenant({ companies: 1 });
  clerkRole = await gradeRole();
  keeperRole = await acme.role({
    modules: ['SETTINGS', 'MASTERS', 'USERS'],
    actions: ['MANAGE_RIGHTS', 'CREATE_USERS', ...WRITES],
    screens: {
      SCN_ROLE: { module: 'SETTINGS', pages: PAGES as never },
      SCN_USERS: { module: 'USERS', pages: PAGES as never, scope: 'all_companies' },
      SCN_EMPLOYEE_GRADE: { module: 'MASTERS', pages: PAGES as never },
    },
  });
  await acme.user('admin', { isAdmin: true });
  await acme.user('clerk', { companies: [{ company: 1, roles: [clerkRole] }] });
  await acme.user('keeper', { companies: [{ company: 1, roles: [keeperRole] }] });
  [admin, clerk, keeper] = await Promise.all([
    world.signIn(acme, 'admin'),
    world.signIn(acme, 'clerk'),
    world.signIn(acme, 'keeper'),
  ]);
});
afterAll(() => world.close());

type Row = Record<string, unknown> & { id: number; version: number };
interface Failure {
  code: string;
  message: string;
  field: string | null;
  details: { field: string; message: string }[];
}
const versionOf = async (role: number) =>
  (await admin.call('GET', `/tapi/screen_rights/${role}`)).json<{ data: { role: { version: number } } }>().data.role
    .version;
const put = async (role: number, change: object, caller = admin) =>
  caller.call('PUT', `/tapi/screen_rights/${role}`, { version: await versionOf(role), ...change });
const keep = async (access: Record<string, FieldRight['access']>, role = clerkRole) => {
  const saved = await put(role, {
    fields: Object.entries(access).map(([field, one]) => ({ record_type: 'employee_grade', field, access: one })),
  });
  expect(saved.statusCode, saved.body).toBe(200);
};
const fieldsOf = async (role: number) =>
  (await admin.call('GET', `/tapi/screen_rights/${role}`)).json<{
    data: { fields: (FieldRight & { title: string })[] };
  }>().data.fields;
const failure = (answer: { json: <T>() => T }) => answer.json<{ error: Failure }>().error;
const screenOf = async (caller: Caller) =>
  (await caller.call('GET', '/tapi/screens/employee_grade')).json<{ data: { screen: Screen; validator: string } }>()
    .data;
let numbers = 0;
async function grade(caller: Caller, more: object = {}): Promise<Row> {
  const n = ++numbers;
  const answer = await caller.call('POST', '/tapi/employee_grade', {
    code: `G${n}`,
    name: `Grade ${n}`,
    rank_no: n,
    ...more,
  });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ data: Row }>().data;
}

describe('a field restricted by a role', () => {
  it('is hidden from its holders from the next call, but not from administrators', async () => {
    const made = await grade(admin, {
      min_ctc: '1000000.00',
      max_ctc: '1234567.00',
      band: 'SECRET-7',
      per_diem: '1500.00',
    });
    const before = (await clerk.call('GET', '/tapi/menu')).json<{ data: { state: string } }>().data.state;
    expect((await clerk.call('GET', `/tapi/employee_grade/${made.id}`)).body).toContain('1234567');
    await keep({ max_ctc: 'hidden' });
    expect((await clerk.call('GET', '/tapi/menu')).json<{ data: { state: string } }>().data.state).not.toBe(before);

    const { screen, validator } = await screenOf(clerk);
    expect(screen.fields.map(({ name }) => name)).not.toContain('max_ctc');
    expect(screen.grid.map(({ field }) => field)).not.toContain('max_ctc');
    // Its rules over that field go with it, the others stay; the checks for the browser say the same.
    const code = await world.inject({ method: 'GET', url: validator, headers: { host: acme.host } });
    expect([code.statusCode, code.body.includes('max_ctc'), code.body.includes('min_ctc')]).toEqual([200, false, true]);
    const at = `/tapi/employee_grade/${made.id}`;
    for (const url of [
      at,
      `${at}/history`,
      `${at}/copy`,
      '/tapi/employee_grade?columns=*',
      '/tapi/employee_grade/options?q=Grade',
      '/tapi/openapi.json',
    ])
      expect((await clerk.call('GET', url)).body, url).not.toMatch(/1234567|max_ctc/);
    for (const query of [`filter=${encodeURIComponent('["max_ctc","gt","0"]')}`, 'sort=max_ctc', 'columns=max_ctc'])
      expect((await clerk.call('GET', `/tapi/employee_grade?${query}`)).statusCode, query).toBe(400);
    const sheet = XLSX.read((await clerk.call('GET', '/tapi/employee_grade/export.xlsx?columns=*')).rawPayload).Sheets
      .Sheet1!;
    expect(JSON.stringify(XLSX.utils.sheet_to_json(sheet, { header: 1 }))).not.toMatch(/1234567|Pay up to/);

    expect(
      failure(await clerk.call('POST', '/tapi/employee_grade', { code: 'X', name: 'X', rank_no: 40, max_ctc: '1' }))
        .details,
    ).toEqual([{ field: 'max_ctc', message: 'There is no field "max_ctc".' }]);
    const changed = await clerk.call('PUT', at, { version: made.version, notice_days: 60 });
    expect(changed.statusCode, changed.body).toBe(200);
    expect(await acme.sql('select max_ctc::text from {s}.employee_grade where id = $1', [made.id])).toEqual([
      { max_ctc: '1234567.00' },
    ]);
    expect((await admin.call('GET', at)).body).toContain('1234567');
    expect((await screenOf(admin)).screen.hash).toBe(world.screens.get('employee_grade')!.hash);
  });

  it('shown by its last characters only, reveals no more by filters, search or sheets', async () => {
    await keep({ max_ctc: 'write', band: 'masked' });
    const [row] = (await clerk.call('GET', '/tapi/employee_grade?columns=*&sort=rank_no')).json<{ data: Row[] }>().data;
    expect(row).toMatchObject({ band: '••••ET-7', max_ctc: '1234567.00' });
    const ids = async (query: string) =>
      (await clerk.call('GET', `/tapi/employee_grade?${query}`)).json<{ data: Row[] }>().data.map(({ id }) => id);
    expect(await ids(`filter=${encodeURIComponent('["band","starts","SECRET"]')}`)).toEqual([]);
    expect(await ids('q=SECRET-7')).toEqual([]);
    expect((await clerk.call('GET', `/tapi/employee_grade/${row!.id}/history`)).body).not.toContain('SECRET');
    expect((await clerk.call('GET', '/tapi/employee_grade/export.xlsx')).statusCode).toBe(200);
    const changed = await clerk.call('PUT', `/tapi/employee_grade/${row!.id}`, {
      version: row!.version,
      notice_days: 45,
      band: '••••ET-7',
    });
    expect(changed.statusCode, changed.body).toBe(200);
    expect(await acme.sql('select band from {s}.employee_grade where id = $1', [row!.id])).toEqual([
      { band: 'SECRET-7' },
    ]);
  });

  it('that is read-only is read, and stays unchanged by form, sheet and bulk edit', async () => {
    await keep({ band: 'write', per_diem: 'read' });
    const { screen, validator } = await screenOf(clerk);
    expect(screen.fields.find(({ name }) => name === 'per_diem')).toMatchObject({ readOnly: true, type: 'money' });
    expect((await world.inject({ method: 'GET', url: validator, headers: { host: acme.host } })).statusCode).toBe(200);
    const [row] = (await clerk.call('GET', '/tapi/employee_grade?columns=*&sort=rank_no')).json<{ data: Row[] }>().data;
    expect(row!.per_diem).toBe('1500.00');
    const stored = async () =>
      (
        await acme.sql<{ per_diem: string; notice_days: number }>(
          'select per_diem::text, notice_days from {s}.employee_grade where id = $1',
          [row!.id],
        )
      )[0];
    const refusal = [
      {
        field: 'per_diem',
        message: `Your roles let you read ${screen.fields.find(({ name }) => name === 'per_diem')!.title}, not change it. Leave it out.`,
      },
    ];
    const before = await stored();
    expect(
      failure(
        await clerk.call('PUT', `/tapi/employee_grade/${row!.id}`, {
          version: row!.version,
          per_diem: '9.00',
          notice_days: 31,
        }),
      ).details,
    ).toEqual(refusal);
    expect(await stored()).toEqual(before);
    // As it is, in whatever form, it may be sent along.
    expect(
      (
        await clerk.call('PUT', `/tapi/employee_grade/${row!.id}`, {
          version: row!.version,
          per_diem: '1500.0',
          notice_days: 31,
        })
      ).statusCode,
    ).toBe(200);
    expect(
      (await clerk.call('PUT', '/tapi/employee_grade/bulk', { ids: [row!.id], set: { per_diem: '8.00' } })).json(),
    ).toMatchObject({
      data: {
        changed: [],
        not_taken: [{ field: 'per_diem', message: 'Your roles do not let you change Daily allowance.' }],
      },
    });
    expect(await stored()).toEqual({ per_diem: '1500.00', notice_days: 31 });

    const { payload, headers } = upload(
      'grades.csv',
      `Code,Name,Daily allowance,Notice period\n${String(row!.code)},${String(row!.name)},7,32\n`,
    );
    const started = await world.inject({
      method: 'POST',
      url: '/tapi/employee_grade/import?mode=all_or_nothing',
      payload,
      headers: { host: acme.host, authorization: `Bearer ${clerk.token}`, ...headers },
    });
    expect(started.statusCode, started.body).toBe(202);
    const { id } = started.json<{ data: { id: number } }>().data;
    const state = async () =>
      (await clerk.call('GET', `/tapi/import/${id}`)).json<{ data: { state: string } }>().data.state;
    await expect.poll(state, { timeout: 60_000 }).toBe('checked');
    expect((await clerk.call('POST', `/tapi/import/${id}/commit`)).statusCode).toBe(202);
    await expect.poll(state, { timeout: 60_000 }).toBe('imported');
    expect(await stored()).toEqual({ per_diem: '1500.00', notice_days: 32 });
    expect(
      failure(
        await clerk.call('POST', '/tapi/employee_grade', { code: 'NEW', name: 'New', rank_no: 41, per_diem: '5.00' }),
      ).details,
    ).toEqual(refusal);
    expect((await grade(clerk)).per_diem).toBeNull();
    await keep({ per_diem: 'write' });
  });
});

describe('a role with many restrictions', () => {
  it('still has a screen with its checks, in any process', async () => {
    const screen = world.screens.get('employee')!;
    const role = await acme.role({ modules: ['MASTERS'], screens: { SCN_EMPLOYEE: PAGES as never }, actions: WRITES });
    const lists = (await admin.call('GET', '/tapi/role_fields/employee')).json<{
      data: { name: string; must: boolean; reasons: Record<string, string | null> }[];
    }>().data;
    const fields = lists.flatMap(({ name, must, reasons }) => {
      const access = (['hidden', 'masked', 'read'] as const).find((one) => reasons[one] === null && !must);
      return access ? [{ record_type: 'employee', field: name, access }] : [];
    });
    expect(fields.length).toBeGreaterThan(screen.fields.length / 2);
    const saved = await put(role, { fields });
    expect(saved.statusCode, saved.body).toBe(200);
    await acme.user('much', { companies: [{ company: 1, roles: [role] }] });
    const narrow = await world.signIn(acme, 'much');
    const given = (await narrow.call('GET', '/tapi/screens/employee')).json<{
      data: { screen: Screen; validator: string };
    }>().data;
    expect(given.screen.fields.length).toBeLessThan(screen.fields.length);
    const code = await world.inject({ method: 'GET', url: given.validator, headers: { host: acme.host } });
    expect([code.statusCode, given.validator.length < 250]).toEqual([200, true]);
    const content = await world.inject({
      method: 'GET',
      url: given.validator.replace(/js$/, 'json'),
      headers: { host: acme.host },
    });
    expect(content.statusCode).toBe(200);
    // Other digits are other screens, and none of those has this content.
    expect(
      (await world.inject({ method: 'GET', url: given.validator.replace('~', '~3'), headers: { host: acme.host } }))
        .statusCode,
    ).toBe(404);
  });
});

describe('several roles', () => {
  it('get the most permissive access of those that give the screen; others do not count', async () => {
    const plain = await gradeRole();
    const elsewhere = await acme.role({ modules: ['MASTERS'], screens: { SCN_BRANCH: PAGES as never } });
    const closed = await acme.role({ modules: ['MASTERS'], screens: { SCN_EMPLOYEE_GRADE: PAGES as never } });
    await acme.sql('update {s}.module_rights set hide_all = true where role_id = $1', [closed]);
    await keep({ max_ctc: 'hidden', band: 'hidden' });
    await acme.user('both', { companies: [{ company: 1, roles: [clerkRole, elsewhere, closed] }] });
    const both = await world.signIn(acme, 'both');
    const sees = async () =>
      (await screenOf(both)).screen.fields.map(({ name }) => name).filter((name) => ['band', 'max_ctc'].includes(name));
    expect(await sees()).toEqual([]);
    await acme.sql(
      `update {s}.users__companies set role_ids = role_ids || $1::bigint where parent_id = (select id from {s}.users where username = 'both')`,
      [plain],
    );
    await expect.poll(sees).toEqual(['band', 'max_ctc']);
    await keep({ band: 'masked' }, plain);
    expect(await sees()).toEqual(['band', 'max_ctc']);
    expect((await screenOf(both)).screen.fields.find(({ name }) => name === 'band')!.masked).toBe('last4');
    await keep({ band: 'hidden' }, plain);
    expect(await sees()).toEqual(['max_ctc']);
    await keep({ max_ctc: 'write', band: 'write' });
    expect(await sees()).toEqual(['band', 'max_ctc']);
  });
});

describe('an impossible restriction is refused with the reason', () => {
  const refused = async (field: string, access: string, type = 'employee_grade') => {
    const answer = await put(clerkRole, { fields: [{ record_type: type, field, access }] });
    expect(answer.statusCode, answer.body).toBe(422);
    return failure(answer).message;
  };

  it('for names, required fields and unknown fields', async () => {
    expect(await refused('name', 'hidden')).toBe('Employee grades: Name cannot be hidden: it names the record.');
    expect(await refused('rank_no', 'hidden')).toContain('Rank must be filled in');
    expect(await refused('rank_no', 'read')).toBe(
      'Employee grades: Rank must be filled in, so who adds records writes it. Untick Add, or let it be written.',
    );
    expect(await refused('max_ctc', 'masked')).toContain('has no last four characters');
    expect(await refused('nothing', 'hidden')).toBe('Employee grade has no field "nothing".');
    expect(await refused('name', 'hidden', 'nothing')).toBe('There is no record type nothing.');
    expect(await refused('state', 'read', 'delegation')).toContain('State goes on by its steps');
    expect(await refused('template_code', 'read', 'role')).toContain('is filled in by the system');
    expect(await refused('max_ctc', 'sometimes')).toContain('one of hidden, masked, read, write');
    expect(await refused('title', 'hidden', 'admin_lead')).toBe('There is no record type admin_lead.');
  });

  it('people who cannot add may have such a read-only field; the right to add is refused then', async () => {
    const editor = await acme.role({
      modules: ['MASTERS'],
      screens: { SCN_EMPLOYEE_GRADE: ['landing', 'edit_screen'] },
      actions: ['CREATE_MASTERS'],
    });
    await keep({ rank_no: 'read' }, editor);
    await acme.user('editor', { companies: [{ company: 1, roles: [editor] }] });
    const person = await world.signIn(acme, 'editor');
    const [row] = (await person.call('GET', '/tapi/employee_grade?columns=*&sort=rank_no')).json<{ data: Row[] }>()
      .data;
    const answer = await person.call('PUT', `/tapi/employee_grade/${row!.id}`, { version: row!.version, band: 'B' });
    expect(answer.json<{ data: Row }>().data).toMatchObject({ rank_no: row!.rank_no, band: 'B' });
    expect(
      failure(await person.call('PUT', `/tapi/employee_grade/${row!.id}`, { version: row!.version + 1, rank_no: 33 }))
        .message,
    ).toContain('Your roles let you read');
    const ticked = Object.fromEntries(
      [...PAGES, 'approval_screen', 'transfer_screen'].map((page) => [page, PAGES.includes(page)]),
    );
    expect(
      failure(await put(editor, { screens: [{ screen_code: 'SCN_EMPLOYEE_GRADE', data_scope: 'company', ...ticked }] }))
        .message,
    ).toContain('who adds records writes it');
  });

  it('the page knows in advance which fields can be restricted', async () => {
    const fields = (await admin.call('GET', '/tapi/role_fields/employee_grade')).json<{
      data: { name: string; title: string; must: boolean; reasons: Record<string, string | null> }[];
    }>().data;
    expect(fields.find(({ name }) => name === 'name')!.reasons.hidden).toBe(
      'Name cannot be hidden: it names the record.',
    );
    expect(fields.find(({ name }) => name === 'max_ctc')).toMatchObject({
      title: 'Pay up to',
      must: false,
      reasons: { hidden: null, read: null, write: null },
    });
    expect((await clerk.call('GET', '/tapi/role_fields/employee_grade')).statusCode).toBe(403);
    expect((await admin.call('GET', '/tapi/role_fields/nothing')).statusCode).toBe(404);
  });
});

describe('nobody grants more than they have', () => {
  it('by changing a role or by assigning it', async () => {
    await keep({ max_ctc: 'hidden' }, keeperRole);
    await keep({ max_ctc: 'hidden' });
    const given = (access: string) =>
      put(clerkRole, { fields: [{ record_type: 'employee_grade', field: 'max_ctc', access }] }, keeper);
    expect(failure(await given('write'))).toMatchObject({ code: 'elevation', field: 'max_ctc' });
    expect(failure(await given('read')).message).toBe(
      'You cannot give "Pay up to" of Employee grades (read): it is kept from you.',
    );
    // To keep more back is no elevation, and what they keep themselves stays theirs to give.
    expect(
      (await put(clerkRole, { fields: [{ record_type: 'employee_grade', field: 'band', access: 'hidden' }] }, keeper))
        .statusCode,
    ).toBe(200);
    expect(
      (await put(clerkRole, { fields: [{ record_type: 'employee_grade', field: 'band', access: 'write' }] }, keeper))
        .statusCode,
    ).toBe(200);

    const [[entity], wide] = [await acme.sql<{ id: number }>('select id from {s}.entity limit 1'), await gradeRole()];
    const person = (username: string, roles: number[]) =>
      keeper.call('POST', '/tapi/users', {
        username,
        name: `New ${username}`,
        email: `${username}@example.in`,
        status: 'invited',
        companies: [{ entity_id: entity!.id, is_default: true, role_ids: roles }],
      });
    const refused = await person('wide', [wide]);
    expect(refused.statusCode, refused.body).toBe(422);
    expect(refused.body).toContain('shows or lets people change a field of Employee grades that you cannot see');
    const fine = await person('narrow', [clerkRole]);
    expect(fine.statusCode, fine.body).toBe(201);
    await keep({ max_ctc: 'write' }, keeperRole);
  });
});

describe('a role with its field restrictions', () => {
  it('is copied, compared, versioned and exported', async () => {
    await keep({ max_ctc: 'hidden', per_diem: 'read' });
    const expected = [
      { record_type: 'employee_grade', field: 'max_ctc', access: 'hidden', title: 'Pay up to' },
      { record_type: 'employee_grade', field: 'per_diem', access: 'read', title: 'Daily allowance' },
    ];
    expect(await fieldsOf(clerkRole)).toEqual(expected);
    const copy = (await admin.call('POST', `/tapi/role/${clerkRole}/copy`, { role_name: 'A copy' })).json<{
      data: { id: number };
    }>().data.id;
    expect(await fieldsOf(copy)).toEqual(expected);
    await keep({ per_diem: 'write', max_ctc: 'read' }, copy);
    const compared = (await admin.call('GET', `/tapi/role_rights/compare?left=${clerkRole}&right=${copy}`)).json<{
      data: { fields: object[] };
    }>().data.fields;
    expect(compared).toEqual([
      { record_type: 'employee_grade', field: 'max_ctc', left: 'hidden', right: 'read' },
      { record_type: 'employee_grade', field: 'per_diem', left: 'read', right: 'write' },
    ]);

    const number = await versionOf(copy);
    await keep({ max_ctc: 'write', band: 'hidden' }, copy);
    const restored = await admin.call('POST', `/tapi/role/${copy}/restore`, {
      version_no: number,
      version: await versionOf(copy),
    });
    expect(restored.statusCode, restored.body).toBe(200);
    expect((await fieldsOf(copy)).map(({ field, access }) => [field, access])).toEqual([['max_ctc', 'read']]);

    const send = async (bytes: Buffer, query: string, name = 'roles.json') => {
      const { payload, headers } = upload(name, bytes);
      return world.inject({
        method: 'POST',
        url: `/tapi/role_rights/import?commit=true&${query}`,
        payload,
        headers: { host: acme.host, authorization: `Bearer ${admin.token}`, ...headers },
      });
    };
    for (const format of ['json', 'xlsx']) {
      const file = (await admin.call('GET', `/tapi/role_rights/export?ids=${clerkRole}&format=${format}`)).rawPayload;
      await keep({ max_ctc: 'read', per_diem: 'write', band: 'hidden' });
      const answer = await send(file, 'mode=replace', `roles.${format}`);
      expect(answer.statusCode, answer.body).toBe(200);
      expect(await fieldsOf(clerkRole), format).toEqual(expected);
    }
    // To merge keeps nothing further from anybody; a file that says nothing of fields leaves them; a new role is as the file says.
    const text = (await admin.call('GET', `/tapi/role_rights/export?ids=${clerkRole}&format=json`)).body;
    await keep({ max_ctc: 'read', per_diem: 'write' });
    expect((await send(Buffer.from(text), 'mode=merge')).statusCode).toBe(200);
    expect((await fieldsOf(clerkRole)).map(({ field, access }) => [field, access])).toEqual([['max_ctc', 'read']]);
    const silent = JSON.parse(text) as { roles: { code: string; role_name: string; fields?: unknown }[] };
    delete silent.roles[0]!.fields;
    expect((await send(Buffer.from(JSON.stringify(silent)), 'mode=replace')).statusCode).toBe(200);
    expect((await fieldsOf(clerkRole)).map(({ field, access }) => [field, access])).toEqual([['max_ctc', 'read']]);
    const renamed = text
      .replace(/"code": "[^"]+"/, '"code": "FROM_FILE"')
      .replace(/"role_name": "[^"]+"/, '"role_name": "From a file"');
    expect((await send(Buffer.from(renamed), 'mode=merge')).statusCode).toBe(200);
    const [made] = await acme.sql<{ id: number }>(`select id from {s}.role where code = 'FROM_FILE'`);
    expect(await fieldsOf(made!.id)).toEqual(expected);
  });

  it('appears where rights are explained', async () => {
    await keep({ max_ctc: 'hidden', per_diem: 'read' });
    const [{ id } = { id: 0 }] = await acme.sql<{ id: number }>(`select id from {s}.users where username = 'clerk'`);
    const kept = [
      { title: 'Pay up to', access: 'hidden' },
      { title: 'Daily allowance', access: 'read' },
    ];
    expect(
      (await admin.call('GET', `/tapi/rights/effective?user_id=${id}`)).json<{ data: { fields: object[] } }>().data
        .fields,
    ).toEqual(kept.map((field) => ({ screen: 'Employee grades', ...field })));
    expect(
      (await admin.call('GET', `/tapi/rights/explain?user_id=${id}&screen=employee_grade&page=landing`)).json<{
        fields: object[];
      }>().fields,
    ).toEqual(kept);
    expect(
      (await admin.call('GET', `/tapi/rights/effective`)).json<{ data: { fields: object[] } }>().data.fields,
    ).toEqual([]);
  });
});
