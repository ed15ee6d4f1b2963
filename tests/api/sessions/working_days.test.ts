import { afterAll, beforeAll, expect, test } from 'vitest';
import * as XLSX from 'xlsx';
import { proposeHolidays } from '../../../src/server/platform/calendar/holiday_roll.ts';
import { upload } from '../multipart.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';
import { untilIn } from '../import_end.ts';

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
const march = (caller: Caller, more = '') =>
  caller.call('GET', `/tapi/working_days?from=2025-03-01&to=2025-03-31${more}`);

beforeAll(async () => {
  world = await startWorld();
  acme = await world.tenant({ companies: 2 });
  await acme.user('admin', { isAdmin: true, companies: [{ company: 1 }, { company: 2 }] });
  await acme.user('clerk', { companies: [{ company: 1 }] });
  await acme.user('other', { companies: [{ company: 2 }] });
  [admin, clerk] = await Promise.all([world.signIn(acme, 'admin'), world.signIn(acme, 'clerk')]);
  const in1 = { 'x-entity-id': String(acme.entityIds[0]) };
  await admin.call('GET', '/tapi/branch', undefined, in1);
  const [place] = await acme.sql<{ id: number; state_id: number; country_id: number }>(
    'select c.id, c.state_id, s.country_id from {s}.city_mstr c join {s}.state_mstr s on s.id = c.state_id',
  );
  branch = await make(
    'branch',
    {
      code: 'B1',
      name: 'Chennai',
      branch_type: 'branch',
      address1: 'Road',
      city: place!.id,
      state_id: place!.state_id,
      country: place!.country_id,
      pincode: '600001',
      holiday_group: 'South',
    },
    in1,
  );
  await make(
    'weekoff',
    {
      code: 'STD',
      name: 'Sundays and two Saturdays',
      is_default: true,
      effective_from: '2024-04-01',
      rules: [
        { weekday: 'sunday', weeks: ['all'] },
        { weekday: 'saturday', weeks: ['2', '4'] },
      ],
    },
    in1,
  );
  const holiday = (name: string, date: string, more: object = {}) =>
    make('holiday', { name, date, holiday_type: 'festival', holiday_group: 'All', ...more }, in1);
  await holiday('Holi', '2025-03-14');
  await holiday('Id', '2025-03-31', { holiday_group: 'South', states: [place!.state_id] });
  await holiday('Of the north', '2025-03-18', { holiday_group: 'North' });
  await holiday('Optional', '2025-03-19', { holiday_type: 'optional' });
});
afterAll(() => world.close());

test('a branch works unless its week-off or a holiday of its lists says otherwise', async () => {
  expect((await march(clerk, `&branch_id=${branch}`)).json()).toEqual({
    working_days: 22,
    week_offs: ['2025-03-02', '2025-03-08', '2025-03-09', '2025-03-16', '2025-03-22', '2025-03-23', '2025-03-30'],
    half_days: [],
    holidays: ['2025-03-14', '2025-03-31'],
  });
  expect((await march(clerk)).json()).toMatchObject({ working_days: 23, holidays: ['2025-03-14'] });
});

test('a branch with its own policy uses it', async () => {
  const own = await make(
    'weekoff',
    {
      code: 'SUN',
      name: 'Sundays',
      branches: [branch],
      effective_from: '2025-01-01',
      rules: [{ weekday: 'sunday', weeks: ['all'] }],
    },
    { 'x-entity-id': String(acme.entityIds[0]) },
  );
  expect((await march(clerk, `&branch_id=${branch}`)).json()).toMatchObject({ working_days: 24 });
  expect((await march(clerk)).json()).toMatchObject({ working_days: 23 });
  await acme.sql('update {s}.weekoff set active = false where id = $1', [own]);
});

test('other companies are hidden, and invalid requests are refused with a message', async () => {
  const other = await world.signIn(acme, 'other');
  expect((await march(other, `&branch_id=${branch}`)).statusCode).toBe(404);
  expect((await march(other)).json()).toMatchObject({ holidays: [] });
  expect((await clerk.call('GET', '/tapi/working_days?from=2025-02-30&to=2025-03-01')).json()).toMatchObject({
    error: { code: 'bad_request', field: 'from' },
  });
  expect((await clerk.call('GET', '/tapi/working_days?from=2025-03-02&to=2025-03-01')).json()).toMatchObject({
    error: { field: 'to' },
  });
  expect((await clerk.call('GET', '/tapi/working_days?from=2000-01-01&to=2025-03-01')).json()).toMatchObject({
    error: { message: 'Request at most three years.' },
  });
  expect((await march(clerk, '&branch_id=x')).json()).toMatchObject({ error: { field: 'branch_id' } });
});

