import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as XLSX from 'xlsx';
import type { ReportAnswer } from '../../../src/domain/report.ts';
import { monthsOf } from '../../../src/domain/head_count.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

let world: World;
let acme: TestTenant;
let hr: Caller;
let own: Caller;
let ofBranch: Caller;
let group: Caller;
let guest: Caller;
const ids: Record<string, number> = {};
/** Days from today, where the client is. */
const at = (days: number) => new Date(Date.now() + days * 86_400_000 + 5.5 * 3_600_000).toISOString().slice(0, 10);

beforeAll(async () => {
  world = await startWorld({ types: [] });
  const zenith = await world.tenant();
  acme = await world.tenant({ companies: 2 });
  const role = (scope: 'own' | 'branch' | 'all_companies') =>
    acme.role({ modules: ['MASTERS'], screens: { SCN_EMPLOYEE: { pages: ['landing'], scope } } });
  await acme.user('hr', { isAdmin: true, companies: [{ company: 1 }] });
  await acme.user('second', { isAdmin: true, companies: [{ company: 2 }] });
  await zenith.user('hr', { isAdmin: true, companies: [{ company: 1 }] });
  const ownUser = await acme.user('own', { companies: [{ company: 1, roles: [await role('own')] }] });
  const all = await role('all_companies');
  await acme.user('group', {
    companies: [
      { company: 1, roles: [all] },
      { company: 2, roles: [all] },
    ],
  });
  await acme.user('guest', {
    companies: [
      { company: 1, roles: [await acme.role({ modules: ['MASTERS'], screens: { SCN_BRANCH: ['landing'] } })] },
    ],
  });
  hr = await world.signIn(acme, 'hr');
  const fill = async (tenant: TestTenant, caller: Caller, prefix: string) => {
    const add = async (type: string, record: object) => {
      const answer = await caller.call('POST', `/tapi/${type}`, record);
      expect(answer.statusCode, answer.body).toBe(201);
      return answer.json<{ data: { id: number } }>().data.id;
    };
    const [place] = await tenant.sql<{ id: number; state_id: number; country_id: number }>(
      'select c.id, c.state_id, s.country_id from {s}.city_mstr c join {s}.state_mstr s on s.id = c.state_id',
    );
    const branch = async (name: string) =>
      (ids[`${prefix}${name}`] = await add('branch', {
        code: name.slice(0, 3),
        name,
        branch_type: 'branch',
        address1: 'Road',
        city: place!.id,
        state_id: place!.state_id,
        country: place!.country_id,
        pincode: '600001',
      }));
    await branch('Chennai');
    await branch('Kochi');
    for (const name of ['Service', 'Sales']) ids[`${prefix}${name}`] = await add('department', { code: name, name });
    return add;
  };
  const person = (prefix: string, [first_name, branch, department, designation]: string[], more: object) => ({
    empno: first_name,
    first_name,
    mobile: '+919840012345',
    date_of_joining: at(-1000),
    branch_id: ids[`${prefix}${branch!}`],
    department_id: ids[`${prefix}${department!}`],
    designation_id: ids[`${prefix === 'zenith ' ? prefix : ''}${designation!}`],
    ...more,
  });
  const add = await fill(acme, hr, '');
  const skills = await add('skillsgroup', { code: 'LFT', name: 'Lifts' });
  const other = await add('skillsgroup', { code: 'SAF', name: 'Safety' });
  ids.Lifts = skills;
  ids.Doors = await add('competencies', { code: 'A', name: 'Doors', skillsgroup_id: skills });
  ids.Rescue = await add('competencies', { code: 'B', name: 'Rescue', skillsgroup_id: other });
  ids.Manager = await add('designation', {
    code: 'MGR',
    name: 'Manager',
    level_no: 2,
    competencies: [{ competency_id: ids.Doors, required_level: 5 }],
  });
  ids.Technician = await add('designation', {
    code: 'TEC',
    name: 'Technician',
    level_no: 3,
    manager_designation_id: ids.Manager,
    competencies: [
      { competency_id: ids.Doors, required_level: 3 },
      { competency_id: ids.Rescue, required_level: 4 },
    ],
  });
  const doors = (level: number, day = -10) => ({ competency_id: ids.Doors, level, assessed_on: at(day) });
  const rescue = (level: number) => ({ competency_id: ids.Rescue, level });
  const hire = async (name: string, where: string[], more: object) =>
    (ids[name] = await add('employee', person('', [name, ...where], more)));
  await hire('Anand', ['Chennai', 'Service', 'Manager'], { skills: [doors(3), doors(5, -500)] });
  await hire('Bala', ['Chennai', 'Service', 'Technician'], { reporting_to_id: ids.Anand, skills: [doors(2)] });
  await hire('Chitra', ['Chennai', 'Service', 'Technician'], {
    reporting_to_id: ids.Bala,
    date_of_joining: at(-100),
    skills: [doors(5), rescue(4)],
  });
  await hire('Devi', ['Kochi', 'Sales', 'Technician'], { reporting_to_id: ids.Anand, skills: [doors(3), rescue(2)] });
  await hire('Farid', ['Kochi', 'Sales', 'Manager'], { reporting_to_id: ids.Anand, skills: [doors(5)] });
  await hire('Esha', ['Kochi', 'Sales', 'Technician'], { reporting_to_id: ids.Farid });
  const reason = await add('reason', { code: 'LV', name: 'Better offer', used_for: ['leaving'] });
  const change = async (name: string, call: string, body: object) => {
    const answer = await hr.call('POST', `/tapi/employee/${ids[name]!}/${call}`, body);
    expect(answer.statusCode, answer.body).toBe(200);
  };
  await change('Bala', 'move', { effective_from: at(-40), branch_id: ids.Kochi, department_id: ids.Sales });
  await change('Chitra', 'move', { effective_from: at(9), branch_id: ids.Kochi, department_id: ids.Sales });
  await change('Devi', 'leave', { last_working_day: at(-30), leaving_reason_id: reason });
  await change('Devi', 'rejoin', { effective_from: at(-10) });
  await change('Esha', 'leave', { last_working_day: at(-20), leaving_reason_id: reason });
  await acme.sql('update {s}.department set head_id = $1 where id = $2', [ids.Chitra, ids.Service]);
  await acme.sql('update {s}.users set employee_id = $1 where id = $2', [ids.Chitra, ownUser]);
  await acme.user('branch', { companies: [{ company: 1, roles: [await role('branch')], branchId: ids.Chennai }] });

  const second = await world.signIn(acme, 'second');
  const addSecond = await fill(acme, second, 'second ');
  await addSecond('employee', person('second ', ['Gopal', 'Kochi', 'Sales', 'Technician'], {}));
  const stranger = await world.signIn(zenith, 'hr');
  const addZenith = await fill(zenith, stranger, 'zenith ');
  ids['zenith Technician'] = await addZenith('designation', { code: 'TEC', name: 'Technician', level_no: 3 });
  await addZenith('employee', person('zenith ', ['Hari', 'Kochi', 'Sales', 'Technician'], {}));
  [own, ofBranch, group, guest] = (await Promise.all(
    ['own', 'branch', 'group', 'guest'].map((name) => world.signIn(acme, name)),
  )) as [Caller, Caller, Caller, Caller];
});
afterAll(() => world.close());

