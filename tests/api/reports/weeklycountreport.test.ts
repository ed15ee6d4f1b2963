import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as XLSX from 'xlsx';
import type { ReportAnswer } from '../../../src/domain/report.ts';
import { countActivity } from '../../../src/server/platform/upkeep/activity_days.ts';
import weeklyActivity from '../../../src/server/modules/platform/weeklycountreport_report.ts';
import type { Asked } from './ask_source.ts';
import { askSource } from './ask_source.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

/** A Tuesday; the week before it is W53 2026. */
const TODAY = '2027-01-05';
const ids: Record<string, number> = {};
let world: World;
let acme: TestTenant;
let zenith: TestTenant;

beforeAll(async () => {
  world = await startWorld();
  [acme, zenith] = await Promise.all([world.tenant({ companies: 2 }), world.tenant()]);
  const screens = { SCN_WEEKLY_COUNT: { module: 'COMMON', pages: ['landing' as const] } };
  const of = (scope: 'own' | 'team' | 'branch' | 'company' | 'all_companies') => ({
    module: 'MASTERS',
    pages: ['landing' as const],
    scope,
  });
  const role = (scope: Parameters<typeof of>[0]) =>
    acme.role({ modules: ['MASTERS', 'COMMON'], screens: { ...screens, SCN_BRANCH: of(scope), SCN_ZONE: of(scope) } });
  ids.admin = await acme.user('admin', { isAdmin: true });
  for (const name of ['own', 'team', 'branch', 'company', 'all_companies'] as const)
    ids[name] = await acme.user(name, {
      companies: [
        { company: 1, roles: [await role(name)] },
        { company: 2, roles: [] },
      ],
    });
  const recordings = await acme.role({ modules: ['COMMON'], screens: { SCN_AI_TRANSCRIPTION: ['landing'] } });
  ids.fitter = await acme.user('fitter', { name: 'Farhan Fitter', companies: [{ company: 1, roles: [recordings] }] });
  const admin = await world.signIn(acme, 'admin');
  const make = async (type: string, record: object) => {
    const answer = await admin.call('POST', `/tapi/${type}`, record);
    expect(answer.statusCode, answer.body).toBe(201);
    return answer.json<{ data: { id: number } }>().data.id;
  };
  const [place] = await acme.sql<{ id: number; state_id: number; country_id: number }>(
    'select c.id, c.state_id, s.country_id from {s}.city_mstr c join {s}.state_mstr s on s.id = c.state_id',
  );
  const address = {
    branch_type: 'branch',
    address1: 'Road',
    city: place!.id,
    state_id: place!.state_id,
    country: place!.country_id,
    pincode: '600001',
  };
  ids.chennai = await make('branch', { code: 'B1', name: 'Chennai', ...address });
  ids.pune = await make('branch', { code: 'B2', name: 'Pune', ...address });
  ids.service = await make('department', { code: 'D1', name: 'Service' });
  ids.sales = await make('department', { code: 'D2', name: 'Sales' });
  const designation = await make('designation', { code: 'T1', name: 'Technician', level_no: 2 });
  let above: number | null = null;
  for (const [name, branch, department] of [
    ['team', 'chennai', 'service'],
    ['fitter', 'pune', 'service'],
    ['company', 'pune', 'sales'],
  ] as const) {
    const employee = await make('employee', {
      empno: name.toUpperCase(),
      first_name: name,
      mobile: '+919840012345',
      date_of_joining: '2024-04-01',
      employment_type: 'permanent',
      branch_id: ids[branch],
      department_id: ids[department],
      designation_id: designation,
      status: 'active',
      reporting_to_id: name === 'fitter' ? above : null,
    });
    await acme.sql('update {s}.users set employee_id = $1 where id = $2', [employee, ids[name]]);
    above = employee;
  }
  await acme.sql('update {s}.users__companies set branch_id = $1 where parent_id = $2 and entity_id = $3', [
    ids.pune,
    ids.branch,
    acme.entityIds[0],
  ]);
  world.app.services.store.forget();
});
afterAll(() => world.close());