test('the year view names holidays, including optional ones, and days off of the branch', async () => {
  const { data } = (
    await admin.call('GET', `/tapi/holiday/year?from=2025-03-01&to=2025-03-31&branch_id=${branch}`, undefined, {
      'x-entity-id': String(acme.entityIds[0]),
    })
  ).json<{ data: { working_days: number; week_offs: string[]; named: { name: string; holiday_type: string }[] } }>();
  expect(data.working_days).toBe(22);
  expect(data.named.map(({ name }) => name)).toEqual(['Holi', 'Optional', 'Id']);
  expect((await clerk.call('GET', '/tapi/holiday/year?from=2025-03-01&to=2025-03-31')).statusCode).toBe(403);
});

test('a year is copied with a review: fixed dates stay, others are to be set, existing ones are reported', async () => {
  const in2 = { 'x-entity-id': String(acme.entityIds[1]) };
  const holiday = (name: string, date: string, more: object = {}) =>
    make('holiday', { name, date, holiday_type: 'national', holiday_group: 'All', ...more }, in2);
  const gandhi = await holiday('Gandhi Jayanti', '2025-10-02', { fixed_date: true });
  const diwali = await holiday('Deepavali', '2025-10-20', { to_date: '2025-10-21', paid: false });
  await holiday('Leap day', '2024-02-29', { fixed_date: true });
  await holiday('Pongal', '2026-01-15', { fixed_date: true });
  await holiday('Pongal', '2027-01-15');
  const proposal = async (year: string) =>
    (await admin.call('GET', `/tapi/holiday/copy?year=${year}`, undefined, in2)).json<{ data: object[] }>().data;
  expect(await proposal('2025-2026')).toMatchObject([
    { name: 'Gandhi Jayanti', copy_of: gandhi, was: '2025-10-02', date: '2026-10-02', exists: false },
    {
      name: 'Deepavali',
      copy_of: diwali,
      was: '2025-10-20',
      was_to: '2025-10-21',
      date: null,
      to_date: null,
      exists: false,
    },
    { name: 'Pongal', date: '2027-01-15', exists: true },
  ]);
  expect(await proposal('2023-2024')).toMatchObject([{ name: 'Leap day', date: null }]);
  const rows = [
    { copy_of: gandhi, date: '2026-10-02' },
    { copy_of: diwali, date: '2026-11-08', to_date: '2026-11-09' },
    { copy_of: diwali, date: '2026-11-12', to_date: '2026-11-10' },
  ];
  const copied = await admin.call('POST', '/tapi/holiday/copy', { rows }, in2);
  expect(copied.json(), copied.body).toEqual({
    data: { made: 2, errors: [{ copy_of: diwali, message: 'The last day cannot be before the first.' }] },
  });
  const { data } = (await admin.call('GET', `/tapi/holiday?q=Deepavali&columns=*&sort=date`, undefined, in2)).json<{
    data: Record<string, unknown>[];
  }>();
  expect(data[1]).toMatchObject({
    date: '2026-11-08',
    to_date: '2026-11-09',
    paid: false,
    financial_year: '2026-2027',
    holiday_type: 'national',
  });
  // Again: what is there is refused, not doubled.
  expect((await admin.call('POST', '/tapi/holiday/copy', { rows: rows.slice(0, 1) }, in2)).json()).toMatchObject({
    data: { made: 0, errors: [{ copy_of: gandhi }] },
  });
  expect((await clerk.call('POST', '/tapi/holiday/copy', { rows })).statusCode).toBe(403);
  // Nothing of one company becomes another's.
  expect(
    (
      await admin.call(
        'POST',
        '/tapi/holiday/copy',
        { rows: rows.slice(0, 1) },
        { 'x-entity-id': String(acme.entityIds[0]) },
      )
    ).json(),
  ).toMatchObject({ data: { made: 0 } });
});

