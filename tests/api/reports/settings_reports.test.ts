import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as XLSX from 'xlsx';
import type { ReportAnswer } from '../../../src/domain/report.ts';
import { ensureTables } from '../../../src/server/db/tenants.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';

let world: World;
let acme: TestTenant;
const callers: Record<string, Caller> = {};
const ids: Record<string, number> = {};
/** Days from today, where the client is. */
const at = (days: number) => new Date(Date.now() + days * 86_400_000 + 5.5 * 3_600_000).toISOString().slice(0, 10);

/** The chief is of two companies, and asks in the first. */
const headersOf = (who: string): Record<string, string> =>
  who === 'chief' ? { 'x-entity-id': String(acme.entityIds[0]) } : {};
const raw = (who: string, report: string, parameters: Record<string, string | number> = {}, what = 'rows') =>
  callers[who]!.call(
    'GET',
    `/tapi/report/${report}/${what}?${new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)])).toString()}`,
    undefined,
    headersOf(who),
  );
async function ask(
  who: string,
  report: string,
  parameters: Record<string, string | number> = {},
): Promise<ReportAnswer> {
  const answer = await raw(who, report, parameters);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ data: ReportAnswer }>().data;
}
const column = ({ rows }: ReportAnswer, name: string) => rows.map((row) => row[name]);