let version = 0;
/** A line of the history; `at` where the client is. */
const did = (
  tenant: TestTenant,
  at: string,
  op: string,
  type: string,
  by: number | null,
  company: number | null,
  change: object | null = null,
) =>
  tenant.sql(
    'insert into {s}.history (record_type, record_id, entity_id, version, op, at, by, change) values ($1, 1, $2, $3, $4, $5, $6, $7)',
    [
      type,
      company === null ? null : tenant.entityIds[company - 1],
      ++version,
      op,
      `${at}:00+05:30`,
      by,
      change && JSON.stringify(change),
    ],
  );

beforeEach(async () => {
  for (const tenant of [acme, zenith]) await tenant.sql('delete from {s}.history');
  await acme.sql('delete from {s}.activity_day');
  await acme.sql('update {s}.activity_counted set until = null');
  // The last minutes of a week, of a month and of a year, and the first after them.
  await did(acme, '2026-12-27 23:59', 'I', 'branch', ids.fitter!, 1);
  await did(acme, '2026-12-28 00:00', 'I', 'branch', ids.fitter!, 1);
  await did(acme, '2026-12-31 23:59', 'U', 'branch', ids.fitter!, 1);
  await did(acme, '2027-01-01 00:01', 'U', 'branch', ids.team!, 1);
  await did(acme, '2027-01-03 23:59', 'X', 'branch', ids.company!, 1);
  await did(acme, '2027-01-04 00:00', 'A', 'branch', ids.company!, 1);
  await did(acme, '2027-01-05 09:30', 'I', 'zone', ids.own!, null);
  await did(acme, '2027-01-05 09:31', 'D', 'zone', null, null);
  await did(acme, '2026-12-30 10:00', 'I', 'branch', ids.all_companies!, 2);
  await did(acme, '2026-12-30 10:00', 'U', 'tis_inspection', ids.fitter!, 1, { status: ['submitted', 'issued'] });
  await did(acme, '2026-12-30 10:01', 'U', 'tis_inspection', ids.fitter!, 1, { status: ['planned', 'submitted'] });
  await did(acme, '2026-12-30 10:02', 'U', 'tis_inspection', ids.fitter!, 1, { summary: [null, 'issued'] });
  await did(acme, '2026-12-30 10:03', 'I', 'transcription', ids.fitter!, null);
  await did(zenith, '2026-12-30 10:00', 'I', 'zone', null, null);
});

type Row = Record<string, unknown>;
async function ask(who: string, more: Partial<Asked> = {}) {
  const { rows, pivot, note } = await askSource(world, acme, weeklyActivity, ids[who]!, {
    today: TODAY,
    by: ['module'],
    ...more,
    parameters: { weeks: 3, ...more.parameters },
  });
  return {
    rows: rows as Row[],
    pivot,
    note,
    told: (rows as Row[])
      .map((row) =>
        [
          ...(more.by ?? ['module']).map((name) => row[`${name}__label`]),
          row.week,
          ...[row.made, row.changed, row.closed].map((count) => count ?? 0),
        ].join(' '),
      )
      .sort(),
  };
}

describe('the figures', () => {
  it('are of weeks from Monday to Sunday in the client’s time zone, across the end of month and year', async () => {
    const { told, pivot } = await ask('company');
    expect(pivot).toEqual([
      { value: '2026-12-21', title: 'W52 2026' },
      { value: '2026-12-28', title: 'W53 2026' },
      { value: '2027-01-04', title: 'W01 2027' },
    ]);
    expect(told).toEqual(['Masters 2026-12-21 1 0 0', 'Masters 2026-12-28 1 2 1', 'Masters 2027-01-04 1 1 1']);
  });

  it('count a final state as a closing; other steps, and the same word in another field, do not count', async () => {
    expect((await ask('admin', { by: ['module', 'record_type'], within: { module: 'FMS' } })).told).toEqual([
      'Field service Inspections 2026-12-28 0 2 1',
    ]);
  });

  it('open from module to list to person', async () => {
    const { told, rows } = await ask('company', {
      by: ['module', 'record_type', 'person'],
      within: { module: 'MASTERS', record_type: 'zone' },
    });
    expect(told).toEqual(['Masters Zones Person own 2027-01-04 1 0 0', 'Masters Zones The system 2027-01-04 0 0 1']);
    expect(rows.map(({ person }) => person)).toEqual([ids.own, null]);
  });
});

