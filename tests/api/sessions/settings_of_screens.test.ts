import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as XLSX from 'xlsx';
import { holds, scopeOf } from '../../../src/descriptor/validate.ts';
import { upload } from '../multipart.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

type Row = Record<string, unknown> & { id: number; version: number };

let world: World;
let acme: TestTenant;
let zenith: TestTenant;
let admin: Caller;
let version = 0;
const made: Record<string, { branch: number; department: number; designation: number }> = {};
const inCompany = (number: number) => ({ 'x-entity-id': String(acme.entityIds[number - 1]) });

beforeAll(async () => {
  world = await startWorld({ types: [] });
  [acme, zenith] = await Promise.all([world.tenant({ companies: 2 }), world.tenant()]);
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }, { company: 2 }] });
  await zenith.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  admin = await world.signIn(acme, 'admin');
  const [place] = await acme.sql<{ id: number; state_id: number; country_id: number }>(
    'select c.id, c.state_id, s.country_id from {s}.city_mstr c join {s}.state_mstr s on s.id = c.state_id',
  );
  for (const company of [1, 2]) {
    const add = async (type: string, record: object) => {
      const answer = await admin.call('POST', `/tapi/${type}`, record, inCompany(company));
      expect(answer.statusCode, answer.body).toBe(201);
      return answer.json<{ data: Row }>().data.id;
    };
    made[company] = {
      branch: await add('branch', {
        code: `B${company}`,
        name: `Branch ${company}`,
        branch_type: 'branch',
        address1: 'Road',
        city: place!.id,
        state_id: place!.state_id,
        country: place!.country_id,
        pincode: '600001',
      }),
      department: await add('department', { code: `D${company}`, name: `Service ${company}` }),
      designation: await add('designation', { code: `T${company}`, name: `Technician ${company}`, level_no: 2 }),
    };
  }
});
afterAll(() => world.close());

async function settle(record: object): Promise<void> {
  const answer = await admin.call('PUT', '/tapi/configuration/single', { ...record, ...(version > 0 && { version }) });
  expect(answer.statusCode, answer.body).toBe(200);
  ({ version } = answer.json<{ data: { version: number } }>().data);
}
const hire = (company: number, record: object) => {
  const { branch, department, designation } = made[company]!;
  return admin.call(
    'POST',
    '/tapi/employee',
    {
      first_name: 'Asha',
      mobile: '+919840012345',
      date_of_joining: '2020-04-01',
      branch_id: branch,
      department_id: department,
      designation_id: designation,
      ...record,
    },
    inCompany(company),
  );
};
const data = (answer: { json<T>(): T; body: string }) => answer.json<{ data: Row }>().data;
const screenOf = async (tenant: TestTenant) => {
  const caller = tenant === acme ? admin : await world.signIn(tenant, 'admin');
  const { screen, validator } = (await caller.call('GET', '/tapi/screens/employee')).json<{
    data: { screen: { fields: { name: string; readOnly: boolean }[] }; validator: string };
  }>().data;
  // The address that browsers keep gives the same screen, without a sign-in.
  expect((await world.inject({ method: 'GET', url: validator.replace(/\.js$/, '.json') })).json()).toEqual(screen);
  return screen;
};

