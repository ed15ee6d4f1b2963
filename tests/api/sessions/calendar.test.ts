import { DateTime } from 'luxon';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayIn } from '../../../src/descriptor/place.ts';
import type { CalendarDays } from '../../../src/domain/calendar.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

let world: World;
let acme: TestTenant;
let admin: Caller;
let fitter: Caller;
let reader: Caller;
const ids: Record<string, number> = {};

const make = async (type: string, record: object) => {
  const answer = await admin.call('POST', `/tapi/${type}`, record);
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ data: { id: number } }>().data.id;
};
const month = async (caller: Caller, more = '') => {
  const answer = await caller.call('GET', `/tapi/calendar?from=2026-03-01&to=2026-03-31${more}`);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ data: CalendarDays }>().data;
};
const told = ({ events }: CalendarDays) => events.map(({ day, title, label }) => `${day} ${title}: ${label}`);

beforeAll(async () => {
  world = await startWorld({ types: [] });
  acme = await world.tenant({ companies: 2 });
  const people = await acme.role({ modules: ['MASTERS'], screens: { SCN_EMPLOYEE: ['landing', 'view_screen'] } });
  await acme.user('admin', { isAdmin: true });
  await acme.user('elsewhere', { isAdmin: true, companies: [{ company: 2 }] });
  await acme.user('fitter', { companies: [{ company: 1, roles: [people] }] });
  await acme.user('reader', { companies: [{ company: 1 }] });
  [admin, fitter, reader] = await Promise.all([
    world.signIn(acme, 'admin'),
    world.signIn(acme, 'fitter'),
    world.signIn(acme, 'reader'),
  ]);
  const [place] = await acme.sql<{ id: number; state_id: number; country_id: number }>(
    'select c.id, c.state_id, s.country_id from {s}.city_mstr c join {s}.state_mstr s on s.id = c.state_id',
  );
  ids.branch = await make('branch', {
    code: 'B1',
    name: 'Chennai',
    branch_type: 'branch',
    address1: 'Road',
    city: place!.id,
    state_id: place!.state_id,
    country: place!.country_id,
    pincode: '600001',
  });
  ids.department = await make('department', { code: 'D1', name: 'Service' });
  ids.designation = await make('designation', { code: 'T1', name: 'Technician', level_no: 2 });
  const person = (name: string, more: object) =>
    make('employee', {
      empno: name.toUpperCase(),
      first_name: name,
      mobile: '+919840012345',
      work_email: `${name.toLowerCase()}@acme.in`,
      date_of_joining: '2024-04-01',
      employment_type: 'contract',
      branch_id: ids.branch,
      department_id: ids.department,
      designation_id: ids.designation,
      status: 'active',
      ...more,
    });
  ids.Arun = await person('Arun', {
    contract_end: '2026-03-31',
    documents: [{ type: 'Licence', expires_on: '2026-03-20' }],
  });
  ids.Bala = await person('Bala', { contract_end: '2026-03-12' });
  await person('Later', { contract_end: '2026-04-01' });
  await acme.sql('update {s}.users set employee_id = $1 where username = $2', [ids.Arun, 'fitter']);
  await make('weekoff', {
    code: 'SUN',
    name: 'Sundays',
    is_default: true,
    effective_from: '2024-04-01',
    rules: [{ weekday: 'sunday', weeks: ['all'] }],
  });
  await make('holiday', { name: 'Holi', date: '2026-03-04', holiday_type: 'festival', holiday_group: 'All' });
  await make('holiday', {
    name: 'Fair',
    date: '2026-03-18',
    to_date: '2026-03-19',
    holiday_type: 'optional',
    holiday_group: 'All',
  });
});
afterAll(() => world.close());

test('shows holidays and week-offs to everybody', async () => {
  const days = await month(reader);
  expect(days.week_offs).toEqual(['2026-03-01', '2026-03-08', '2026-03-15', '2026-03-22', '2026-03-29']);
  expect(days.holidays).toEqual([
    { name: 'Holi', date: '2026-03-04', to_date: null, optional: false },
    { name: 'Fair', date: '2026-03-18', to_date: '2026-03-19', optional: true },
  ]);
});

