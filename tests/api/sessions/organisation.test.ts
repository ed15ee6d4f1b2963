import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gstin } from '../../../src/server/platform/demo/registrations.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

type Answer = { data: { id: number; version: number } };

let world: World;
let acme: TestTenant;
let admin: Caller;
let place: { id: number; state_id: number; country_id: number };

const PAN = 'AAACA1234B';
const add = async (type: string, record: object) => {
  const answer = await admin.call('POST', `/tapi/${type}`, record);
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<Answer>().data;
};
const findings = (body: string) =>
  (JSON.parse(body) as { error: { details: { field: string; message: string }[] } }).error.details;
const branch = (code: string, more: object = {}) => ({
  code,
  name: code,
  branch_type: 'branch',
  address1: 'Road',
  city: place.id,
  state_id: place.state_id,
  country: place.country_id,
  pincode: '600001',
  ...more,
});

beforeAll(async () => {
  world = await startWorld({ types: [] });
  acme = await world.tenant();
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  admin = await world.signIn(acme, 'admin');
  [place] = (await acme.sql<{ id: number; state_id: number; country_id: number }>(
    'select c.id, c.state_id, s.country_id from {s}.city_mstr c join {s}.state_mstr s on s.id = c.state_id',
  )) as [typeof place];
  await acme.sql(`update {s}.state_mstr set gst_code = '33', name = 'Tamil Nadu' where id = $1`, [place.state_id]);
  await acme.sql('update {s}.entity set pan = $1', [PAN]);
});
afterAll(() => world.close());

describe('a branch', () => {
  it('has the company’s registration in its state', async () => {
    const refused = await admin.call('POST', '/tapi/branch', branch('B1', { gstin: gstin('29', 'AAACB9999K') }));
    expect(refused.statusCode).toBe(422);
    expect(findings(refused.body)).toEqual([
      {
        field: 'gstin',
        message:
          'A GSTIN of Tamil Nadu begins with 33; this begins with 29. Check the state or the number. Characters 3 to 12 of the GSTIN are the PAN of the company, AAACA1234B; here they are AAACB9999K.',
      },
    ]);
    await add('branch', branch('B1', { gstin: gstin('33', PAN) }));
  });

  it('cannot be closed while people are in it, and says where they are', async () => {
    const old = await add('branch', branch('OLD'));
    const next = await add('branch', branch('NEW'));
    const department = await add('department', { code: 'D', name: 'Service' });
    const designation = await add('designation', { code: 'T', name: 'Technician', level_no: 5 });
    const person = await add('employee', {
      empno: 'E1',
      first_name: 'Ravi',
      mobile: '+919840012345',
      date_of_joining: '2024-04-01',
      branch_id: old.id,
      department_id: department.id,
      designation_id: designation.id,
    });
    const close = () => admin.call('POST', `/tapi/branch/${old.id}/deactivate`, { version: old.version });
    const refused = await close();
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({
      error: {
        code: 'in_use',
        message: expect.stringMatching(/^OLD still has 1 member\. Move them to another branch first/) as string,
        used_by: [{ type: 'employee', count: 1, route: expect.stringMatching(/^\/employee\?filter=/) as string }],
      },
    });
    expect(
      (await admin.call('PUT', '/tapi/employee/bulk', { ids: [person.id], set: { branch_id: next.id } })).json(),
    ).toMatchObject({ data: { changed: [person.id] } });
    expect((await close()).statusCode).toBe(200);
  });
});

describe('an outlet', () => {
  it('is registered in the state of its district, under its operator’s PAN', async () => {
    const zone = await add('zone', { code: 'S', name: 'South' });
    const region = await add('region', { code: 'TN', name: 'Tamil Nadu', zone_id: zone.id });
    const subregion = await add('subregion', { code: 'N', name: 'North', region_id: region.id });
    const district = await add('district', {
      code: 'CHN',
      name: 'Chennai',
      subregion_id: subregion.id,
      state_id: place.state_id,
    });
    const outlet = (more: object) =>
      admin.call('POST', '/tapi/outlet', {
        code: 'O1',
        name: 'T Nagar',
        outlet_type: 'own',
        district_id: district.id,
        address1: 'Usman Road',
        city: place.id,
        pincode: '600017',
        ...more,
      });
    const said = async (more: object) => findings((await outlet(more)).body);
    expect(await said({ gstin: '33AAACA1234B1ZA' })).toEqual([
      { field: 'gstin', message: expect.stringContaining('last character') as string },
    ]);
    expect(await said({ gstin: gstin('29', PAN) })).toEqual([
      { field: 'gstin', message: expect.stringMatching(/^A GSTIN of Tamil Nadu begins with 33/) as string },
    ]);
    expect(await said({ gstin: gstin('33', 'AAACB9999K') })).toEqual([
      { field: 'gstin', message: expect.stringContaining(`the PAN of the company, ${PAN}`) as string },
    ]);
    // A dealer's shop is the dealer's, in the same state.
    expect(await said({ outlet_type: 'dealer', gstin: gstin('29', 'AAACB9999K') })).toHaveLength(1);
    expect((await outlet({ outlet_type: 'dealer', gstin: gstin('33', 'AAACB9999K') })).statusCode).toBe(201);
    expect((await outlet({ code: 'O2', name: 'Velachery', gstin: gstin('33', PAN) })).statusCode).toBe(201);
    const [own] = (await admin.call('GET', '/tapi/outlet?q=O2')).json<{ data: { id: number; version: number }[] }>()
      .data;
    // It cannot become the company's by its kind alone.
    const [dealer] = (await admin.call('GET', '/tapi/outlet?q=O1')).json<{ data: { id: number; version: number }[] }>()
      .data;
    expect(
      (await admin.call('PUT', `/tapi/outlet/${dealer!.id}`, { version: dealer!.version, outlet_type: 'own' }))
        .statusCode,
    ).toBe(422);
    expect(
      (await admin.call('PUT', `/tapi/outlet/${own!.id}`, { version: own!.version, gstin: null })).statusCode,
    ).toBe(200);
  });
});

describe('a member role', () => {
  it('adds up to one whole at any time, unless several hold it in full', async () => {
    const people = await acme.sql<{ id: number }>('select id from {s}.employee');
    const id = people[0]!.id;
    const role = (holders: object[], more: object = {}) =>
      admin.call('POST', '/tapi/distinct_role_assignments', {
        code: `R${Math.random().toString(36).slice(2, 6)}`,
        role_name: `Head ${Math.random()}`,
        holders: holders.map((row) => ({ employee_id: id, ...row })),
        ...more,
      });
    const over = await role([
      { from_date: '2024-04-01', to_date: '2025-04-30', share_percent: '60' },
      { from_date: '2025-04-01', share_percent: '60.5' },
    ]);
    expect(findings(over.body)).toEqual([
      {
        field: 'holders.1.share_percent',
        message:
          'From 01-04-2025 the shares total 120.5 %; they may be 100 % at most. Lower a share, end one before, or let several hold it in full.',
      },
    ]);
    expect(
      (
        await role([
          { from_date: '2024-04-01', to_date: '2025-03-31' },
          { from_date: '2025-04-01', share_percent: '60' },
          { from_date: '2025-04-01', share_percent: '40' },
        ])
      ).statusCode,
    ).toBe(201);
    expect((await role([{ from_date: '2024-04-01' }, { from_date: '2024-04-01' }], { shared: true })).statusCode).toBe(
      201,
    );
  });
});