beforeAll(async () => {
  world = await startWorld({
    types: ['escalation_log', 'escalations_sent', 'esclation', 'lead_source', 'tis_inspection'],
  });
  const zenith = await world.tenant({ products: ['ANALYTICS'] });
  acme = await world.tenant({ products: ['ANALYTICS'], companies: 2 });
  await acme.user('chief', { isAdmin: true, companies: [{ company: 1 }, { company: 2 }] });
  await acme.user('second', { isAdmin: true, companies: [{ company: 2 }] });
  await zenith.user('chief', { isAdmin: true });
  callers.chief = await world.signIn(acme, 'chief');
  callers.zenith = await world.signIn(zenith, 'chief');
  const add = async (who: string, type: string, record: object, company = 1) => {
    const answer = await callers[who]!.call(
      'POST',
      `/tapi/${type}`,
      record,
      who === 'chief' ? { 'x-entity-id': String(acme.entityIds[company - 1]) } : {},
    );
    expect(answer.statusCode, answer.body).toBe(201);
    return answer.json<{ data: { id: number } }>().data.id;
  };
  for (const [who, tenant] of [
    ['chief', acme],
    ['zenith', zenith],
  ] as const) {
    await ensureTables(tenant, world.app.store.screens(), [
      'escalation_log',
      'esclation',
      'delegation',
      'api_config',
      'api_use',
      'sync_source',
      'sync_job',
      'sync_run',
    ]);
    const [place] = await tenant.sql<{ id: number; state_id: number; country_id: number }>(
      'select c.id, c.state_id, s.country_id from {s}.city_mstr c join {s}.state_mstr s on s.id = c.state_id',
    );
    const prefix = who === 'chief' ? '' : 'z';
    for (const [name, company] of [
      ['Chennai', 1],
      ['Kochi', 1],
      ...(who === 'chief' ? [['Pune', 2] as const] : []),
    ] as const)
      ids[prefix + name] = await add(
        who,
        'branch',
        {
          code: name.slice(0, 3),
          name,
          branch_type: 'branch',
          address1: 'Road',
          city: place!.id,
          state_id: place!.state_id,
          country: place!.country_id,
          pincode: '600001',
          holiday_group: 'South',
        },
        company,
      );
    for (const [name, branch, company] of [
      ['Anand', 'Chennai', 1],
      ['Bala', 'Kochi', 1],
      ...(who === 'chief' ? [['Gita', 'Pune', 2] as const] : []),
    ] as const) {
      const department = await add(who, 'department', { code: name, name: `Of ${name}` }, company);
      ids.post ??= await add('chief', 'designation', { code: 'T', name: 'Technician', level_no: 3 });
      const post = who === 'chief' ? ids.post : await add(who, 'designation', { code: name, name, level_no: 3 });
      ids[prefix + name] = await add(
        who,
        'employee',
        {
          empno: name,
          first_name: name,
          mobile: '+919840012345',
          date_of_joining: '2024-04-01',
          employment_type: 'permanent',
          status: 'active',
          branch_id: ids[prefix + branch],
          department_id: department,
          designation_id: post,
        },
        company,
      );
    }
  }
  const scoped = (scope: 'own' | 'branch' | 'company') => (pages: ('landing' | 'view_screen')[]) => ({ pages, scope });
  const [own, branch, company] = [
    scoped('own')(['landing']),
    scoped('branch')(['landing']),
    scoped('company')(['landing']),
  ];
  const keeper = await acme.role({
    modules: ['MASTERS', 'SETTINGS'],
    screens: {
      SCN_ESCLATION: { ...company, module: 'SETTINGS' },
      SCN_HOLIDAY: company,
      SCN_BRANCH: own,
      SCN_EMPLOYEE: branch,
      SCN_DELEGATION: own,
      SCN_API_CONFIG: company,
    },
  });
  await acme.user('keeper', { companies: [{ company: 1, roles: [keeper], branchId: ids.Kochi! }] });
  await acme.sql('update {s}.users set employee_id = $1 where username = $2', [ids.Bala, 'keeper']);
  await acme.user('guest', {
    companies: [
      { company: 1, roles: [await acme.role({ modules: ['MASTERS'], screens: { SCN_DEPARTMENT: ['landing'] } })] },
    ],
  });
  for (const name of ['keeper', 'guest', 'second']) callers[name] = await world.signIn(acme, name);

  const rule = (event: string, name: string) =>
    add('chief', 'esclation', {
      code: name,
      name,
      module: 'employee',
      event,
      level: 1,
      recipients: [{ copy: 'to', kind: 'manager_1' }],
      channels: ['mail'],
      subject: 'x',
      body: 'y',
    });
  [ids.ends, ids.runsOut] = [await rule('ending', 'ENDS'), await rule('expiring', 'PAPERS')];
  const log = (
    sql: TestTenant['sql'],
    id: number | undefined,
    level: number,
    record: number | undefined,
    name: string,
    due: string,
    sent: string,
    to: string,
  ) =>
    sql(
      `insert into {s}.escalation_log (esclation_id, level, record_type, record_id, row_id, record, due_on, sent_at, delay_days, recipients) values ($1, $2, 'employee', $3, 0, $4, $5, $6, 0, $7)`,
      [id, level, record, name, due, sent, to],
    );
  await log(acme.sql, ids.ends, 1, ids.Anand, 'Anand', '2026-03-30', '2026-03-30T20:00:00Z', 'Head of service');
  await log(acme.sql, ids.ends, 1, ids.Bala, 'Bala', '2026-03-30', '2026-03-30T05:00:00Z', 'Head of service, HR');
  await log(acme.sql, ids.runsOut, 2, ids.Anand, 'Anand', '2026-05-01', '2026-05-03T04:30:00Z', 'HR');
  await log(acme.sql, ids.ends, 1, ids.Gita, 'Gita', '2026-05-01', '2026-05-01T04:30:00Z', 'HR of the other');
  await zenith.sql(
    `insert into {s}.esclation (code, name, module, event, channels, subject, body) values ('Z', 'Z', 'employee', 'ending', '{mail}', 'x', 'y')`,
  );
  await log(zenith.sql, 1, 1, ids.zAnand, 'Of Zenith', '2026-03-30', '2026-03-30T05:00:00Z', 'HR');

  const delegate = (
    entity: number,
    from: string,
    to: string,
    days: [number, number],
    state: string,
    more: [string, string[], string | null] = ['all', [], null],
  ) =>
    acme.sql(
      `insert into {s}.delegation (entity_id, number, from_employee_id, to_employee_id, from_date, to_date, state, scope, transaction_types, amount_limit, reason) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'Leave')`,
      [
        acme.entityIds[entity - 1],
        `DEL/${from}/${days[0]}`,
        ids[from],
        ids[to],
        at(days[0]),
        at(days[1]),
        state,
        ...more,
      ],
    );
  await delegate(1, 'Anand', 'Bala', [-3, 1], 'active', ['types', ['tis_inspection', 'lead_source'], '50000.00']);
  await delegate(1, 'Anand', 'Bala', [-40, -30], 'expired');
  await delegate(1, 'Bala', 'Anand', [-2, 9], 'revoked');
  await delegate(1, 'Bala', 'Anand', [0, 9], 'draft');
  await delegate(2, 'Gita', 'Gita', [-1, 1], 'active');

  await add('chief', 'weekoff', {
    code: 'STD',
    name: 'Sundays and two Saturdays',
    is_default: true,
    effective_from: '2024-04-01',
    rules: [
      { weekday: 'sunday', weeks: ['all'] },
      { weekday: 'saturday', weeks: ['2', '4'] },
    ],
  });
  await add('chief', 'weekoff', {
    code: 'SUN',
    name: 'Sundays, Saturdays half',
    branches: [ids.Kochi],
    effective_from: '2024-04-01',
    rules: [
      { weekday: 'sunday', weeks: ['all'] },
      { weekday: 'saturday', weeks: ['all'], part: 'second_half' },
    ],
  });
  for (const [name, date, more] of [
    ['Holi', '2025-03-14', {}],
    ['Id', '2025-03-31', {}],
    ['Optional', '2025-03-19', { holiday_type: 'optional' }],
    ['Of Kochi', '2025-03-13', { branches: [ids.Kochi] }],
  ] as const)
    await add('chief', 'holiday', { name, date, holiday_type: 'festival', holiday_group: 'All', ...more });

  for (const sql of [acme.sql, zenith.sql]) {
    await sql(
      `insert into {s}.api_config (name, direction, state) values ('Tally', 'inbound', 'active'), ('Store', 'outgoing', 'active')`,
    );
    await sql(
      `insert into {s}.api_use (api_config_id, day, calls, errors, median_ms, p95_ms) values (1, $1, 10, 2, 40, 90), (1, $2, 5, 0, 30, 60), (2, $1, 7, 0, 50, 80)`,
      [at(-1), at(-2)],
    );
  }
});
afterAll(() => world.close());