test('shows due dates, each once on its day, to people who may open the list', async () => {
  const days = await month(admin, '&mine=0');
  expect(told(days)).toEqual([
    '2026-03-12 Contract of an employee ends: Bala',
    '2026-03-20 Document of an employee expires: Arun',
    '2026-03-31 Contract of an employee ends: Arun',
  ]);
  expect(days.events[0]!.route).toBe(`/employee/view/${ids.Bala}`);
  expect(days.more).toBe(false);
  expect((await month(reader, '&mine=0')).events).toEqual([]);
});

test('shows one’s own records unless all are requested', async () => {
  expect(told(await month(fitter))).toEqual([
    '2026-03-20 Document of an employee expires: Arun',
    '2026-03-31 Contract of an employee ends: Arun',
  ]);
  expect(told(await month(fitter, '&mine=0'))).toHaveLength(3);
  expect((await month(admin)).events).toEqual([]);
});

test('shows nothing of another company', async () => {
  expect(await month(await world.signIn(acme, 'elsewhere'), '&mine=0')).toMatchObject({ holidays: [], events: [] });
});

test('refuses invalid requests with a message', async () => {
  for (const [query, field] of [
    ['from=2026-03-01', 'to'],
    ['from=2026-02-30&to=2026-03-31', 'from'],
    ['from=2026-03-01&to=2026-09-01', 'to'],
    ['from=2026-03-01&to=2026-03-31&mine=2', 'mine'],
  ] as const) {
    const answer = await admin.call('GET', `/tapi/calendar?${query}`);
    expect([answer.statusCode, answer.json<{ error: { field: string } }>().error.field]).toEqual([400, field]);
  }
});

test('uses the person’s week-off and holiday list before the branch’s', async () => {
  const own = await make('weekoff', {
    code: 'MON',
    name: 'Mondays',
    effective_from: '2024-04-01',
    branches: [ids.branch],
    rules: [{ weekday: 'sunday', weeks: ['all'] }],
  });
  const shift = await make('weekoff', {
    code: 'SHIFT',
    name: 'Tuesdays',
    effective_from: '2024-04-01',
    branches: [ids.branch],
    rules: [{ weekday: 'tuesday', weeks: ['all'] }],
  });
  await acme.sql('update {s}.weekoff set branches = $2 where id = $1', [shift, []]);
  await make('holiday', { name: 'Of the plant', date: '2026-03-25', holiday_type: 'company', holiday_group: 'Plant' });
  await acme.sql(`update {s}.employee set weekoff_policy_id = $1, holiday_group = 'plant' where id = $2`, [
    shift,
    ids.Arun,
  ]);
  const days = await month(fitter);
  expect(days.week_offs).toEqual(['2026-03-03', '2026-03-10', '2026-03-17', '2026-03-24', '2026-03-31']);
  expect(days.holidays.map(({ name }) => name)).toEqual(['Holi', 'Fair', 'Of the plant']);
  expect((await month(reader)).holidays.map(({ name }) => name)).toEqual(['Holi', 'Fair']);
  await acme.sql('update {s}.weekoff set active = false where id = any($1)', [[own, shift]]);
});

