import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as XLSX from 'xlsx';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copySchemas } from '../schemas_with.ts';
import type { Dashboard, DashboardAnswer, TileAnswer } from '../../../src/domain/dashboard.ts';
import type { Report, ReportAnswer } from '../../../src/domain/report.ts';
import type { Caller, TestTenant, World } from '../world.ts';
import { startWorld } from '../world.ts';
import type { MailServer } from '../messages/mail_server.ts';
import { startMailServer } from '../messages/mail_server.ts';
import { builtReportCases } from './built_reports.ts';
import { SLOW, SLOW_REPORT, SLOW_SQL, mailedReportCases } from './mailed_reports.ts';

/** Records of a master of its own: what a call came to, and when. */
const CALL = {
  $schema: '../meta/screen.schema.json',
  kind: 'document',
  title: 'Errand',
  access: { screen: 'SCN_ERRAND' },
  scope: 'entity',
  label: ['name'],
  schema: {
    required: ['name'],
    properties: {
      name: { $ref: 'types#text' },
      department_id: { $ref: 'types#ref', 'x-ref': 'department' },
      state: { enum: ['open', 'done'], default: 'open' },
      day: { $ref: 'types#date' },
      told_at: { $ref: 'types#datetime' },
      amount: { $ref: 'types#money' },
      hours: { $ref: 'types#integer' },
    },
  },
};
const BY_DEPARTMENT = {
  $schema: '../meta/report.schema.json',
  kind: 'report',
  title: 'Errands by department',
  access: { screen: 'SCN_ERRAND_REPORT' },
  menu: { under: 'masters.organisation' },
  from: {
    type: 'errand',
    group: ['department_id'],
    filters: ['state', 'day', 'department_id'],
    measures: [
      { name: 'errands', title: 'Errands', count: true },
      { name: 'done', title: 'Done', count: true, filter: ['state', 'eq', 'done'] },
      { name: 'amount', title: 'Amount', sum: 'amount' },
      { name: 'hours', title: 'Hours, average', average: 'hours' },
      { name: 'last', title: 'Last', highest: 'day' },
    ],
  },
  chart: { kind: 'bar', x: 'department_id', y: ['errands', 'done'] },
  marks: [{ column: 'done', when: 'done < errands', tone: 'warning', text: 'Some are open' }],
};
const BY_MONTH = {
  $schema: '../meta/report.schema.json',
  kind: 'report',
  title: 'Errands by month',
  access: { screen: 'SCN_ERRAND_REPORT' },
  route: '/errands_by_month',
  from: {
    type: 'errand',
    group: ['department_id', { field: 'told_at', by: 'month' }],
    measures: [
      { name: 'errands', title: 'Errands', count: true },
      { name: 'amount', title: 'Amount', sum: 'amount' },
    ],
  },
  pivot: { by: 'told_at_month', values: ['errands', 'amount'] },
  chart: { kind: 'line', x: 'told_at_month', y: ['errands'] },
};
/** Groups by fields of the department, to which errands refer, and of whom that refers to. */
const BY_CODE = {
  ...BY_MONTH,
  title: 'Errands by code',
  route: '/errands_by_code',
  from: {
    ...BY_MONTH.from,
    group: ['department_id.code', { field: 'day', by: 'year' }],
    filters: ['state'],
  },
  pivot: undefined,
  chart: undefined,
};
/** What was spent and given back, department by department, with what is left after each. */
const BOOK = {
  ...BY_DEPARTMENT,
  title: 'Errand book',
  route: '/errand_book',
  access: { screen: 'SCN_ERRAND_REPORT' },
  from: {
    type: 'errand',
    group: ['department_id', { field: 'day', by: 'day' }, 'name'],
    filters: ['day', 'department_id'],
    measures: [
      { name: 'open', title: 'Open', sum: 'amount', filter: ['state', 'eq', 'open'] },
      { name: 'done', title: 'Done', sum: 'amount', filter: ['state', 'eq', 'done'] },
      { name: 'net', title: 'Net', formula: 'done - open' },
    ],
    running: { of: 'net', order: 'day', per: ['department_id'], title: 'Left' },
  },
  chart: undefined,
  marks: undefined,
};
const TO_RUN = {
  ...BY_DEPARTMENT,
  title: 'Errands to run',
  access: { screen: 'SCN_ERRAND_REPORT', action: 'RUN_REPORTS' },
  route: '/errands_to_run',
};

