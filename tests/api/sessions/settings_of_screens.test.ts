import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
  world = await startWorld();
  [acme, zenith] = await Promise.all([world.tenant({ companies: 2 }), world.tenant()]);
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }, { company: 2 }] });
  await zenith.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  admin = await world.signIn(acme, 'admin');
  const [place] = await acme.sql<{ id: number; state_id: number; country_id: number }>('select c.id, c.state_id, s.country_id from {s}.city_mstr c join {s}.state_mstr s on s.id = c.state_id');
  for (const company of [1, 2]) {
    const add = async (type: string, record: object) => {
      const answer = await admin.call('POST', `/tapi/${type}`, record, inCompany(company));
      expect(answer.statusCode, answer.body).toBe(201);
      return answer.json<{ data: Row }>().data.id;
    };
    made[company] = {
      branch: await add('branch', { code: `B${company}`, name: `Branch ${company}`, branch_type: 'branch', address1: 'Road', city: place!.id, state_id: place!.state_id, country: place!.country_id, pincode: '600001' }),
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
  return admin.call('POST', '/tapi/employee', { first_name: 'Asha', mobile: '+919840012345', date_of_joining: '2020-04-01', branch_id: branch, department_id: department, designation_id: designation, ...record }, inCompany(company));
};
const data = (answer: { json<T>(): T; body: string }) => answer.json<{ data: Row }>().data;
const screenOf = async (tenant: TestTenant) => {
  const caller = tenant === acme ? admin : await world.signIn(tenant, 'admin');
  const { screen, validator } = (await caller.call('GET', '/tapi/screens/employee')).json<{ data: { screen: { fields: { name: string; readOnly: boolean }[] }; validator: string } }>().data;
  // The address that browsers keep gives the same screen, without a sign-in.
  expect((await world.inject({ method: 'GET', url: validator.replace(/\.js$/, '.json') })).json()).toEqual(screen);
  return screen;
};

describe('employee numbers', () => {
  it('are entered by hand, unless the client has them given; then they go on behind those there are', async () => {
    expect((await hire(1, {})).json()).toMatchObject({ error: { details: [{ field: 'empno', message: 'Employee number is required.' }] } });
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

  it('are read-only in the forms of that client alone', async () => {
    const readOnly = async (tenant: TestTenant) => (await screenOf(tenant)).fields.find(({ name }) => name === 'empno')!.readOnly;
    expect([await readOnly(acme), await readOnly(zenith)]).toEqual([true, false]);
    await settle({ employee_number: 'manual' });
    expect(await readOnly(acme)).toBe(false);
  });
});

describe('managers', () => {
  it('are of the same company, unless the client lets them be of another', async () => {
    const head = data(await hire(2, { empno: 'HEAD', first_name: 'Mala' })).id;
    const offered = async () => (await admin.call('GET', '/tapi/employee/options?for=employee.reporting_to_id&q=Mala', undefined, inCompany(1))).json<{ data: { id: number }[] }>().data.some(({ id }) => id === head);
    const refused = await hire(1, { empno: 'R1', reporting_to_id: head });
    expect(refused.json()).toMatchObject({ error: { details: [{ field: 'reporting_to_id' }] } });
    expect(await offered()).toBe(false);
    await settle({ cross_company_manager: true });
    expect(await offered()).toBe(true);
    const person = data(await hire(1, { empno: 'R1', reporting_to_id: head }));
    expect(person.reporting_to_id).toBe(head);
    expect(await acme.sql('select depth from {s}.employee_tree where ancestor_id = $1 and descendant_id = $2', [head, person.id])).toEqual([{ depth: 1 }]);
    // A dated change reaches across too.
    const other = data(await hire(1, { empno: 'R2' }));
    const moved = await admin.call('POST', `/tapi/employee/${other.id}/move`, { effective_from: '2020-05-01', reporting_to_id: head }, inCompany(1));
    expect(data(moved), moved.body).toMatchObject({ state: 'done', result: 'Manager changed.' });
    await settle({ cross_company_manager: false });
    expect(await offered()).toBe(false);
    // Who was chosen before stays.
    expect((await admin.call('PUT', `/tapi/employee/${person.id}`, { version: person.version, first_name: 'Usha' }, inCompany(1))).statusCode).toBe(200);
  });
});