test('has a private address for calendar programs: one per person, read-only, ended by a new one, by its owner, and with the account', async () => {
  const make1 = async (body: object = {}) => {
    const answer = await fitter.call('POST', '/tapi/calendar/address', body);
    expect(answer.statusCode, answer.body).toBe(201);
    return answer.json<{ data: { address: string } }>().data.address;
  };
  const fetched = (address: string, host = acme.host) =>
    world.inject({ method: 'GET', url: new URL(address).pathname, headers: { host } });
  const state = async () =>
    (await fitter.call('GET', '/tapi/calendar/address')).json<{ data: { used_at: string | null } | null }>().data;
  const soon = (days: number) => new Date(Date.now() + days * 86_400_000 + 5.5 * 3_600_000).toISOString().slice(0, 10);
  await acme.sql('update {s}.employee set contract_end = $2 where id = $1', [ids.Arun, soon(20)]);
  await acme.sql('update {s}.employee set contract_end = $2 where id = $1', [ids.Bala, soon(21)]);
  await make('holiday', {
    name: 'Fête, of; all',
    date: soon(10),
    to_date: soon(11),
    holiday_type: 'company',
    holiday_group: 'All',
  });
  expect(await state()).toBeNull();
  const first = await make1();
  expect(await state()).toMatchObject({ used_at: null, everything: false });
  const answer = await fetched(first);
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8']);
  const text = answer.body.replace(/\r\n /g, '');
  const compact = (day: string) => day.replaceAll('-', '');
  expect(text).toMatch(/^BEGIN:VCALENDAR\r\nVERSION:2.0\r\n/);
  expect(text).toContain(`DTSTART;VALUE=DATE:${compact(soon(20))}\r\nDTEND;VALUE=DATE:${compact(soon(21))}`);
  expect(text).toContain('SUMMARY:Arun: Contract of an employee ends');
  expect(text).toContain('SUMMARY:Fête\\, of\\; all');
  expect(text).not.toContain('Bala');
  expect(await state()).toMatchObject({ used_at: expect.any(String) as string });
  // All that the person may see, and the address before ends.
  const second = await make1({ everything: true });
  expect((await fetched(second)).body).toContain('Bala');
  expect((await fetched(first)).statusCode).toBe(404);
  expect((await fetched(second, 'localhost:3000')).statusCode).toBe(404);
  expect((await fetched(second.replace(/.{5}\.ics$/, 'AAAAA.ics'))).statusCode).toBe(404);
  const [kept] = await acme.sql<{ token_hash: string }>('select token_hash from {s}.calendar_address');
  expect(second).not.toContain(kept!.token_hash);
  expect((await fitter.call('DELETE', '/tapi/calendar/address')).statusCode).toBe(204);
  expect((await fetched(second)).statusCode).toBe(404);
  const third = await make1();
  await acme.sql(`update {s}.users set ip_allow = '203.0.113.0/24' where username = 'fitter'`);
  await expect.poll(async () => (await fetched(third)).statusCode, { timeout: 60_000 }).toBe(404);
  await acme.sql(`update {s}.users set ip_allow = null where username = 'fitter'`);
  await expect.poll(async () => (await fetched(third)).statusCode, { timeout: 60_000 }).toBe(200);
  await acme.sql(`update {s}.users set status = 'disabled' where username = 'fitter'`);
  await expect.poll(async () => (await fetched(third)).statusCode, { timeout: 60_000 }).toBe(404);
  await acme.sql(`update {s}.users set status = 'active' where username = 'fitter'`);
});

test('a calendar program gets the days around today in the company’s time zone', async () => {
  const made = await fitter.call('POST', '/tapi/calendar/address');
  const { address } = made.json<{ data: { address: string } }>().data;
  const days = async () => {
    const answer = await world.inject({ url: new URL(address).pathname, headers: { host: acme.host } });
    return answer.body.replace(/\r\n /g, '');
  };
  const zone = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'].find((one) => dayIn(one) !== dayIn('Asia/Kolkata'))!;
  // The first or last day that is given there, which is outside in India.
  const edge = DateTime.fromISO(dayIn(zone)).plus({ days: dayIn(zone) > dayIn('Asia/Kolkata') ? 366 : -31 });
  await make('holiday', {
    name: 'Edge of the year',
    date: edge.toISODate(),
    holiday_type: 'company',
    holiday_group: 'All',
  });
  expect(await days()).not.toContain('Edge of the year');
  await acme.sql('update {s}.entity set timezone = $1', [zone]);
  await expect.poll(days).toContain('Edge of the year');
});