describe('employee numbers', () => {
  it('are entered by hand, unless the client generates them; then they continue after the existing ones', async () => {
    expect((await hire(1, {})).json()).toMatchObject({
      error: { details: [{ field: 'empno', message: 'Employee number is required.' }] },
    });
    expect(data(await hire(1, { empno: 'E0041' })).empno).toBe('E0041');
    expect(data(await hire(1, { empno: 'e0x' })).empno).toBe('e0x');
    await settle({ employee_number: 'automatic' });
    expect(data(await hire(1, {})).empno).toBe('E0042');
    expect(data(await hire(1, { empno: 'MINE' })).empno).toBe('E0043');
    // Each company counts for itself.
    expect(data(await hire(2, {})).empno).toBe('E0001');
    await settle({ employee_number: 'manual' });
    expect(data(await hire(1, { empno: 'E0044' })).empno).toBe('E0044');
    await settle({ employee_number: 'automatic' });
    expect(data(await hire(1, {})).empno).toBe('E0045');
  });

  it('are generated for rows of a sheet as well', async () => {
    const { branch, department, designation } = made[2]!;
    const label = async (type: string, id: number) =>
      String(data(await admin.call('GET', `/tapi/${type}/${id}`, undefined, inCompany(2))).name);
    const [where, what, as] = [
      await label('branch', branch),
      await label('department', department),
      await label('designation', designation),
    ];
    const book = XLSX.utils.book_new();
    const row = (name: string) => [name, '+919840012345', '01-04-2020', 'Permanent', where, what, as, 'Active'];
    XLSX.utils.book_append_sheet(
      book,
      XLSX.utils.aoa_to_sheet([
        ['First name', 'Mobile', 'Date of joining', 'Employment type', 'Branch', 'Department', 'Designation', 'Status'],
        row('Usha'),
        row('Vani'),
      ]),
      'Sheet1',
    );
    const { payload, headers } = upload(
      'people.xlsx',
      XLSX.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer,
    );
    const run = data(await admin.call('POST', '/tapi/employee/import', payload, { ...headers, ...inCompany(2) })).id;
    const state = async () => data(await admin.call('GET', `/tapi/import/${run}`, undefined, inCompany(2)));
    await expect.poll(async () => (await state()).state, { timeout: 60_000 }).toBe('checked');
    expect((await state()).errors).toEqual([]);
    await admin.call('POST', `/tapi/import/${run}/commit`, undefined, inCompany(2));
    await expect.poll(async () => (await state()).state, { timeout: 60_000 }).toBe('imported');
    expect(await acme.sql(`select empno from {s}.employee where first_name in ('Usha', 'Vani') order by id`)).toEqual([
      { empno: 'E0002' },
      { empno: 'E0003' },
    ]);
  });

  it('are read-only in the forms of that client alone', async () => {
    const readOnly = async (tenant: TestTenant) =>
      (await screenOf(tenant)).fields.find(({ name }) => name === 'empno')!.readOnly;
    expect([await readOnly(acme), await readOnly(zenith)]).toEqual([true, false]);
    await settle({ employee_number: 'manual' });
    expect(await readOnly(acme)).toBe(false);
  });
});

describe('managers', () => {
  it('are of the same company, unless the client allows others', async () => {
    const head = data(await hire(2, { empno: 'HEAD', first_name: 'Mala' })).id;
    const offered = async () =>
      (await admin.call('GET', '/tapi/employee/options?for=employee.reporting_to_id&q=Mala', undefined, inCompany(1)))
        .json<{ data: { id: number }[] }>()
        .data.some(({ id }) => id === head);
    const refused = await hire(1, { empno: 'R1', reporting_to_id: head });
    expect(refused.json()).toMatchObject({ error: { details: [{ field: 'reporting_to_id' }] } });
    expect(await offered()).toBe(false);
    await settle({ cross_company_manager: true });
    expect(await offered()).toBe(true);
    const person = data(await hire(1, { empno: 'R1', reporting_to_id: head }));
    expect(person.reporting_to_id).toBe(head);
    expect(
      await acme.sql('select depth from {s}.employee_tree where ancestor_id = $1 and descendant_id = $2', [
        head,
        person.id,
      ]),
    ).toEqual([{ depth: 1 }]);
    // A dated change reaches across too.
    const other = data(await hire(1, { empno: 'R2' }));
    const moved = await admin.call(
      'POST',
      `/tapi/employee/${other.id}/move`,
      { effective_from: '2020-05-01', reporting_to_id: head },
      inCompany(1),
    );
    expect(data(moved), moved.body).toMatchObject({ state: 'done', result: 'Manager changed.' });
    await settle({ cross_company_manager: false });
    expect(await offered()).toBe(false);
    // Who was chosen before stays.
    expect(
      (
        await admin.call(
          'PUT',
          `/tapi/employee/${person.id}`,
          { version: person.version, first_name: 'Usha' },
          inCompany(1),
        )
      ).statusCode,
    ).toBe(200);
  });
});

