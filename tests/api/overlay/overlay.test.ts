import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as XLSX from 'xlsx';
import type { Screen } from '../../../src/descriptor/types.ts';
import { upload } from '../multipart.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';
import { untilIn } from '../import_end.ts';

type Row = Record<string, unknown>;
type Client = {
  tenant: TestTenant;
  admin: Caller;
  officer: Caller;
  ids: Record<'branch' | 'department' | 'designation', number>;
};

let world: World;
let acme: Client;
let zenith: Client;
let hrRole: number;

async function client(): Promise<Client> {
  const tenant = await world.tenant();
  await tenant.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  const role = await tenant.role({
    modules: ['MASTERS'],
    screens: { SCN_EMPLOYEE: ['landing', 'add_screen', 'edit_screen', 'view_screen'] },
    actions: ['CREATE_MASTERS', 'EXPORT_DATA', 'IMPORT_DATA'],
  });
  hrRole = await tenant.role({ modules: ['MASTERS'] });
  await tenant.user('officer', { companies: [{ company: 1, roles: [role] }] });
  const admin = await world.signIn(tenant, 'admin');
  const add = async (type: string, record: object) => {
    const answer = await admin.call('POST', `/tapi/${type}`, record);
    expect(answer.statusCode, answer.body).toBe(201);
    return answer.json<{ data: { id: number } }>().data.id;
  };
  const [place] = await tenant.sql<{ id: number; state_id: number; country_id: number }>(
    'select c.id, c.state_id, s.country_id from {s}.city_mstr c join {s}.state_mstr s on s.id = c.state_id',
  );
  const ids = {
    branch: await add('branch', {
      code: 'B1',
      name: 'Chennai',
      branch_type: 'branch',
      address1: 'Road',
      city: place!.id,
      state_id: place!.state_id,
      country: place!.country_id,
      pincode: '600001',
    }),
    department: await add('department', { code: 'D1', name: 'Service' }),
    designation: await add('designation', { code: 'T1', name: 'Technician', level_no: 3 }),
  };
  return { tenant, admin, officer: await world.signIn(tenant, 'officer'), ids };
}

beforeAll(async () => {
  world = await startWorld({ types: [] });
  acme = await client();
  zenith = await client();
});
afterAll(() => world.close());

let people = 0;
const person = ({ ids }: Client, more: Row = {}): Row => ({
  empno: `E${++people}`,
  first_name: `Person ${people}`,
  mobile: `+91984000${String(people).padStart(4, '0')}`,
  date_of_joining: '2024-04-01',
  employment_type: 'permanent',
  branch_id: ids.branch,
  department_id: ids.department,
  designation_id: ids.designation,
  ...more,
});
const settingIds = new Map<string, { id: number; version: number }>();
async function set(record: Row, { admin }: Client = acme): Promise<LightMyRequestResponse> {
  const key = String(record.own_field ?? record.field);
  const before = settingIds.get(key);
  const answer = before
    ? await admin.call('PUT', `/tapi/employee_field_setting/${before.id}`, { ...record, version: before.version })
    : await admin.call('POST', '/tapi/employee_field_setting', { shown: true, ...record });
  if (answer.statusCode < 300) settingIds.set(key, answer.json<{ data: { id: number; version: number } }>().data);
  return answer;
}
const setting = async (record: Row) => {
  const answer = await set(record);
  expect(answer.statusCode, answer.body).toBeLessThan(300);
};
const screenOf = async (caller: Caller) =>
  (await caller.call('GET', '/tapi/screens/employee')).json<{ data: { screen: Screen; validator: string } }>().data;
const create = (at: Client, more: Row = {}, caller = at.officer) =>
  caller.call('POST', '/tapi/employee', person(at, more));
const created = async (at: Client, more: Row = {}) => {
  const answer = await create(at, more);
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ data: Row & { id: number; version: number } }>().data;
};
const errorOf = (answer: LightMyRequestResponse) =>
  answer.json<{ error: { message: string; details?: { field: string; message: string }[] } }>().error;
