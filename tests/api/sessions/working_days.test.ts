import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

let world: World;
let acme: TestTenant;
let admin: Caller;
let clerk: Caller;
let branch: number;

const make = async (type: string, record: object, headers: Record<string, string> = {}) => {
  const answer = await admin.call('POST', `/tapi/${type}`, record, headers);
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ data: { id: number } }>().data.id;
};
const march = (caller: Caller, more = '') => caller.call('GET', `/tapi/working_days?from=2025-03-01&to=2025-03-31${more}`);

beforeAll(async () => {
  world = await startWorld();
  acme = await world.tenant({ companies: 2 });
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }, { company: 2 }] });
  await acme.user('clerk', { companies: [{ company: 1 }] });
  await acme.user('other', { companies: [{ company: 2 }] });
  [admin, clerk] = await Promise.all([world.signIn(acme, 'admin'), world.signIn(acme, 'clerk')]);
  const in1 = { 'x-entity-id': String(acme.entityIds[0]) };
  await admin.call('GET', '/tapi/branch', undefined, in1);
  const [place] = await acme.sql<{ id: number; state_id: number; country_id: number }>('select c.id, c.state_id, s.country_id from {s}.city_mstr c join {s}.state_mstr s on s.id = c.state_id');
  branch = await make('branch', { code: 'B1', name: 'Chennai', branch_type: 'branch', address1: 'Road', city: place!.id, state_id: place!.state_id, country: place!.country_id, pincode: '600001', holiday_group: 'South' }, in1);
  await make('weekoff', { code: 'STD', name: 'Sundays and two Saturdays', is_default: true, effective_from: '2024-04-01', rules: [{ weekday: 'sunday', weeks: ['all'] }, { weekday: 'saturday', weeks: ['2', '4'] }] }, in1);
  const holiday = (name: string, date: string, more: object = {}) => make('holiday', { name, date, holiday_type: 'festival', holiday_group: 'All', ...more }, in1);
  await holiday('Holi', '2025-03-14');
  await holiday('Id', '2025-03-31', { holiday_group: 'South', states: [place!.state_id] });
  await holiday('Of the north', '2025-03-18', { holiday_group: 'North' });
  await holiday('Optional', '2025-03-19', { holiday_type: 'optional' });
});
afterAll(() => world.close());

test('a branch works when neither week-off nor a holiday of its lists says otherwise', async () => {
  expect((await march(clerk, `&branch_id=${branch}`)).json()).toEqual({
    working_days: 22,
    week_offs: ['2025-03-02', '2025-03-08', '2025-03-09', '2025-03-16', '2025-03-22', '2025-03-23', '2025-03-30'],
    half_days: [],
    holidays: ['2025-03-14', '2025-03-31'],
  });
  expect((await march(clerk)).json()).toMatchObject({ working_days: 23, holidays: ['2025-03-14'] });
});

test('a branch with a policy of its own goes by that', async () => {
  const own = await make('weekoff', { code: 'SUN', name: 'Sundays', branches: [branch], effective_from: '2025-01-01', rules: [{ weekday: 'sunday', weeks: ['all'] }] }, { 'x-entity-id': String(acme.entityIds[0]) });
  expect((await march(clerk, `&branch_id=${branch}`)).json()).toMatchObject({ working_days: 24 });
  expect((await march(clerk)).json()).toMatchObject({ working_days: 23 });
  await acme.sql('update {s}.weekoff set active = false where id = $1', [own]);
});

test('nothing is told of another company, and odd questions are refused in words', async () => {
  const other = await world.signIn(acme, 'other');
  expect((await march(other, `&branch_id=${branch}`)).statusCode).toBe(404);
  expect((await march(other)).json()).toMatchObject({ holidays: [] });
  expect((await clerk.call('GET', '/tapi/working_days?from=2025-02-30&to=2025-03-01')).json()).toMatchObject({ error: { code: 'bad_request', field: 'from' } });
  expect((await clerk.call('GET', '/tapi/working_days?from=2025-03-02&to=2025-03-01')).json()).toMatchObject({ error: { field: 'to' } });
  expect((await clerk.call('GET', '/tapi/working_days?from=2000-01-01&to=2025-03-01')).json()).toMatchObject({ error: { message: 'Ask for three years at most.' } });
  expect((await march(clerk, '&branch_id=x')).json()).toMatchObject({ error: { field: 'branch_id' } });
});