describe('nightly counts', () => {
  const all = async () => [
    await ask('admin'),
    await ask('company', { by: ['module', 'record_type', 'person'] }),
    await ask('all_companies', { by: ['module', 'record_type'] }),
  ];
  const stored = () => acme.sql('select * from {s}.activity_day order by day, entity_id, record_type, user_id');

  it('agree with the history; a second run and a run for earlier days change nothing', async () => {
    const live = await all();
    // Some days counted, the rest live; then a run that catches up.
    expect(await countActivity(acme, world.screens, '2026-12-31')).toBeGreaterThan(0);
    expect(await all()).toEqual(live);
    expect(await countActivity(acme, world.screens, TODAY)).toBeGreaterThan(0);
    expect(await all()).toEqual(live);
    const rows = await stored();
    expect(rows.filter(({ day }) => day === TODAY)).toEqual([]);
    for (const day of [TODAY, '2026-12-30']) expect(await countActivity(acme, world.screens, day)).toBe(0);
    expect(await stored()).toEqual(rows);
    expect(await acme.sql('select until::text from {s}.activity_counted')).toEqual([{ until: '2027-01-04' }]);
  });

  it('do not read the history again for counted days', async () => {
    await countActivity(acme, world.screens, TODAY);
    const { told } = await ask('company');
    await acme.sql('delete from {s}.history where at < $1', [`${TODAY}T00:00:00+05:30`]);
    expect((await ask('company')).told).toEqual(told);
  });

  it('are a nightly job', async () => {
    await world.app.jobs.enqueue(acme.schema, 'activity_count');
    await world.app.jobs.drain();
    const [run] = await world.database.directory.main.query<{ state: string; message: string }>(
      `select state, message from public.job where schema_name = $1 and name = 'activity_count' order by id desc limit 1`,
      [acme.schema],
    );
    expect(run).toMatchObject({ state: 'done', message: expect.stringMatching(/^\d+ rows added\.$/) as string });
  });
});

describe('the reader’s view', () => {
  it('is filtered by module, branch, department and user', async () => {
    const total = async (parameters: Row) => (await ask('admin', { parameters })).told;
    expect(await total({ module: 'FMS' })).toEqual(['Field service 2026-12-28 0 2 1']);
    expect(await total({ branch: ids.chennai })).toEqual(['Masters 2026-12-28 0 1 0']);
    expect(await total({ department: ids.sales })).toEqual(['Masters 2026-12-28 0 0 1', 'Masters 2027-01-04 0 1 0']);
    expect(await total({ user: ids.fitter, module: 'MASTERS' })).toEqual([
      'Masters 2026-12-21 1 0 0',
      'Masters 2026-12-28 1 1 0',
    ]);
    expect(await total({ weeks: 1 })).toEqual(['Masters 2027-01-04 1 1 1']);
  });

  it('includes only permitted lists, and of private records only one’s own', async () => {
    expect((await ask('company', { parameters: { module: 'FMS' } })).rows).toEqual([]);
    expect(
      (await ask('admin', { by: ['module', 'record_type'] })).rows.filter(
        ({ record_type: type }) => type === 'transcription',
      ),
    ).toEqual([]);
    expect((await ask('fitter', { by: ['module', 'record_type'] })).told).toEqual([
      'Common Transcriptions 2026-12-28 1 0 0',
    ]);
  });

  it('with a narrower scope includes one’s own actions, those of the team, or of people of one’s branches', async () => {
    expect(await ask('own')).toMatchObject({
      told: ['Masters 2027-01-04 1 0 0'],
      note: expect.stringContaining('only your own work') as string,
    });
    expect((await ask('admin')).note).toBeUndefined();
    expect((await ask('team')).told).toEqual(['Masters 2026-12-21 1 0 0', 'Masters 2026-12-28 1 2 0']);
    expect((await ask('branch')).told).toEqual([
      'Masters 2026-12-21 1 0 0',
      'Masters 2026-12-28 1 1 1',
      'Masters 2027-01-04 0 1 0',
    ]);
  });

  it('includes the current company, or all permitted ones; never another client', async () => {
    expect((await ask('company')).told).toContain('Masters 2026-12-28 1 2 1');
    expect((await ask('all_companies')).told).toContain('Masters 2026-12-28 2 2 1');
    expect((await ask('admin')).told).toContain('Masters 2026-12-28 1 2 1');
  });
});