async function ask(name: string, query: Record<string, unknown> = {}, caller = hr): Promise<ReportAnswer> {
  const answer = await caller.call(
    'GET',
    `/tapi/report/${name}/rows?${new URLSearchParams(Object.entries(query).map(([key, value]) => [key, typeof value === 'object' ? JSON.stringify(value) : String(value)])).toString()}`,
  );
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ data: ReportAnswer }>().data;
}
/** A row as one line: its name, then the columns. */
const lines = ({ rows }: ReportAnswer, name: string, columns: string[]) =>
  rows.map((row) => [row[`${name}__label`] ?? row[name], ...columns.map((column) => row[column] ?? '–')].join(' '));

describe('head-count movement', () => {
  const MOVES = ['opening', 'joined', 'moved_in', 'moved_out', 'left_us', 'closing'];
  const moves = async (query: Record<string, unknown> = {}, caller = hr) =>
    lines(await ask('head_count_movement', query, caller), 'name', [...MOVES, 'attrition']);

  it('shows the last twelve months by department: returning people have joined, planned changes wait', async () => {
    const answer = await ask('head_count_movement');
    expect(answer.parameters).toMatchObject({ to: at(0), group_by: 'department', branch_id: null });
    expect(lines(answer, 'name', [...MOVES, 'attrition'])).toEqual([
      'Sales 3 1 1 0 2 3 66.67',
      'Service 2 1 0 1 0 2 0.00',
    ]);
    expect(answer.totals).toEqual({
      opening: 5,
      joined: 2,
      moved_in: 1,
      moved_out: 1,
      left_us: 2,
      closing: 5,
      attrition: '40.00',
    });
    expect(answer.chart!.x).toHaveLength(13);
    expect(answer.chart!.series).toHaveLength(1);
    expect(answer.chart!.series[0]!.values.at(-1)).toBe(5);
    expect(answer.figures.map(({ title, value }) => `${title} ${value}`)).toEqual([
      'Head count 5',
      'Joined 2',
      'Left 2',
      'Attrition 40.00 %',
    ]);
  });

  it('by branch and designation, and filtered: people from elsewhere have moved in', async () => {
    expect(await moves({ group_by: 'branch' })).toEqual(['Chennai 2 1 0 1 0 2 0.00', 'Kochi 3 1 1 0 2 3 66.67']);
    expect(await moves({ group_by: 'designation' })).toEqual([
      'Manager 2 0 0 0 0 2 0.00',
      'Technician 3 2 0 0 2 3 66.67',
    ]);
    expect(await moves({ branch_id: ids.Kochi, group_by: 'designation' })).toEqual([
      'Manager 1 0 0 0 0 1 0.00',
      'Technician 2 1 1 0 2 2 100.00',
    ]);
    expect(await moves({ department_id: ids.Service })).toEqual(['Service 2 1 0 1 0 2 0.00']);
    expect(await moves({ branch_id: ids.Chennai, department_id: ids.Sales })).toEqual([]);
  });

  it('by month is continuous, with the same totals', async () => {
    const { rows, totals, chart } = await ask('head_count_movement', { group_by: 'month', from: at(-60) });
    expect(rows.map(({ name }) => name)).toEqual(monthsOf(at(-60), at(0)));
    for (const [index, { opening, closing, joined, left_us: left }] of (rows as Record<string, number>[]).entries()) {
      expect(opening! + joined! - left!).toBe(closing);
      if (index > 0) expect(opening).toBe(rows[index - 1]!.closing);
      expect(chart!.series[0]!.values[index]).toBe(closing);
    }
    expect(totals).toEqual({
      opening: 6,
      joined: 1,
      moved_in: 0,
      moved_out: 0,
      left_us: 2,
      closing: 5,
      attrition: '36.36',
    });
  });

  it('the last working day and the first day count', async () => {
    const day = async (days: number) => (await moves({ from: at(days), to: at(days) }))[0];
    expect(await day(-30)).toBe('Sales 4 0 0 0 1 3 28.57');
    expect(await day(-29)).toBe('Sales 3 0 0 0 0 3 0.00');
    expect(await day(-10)).toBe('Sales 2 1 0 0 0 3 0.00');
    expect(await day(-40)).toBe('Sales 3 0 1 0 0 4 0.00');
  });

  it('includes visible people only', async () => {
    expect(await moves({}, own)).toEqual(['Service 0 1 0 0 0 1 0.00']);
    expect(await moves({}, ofBranch)).toEqual(['Service 1 1 0 0 0 2 0.00']);
    expect((await ask('head_count_movement', {}, group)).totals).toMatchObject({ opening: 6, closing: 6 });
    expect((await guest.call('GET', '/tapi/report/head_count_movement/rows')).statusCode).toBe(403);
  });

  it('names the invalid parameter', async () => {
    const wrong = async (query: string) =>
      (await hr.call('GET', `/tapi/report/head_count_movement/rows?${query}`)).json<{
        error: { field: string; message: string };
      }>().error;
    expect(await wrong(`from=${at(0)}&to=${at(-1)}`)).toMatchObject({
      field: 'to',
      message: 'The end cannot be before the start.',
    });
    expect(await wrong('from=1999-01-01')).toMatchObject({ field: 'from', message: 'Choose at most ten years.' });
    expect(await wrong('from=31-02-2025')).toMatchObject({ field: 'from' });
    expect(await wrong('group_by=colour')).toMatchObject({ field: 'group_by' });
  });

  it('has the same figures in Excel', async () => {
    const sheet = await hr.call('GET', '/tapi/report/head_count_movement/export.xlsx?group_by=branch');
    expect(sheet.statusCode).toBe(200);
    const book = XLSX.read(sheet.rawPayload);
    const cells = XLSX.utils.sheet_to_json<unknown[]>(book.Sheets[book.SheetNames[0]!]!, { header: 1 });
    expect(cells.find(([first]) => first === 'Kochi')).toEqual(['Kochi', 3, 1, 1, 0, 2, 3, expect.anything()]);
  });
});