test('on 1 December administrators of each company are reminded to copy the holidays; nothing is copied', async () => {
  const before = (await acme.sql<{ n: number }>('select count(*)::int as n from {s}.holiday'))[0]!.n;
  const in1 = { 'x-entity-id': String(acme.entityIds[0]) };
  await make(
    'holiday',
    { name: 'Labour day', date: '2030-05-01', holiday_type: 'national', holiday_group: 'All', fixed_date: true },
    in1,
  );
  await make('holiday', { name: 'Onam', date: '2030-09-09', holiday_type: 'state', holiday_group: 'All' }, in1);
  const { notifications } = world.app;
  expect(await proposeHolidays(notifications, acme, new Date('2030-12-01'))).toBe(1);
  const told = (await admin.call('GET', '/tapi/notifications', undefined, in1)).json<{
    data: { title: string; body: string; link: string }[];
  }>().data;
  expect(told[0]).toMatchObject({
    title: 'Holidays 2031-2032 of Company 1 are ready to be copied',
    link: '/holiday/copy?year=2030',
  });
  expect(told[0]!.body).toContain('2 holidays of this year are not in 2031-2032 yet: 1 keep their date, 1 need one.');
  expect((await acme.sql<{ n: number }>('select count(*)::int as n from {s}.holiday'))[0]!.n).toBe(before + 2);
  expect((await clerk.call('GET', '/tapi/notifications')).json()).toMatchObject({ data: [] });
  // What is there already is not proposed.
  expect(await proposeHolidays(notifications, acme, new Date('2035-12-01'))).toBe(0);
});

test('a week-off shows its next eight weeks by rule, and leaves at least one working day', async () => {
  const id = await make('weekoff', {
    code: 'NTH',
    name: 'Nth',
    effective_from: '2025-01-01',
    rules: [
      { weekday: 'sunday', weeks: ['all'] },
      { weekday: 'saturday', weeks: ['2', '4'] },
      { weekday: 'friday', weeks: ['1'], part: 'second_half' },
    ],
    exceptions: [{ date: '2025-06-22', working: true }],
  });
  const { data } = (await admin.call('GET', `/tapi/weekoff/${id}/preview?from=2025-06-10`)).json<{
    data: { days: { date: string; work: number; why: string | null }[] };
  }>();
  expect(data.days).toHaveLength(56);
  expect(data.days[0]).toEqual({ date: '2025-06-09', work: 1, why: null });
  const day = (date: string) => data.days.find((one) => one.date === date);
  expect(day('2025-06-14')).toEqual({ date: '2025-06-14', work: 0, why: '2nd Saturday' });
  expect(day('2025-06-21')).toMatchObject({ work: 1, why: null });
  expect(day('2025-06-22')).toMatchObject({ work: 1, why: 'Exception' });
  expect(day('2025-07-04')).toMatchObject({ work: 0.5, why: '1st Friday' });
  expect(day('2025-07-06')).toMatchObject({ work: 0, why: 'Every Sunday' });
  expect((await clerk.call('GET', `/tapi/weekoff/${id}/preview`)).statusCode).toBe(403);
  const never = await admin.call('POST', '/tapi/weekoff', {
    code: 'NEVER',
    name: 'Never',
    effective_from: '2025-01-01',
    rules: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((weekday) => ({
      weekday,
      weeks: ['all'],
    })),
  });
  expect(never.json()).toMatchObject({
    error: { details: [{ field: 'rules', message: 'Leave at least one working day a week.' }] },
  });
});

test('a government list is imported from Excel with its kind in a column, after a dry run that names every invalid row', async () => {
  const in2 = { 'x-entity-id': String(acme.entityIds[1]) };
  const run = async (rows: unknown[][]) => {
    const book = XLSX.utils.book_new();
    XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(rows), 'Sheet1');
    const { payload, headers } = upload(
      'gazette.xlsx',
      XLSX.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer,
    );
    const started = await admin.call('POST', '/tapi/holiday/import?mode=all_or_nothing', payload, {
      ...headers,
      ...in2,
    });
    return until(started.json<{ data: { id: number } }>().data.id, ['checked', 'failed']);
  };
  type Run = Record<string, unknown> & { state: string };
  const until = (id: number, states: string[]) =>
    untilIn(
      async () => (await admin.call('GET', `/tapi/import/${id}`, undefined, in2)).json<{ data: Run }>().data,
      states,
    );
  const count = async () =>
    (await admin.call('GET', '/tapi/holiday/count?filter=["name","contains","Gazette"]', undefined, in2)).json<{
      count: number;
    }>().count;
  expect(
    await run([
      ['Name', 'Date', 'Kind', 'Holiday list'],
      ['Gazette one', '14-01-2028', 'State', 'All'],
      ['Gazette two', '31-02-2028', 'Bank', 'All'],
    ]),
  ).toMatchObject({
    insert: 1,
    errors: [
      { row: 3, column: 'Date', message: '31-02-2028 is not a day of the calendar.' },
      {
        row: 3,
        column: 'Kind',
        message: '"Bank" is not one of National, State, Festival, Regional, Optional, Company.',
      },
    ],
  });
  expect(await count()).toBe(0);
  const checked = await run([
    ['Name', 'Date', 'Kind', 'Holiday list'],
    ['Gazette one', '14-01-2028', 'State', 'All'],
    ['Gazette two', '15-01-2028', 'Optional', 'All'],
  ]);
  expect(checked).toMatchObject({ state: 'checked', insert: 2, error_count: 0 });
  await admin.call('POST', `/tapi/import/${checked.id as number}/commit`, {}, in2);
  await until(checked.id as number, ['imported']);
  expect(await count()).toBe(2);
});

