import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { importRecords } from '../import_records.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

vi.setConfig({ testTimeout: 120_000 });

let world: World;
let acme: TestTenant;
let admin: Caller;
let other: Caller;

beforeAll(async () => {
  world = await startWorld({ types: [] });
  acme = await world.tenant();
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  await acme.user('other', { isAdmin: true, companies: [{ company: 1 }] });
  [admin, other] = await Promise.all([world.signIn(acme, 'admin'), world.signIn(acme, 'other')]);
});
afterAll(() => world.close());

/** Imports records, and delivers what follows from it. */
async function imported(type: string, records: Record<string, string>[]): Promise<void> {
  await importRecords(world, admin, type, records);
  await world.app.deliveries.deliver(acme);
}

async function add(type: string, record: object): Promise<number> {
  const answer = await admin.call('POST', `/tapi/${type}`, record);
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ data: { id: number } }>().data.id;
}

test('disabling people in bulk signs them out; a sheet does not change the state', async () => {
  await acme.user('leaver', { companies: [{ company: 1 }] });
  const leaver = await world.signIn(acme, 'leaver');
  const [{ name, email }] = (await acme.sql<{ name: string; email: string }>(
    `select name, email from {s}.users where username = 'leaver'`,
  )) as [{ name: string; email: string }];
  await imported('users', [{ username: 'leaver', name: `${name} L`, email, status: 'Disabled' }]);
  expect(await acme.sql(`select name, status from {s}.users where username = 'leaver'`)).toEqual([
    { name: `${name} L`, status: 'active' },
  ]);
  const disabled = await admin.call('POST', '/tapi/users/bulk/disable', { ids: [leaver.userId, admin.userId] });
  expect(disabled.json()).toMatchObject({
    data: { changed: [leaver.userId], errors: [{ id: admin.userId, message: expect.any(String) }] },
  });
  expect(
    await acme.sql('select revoked_at is not null as ended from {s}.session where user_id = $1', [leaver.userId]),
  ).toEqual([{ ended: true }]);
});

test('administrators are notified of a member added by a form or an import', async () => {
  const [place] = await acme.sql<{ id: number; state_id: number; country_id: number }>(
    'select c.id, c.state_id, s.country_id from {s}.city_mstr c join {s}.state_mstr s on s.id = c.state_id limit 1',
  );
  const branch = await add('branch', {
    code: 'B1',
    name: 'Chennai',
    branch_type: 'branch',
    address1: 'Road',
    city: place!.id,
    state_id: place!.state_id,
    country: place!.country_id,
    pincode: '600001',
  });
  const department = await add('department', { code: 'D1', name: 'Service' });
  const designation = await add('designation', { code: 'T1', name: 'Technician', level_no: 3 });
  const member = { first_name: 'Asha', mobile: '+919840010001', date_of_joining: '2024-04-01' };
  await add('employee', {
    ...member,
    empno: 'E1',
    employment_type: 'permanent',
    branch_id: branch,
    department_id: department,
    designation_id: designation,
  });
  await world.app.deliveries.deliver(acme);
  await imported('employee', [
    {
      ...member,
      empno: 'E2',
      first_name: 'Ravi',
      mobile: '+919840010002',
      employment_type: 'Permanent',
      branch_id: 'Chennai',
      department_id: 'Service',
      designation_id: 'Technician',
      status: 'Active',
    },
  ]);
  const told = await acme.sql<{ user_id: number; title: string }>(
    `select user_id, title from {s}.notification where event_code = 'employee.joined' order by id`,
  );
  expect(told.map(({ user_id: user, title }) => [user, /Asha|Ravi/.exec(title)?.[0]])).toEqual([
    [other.userId, 'Asha'],
    [other.userId, 'Ravi'],
  ]);
});