describe('span of control', () => {
  const spans = async (query: Record<string, unknown> = {}, caller = hr) =>
    lines(await ask('span_of_control', query, caller), 'employee_id', ['direct', 'everyone', 'depth']);

  it('counts active reportees, and includes managers whose people have left and heads without people', async () => {
    const answer = await ask('span_of_control');
    expect(
      lines(answer, 'employee_id', ['designation_id__label', 'department_id__label', 'direct', 'everyone', 'depth']),
    ).toEqual([
      'Anand Manager Service 3 4 2',
      'Bala Technician Sales 1 1 1',
      'Chitra Technician Service 0 0 0',
      'Farid Manager Sales 0 0 0',
    ]);
    expect(answer.figures.map(({ title, value }) => `${title} ${value}`)).toEqual([
      'Managers 4',
      'Average span 2.0',
      'Deepest 2',
    ]);
  });

  it('is filtered by the manager’s department and branch', async () => {
    expect(await spans({ department_id: ids.Sales })).toEqual(['Bala 1 1 1', 'Farid 0 0 0']);
    expect(await spans({ branch_id: ids.Chennai })).toEqual(['Anand 3 4 2', 'Chitra 0 0 0']);
    expect((await hr.call('GET', '/tapi/report/span_of_control/rows?branch_id=here')).json()).toMatchObject({
      error: { field: 'branch_id' },
    });
  });

  it('includes visible people only', async () => {
    expect(await spans({}, own)).toEqual(['Chitra 0 0 0']);
    expect(await spans({}, ofBranch)).toEqual(['Anand 0 1 2', 'Chitra 0 0 0']);
    expect((await ask('span_of_control', {}, ofBranch)).note).toBe('Only people you may see are counted.');
    expect((await ask('span_of_control', {}, group)).note).toBeUndefined();
    expect((await guest.call('GET', '/tapi/report/span_of_control/rows')).statusCode).toBe(403);
  });
});