describe('the page', () => {
  const rowsOf = async (caller: Caller, query: string) => {
    const answer = await caller.call('GET', `/tapi/report/weeklycountreport/rows?${query}`);
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json<{ data: ReportAnswer }>().data;
  };

  it('shows twelve weeks with totals of rows and columns, expands level by level, and agrees with its export', async () => {
    const admin = await world.signIn(acme, 'admin');
    await acme.sql('delete from {s}.history');
    for (const type of ['zone', 'zone', 'branch'])
      await acme.sql(
        `insert into {s}.history (record_type, record_id, entity_id, version, op, by) values ($1, 1, $2, 1, 'I', $3)`,
        [type, acme.entityIds[0], ids.fitter],
      );
    const top = await rowsOf(admin, '');
    expect(top.parameters).toMatchObject({ weeks: 12 });
    expect(top.columns.filter(({ of }) => of === 'made')).toHaveLength(13);
    expect(top.chart!.series).toEqual([
      { title: 'Created', values: [...Array<number>(11).fill(0), 3] },
      ...['Changed', 'Closed'].map((title) => ({ title, values: Array<number>(12).fill(0) })),
    ]);
    expect(top.rows).toMatchObject([
      { module: 'MASTERS', module__label: 'Masters', '.total.made': 3, '.total.closed': 0 },
    ]);
    expect(top.totals).toMatchObject({ '.total.made': 3 });
    const opened = await rowsOf(admin, `weeks=1&by=record_type&within=${encodeURIComponent('{"module":"MASTERS"}')}`);
    expect(opened.rows.map((row) => [row.record_type__label, row['.total.made']])).toEqual([
      ['Branches', 1],
      ['Zones', 2],
    ]);
    const sheet = await admin.call('GET', '/tapi/report/weeklycountreport/export.xlsx?weeks=1');
    const book = XLSX.read(sheet.rawPayload);
    const cells = XLSX.utils.sheet_to_json<unknown[]>(book.Sheets[book.SheetNames[0]!]!, { header: 1 });
    expect(cells.slice(1).map((row) => row.slice(0, 4))).toEqual([
      ['Masters', 'Branches', 'Farhan Fitter', 1],
      ['Masters', 'Zones', 'Farhan Fitter', 2],
      ['Total', undefined, undefined, 3],
    ]);
  });

  it('refuses more than half a year of weeks, and people without the right', async () => {
    const [company, fitter] = await Promise.all([world.signIn(acme, 'company'), world.signIn(acme, 'fitter')]);
    const refused = await company.call('GET', '/tapi/report/weeklycountreport/rows?weeks=27');
    expect([refused.statusCode, refused.json<{ error: { field: string } }>().error.field]).toEqual([422, 'weeks']);
    for (const path of ['', '/rows', '/export.xlsx'])
      expect((await fitter.call('GET', `/tapi/report/weeklycountreport${path}`)).statusCode).toBe(403);
  });
});