test('a holiday on a past day, entered, moved or imported, is reported to readers of the activity log', async () => {
  const in2 = { 'x-entity-id': String(acme.entityIds[1]) };
  await acme.user('auditor', {
    companies: [{ company: 2, roles: [await acme.role({ modules: ['SETTINGS'], actions: ['VIEW_AUDIT'] })] }],
  });
  await acme.sql('delete from {s}.notification');
  const told = () =>
    acme.sql<{ username: string; title: string }>(
      `select u.username, n.title from {s}.notification n join {s}.users u on u.id = n.user_id where n.event_code = 'holiday.changed' order by n.id`,
    );
  await make('holiday', { name: 'To come', date: '2031-01-14', holiday_type: 'state', holiday_group: 'All' }, in2);
  expect(await told()).toEqual([]);
  const id = await make(
    'holiday',
    { name: 'Election day', date: '2024-04-19', holiday_type: 'state', holiday_group: 'All' },
    in2,
  );
  expect(await told()).toEqual([{ username: 'auditor', title: 'Holidays on past days: Election day (19-04-2024)' }]);
  // Where it was counts as well as where it goes.
  expect((await admin.call('PUT', `/tapi/holiday/${id}`, { date: '2031-04-19', version: 1 }, in2)).statusCode).toBe(
    200,
  );
  expect((await told()).at(-1)).toEqual({
    username: 'auditor',
    title: 'Holidays on past days: Election day (19-04-2031)',
  });
  expect((await admin.call('PUT', `/tapi/holiday/${id}`, { paid: false, version: 2 }, in2)).statusCode).toBe(200);
  expect(await told()).toHaveLength(2);
  const book = XLSX.utils.book_new();
  XLSX.utils.book_append_sheet(
    book,
    XLSX.utils.aoa_to_sheet([
      ['Name', 'Date', 'Kind', 'Holiday list'],
      ['Bandh', '05-03-2024', 'State', 'All'],
      ['Flood', '06-03-2024', 'State', 'All'],
      ['Later', '06-03-2031', 'State', 'All'],
    ]),
    'Sheet1',
  );
  const { payload, headers } = upload('past.xlsx', XLSX.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer);
  const { data } = (
    await admin.call('POST', '/tapi/holiday/import?mode=all_or_nothing', payload, { ...headers, ...in2 })
  ).json<{ data: { id: number } }>();
  const state = async () =>
    (await admin.call('GET', `/tapi/import/${data.id}`, undefined, in2)).json<{ data: { state: string } }>().data.state;
  await expect.poll(state, { timeout: 60_000 }).toBe('checked');
  await admin.call('POST', `/tapi/import/${data.id}/commit`, {}, in2);
  await expect
    .poll(async () => (await told()).at(-1)?.title, { timeout: 60_000 })
    .toBe('Holidays on past days: Bandh (05-03-2024), Flood (06-03-2024)');
});

test('holidays move to the current financial year of their company; those of other companies stay', async () => {
  const years = () =>
    acme.sql<{ company: number; date: string; year: string }>(
      `select entity_id as company, date::text, financial_year as year from {s}.holiday where date in ('2030-02-03', '2030-05-06') order by date, entity_id`,
    );
  const [first, second] = acme.entityIds as [number, number];
  for (const date of ['2030-02-03', '2030-05-06'])
    for (const company of [first, second])
      await make(
        'holiday',
        { name: `Day ${date}`, date, holiday_type: 'state', holiday_group: 'Years' },
        { 'x-entity-id': String(company) },
      );
  const startIn = async (month: number) => {
    const { version } = (await admin.call('GET', `/tapi/entity/${first}`)).json<{ data: { version: number } }>().data;
    const answer = await admin.call('PUT', `/tapi/entity/${first}`, { fy_start_month: month, version });
    expect(answer.statusCode, answer.body).toBe(200);
    return (await years()).map(({ company, year }) => `${company === first ? 'first' : 'second'} ${year}`);
  };
  expect(await startIn(1)).toEqual(['first 2030-2031', 'second 2029-2030', 'first 2030-2031', 'second 2030-2031']);
  expect(await startIn(6)).toEqual(['first 2029-2030', 'second 2029-2030', 'first 2029-2030', 'second 2030-2031']);
  expect(await startIn(4)).toEqual(['first 2029-2030', 'second 2029-2030', 'first 2030-2031', 'second 2030-2031']);
});