describe('competency gap', () => {
  const gaps = async (query: Record<string, unknown> = {}, caller = hr) => {
    const answer = await ask('competency_gap', query, caller);
    return lines(answer, query.by === undefined ? 'department_id' : 'employee_id', [
      'people',
      'below',
      'average',
      `${ids.Doors}.gap`,
      `${ids.Rescue}.gap`,
    ]);
  };

  it('shows the average missing levels of people whose designation requires the competency; the newest assessment counts', async () => {
    const answer = await ask('competency_gap');
    expect(answer.columns.map(({ title }) => title)).toEqual([
      'Department',
      'People',
      'Below the level',
      'Average gap',
      'Doors',
      'Rescue',
    ]);
    expect(await gaps()).toEqual(['Sales 3 2 1.4 0.3 3.0', 'Service 2 1 0.7 1.0 0.0']);
    expect(answer.totals).toEqual({
      people: 5,
      below: 3,
      average: '1.1',
      [`${ids.Doors}.gap`]: '0.6',
      [`${ids.Rescue}.gap`]: '2.0',
    });
  });

  it('opens from a department to its people, with the same columns', async () => {
    expect(await gaps({ by: 'employee_id', within: { department_id: ids.Sales } })).toEqual([
      'Bala 1 1 2.5 1.0 4.0',
      'Devi 1 1 1.0 0.0 2.0',
      'Farid 1 0 0.0 0.0 –',
    ]);
    expect(
      (
        await hr.call(
          'GET',
          `/tapi/report/competency_gap/rows?by=employee_id&within=${encodeURIComponent('{"department_id":"x or true"}')}`,
        )
      ).statusCode,
    ).toBe(400);
  });

  it('is filtered by department, designation, skills group and competency', async () => {
    expect(await gaps({ department_id: ids.Service })).toEqual(['Service 2 1 0.7 1.0 0.0']);
    expect(await gaps({ designation_id: ids.Manager })).toEqual(['Sales 1 0 0.0 0.0 –', 'Service 1 1 2.0 2.0 –']);
    expect(await gaps({ skillsgroup_id: ids.Lifts })).toEqual(['Sales 3 1 0.3 0.3 –', 'Service 2 1 1.0 1.0 –']);
    expect(await gaps({ competency_id: ids.Rescue })).toEqual(['Sales 2 2 3.0 – 3.0', 'Service 1 0 0.0 – 0.0']);
  });

  it('includes visible people only', async () => {
    expect(await gaps({}, own)).toEqual(['Service 1 0 0.0 0.0 0.0']);
    expect((await ask('competency_gap', {}, own)).note).toMatch(/Only people you may see are counted\.$/);
    expect((await guest.call('GET', '/tapi/report/competency_gap/rows')).statusCode).toBe(403);
  });

  it('hides a field that roles hide from somebody, also in Excel', async () => {
    const role = await acme.role({
      modules: ['MASTERS'],
      screens: { SCN_EMPLOYEE: { pages: ['landing'], scope: 'company' } },
      actions: ['EXPORT_DATA'],
    });
    await acme.user('kept', { companies: [{ company: 1, roles: [role] }] });
    const kept = await world.signIn(acme, 'kept');
    const keep = async (field: string, access: string) => {
      const { version } = (await hr.call('GET', `/tapi/screen_rights/${role}`)).json<{
        data: { role: { version: number } };
      }>().data.role;
      expect(
        (
          await hr.call('PUT', `/tapi/screen_rights/${role}`, {
            version,
            fields: [{ record_type: 'employee', field, access }],
          })
        ).statusCode,
      ).toBe(200);
    };
    expect((await ask('competency_gap', {}, kept)).rows.length).toBeGreaterThan(0);
    await keep('skills', 'hidden');
    expect(await ask('competency_gap', {}, kept)).toMatchObject({
      rows: [],
      totals: null,
      note: 'These figures would reveal “Skills” of employees, which you may not see.',
    });
    expect((await ask('head_count_movement', {}, kept)).rows.length).toBeGreaterThan(0);
    const file = await kept.call('GET', '/tapi/report/competency_gap/export.xlsx');
    expect(file.statusCode).toBe(200);
    expect(JSON.stringify(Object.values(XLSX.read(file.rawPayload).Sheets))).not.toMatch(/Service|Sales/);
    await keep('skills', 'read');
    expect((await ask('competency_gap', {}, kept)).rows.length).toBeGreaterThan(0);
    await keep('date_of_leaving', 'hidden');
    expect((await ask('head_count_movement', {}, kept)).rows).toEqual([]);
    expect((await ask('head_count_movement')).rows.length).toBeGreaterThan(0);
  });
});