describe('escalations sent', () => {
  const year = { from: '2026-01-01', to: '2026-12-31' };

  it('show event, level, record, recipient and delay by the days of the client, and the months of the period', async () => {
    const told = await ask('chief', 'escalations_sent', year);
    expect(
      told.rows.map(
        ({ event, level, record__label: record, list, recipients, delay_days: days, delay_hours: hours }) => [
          event,
          level,
          record,
          list,
          recipients,
          days,
          hours,
        ],
      ),
    ).toEqual([
      ['expiring', '2', 'Anand', 'Employees', 'HR', 2, 34],
      ['ending', '1', 'Anand', 'Employees', 'Head of service', 1, 1],
      ['ending', '1', 'Bala', 'Employees', 'Head of service, HR', 0, 0],
    ]);
    expect(told.figures).toEqual([
      { title: 'Sent', value: '3' },
      { title: 'After the day', value: '2', tone: 'warning' },
    ]);
    expect(told.chart).toEqual({
      x: ['Mar 2026', 'Apr 2026', 'May 2026'],
      series: [
        { title: 'In time', values: [1, 0, 0] },
        { title: 'After the day', values: [1, 0, 1] },
      ],
    });
  });

  it('are filtered by period, event, level and recipient', async () => {
    expect((await ask('chief', 'escalations_sent', { from: '2026-03-31', to: '2026-03-31' })).rows).toHaveLength(1);
    expect((await ask('chief', 'escalations_sent', { ...year, event: 'expiring' })).rows).toHaveLength(1);
    expect((await ask('chief', 'escalations_sent', { ...year, level: 1 })).rows).toHaveLength(2);
    expect(column(await ask('chief', 'escalations_sent', { ...year, recipient: 'head' }), 'recipients')).toEqual([
      'Head of service',
      'Head of service, HR',
    ]);
    expect((await ask('chief', 'escalations_sent', { ...year, recipient: '100%' })).rows).toEqual([]);
    expect((await raw('chief', 'escalations_sent', { ...year, level: 9 })).json()).toMatchObject({
      error: { field: 'level' },
    });
    expect((await raw('chief', 'escalations_sent', { ...year, from: 'someday' })).statusCode).toBe(422);
    for (const parameters of [{ level: '1.5' }, { event: 'nothing' }, { recipient: 'x'.repeat(61) }] as Record<
      string,
      string
    >[])
      expect(
        (await raw('chief', 'escalations_sent', { ...year, ...parameters })).statusCode,
        JSON.stringify(parameters),
      ).toBe(422);
    expect((await raw('chief', 'escalations_sent', { from: '2026-02-01', to: '2026-01-01' })).json()).toMatchObject({
      error: { field: 'to' },
    });
  });

  it('include visible records only', async () => {
    expect(column(await ask('keeper', 'escalations_sent', year), 'record__label')).toEqual(['Bala']);
    expect(column(await ask('second', 'escalations_sent', year), 'record__label')).toEqual(['Gita']);
    expect(column(await ask('zenith', 'escalations_sent', year), 'record__label')).toEqual(['Of Zenith']);
    expect((await raw('guest', 'escalations_sent', year)).statusCode).toBe(403);
  });

  it('are the same in Excel', async () => {
    const answer = await raw('chief', 'escalations_sent', year, 'export.xlsx');
    expect(answer.statusCode).toBe(200);
    const book = XLSX.read(answer.rawPayload);
    const rows = XLSX.utils.sheet_to_json<Record<string, unknown>>(book.Sheets[book.SheetNames[0]!]!);
    expect(rows.map((row) => [row.Record, row.To])).toEqual([
      ['Anand', 'HR'],
      ['Anand', 'Head of service'],
      ['Bala', 'Head of service, HR'],
    ]);
  });
});