const list = async (caller: Caller, query: string) => {
  const answer = await caller.call('GET', `/tapi/employee?${query}`);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ data: Row[] }>().data;
};
const filter = (...condition: unknown[]) => `columns=*&filter=${encodeURIComponent(JSON.stringify(condition))}`;

describe('a client without settings', () => {
  it('shares the product’s screen and its SQL statements', async () => {
    expect((await screenOf(zenith.officer)).screen.hash).toBe(world.screens.get('employee')!.hash);
    let statements = 0;
    const { db } = zenith.tenant;
    const { query } = db;
    db.query = ((...given: Parameters<typeof query>) => {
      statements++;
      return query.apply(db, given);
    }) as typeof query;
    await list(zenith.officer, 'size=5');
    const first = statements;
    await list(zenith.officer, 'size=5');
    db.query = query;
    expect(statements - first).toBeLessThanOrEqual(2);
  });
});

describe('fields of the product', () => {
  it('hidden, they appear nowhere: screen, menu, record, list, filter, history, interface', async () => {
    const before = await created(acme, { cost_centre: 'CC-1', nationality: null });
    await setting({ field: 'cost_centre', shown: false });
    const { screen, validator } = await screenOf(acme.officer);
    expect(screen.fields.some(({ name }) => name === 'cost_centre')).toBe(false);
    const code = await world.inject({ method: 'GET', url: validator, headers: { host: acme.tenant.host } });
    expect([code.statusCode, code.body.includes('cost_centre'), code.body.includes('date_of_joining')]).toEqual([
      200,
      false,
      true,
    ]);
    const menu = (await acme.officer.call('GET', '/tapi/menu')).json<{
      data: { screens: { name: string; hash: string }[] };
    }>().data;
    expect(menu.screens.find(({ name }) => name === 'employee')!.hash).toBe(screen.hash);
    expect((await acme.officer.call('GET', `/tapi/employee/${before.id}`)).body).not.toContain('CC-1');
    expect((await acme.officer.call('GET', `/tapi/employee/${before.id}/history`)).body).not.toContain('CC-1');
    expect((await list(acme.officer, 'columns=*')).some((row) => 'cost_centre' in row)).toBe(false);
    expect((await acme.officer.call('GET', `/tapi/employee?${filter('cost_centre', 'eq', 'CC-1')}`)).statusCode).toBe(
      400,
    );
    expect(errorOf(await create(acme, { cost_centre: 'CC-2' })).details).toEqual([
      { field: 'cost_centre', message: 'There is no field "cost_centre".' },
    ]);
    expect((await acme.officer.call('GET', '/tapi/openapi.json')).body).not.toContain('cost_centre"');
    // What is stored stays, also when the record is changed.
    const changed = await acme.officer.call('PUT', `/tapi/employee/${before.id}`, {
      last_name: 'Iyer',
      version: before.version,
    });
    expect(changed.statusCode, changed.body).toBe(200);
    expect(await acme.tenant.sql('select cost_centre from {s}.employee where id = $1', [before.id])).toEqual([
      { cost_centre: 'CC-1' },
    ]);
    await setting({ field: 'cost_centre', shown: true });
    expect((await acme.officer.call('GET', `/tapi/employee/${before.id}`)).json<{ data: Row }>().data.cost_centre).toBe(
      'CC-1',
    );
  });

  it('required and renamed, with the new names in forms, messages and sheets', async () => {
    await setting({ field: 'blood_group', required: true, label: 'Blood type' });
    expect(errorOf(await create(acme)).details).toEqual([{ field: 'blood_group', message: 'Blood type is required.' }]);
    expect((await create(acme, { blood_group: 'O+' })).statusCode).toBe(201);
    const template = await acme.officer.call('GET', '/tapi/employee/template.xlsx');
    expect(
      XLSX.utils.sheet_to_json<string[]>(XLSX.read(template.rawPayload).Sheets.Sheet1!, { header: 1 })[0],
    ).toContain('Blood type *');
    await setting({ field: 'blood_group', required: false, label: null });
    expect((await create(acme)).statusCode).toBe(201);
  });

  it('a required one is hidden only with a value for new records', async () => {
    const refused = await set({ field: 'mobile', shown: false });
    expect(errorOf(refused).details![0]).toMatchObject({ field: 'default_value' });
    expect(errorOf(await set({ field: 'department_id', shown: false })).details!.map(({ field }) => field)).toContain(
      'required',
    );
    await setting({ field: 'employment_type', shown: false, default_value: 'Contract' });
    const { employment_type: _away, ...rest } = person(acme);
    const answer = await acme.officer.call('POST', '/tapi/employee', rest);
    expect(answer.statusCode, answer.body).toBe(201);
    expect(
      await acme.tenant.sql('select employment_type from {s}.employee where id = $1', [
        answer.json<{ data: { id: number } }>().data.id,
      ]),
    ).toEqual([{ employment_type: 'contract' }]);
    await setting({ field: 'employment_type', shown: true, required: true, default_value: null });
  });

  it('masked, others see only the end and cannot search the rest', async () => {
    const own = await created(acme, { pan: 'ABCPE1234F' });
    await setting({ field: 'pan', mask: 'last4', roles: [hrRole] });
    const at = `/tapi/employee/${own.id}`;
    expect((await acme.admin.call('GET', at)).json<{ data: Row }>().data.pan).toBe('ABCPE1234F');
    expect((await acme.officer.call('GET', at)).json<{ data: Row }>().data.pan).toBe('••••234F');
    expect((await acme.officer.call('GET', `${at}/history`)).body).not.toContain('ABCPE');
    expect(await list(acme.officer, filter('pan', 'starts', 'ABCPE'))).toEqual([]);
    expect(await list(acme.officer, 'q=ABCPE1234F')).toEqual([]);
    expect((await list(acme.officer, filter('pan', 'contains', '234F'))).map(({ id }) => id)).toEqual([own.id]);
    const changed = await acme.officer.call('PUT', at, { pan: 'ZZZPE9999Z', last_name: 'Rao', version: own.version });
    expect(changed.statusCode, changed.body).toBe(200);
    expect(await acme.tenant.sql('select pan, last_name from {s}.employee where id = $1', [own.id])).toEqual([
      { pan: 'ABCPE1234F', last_name: 'Rao' },
    ]);
    const { validator } = await screenOf(acme.officer);
    expect(validator).not.toBe((await screenOf(acme.admin)).validator);
    expect(
      (await world.inject({ method: 'GET', url: validator, headers: { host: acme.tenant.host } })).statusCode,
    ).toBe(200);
    await setting({ field: 'pan', mask: 'none', roles: [] });
  });
});