describe('a company', () => {
  type Sources = {
    server: Record<string, object>;
    company: { entity_id: number; name: string; version: number; values: Record<string, unknown> } | null;
  };
  const sources = async (company: number) =>
    (await admin.call('GET', '/tapi/configuration/single/sources', undefined, inCompany(company))).json<{
      data: Sources;
    }>().data;
  const save = (company: number, body: object, caller = admin) =>
    caller.call('PUT', '/tapi/configuration/single/company', body, inCompany(company));
  const tooYoung = async (company: number) =>
    (await hire(company, { empno: 'X', dob: '2004-06-11', date_of_joining: '2025-06-10', mobile: '' }))
      .json<{ error: { details: { field: string; message: string }[] } }>()
      .error.details.find(({ field }) => field === 'dob')?.message;

  it('has its own value, otherwise that of all companies, otherwise the default', async () => {
    expect((await sources(2)).company).toMatchObject({ entity_id: acme.entityIds[1], version: 0, values: {} });
    expect([await tooYoung(1), await tooYoung(2)]).toEqual([undefined, undefined]);
    const saved = await save(2, { version: 0, values: { minimum_age: 22 } });
    expect(saved.json(), saved.body).toMatchObject({ data: { version: 1, values: { minimum_age: 22 } } });
    expect([await tooYoung(1), await tooYoung(2)]).toEqual([
      undefined,
      'The person must be at least 22 years old at joining.',
    ]);
    await settle({ minimum_age: 21 });
    expect([await tooYoung(1), await tooYoung(2)]).toEqual([
      'The person must be at least 21 years old at joining.',
      'The person must be at least 22 years old at joining.',
    ]);
    expect((await save(2, { version: 1, values: {} })).json()).toMatchObject({ data: { version: 2, values: {} } });
    expect(await tooYoung(2)).toBe('The person must be at least 21 years old at joining.');
    const changes = await acme.sql(
      `select entity_id, what, change from {s}.history where record_type = 'configuration' and what = 'company' order by id`,
    );
    expect(changes).toEqual([
      { entity_id: acme.entityIds[1], what: 'company', change: { minimum_age: [null, 22] } },
      { entity_id: acme.entityIds[1], what: 'company', change: { minimum_age: [22, null] } },
    ]);
    await settle({ minimum_age: 18 });
  });

  it('sets only its own settings, with possible values, and not over somebody else’s save', async () => {
    const { version } = (await sources(1)).company!;
    const refused = async (body: object) =>
      (await save(1, body)).json<{ error: { code: string; details: object[] } }>().error;
    expect(await refused({ version, values: { mfa_policy: 'off' } })).toMatchObject({
      details: [{ field: 'mfa_policy', message: '2-step verification is the same for all companies.' }],
    });
    expect(await refused({ version, values: { nothing: 1 } })).toMatchObject({ details: [{ field: 'nothing' }] });
    expect(await refused({ version, values: { minimum_age: 3 } })).toMatchObject({
      details: [{ field: 'minimum_age', message: 'Minimum age must be at least 14.' }],
    });
    expect(await refused({ version, values: { minimum_age: null } })).toMatchObject({
      details: [{ field: 'minimum_age' }],
    });
    expect(await refused({ version: version + 1, values: { minimum_age: 20 } })).toMatchObject({
      code: 'stale_version',
    });
    expect((await save(1, { version, values: { upload_max_mb: 1 } })).statusCode).toBe(200);
    expect(await refused({ version, values: { upload_max_mb: 2 } })).toMatchObject({ code: 'stale_version' });
    const clerk = await acme.user('clerk', {
      companies: [
        {
          company: 1,
          roles: [await acme.role({ modules: ['SETTINGS'], screens: { SCN_CONFIGURATION: ['landing'] } })],
        },
      ],
    });
    expect(clerk).toBeGreaterThan(0);
    const reader = await world.signIn(acme, 'clerk');
    expect((await save(1, { version: version + 1, values: {} }, reader)).statusCode).toBe(403);
    expect((await save(2, { version: 0, values: {} }, reader)).statusCode).toBe(403);
    // Types without such fields have no such call.
    expect(
      (await admin.call('PUT', '/tapi/transcription_setting/single/company', { version: 0, values: {} })).statusCode,
    ).toBe(404);
  });

  it('shows the settings fixed by this server', async () => {
    expect((await sources(1)).server).toEqual({ upload_max_mb: { by: 'UPLOAD_MAX_MB', max: 25 } });
  });
});

describe('secure values', () => {
  it('are applied all at once, and then every setting is secure', async () => {
    const { fields } = world.screens.get('configuration')!;
    const risky = fields.filter((field) => field.risk);
    expect(risky.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['trim_password', 'session_transport', 'mfa_policy', 'session_idle_minutes']),
    );
    const unsafe = (record: Row) =>
      risky.filter((field) => holds(field.risk!.when, scopeOf(fields, record))).map(({ name }) => name);
    const before = (await admin.call('GET', '/tapi/configuration/single')).json<{ data: Row }>().data;
    // The four that the text of the product leaves open.
    expect(unsafe(before)).toEqual([
      'trim_password',
      'mfa_policy',
      'session_idle_minutes',
      'session_transport',
      'refresh_token_in_url',
    ]);
    await settle(Object.fromEntries(risky.map(({ name, risk }) => [name, risk!.safe])));
    expect(unsafe((await admin.call('GET', '/tapi/configuration/single')).json<{ data: Row }>().data)).toEqual([]);
  });
});