describe('delegations in force', () => {
  const told = async (who: string, parameters: Record<string, string | number> = {}) =>
    (await ask(who, 'delegations_in_force', parameters)).rows.map((row) => [
      row.delegator__label,
      row.deputy__label,
      row.to_date,
      row.days_left,
      row.documents,
      row.amount_limit,
    ]);

  it('show who acts for whom today, until when, for what and up to which amount', async () => {
    expect(await told('chief')).toEqual([['Anand', 'Bala', at(1), 1, 'Inspections, Lead sources', '50000.00']]);
    expect((await ask('chief', 'delegations_in_force')).figures).toEqual([{ title: 'In force', value: '1' }]);
  });

  it('are those of the chosen day: past and future ones too', async () => {
    expect(await told('chief', { on: at(-35) })).toEqual([['Anand', 'Bala', at(-30), 5, 'Everything', null]]);
    expect((await told('chief', { on: at(5) })).map(([delegator]) => delegator)).toEqual(['Bala']);
    expect(await told('chief', { branch: ids.Pune! })).toEqual([]);
    expect(await told('chief', { person: ids.Bala! })).toHaveLength(1);
    expect(await told('chief', { person: ids.Gita! })).toEqual([]);
  });

  it('are one’s own or the company’s, by the right', async () => {
    expect(await told('keeper')).toHaveLength(1);
    await acme.sql('update {s}.users set employee_id = null where username = $1', ['keeper']);
    world.app.services.store.forget(acme.schema);
    expect(await told('keeper')).toEqual([]);
    expect((await told('second')).map(([delegator]) => delegator)).toEqual(['Gita']);
    expect(await told('zenith')).toEqual([]);
    expect((await raw('guest', 'delegations_in_force')).statusCode).toBe(403);
  });
});