const COUNT = { name: 'n', title: 'Errands', count: true };
/** Fails for every row: what one tile cannot do leaves the others alone. */
const BROKEN = { ...SLOW, title: 'Broken errand' };
const BROKEN_SQL = 'select e.id, e.id as errand_id, e.day, (1 / (e.id - e.id))::int as part from {errand} e';
const BOARD = {
  $schema: '../meta/dashboard.schema.json',
  kind: 'dashboard',
  title: 'Errand board',
  access: { screen: 'SCN_ERRAND_REPORT' },
  route: '/errand_board',
  filters: {
    properties: {
      department_id: { $ref: 'types#ref', 'x-ref': 'department' },
      from: { $ref: 'types#date' },
      to: { $ref: 'types#date' },
    },
  },
  tiles: [
    {
      name: 'open',
      title: 'Open',
      kind: 'figure',
      from: { type: 'errand', filter: ['state', 'eq', 'open'], measures: [COUNT] },
    },
    {
      name: 'april',
      title: 'In these days',
      kind: 'figure',
      compare: 'before',
      from: { type: 'errand', span: { of: 'day', from: 0, to: 0 }, narrow: { day: ['from', 'to'] }, measures: [COUNT] },
    },
    {
      name: 'by_department',
      title: 'By department',
      kind: 'bar',
      from: {
        type: 'errand',
        group: ['department_id'],
        measures: [COUNT, { name: 'amount', title: 'Amount', sum: 'amount' }],
      },
    },
    {
      name: 'last',
      title: 'Last',
      kind: 'list',
      from: { type: 'errand', columns: ['name', 'day'], sort: ['-day'], size: 2 },
    },
    {
      name: 'departments',
      title: 'Departments',
      kind: 'figure',
      from: { type: 'department', measures: [{ ...COUNT, title: 'Departments' }] },
    },
    {
      name: 'runners',
      title: 'For runners',
      kind: 'figure',
      for: ['role:NOBODY', 'action:RUN_REPORTS'],
      from: { type: 'errand', measures: [COUNT] },
    },
    {
      name: 'broken',
      title: 'Broken',
      kind: 'figure',
      from: { type: 'broken_errand', measures: [{ name: 'parts', title: 'Parts', sum: 'part' }] },
    },
  ],
};