describe('own fields', () => {
  beforeAll(async () => {
    await setting({
      kind: 'own',
      own_field: 'bus_route',
      label: 'Bus route',
      type: 'enum',
      choices: ['North', 'South'],
      section: 'contact',
      in_list: 'shown',
    });
    await setting({ kind: 'own', own_field: 'bond', label: 'Bond', type: 'money' });
    await setting({ kind: 'own', own_field: 'bond_until', label: 'Bond until', type: 'date' });
    await setting({
      kind: 'own',
      own_field: 'shirt',
      label: 'Shirt',
      type: 'text',
      editable_by_employee: true,
      section: 'personal',
    });
    await setting({ kind: 'own', own_field: 'club', label: 'Club member', type: 'boolean' });
    await setting({ kind: 'own', own_field: 'hobbies', label: 'Hobbies', type: 'tags' });
  });

  it('are stored, read, listed, filtered, sorted, searched and kept in the history with their types', async () => {
    const first = await created(acme, {
      own_bus_route: 'North',
      own_bond: '15000.50',
      own_bond_until: '2027-03-31',
      own_shirt: 'Extra large',
      own_club: true,
      own_hobbies: ['chess', 'cricket'],
    });
    expect(first).toMatchObject({
      own_bus_route: 'North',
      own_bond: '15000.50',
      own_bond_until: '2027-03-31',
      own_club: true,
      own_hobbies: ['chess', 'cricket'],
    });
    const second = await created(acme, { own_bond: '9000', own_bus_route: 'South' });
    const found = async (...condition: unknown[]) =>
      (await list(acme.officer, `sort=-own_bond&${filter(...condition)}`)).map(({ id }) => id);
    expect(await found('own_bond', 'gt', '10000')).toEqual([first.id]);
    expect(await found('own_bond', 'notempty')).toEqual([first.id, second.id]);
    expect(await found('own_bond_until', 'before', '2028-01-01')).toEqual([first.id]);
    expect(await found('own_bus_route', 'in', ['South'])).toEqual([second.id]);
    expect(await found('own_hobbies', 'contains', 'chess')).toEqual([first.id]);
    expect(await found('own_club', 'eq', true)).toEqual([first.id]);
    expect(
      (await list(acme.officer, 'q=extra%20large&columns=own_shirt')).map(({ id, own_shirt: shirt }) => [id, shirt]),
    ).toEqual([[first.id, 'Extra large']]);
    expect((await list(acme.officer, `ids=${first.id}`))[0]).toHaveProperty('own_bus_route', 'North');
    const page = (
      await acme.officer.call('GET', `/tapi/employee?size=1&sort=own_bond&${filter('own_bond', 'notempty')}`)
    ).json<{ data: Row[]; cursor: string }>();
    expect(
      (
        await list(
          acme.officer,
          `size=1&sort=own_bond&after=${encodeURIComponent(page.cursor)}&${filter('own_bond', 'notempty')}`,
        )
      ).map(({ id }) => id),
    ).toEqual([first.id]);
    const changed = await acme.officer.call('PUT', `/tapi/employee/${first.id}`, {
      own_bond: null,
      own_shirt: 'Large',
      version: first.version,
    });
    expect(changed.json<{ data: Row }>().data).toMatchObject({
      own_bond: null,
      own_shirt: 'Large',
      own_bus_route: 'North',
    });
    const history = (await acme.officer.call('GET', `/tapi/employee/${first.id}/history`)).json<{
      data: { change: Row }[];
    }>().data;
    expect(history[0]!.change).toEqual({ own_bond: ['15000.50', null], own_shirt: ['Extra large', 'Large'] });
    expect(await acme.tenant.sql('select custom from {s}.employee where id = $1', [first.id])).toEqual([
      {
        custom: {
          own_bus_route: 'North',
          own_bond_until: '2027-03-31',
          own_shirt: 'Large',
          own_club: true,
          own_hobbies: ['chess', 'cricket'],
        },
      },
    ]);
  });

  it('are checked', async () => {
    expect(
      errorOf(await create(acme, { own_bus_route: 'West', own_bond: '1.234', own_bond_until: '2027-02-31' }))
        .details!.map(({ field }) => field)
        .sort(),
    ).toEqual(['own_bond', 'own_bond_until', 'own_bus_route']);
  });

  it('are imported and exported', async () => {
    const kept = await created(acme, { own_bond: '100', own_bus_route: 'South' });
    const out = await acme.officer.call(
      'GET',
      `/tapi/employee/export.xlsx?ids=${kept.id}&columns=empno,own_bus_route,own_bond`,
    );
    expect(XLSX.utils.sheet_to_json(XLSX.read(out.rawPayload).Sheets.Sheet1!)).toEqual([
      { 'Employee number': kept.empno, 'Bus route': 'South', 'Bond (₹)': 100 },
    ]);
    const book = XLSX.utils.book_new();
    const heads = [
      'Employee number',
      'First name',
      'Mobile',
      'Date of joining',
      'Employment type',
      'Branch',
      'Department',
      'Designation',
      'Bus route',
      'Bond',
      'Club member',
    ];
    const rows = [
      [
        kept.empno,
        kept.first_name,
        kept.mobile,
        '01-04-2024',
        'Permanent',
        'Chennai',
        'Service',
        'Technician',
        'North',
        '2,500.75',
        'Yes',
      ],
      ['E900', 'Sheet', '9840012345', '01-04-2024', 'Permanent', 'Chennai', 'Service', 'Technician', 'south', '', 'No'],
    ];
    XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([heads, ...rows]), 'Sheet1');
    const { payload, headers } = upload(
      'people.xlsx',
      XLSX.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer,
    );
    const { data } = (await acme.officer.call('POST', '/tapi/employee/import', payload, headers)).json<{
      data: { id: number };
    }>();
    type Run = { state: string; errors: unknown[]; insert: number; update: number };
    const until = (state: string) =>
      untilIn(
        async () => (await acme.officer.call('GET', `/tapi/import/${data.id}`)).json<{ data: Run }>().data,
        [state, 'failed', 'cancelled'],
      );
    expect(await until('checked')).toMatchObject({ state: 'checked', errors: [], insert: 1, update: 1 });
    await acme.officer.call('POST', `/tapi/import/${data.id}/commit`);
    expect(await until('imported')).toMatchObject({ state: 'imported' });
    const stored = await list(acme.officer, filter('empno', 'in', [kept.empno, 'E900']));
    expect(stored.map((row) => [row.empno, row.own_bus_route, row.own_bond, row.own_club])).toEqual([
      [kept.empno, 'North', '2500.75', true],
      ['E900', 'South', null, false],
    ]);
    const history = (await acme.officer.call('GET', `/tapi/employee/${kept.id}/history`)).json<{
      data: { change: Row }[];
    }>().data;
    expect(history[0]!.change).toMatchObject({ own_bond: ['100.00', '2500.75'], own_bus_route: ['South', 'North'] });
  });

  it('removed, they disappear, and their values are kept', async () => {
    await setting({ own_field: 'club', shown: false });
    expect((await screenOf(acme.officer)).screen.fields.some(({ name }) => name === 'own_club')).toBe(false);
    await setting({ own_field: 'club', shown: true });
    expect(await list(acme.officer, filter('own_club', 'eq', true))).not.toEqual([]);
  });

  it('belong to their client only', async () => {
    expect((await screenOf(zenith.officer)).screen.hash).toBe(world.screens.get('employee')!.hash);
    expect((await create(zenith, { own_shirt: 'L' })).statusCode).toBe(422);
    expect((await create(zenith)).statusCode).toBe(201);
    const { validator } = await screenOf(acme.officer);
    expect(
      (
        await world.inject({
          method: 'GET',
          url: validator.replace(acme.tenant.subDomain, zenith.tenant.subDomain),
          headers: { host: zenith.tenant.host },
        })
      ).statusCode,
    ).toBe(404);
  });

  it('are changed by the person if the client allows it', async () => {
    const own = await created(acme);
    // The session takes its member from the user: a change made through the product holds from the next call on.
    const address = `/tapi/users/${acme.officer.userId}`;
    const user = (await acme.admin.call('GET', address)).json<{ data: Row }>().data;
    const linked = await acme.admin.call('PUT', address, { version: user.version, employee_id: own.id });
    expect(linked.statusCode, linked.body).toBe(200);
    const { groups } = (await acme.officer.call('GET', '/tapi/my_profile')).json<{
      data: { groups: { fields: { name: string; readOnly: boolean }[] }[] };
    }>().data;
    expect(
      groups
        .flatMap(({ fields }) => fields)
        .filter(({ name }) => name.startsWith('own_'))
        .map(({ name, readOnly }) => [name, readOnly]),
    ).toEqual([
      ['own_shirt', false],
      ['own_bus_route', true],
    ]);
    const saved = await acme.officer.call('PUT', '/tapi/my_profile', { own_shirt: 'Small', version: own.version });
    expect(saved.json<{ data: { employee: Row } }>().data.employee.own_shirt).toBe('Small');
    expect(
      (await acme.officer.call('PUT', '/tapi/my_profile', { own_bus_route: 'North', version: own.version + 1 }))
        .statusCode,
    ).toBe(403);
  });

  it('a change announced by another process is visible at once', async () => {
    await screenOf(acme.officer);
    await acme.tenant.sql(`update {s}.employee_field_setting set label = 'Coach' where own_field = 'bus_route'`);
    await world.app.services.bus.publish(acme.tenant.db, { kind: 'settings', schema: acme.tenant.schema });
    await expect
      .poll(
        async () => (await screenOf(acme.officer)).screen.fields.find(({ name }) => name === 'own_bus_route')!.title,
        { interval: 50, timeout: 60_000 },
      )
      .toBe('Coach');
  });
});