describe('working days by branch', () => {
  it('are the days that week-offs and holidays leave in each month: 22 in March 2025, 24 with half Saturdays and a branch holiday', async () => {
    const told = await ask('chief', 'holiday_calendar', { year: '2024-2025' });
    expect(told.columns.map(({ title }) => title)).toEqual([
      'Branch',
      'Working days',
      'Holidays',
      'Week-offs',
      'Half days',
      'Apr 2024',
      'May 2024',
      'Jun 2024',
      'Jul 2024',
      'Aug 2024',
      'Sep 2024',
      'Oct 2024',
      'Nov 2024',
      'Dec 2024',
      'Jan 2025',
      'Feb 2025',
      'Mar 2025',
    ]);
    const march = told.columns.find(({ title }) => title === 'Mar 2025')!.name;
    // 31 days: five Sundays, of Kochi five Saturdays by half, and three holidays.
    expect(told.rows.map((row) => [row.branch__label, row[march], row.holidays])).toEqual([
      ['Chennai', '22.0', 2],
      ['Kochi', '20.5', 3],
    ]);
    expect(told.rows.map((row) => Number(row.year_days))).toEqual(
      told.rows.map((row) =>
        told.columns.filter(({ of }) => of === 'working_days').reduce((sum, { name }) => sum + Number(row[name]), 0),
      ),
    );
  });

  it('are of the branches one sees, and of the one that was chosen', async () => {
    expect((await ask('keeper', 'holiday_calendar')).rows).toEqual([]);
    expect(column(await ask('chief', 'holiday_calendar', { branch: ids.Chennai! }), 'branch__label')).toEqual([
      'Chennai',
    ]);
    expect(column(await ask('second', 'holiday_calendar'), 'branch__label')).toEqual(['Pune']);
    for (const year of ['last', '9999-10000', '0000-0001', '2300-2301'])
      expect((await raw('chief', 'holiday_calendar', { year })).json(), year).toMatchObject({
        error: { field: 'year' },
      });
    expect((await raw('guest', 'holiday_calendar')).statusCode).toBe(403);
  });
});

describe('reports from descriptors only', () => {
  it('API use: calls, errors and times of each key and day', async () => {
    const told = await ask('chief', 'api_use_report');
    expect(
      told.rows.map((row) => [row.day_day, row.api_config_id__label, row.calls, row.errors, row.median_ms, row.p95_ms]),
    ).toEqual(
      expect.arrayContaining([
        [at(-1), 'Tally', 10, 2, 40, 90],
        [at(-2), 'Tally', 5, 0, 30, 60],
        [at(-1), 'Store', 7, 0, 50, 80],
      ]),
    );
    expect(told.totals).toMatchObject({ calls: 22, errors: 2 });
    expect((await ask('chief', 'api_use_report', { day_from: at(-1), api_config_id: 2 })).rows).toHaveLength(1);
    expect((await raw('keeper', 'api_use_report')).statusCode).toBe(403);
  });

  it('import runs: rows read, written and rejected by job, and their age', async () => {
    await acme.sql(`insert into {s}.sync_source (name, kind) values ('Files', 'upload_file')`);
    await acme.sql(
      `insert into {s}.sync_job (code, title, family, source_id, target, mode, natural_key) values ('STOCK', 'Stock', 'custom', 1, 'collection', 'full', '{a}')`,
    );
    await acme.sql(
      `insert into {s}.sync_run (name, job_id, trigger, state, started_at, ended_at, duration_ms, read, inserted, updated, rejected) values
       ('S/1', 1, 'schedule', 'succeeded', $1, $1, 100, 90, 10, 5, 0), ('S/2', 1, 'schedule', 'failed', $2, $2, 50, 0, 0, 0, 0),
       ('S/3', 1, 'manual', 'succeeded_with_rejects', $2, $2, 201, 91, 1, 5, 3), ('S/4', 1, 'dry', 'succeeded', $2, $2, 9999, 91, 1, 5, 3)`,
      [`${at(-9)}T01:00:00Z`, `${at(-2)}T01:00:00Z`],
    );
    const told = await ask('chief', 'sync_runs');
    expect(told.rows).toMatchObject([
      {
        job_id__label: 'Stock',
        runs: 3,
        stopped: 1,
        rows_read: 181,
        added: 11,
        changed: 10,
        rejects: 3,
        average_ms: '117.00',
        longest_ms: 201,
      },
    ]);
    expect(String(told.rows[0]!.fresh).slice(0, 10)).toBe(at(-2));
    expect((await ask('chief', 'sync_runs', { trigger: 'manual' })).rows).toMatchObject([{ runs: 1 }]);
    expect((await ask('zenith', 'sync_runs')).rows).toEqual([]);
    expect((await raw('guest', 'sync_runs')).statusCode).toBe(403);
  });
});