describe('reports', () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'mainstay-reports-')), 'schemas');
  const write = (name: string, descriptor: object) =>
    writeFileSync(join(folder, 'organisation', `${name}.json`), JSON.stringify(descriptor, null, 2));
  let world: World;
  let mail: MailServer;
  let acme: TestTenant;
  let chief: Caller;
  const ids: Record<string, number> = {};

  const rows = async (name: string, query = '', caller = chief) =>
    (await caller.call('GET', `/tapi/report/${name}/rows${query}`)).json<{ data: ReportAnswer }>().data;
  const line = (answer: ReportAnswer) =>
    answer.rows.map((row) => [
      row.department_id__label ?? null,
      row.errands,
      row.done,
      row.amount,
      row.hours,
      row.last,
    ]);

  beforeAll(async () => {
    copySchemas(folder);
    write('errand', CALL);
    write('errands_by_department', BY_DEPARTMENT);
    write('errands_by_month', BY_MONTH);
    write('errands_to_run', TO_RUN);
    write('broken_errand', BROKEN);
    writeFileSync(join(folder, 'organisation', 'broken_errand.sql'), BROKEN_SQL);
    write('errand_board', BOARD);
    write('slow_errand', SLOW);
    writeFileSync(join(folder, 'organisation', 'slow_errand.sql'), SLOW_SQL);
    write('slow_errands', SLOW_REPORT);
    mail = await startMailServer();
    world = await startWorld({
      schemasDir: folder,
      alone: true,
      env: { SMTP_URL: `smtp://127.0.0.1:${mail.port}?tls=none`, REPORT_SECONDS: '1' },
    });
    acme = await world.tenant({ companies: 2 });
    await acme.user('chief', { isAdmin: true, companies: [{ company: 1 }, { company: 2 }] });
    const both = await world.signIn(acme, 'chief');
    chief = {
      ...both,
      call: (method, url, body, headers = {}) =>
        both.call(method, url, body, { 'x-entity-id': String(acme.entityIds[0]), ...headers }),
    };
    for (const code of ['SALES', 'WORKS'])
      ids[code] = (
        await chief.call('POST', '/tapi/department', { code, name: code === 'SALES' ? 'Sales' : 'Works' })
      ).json<{ data: { id: number } }>().data.id;
    const errand = async (values: object, caller = chief, company = 1) =>
      expect(
        (await caller.call('POST', '/tapi/errand', values, { 'x-entity-id': String(acme.entityIds[company - 1]) }))
          .statusCode,
      ).toBe(201);
    await errand({
      name: 'One',
      department_id: ids.WORKS,
      state: 'done',
      day: '2026-03-31',
      told_at: '2026-03-31T20:00:00Z',
      amount: '100.10',
      hours: 2,
    });
    await errand({
      name: 'Two',
      department_id: ids.WORKS,
      state: 'open',
      day: '2026-04-02',
      told_at: '2026-04-02T06:00:00Z',
      amount: '0.20',
      hours: 3,
    });
    await errand({
      name: 'Three',
      department_id: ids.SALES,
      state: 'done',
      day: '2026-02-01',
      told_at: '2026-02-01T06:00:00Z',
      amount: '7',
    });
    await errand({ name: 'None', state: 'open', told_at: '2026-02-02T06:00:00Z' });
    await errand({ name: 'Elsewhere', state: 'done', day: '2026-02-01', amount: '999' }, chief, 2);
    const reader = await acme.role({
      modules: ['MASTERS'],
      screens: { SCN_ERRAND_REPORT: ['landing'], SCN_ERRAND: { pages: ['landing', 'add_screen'], scope: 'own' } },
      actions: ['CREATE_MASTERS'],
    });
    await acme.user('own', { companies: [{ company: 1, roles: [reader] }] });
    await errand(
      { name: 'Mine', department_id: ids.SALES, state: 'open', day: '2026-05-01', amount: '1' },
      await world.signIn(acme, 'own'),
    );
  });
  afterAll(async () => {
    await world.close();
    await mail.close();
    rmSync(join(folder, '..'), { recursive: true, force: true });
  });

  it('group records, with exact figures, for the company and the chosen filters', async () => {
    const answer = await rows('errands_by_department');
    expect(line(answer)).toEqual([
      ['Sales', 2, 1, '8.00', null, '2026-05-01'],
      ['Works', 2, 1, '100.30', '2.50', '2026-04-02'],
      [null, 1, 0, '0', null, null],
    ]);
    expect(answer).toMatchObject({
      totals: { errands: 5, done: 2, amount: '108.30' },
      more: false,
      chart: {
        x: ['Sales', 'Works', 'None'],
        series: [
          { title: 'Errands', values: [2, 2, 1] },
          { title: 'Done', values: [1, 1, 0] },
        ],
      },
    });
    expect(line(await rows('errands_by_department', '?state=done&day_from=2026-03-01'))).toEqual([
      ['Works', 1, 1, '100.10', '2.00', '2026-03-31'],
    ]);
    expect(line(await rows('errands_by_department', `?department_id=${ids.SALES}&day_to=01-02-2026`))).toEqual([
      ['Sales', 1, 1, '7.00', null, '2026-02-01'],
    ]);
    expect(await rows('errands_by_department', '?day_from=2030-01-01')).toMatchObject({
      rows: [],
      totals: null,
      chart: null,
    });
  });

  it('that require an action are for its holders, in the menu too', async () => {
    const running = await acme.role({
      modules: ['MASTERS'],
      screens: { SCN_ERRAND_REPORT: ['landing'], SCN_ERRAND: ['landing'] },
      actions: ['RUN_REPORTS'],
    });
    await acme.user('runner', { companies: [{ company: 1, roles: [running] }] });
    const [runner, own] = [await world.signIn(acme, 'runner'), await world.signIn(acme, 'own')];
    const pages = async (caller: Caller) =>
      (await caller.call('GET', '/tapi/menu'))
        .json<{ data: { pages: string[] } }>()
        .data.pages.filter((page) => page.startsWith('/errands_'));
    expect((await runner.call('GET', '/tapi/report/errands_to_run/rows')).statusCode).toBe(200);
    expect(await pages(runner)).toEqual(['/errands_by_month', '/errands_to_run']);
    expect((await own.call('GET', '/tapi/report/errands_to_run/rows')).statusCode).toBe(403);
    expect((await own.call('GET', '/tapi/report/errands_by_month/rows')).statusCode).toBe(200);
    expect(await pages(own)).toEqual(['/errands_by_month']);
  });

  it('pivot the values of one column, with months in the client’s time zone', async () => {
    const answer = await rows('errands_by_month');
    // Eight in the evening of 31 March in UTC is 1 April in India.
    expect(answer.columns.map(({ group, title }) => `${group ?? ''} ${title}`)).toEqual([
      ' Department',
      'Total Errands',
      'Total Amount',
      'Feb 2026 Errands',
      'Feb 2026 Amount',
      'Apr 2026 Errands',
      'Apr 2026 Amount',
      'None Errands',
      'None Amount',
    ]);
    const works = answer.rows.find((row) => row.department_id === ids.WORKS)!;
    expect(works).toMatchObject({
      '2026-04.errands': 2,
      '2026-04.amount': '100.30',
      '.total.errands': 2,
      '.total.amount': '100.30',
    });
    expect(answer.totals).toMatchObject({ '2026-02.errands': 2, '2026-04.amount': '100.30', '.total.errands': 5 });
    expect(answer.chart).toEqual({
      x: ['Feb 2026', 'Apr 2026', 'None'],
      series: [{ title: 'Errands', values: [2, 2, 1] }],
    });
  });

  it('show nobody more than the list would, and are for people who may open them', async () => {
    const own = await world.signIn(acme, 'own');
    expect(line(await rows('errands_by_department', '', own))).toEqual([['Sales', 1, 0, '1.00', null, '2026-05-01']]);
    expect((await own.call('GET', '/tapi/report')).json<{ data: Report[] }>().data.map(({ name }) => name)).toEqual([
      'errands_by_department',
      'errands_by_month',
      'slow_errands',
    ]);
    expect((await own.call('GET', '/tapi/report/at?route=/errands_by_month')).json()).toMatchObject({
      data: { name: 'errands_by_month', title: 'Errands by month', exports: false },
    });
    expect((await chief.call('GET', '/tapi/report/errands_by_month')).json()).toMatchObject({
      data: { exports: true },
    });
    const menu = (await own.call('GET', '/tapi/menu')).json<{ data: { pages: string[]; tree: object[] } }>().data;
    expect(menu.pages).toEqual(expect.arrayContaining(['/errands_by_month', '/reports/errands_by_department']));
    expect(JSON.stringify(menu.tree)).toMatch(/Errands by department.*Errands by month/);
    const without = await acme.role({ modules: ['MASTERS'], screens: { SCN_ERRAND: ['landing'] } });
    await acme.user('without', { companies: [{ company: 1, roles: [without] }] });
    const other = await world.signIn(acme, 'without');
    for (const path of [
      'errands_by_month',
      'errands_by_month/rows',
      'errands_by_month/export.xlsx',
      'at?route=/errands_by_month',
    ])
      expect((await other.call('GET', `/tapi/report/${path}`)).statusCode, path).toBe(403);
    // The report alone does not show records whose list one may not open.
    const alone = await acme.role({ modules: ['MASTERS'], screens: { SCN_ERRAND_REPORT: ['landing'] } });
    await acme.user('alone', { companies: [{ company: 1, roles: [alone] }] });
    expect(
      (await (await world.signIn(acme, 'alone')).call('GET', '/tapi/report/errands_by_month/rows')).statusCode,
    ).toBe(403);
    expect((await chief.call('GET', '/tapi/report/nothing')).statusCode).toBe(404);
  });

  it('report the invalid parameter', async () => {
    const told = async (query: string) =>
      (await chief.call('GET', `/tapi/report/errands_by_department/rows${query}`)).json<{
        error: { message: string; field: string };
      }>().error;
    expect(await told('?day_from=31-02-2026')).toMatchObject({ field: 'day_from' });
    expect(await told('?state=lost')).toMatchObject({ field: 'state' });
    expect(await told('?department_id=x')).toMatchObject({
      field: 'department_id',
      message: 'Choose a record of the list.',
    });
    expect(await told('?colour=red')).toMatchObject({
      code: 'bad_request',
      message: 'There is no parameter "colour".',
    });
    for (const within of ['x', '[]', '{"state":{"a":1}}', '{"state":"\\u0000"}'])
      expect(await told(`?within=${encodeURIComponent(within)}`), within).toMatchObject({ field: 'within' });
    expect(await told('?state=%00')).toMatchObject({ field: 'state' });
  });

  it('are exported to Excel with numeric figures and totals, for people who may export', async () => {
    const answer = await chief.call('GET', '/tapi/report/errands_by_department/export.xlsx?state=done');
    const drawn = XLSX.read(answer.rawPayload).Sheets.Chart!;
    expect(XLSX.utils.sheet_to_json(drawn, { header: 1 })).toEqual([
      ['Department', 'Errands', 'Done'],
      ['Sales', 1, 1],
      ['Works', 1, 1],
    ]);
    expect((await rows('errands_by_department', `?state=done&department_id=${ids.WORKS}`)).chosen).toEqual([
      { title: 'State', text: 'Done' },
      { title: 'Department', text: expect.stringContaining('Works') as string },
    ]);
    const sheet = XLSX.read(answer.rawPayload).Sheets.Sheet1!;
    expect(XLSX.utils.sheet_to_json(sheet, { header: 1 })).toEqual([
      ['Department', 'Errands', 'Done', 'Amount (₹)', 'Hours, average', 'Last'],
      ['Sales', 1, 1, 7, undefined, expect.anything()],
      ['Works', 1, 1, 100.1, 2, expect.anything()],
      ['Total', 2, 2, 107.1],
    ]);
    expect(
      (await (await world.signIn(acme, 'own')).call('GET', '/tapi/report/errands_by_department/export.xlsx'))
        .statusCode,
    ).toBe(403);
  });

  it('appear and change while the server runs, and an invalid file leaves the last valid version', async () => {
    write('errands_by_state', {
      ...BY_MONTH,
      title: 'Errands by state',
      route: '/errands_by_state',
      from: { type: 'errand', group: ['state'], measures: [{ name: 'errands', title: 'Errands', count: true }] },
      pivot: undefined,
      chart: undefined,
    });
    await world.app.live.reload();
    expect((await rows('errands_by_state')).rows).toEqual([
      { state: 'open', errands: 3 },
      { state: 'done', errands: 2 },
    ]);
    // A chart along rows: one series for each column of a pivot; without a pivot, rows of one value add up.
    const chart = { kind: 'bar', x: 'state', y: ['errands'] };
    const apart = {
      ...BY_MONTH,
      title: 'Errands by state',
      route: '/errands_by_state',
      from: { ...BY_MONTH.from, group: ['state', 'department_id'] },
      pivot: { by: 'department_id', values: ['errands'] },
      chart,
    };
    write('errands_by_state', apart);
    await world.app.live.reload();
    const byDepartment = {
      x: ['Open', 'Done'],
      series: [
        { title: 'Sales', values: [1, 1] },
        { title: 'Works', values: [1, 1] },
        { title: 'None', values: [1, null] },
      ],
    };
    expect((await rows('errands_by_state')).chart).toEqual(byDepartment);
    write('errands_by_state', { ...apart, pivot: undefined });
    await world.app.live.reload();
    expect((await rows('errands_by_state')).chart).toEqual({
      x: ['Open', 'Done'],
      series: [{ title: 'Errands', values: [3, 2] }],
    });
    // A line for each value of the other groups, since an average of averages means nothing.
    write('errands_by_state', { ...apart, pivot: undefined, chart: { ...chart, kind: 'line' } });
    await world.app.live.reload();
    expect((await rows('errands_by_state')).chart).toEqual(byDepartment);
    write('errands_by_state', { ...apart, from: { ...apart.from, group: ['state'] }, pivot: undefined });
    await world.app.live.reload();
    write('errands_by_state', {
      ...BY_MONTH,
      from: { type: 'errand', group: ['stat'], measures: [{ name: 'errands', title: 'Errands', count: true }] },
    });
    await world.app.live.reload();
    expect(world.app.store.problems()).toMatchObject([
      { message: 'Errand has no field "stat".', hint: 'Did you mean "state"?' },
      ...world.app.store.problems().slice(1),
    ]);
    expect((await rows('errands_by_state')).rows).toHaveLength(2);
  });

  it('group by a field of referenced records, for people who may list these', async () => {
    write('errands_by_code', BY_CODE);
    await world.app.live.reload();
    const answer = await rows('errands_by_code', '?state=done');
    expect(answer.rows.map((row) => [row.department_id_code, row.day_year, row.errands, row.amount])).toEqual([
      ['SALES', '2026', 1, '7.00'],
      ['WORKS', '2026', 1, '100.10'],
    ]);
    expect((await rows('errands_by_code')).rows.map((row) => row.department_id_code)).toContain(null);
    const path = '/tapi/report/errands_by_code/rows';
    const own = await world.signIn(acme, 'own');
    expect((await own.call('GET', path)).statusCode).toBe(403);
    const screens = {
      SCN_ERRAND_REPORT: ['landing' as const],
      SCN_ERRAND: ['landing' as const],
      SCN_DEPARTMENT: ['landing' as const],
    };
    await acme.user('both', {
      companies: [{ company: 1, roles: [await acme.role({ modules: ['MASTERS'], screens })] }],
    });
    const both = await world.signIn(acme, 'both');
    expect((await rows('errands_by_code', '?state=done', both)).rows).toHaveLength(2);
  });

  it('have a running balance, with opening and closing, exact to the paisa', async () => {
    write('errand_book', BOOK);
    await world.app.live.reload();
    const book = async (query: string) => {
      const { rows: lines, totals } = await rows('errand_book', query);
      return {
        lines: lines.map((row) => [row.department_id__label, row.day_day__label ?? row.day_day, row.net, row.balance]),
        totals: totals && [totals.net, totals.balance],
      };
    };
    expect(await book('?day_to=2026-04-30')).toEqual({
      lines: [
        ['Sales', '2026-02-01', '7.00', '7.00'],
        ['Sales', 'Closing balance', undefined, '7.00'],
        ['Works', '2026-03-31', '100.10', '100.10'],
        ['Works', '2026-04-02', '-0.20', '99.90'],
        ['Works', 'Closing balance', undefined, '99.90'],
      ],
      totals: ['106.90', '106.90'],
    });
    // Sales stood still in April, and is there with what it had.
    expect(await book('?day_from=2026-04-01&day_to=2026-04-30')).toEqual({
      lines: [
        ['Sales', 'Opening balance', undefined, '7.00'],
        ['Sales', 'Closing balance', undefined, '7.00'],
        ['Works', 'Opening balance', undefined, '100.10'],
        ['Works', '2026-04-02', '-0.20', '99.90'],
        ['Works', 'Closing balance', undefined, '99.90'],
      ],
      totals: ['-0.20', '106.90'],
    });
    const sheet = await chief.call('GET', '/tapi/report/errand_book/export.xlsx?day_from=2026-04-01&day_to=2026-04-30');
    expect(XLSX.utils.sheet_to_json(XLSX.read(sheet.rawPayload).Sheets.Sheet1!, { header: 1 })).toContainEqual([
      'Works',
      'Opening balance',
      ...(Array(4) as undefined[]),
      100.1,
    ]);
    const paper = await chief.call('GET', '/tapi/report/errand_book/export.pdf?day_from=2026-04-01');
    expect([paper.statusCode, paper.rawPayload.subarray(0, 5).toString()]).toEqual([200, '%PDF-']);
    write('errand_book', { ...BOOK, from: { ...BOOK.from, running: { of: 'net', order: 'told_at', per: ['state'] } } });
    await world.app.live.reload();
    expect(world.app.store.problems().map(({ message }) => message)).toEqual(
      expect.arrayContaining(['"told_at" is not a date among the groups.', '"state" is not a group.']),
    );
  });

  const board = async (body: object = {}, caller = chief) => {
    const { tiles } = (await caller.call('POST', '/tapi/dashboard/errand_board', body)).json<{
      data: DashboardAnswer;
    }>().data;
    return Object.fromEntries(tiles.map((tile) => [tile.name, tile]));
  };
  const figure = (tile: TileAnswer | undefined) => tile?.figures?.rows[0]?.n;

  it('are tiles on a dashboard: one call loads all, and a failed tile leaves the others alone', async () => {
    const all = await board();
    expect(Object.keys(all)).toEqual(BOARD.tiles.map(({ name }) => name));
    expect([figure(all.open), figure(all.departments)]).toEqual([3, 2]);
    expect(all.by_department!.figures!.rows).toMatchObject([
      { department_id__label: 'Sales', n: 2, amount: '8.00' },
      { department_id__label: 'Works', n: 2, amount: '100.30' },
      { department_id: null, n: 1 },
    ]);
    expect(all.last).toMatchObject({ list: { rows: [{ name: 'None' }, { name: 'Mine' }], count: 5 } });
    expect(all.broken).toEqual({
      name: 'broken',
      problem: 'These figures could not be computed. Try again in a moment.',
    });
    expect(Object.keys(await board({ tiles: ['open'] }))).toEqual(['open']);
  });

  it('are filtered by the reader of a dashboard, and compared with the days before', async () => {
    const some = await board({ filters: { department_id: String(ids.WORKS), from: '2026-04-01', to: '2026-04-30' } });
    expect([figure(some.open), figure(some.april), figure(some.departments)]).toEqual([1, 1, 2]);
    expect(some.april!.earlier).toEqual({ value: 1, days: ['2026-03-02', '2026-03-31'] });
    expect(some.april!.behind).toEqual({
      filter: ['and', ['department_id', 'eq', ids.WORKS], ['day', 'between', ['2026-04-01', '2026-04-30']]],
      choice: {},
    });
    const refused = async (filters: object) =>
      (await chief.call('POST', '/tapi/dashboard/errand_board', { filters })).json<{ error: object }>().error;
    expect(await refused({ from: '31-02-2026' })).toMatchObject({ code: 'validation', field: 'from' });
    expect(await refused({ colour: 'red' })).toMatchObject({ message: 'There is no filter "colour".' });
  });

  it('include on a dashboard only the reader’s tiles and visible rows', async () => {
    const own = await world.signIn(acme, 'own');
    const seen = await board({}, own);
    expect(Object.keys(seen)).toEqual(['open', 'april', 'by_department', 'last', 'broken']);
    expect(figure(seen.open)).toBe(1);
    expect(seen.last!.list!.rows.map(({ name }) => name)).toEqual(['Mine']);
    const { data } = (await own.call('GET', '/tapi/dashboard/at?route=/errand_board')).json<{ data: Dashboard }>();
    expect(data.tiles.map(({ name }) => name)).toEqual(Object.keys(seen));
    expect(Object.keys(await board({}, await world.signIn(acme, 'runner')))).toContain('runners');
    const without = await world.signIn(acme, 'without');
    expect((await without.call('POST', '/tapi/dashboard/errand_board', {})).statusCode).toBe(403);
    expect((await without.call('GET', '/tapi/dashboard/errand_board')).statusCode).toBe(403);
    expect((await chief.call('POST', '/tapi/dashboard/nothing', {})).statusCode).toBe(404);
    const listed = (await chief.call('GET', '/tapi/dashboards')).json<{ data: { route: string }[] }>().data;
    expect(listed.map(({ route }) => route)).toContain('/errand_board');
  });

  it('are reloaded on a dashboard as soon as one of their records changes', async () => {
    const before = figure((await board()).open) as number;
    const made = await chief.call('POST', '/tapi/errand', { name: 'New', state: 'open' });
    expect(made.statusCode).toBe(201);
    await expect.poll(async () => figure((await board()).open)).toBe(before + 1);
  });

  mailedReportCases(() => ({ world, acme, chief, mail }));
  builtReportCases(() => ({ world, acme, chief }));
});
