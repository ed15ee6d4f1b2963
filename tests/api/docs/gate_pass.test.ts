import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DashboardAnswer } from '../../../src/domain/dashboard.ts';
import type { ReportAnswer } from '../../../src/domain/report.ts';
import { DEMO_PASSWORD } from '../demo_template.ts';
import type { MenuNode } from '../../../src/descriptor/types.ts';
import type { World } from '../world.ts';
import { startWorld } from '../world.ts';
import { schemaCheck } from '../../../scripts/schema_check.ts';
import { change, run, steady, stepsOf } from './implementer_chapters.ts';

// The chapter on gate passes of docs/implementer.md, followed literally by somebody whose server shows the demo company.

type Row = Record<string, unknown>;
type Pass = Row & { id: number; version: number; status: string };
type Answer = { statusCode: number; body: string; json<T>(): T };

const root = join(import.meta.dirname, '../../..');
const HOST = 'demo.localhost:3000';
let home: string;
let world: World;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'mainstay-gate-pass-')));
  cpSync(join(root, 'schemas'), join(home, 'schemas'), { recursive: true });
  world = await startWorld({ schemasDir: join(home, 'schemas'), demo: true });
  world.app.live.watch();
  for (const name of ['admin', 'storekeeper', 'dispatcher', 'manager']) {
    const answer = await call('', 'POST', '/api/sessions/login', { email: name, password: DEMO_PASSWORD, prefix: '' });
    tokens[name] = answer.json<{ token: string }>().token;
    expect(tokens[name], answer.body).toBeTruthy();
  }
});
afterAll(async () => {
  await world.close();
  rmSync(home, { recursive: true, force: true });
});

const call = (who: string, method: string, url: string, body?: object): Promise<Answer> =>
  world.inject({
    method: method as 'GET',
    url,
    headers: { host: HOST, ...(who && { authorization: `Bearer ${tokens[who]}`, 'x-entity-id': '1' }) },
    ...(body && { payload: body }),
  });
async function ok<T = Row>(answer: Promise<Answer>, status = 200): Promise<T> {
  const got = await answer;
  expect(got.statusCode, got.body).toBe(status);
  return got.json<{ data: T }>().data;
}
const read = (id: number) => ok<Pass>(call('storekeeper', 'GET', `/tapi/gate_pass/${id}`));
const step = async (who: string, id: number, name: string, more: object = {}) =>
  call(who, 'POST', `/tapi/gate_pass/${id}/${name}`, { version: (await read(id)).version, ...more });
const waiting = (who: string) =>
  ok<(Row & { id: number })[]>(
    call(
      who,
      'GET',
      `/tapi/approval_request?filter=${encodeURIComponent('["state","eq","waiting"]')}&mine=1&columns=*`,
    ),
  );
const find = async (type: string, filter: unknown[]) =>
  (
    await ok<(Row & { id: number; version: number })[]>(
      call('admin', 'GET', `/tapi/${type}?filter=${encodeURIComponent(JSON.stringify(filter))}&columns=*`),
    )
  )[0]!;
const inCalendar = async (who: string) =>
  (await ok<{ events: Row[] }>(call(who, 'GET', `/tapi/calendar?from=${today}&to=${today}&mine=1`))).events.filter(
    ({ type }) => type === 'gate_pass',
  );
/** What the gate's dashboard shows: people inside, passes that are late, and the states of this month. */
const onBoard = async (who: string, filters: object = {}) => {
  const { tiles } = await ok<DashboardAnswer>(call(who, 'POST', '/tapi/dashboard/gate_board', { filters }));
  const [inside, late, month] = tiles.map(({ figures }) => figures!.rows);
  return [Number(inside![0]!.people), late![0]!.passes, month!.map(({ status }) => status)];
};
/** Of each address the names that lead to it in the menu. */
const waysIn = (nodes: MenuNode[], above: string[] = []): Map<string, string> =>
  new Map(
    nodes.flatMap(({ name, route, children = [] }): [string, string][] => {
      const way = [...above, name];
      return [...(route === undefined ? [] : [[route, way.join(', ')] as [string, string]]), ...waysIn(children, way)];
    }),
  );
const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' }).format(new Date());

test('every section: each saved file is valid and takes effect at once', { timeout: 240_000 }, async () => {
  const steps = stepsOf("A visitor's gate pass");
  expect(steps.map(({ kind }) => kind)).toEqual([
    'json',
    'diff',
    'diff',
    'diff',
    'diff',
    'diff',
    'sh',
    'text',
    'json',
    'diff',
    'diff',
    'diff',
    'json',
  ]);
  let output = '';
  for (const { kind, file, body, line } of steps) {
    const at = join(home, file);
    if (kind === 'sh') output = run(body, home);
    else if (kind === 'text') expect(steady(output), `line ${line}`).toBe(steady(body));
    else {
      if (kind === 'json') mkdirSync(dirname(at), { recursive: true });
      writeFileSync(at, kind === 'json' ? body : change(readFileSync(at, 'utf8'), body));
      if (kind === 'diff')
        expect((await schemaCheck([join(home, 'schemas')])).stdout, `line ${line}`).toContain(' 0 problems');
    }
  }
  await expect
    .poll(
      async () =>
        (await call('admin', 'GET', '/tapi/screens/gate_pass')).json<{ data?: { screen: { public?: Row } } }>().data
          ?.screen.public?.title,
      { timeout: 60_000 },
    )
    .toBe('Your visit');
  await expect
    .poll(async () => (await call('admin', 'GET', '/tapi/dashboard/gate_board')).statusCode, { timeout: 60_000 })
    .toBe(200);
  await expect
    .poll(async () => (await call('admin', 'GET', '/tapi/report/gate_by_month')).statusCode, { timeout: 60_000 })
    .toBe(200);
  const { tree } = await ok<{ tree: MenuNode[] }>(call('admin', 'GET', '/tapi/menu'));
  const ways = waysIn(tree);
  for (const [way, route] of [
    ['Masters, Organisation, Gate passes', '/gate_pass'],
    ['Masters, Organisation, Gate', '/dashboards/gate_board'],
    ['Masters, Organisation, Gate passes by month', '/reports/gate_by_month'],
    ['Masters, Organisation, Employees', '/employee'],
    ['Settings, Global, Approval processes', '/approval_process'],
    ['Settings, Global, Roles', '/role'],
    ['Settings, Users, Users', '/users'],
    ['Act, Approvals', '/approval'],
  ])
    expect(ways.get(route!), route).toBe(way);
});

test('section 7: rights, manager and approval process are set up in the application', async () => {
  for (const [code, pages] of [
    ['STAFF', ['landing', 'add_screen', 'edit_screen', 'view_screen']],
    ['MANAGER', ['landing', 'view_screen', 'approval_screen']],
  ] as const) {
    const role = await find('role', ['code', 'eq', code]);
    const kinds = ['landing', 'add_screen', 'edit_screen', 'view_screen', 'approval_screen', 'transfer_screen'];
    const ticks = Object.fromEntries(kinds.map((kind) => [kind, (pages as readonly string[]).includes(kind)]));
    const stored = await ok<{ role: { version: number }; screens: { screen_code: string }[] }>(
      call('admin', 'GET', `/tapi/screen_rights/${role.id}`),
    );
    expect(stored.screens.map((row) => row.screen_code)).toContain('SCN_GATE_PASS');
    const saved = await call('admin', 'PUT', `/tapi/screen_rights/${role.id}`, {
      version: stored.role.version,
      ...(code === 'STAFF' && { modules: [{ module_code: 'MASTERS', active: true, hide_all: false }] }),
      screens: [{ screen_code: 'SCN_GATE_PASS', data_scope: 'company', ...ticks }],
    });
    expect(saved.statusCode, saved.body).toBe(200);
  }
  const [host, manager] = [
    await find('users', ['username', 'eq', 'dispatcher']),
    await find('users', ['username', 'eq', 'manager']),
  ];
  const { version } = await ok<Pass>(call('admin', 'GET', `/tapi/employee/${Number(host.employee_id)}`));
  await ok(
    call('admin', 'PUT', `/tapi/employee/${Number(host.employee_id)}`, {
      version,
      reporting_to_id: manager.employee_id,
    }),
  );
  await ok(
    call('admin', 'POST', '/tapi/approval_process', {
      name: 'Gate passes',
      transaction_type: 'gate_pass',
      mode: 'cumulative',
      levels: [{ level: 1, approver_by: 'reporting_manager', need: 'any_one' }],
    }),
    201,
  );
});

/** A draft of the reception for today. */
async function written(more: object = {}): Promise<Pass> {
  const host = await find('users', ['username', 'eq', 'dispatcher']);
  const { branch_id: branch } = await ok<Row>(call('admin', 'GET', `/tapi/employee/${Number(host.employee_id)}`));
  return ok<Pass>(
    call('storekeeper', 'POST', '/tapi/gate_pass', {
      host_id: host.employee_id,
      branch_id: branch,
      visit_on: today,
      back_by: today,
      purpose: 'Looks at the new lift',
      visitors: [{ name: 'Meena Rao', company: 'Rao Towers' }],
      ...more,
    }),
    201,
  );
}
const offered = async (who: string, id: number) =>
  (await ok<Row & { _can: { name: string }[] }>(call(who, 'GET', `/tapi/gate_pass/${id}`)))._can.map(
    ({ name }) => name,
  );
const forbidden = async (who: string, id: number, name: string, more: object = {}) =>
  expect((await step(who, id, name, more)).statusCode, `${who} ${name}`).toBe(403);

test('section 8: a pass goes from draft to completion, each step by the right person only', async () => {
  const pass = await written();
  expect(pass).toMatchObject({ status: 'draft', pass_no: null, people: 1 });
  expect(await offered('storekeeper', pass.id)).toEqual(['cancel']);
  expect(await offered('dispatcher', pass.id)).toEqual(['ask', 'cancel']);
  await forbidden('storekeeper', pass.id, 'ask');
  await forbidden('manager', pass.id, 'ask');

  expect(await ok(step('dispatcher', pass.id, 'ask'))).toMatchObject({
    status: 'asked',
    pass_no: `GP/${today.slice(0, 4)}/0001`,
  });
  for (const who of ['storekeeper', 'dispatcher', 'admin']) await forbidden(who, pass.id, 'approve');
  expect(await offered('manager', pass.id)).toEqual(['approve', 'send_back', 'refuse']);
  const change = async (body: object) =>
    call('storekeeper', 'PUT', `/tapi/gate_pass/${pass.id}`, { version: (await read(pass.id)).version, ...body });
  expect((await change({ purpose: 'Something else' })).statusCode).toBe(409);
  expect(await waiting('dispatcher')).toEqual([]);

  const [request] = await waiting('manager');
  expect(request).toMatchObject({ transaction_type: 'gate_pass', record_id: pass.id });
  await ok(call('manager', 'POST', `/tapi/approval_request/${request!.id}/approve`, {}));
  const manager = await find('users', ['username', 'eq', 'manager']);
  expect(await read(pass.id)).toMatchObject({ status: 'approved', approved_by_id: manager.id });
  expect((await change({ purpose: 'Something else' })).statusCode).toBe(409);
  expect((await change({ remark: 'Comes by car' })).statusCode).toBe(200);

  await forbidden('dispatcher', pass.id, 'let_in', { badges: '7' });
  const unanswered = await step('storekeeper', pass.id, 'let_in');
  expect([unanswered.statusCode, unanswered.body]).toEqual([422, expect.stringContaining('Badge numbers is needed')]);
  expect(await inCalendar('dispatcher')).toEqual([]);
  expect(await ok(step('storekeeper', pass.id, 'let_in', { badges: '7' }))).toMatchObject({
    status: 'inside',
    badges: '7',
    came_at: expect.any(String) as string,
  });
  for (const who of ['dispatcher', 'storekeeper'])
    expect(await inCalendar(who), who).toMatchObject([{ title: 'Badges of visitors must be back' }]);
  // Section 9: the dashboard counts it, to the host as to the reception.
  for (const who of ['dispatcher', 'storekeeper'])
    await expect
      .poll(() => onBoard(who, { host_id: String(pass.host_id) }), { message: who })
      .toEqual([1, 0, ['inside']]);

  expect(await ok(step('storekeeper', pass.id, 'let_out'))).toMatchObject({ status: 'left' });
  await expect.poll(() => onBoard('storekeeper')).toEqual([0, 0, ['left']]);
  const { rows } = await ok<ReportAnswer>(call('storekeeper', 'GET', '/tapi/report/gate_by_month/rows?status=left'));
  expect(rows).toMatchObject([{ visit_on_month: today.slice(0, 7), host_id: pass.host_id, passes: 1 }]);
  expect(await inCalendar('dispatcher')).toEqual([]);
  expect((await change({ remark: 'Late' })).statusCode).toBe(409);
  expect((await step('storekeeper', pass.id, 'cancel', { reason: 'Late' })).statusCode).toBe(409);
  expect((await call('admin', 'DELETE', `/tapi/gate_pass/${pass.id}`)).statusCode).toBe(409);
});

test('section 8: a pass sent back keeps its number; one refused or cancelled ends there', async () => {
  const pass = await written();
  await ok(step('dispatcher', pass.id, 'ask'));
  const { pass_no: number } = await read(pass.id);
  await ok(step('manager', pass.id, 'send_back', { reason: 'Who is it?' }));
  expect(await read(pass.id)).toMatchObject({ status: 'draft', pass_no: number });
  expect(await ok(step('dispatcher', pass.id, 'ask'))).toMatchObject({ status: 'asked', pass_no: number });
  await ok(step('manager', pass.id, 'refuse', { reason: 'Not today' }));
  expect(await read(pass.id)).toMatchObject({ status: 'refused', refused_because: 'Not today' });
  expect((await step('dispatcher', pass.id, 'ask')).statusCode).toBe(409);

  const other = await written();
  await ok(step('dispatcher', other.id, 'ask'));
  await ok(step('storekeeper', other.id, 'cancel', { reason: 'They do not come' }));
  expect((await waiting('manager')).filter(({ record_id: id }) => id === other.id)).toEqual([]);

  const late = await written({ visit_on: '2020-01-01', back_by: today });
  const refused = await step('dispatcher', late.id, 'ask');
  expect([refused.statusCode, refused.body]).toEqual([422, expect.stringContaining('The day of the visit is over')]);
  expect((await read(late.id)).pass_no).toBeNull();
});

test('the day matters at the gate, and a host without a manager is told what to enter', async () => {
  const tomorrow = new Date(Date.parse(today) + 86_400_000).toISOString().slice(0, 10);
  const early = await written({ visit_on: tomorrow, back_by: tomorrow });
  await ok(step('dispatcher', early.id, 'ask'));
  await ok(step('manager', early.id, 'approve'));
  const refused = await step('storekeeper', early.id, 'let_in', { badges: '8' });
  const { _can: can } = await read(early.id);
  const day = tomorrow.split('-').reverse().join('-');
  expect([refused.statusCode, refused.body]).toEqual([422, expect.stringContaining(`The pass is for ${day}.`)]);
  expect(can).toContainEqual({ name: 'let_in', blocked: `The pass is for ${day}. Come on that day.` });

  const pass = await written();
  const { id, version } = await ok<Pass>(call('admin', 'GET', `/tapi/employee/${Number(pass.host_id)}`));
  await ok(call('admin', 'PUT', `/tapi/employee/${id}`, { version, reporting_to_id: null }));
  const alone = await step('dispatcher', pass.id, 'ask');
  expect(alone.statusCode).toBe(422);
  expect(alone.json<{ error: { message: string } }>().error.message).toMatch(
    /^No approver found for this gate pass .*Enter at "Reports to"/,
  );
  expect((await read(pass.id)).pass_no).toBeNull();
});

test('section 10: the badge is printed, and visitors register without an account', async () => {
  const host = await find('users', ['username', 'eq', 'dispatcher']);
  const manager = await find('users', ['username', 'eq', 'manager']);
  const { version } = await ok<Pass>(call('admin', 'GET', `/tapi/employee/${Number(host.employee_id)}`));
  await ok(
    call('admin', 'PUT', `/tapi/employee/${Number(host.employee_id)}`, {
      version,
      reporting_to_id: manager.employee_id,
    }),
  );
  const pass = await written();
  await ok(step('dispatcher', pass.id, 'ask'));
  expect((await call('storekeeper', 'GET', `/tapi/gate_pass/${pass.id}/print/badge.pdf`)).statusCode).toBe(404);
  await ok(step('manager', pass.id, 'approve'));
  const badge = await call('storekeeper', 'GET', `/tapi/gate_pass/${pass.id}/print/badge.pdf`);
  expect([badge.statusCode, badge.body.slice(0, 5)]).toEqual([200, '%PDF-']);

  const links = await ok<{ address: string }[]>(call('storekeeper', 'POST', `/tapi/gate_pass/${pass.id}/public`, {}));
  const token = links[0]!.address.split('/public/')[1]!;
  const visitor = (body?: object): Promise<Answer> =>
    world.inject({
      method: body ? 'POST' : 'GET',
      url: `/papi/${token}`,
      headers: { host: HOST, ...(body && { 'idempotency-key': crypto.randomUUID() }) },
      ...(body && { payload: body }),
    });
  const page = await ok<{ acts: { name: string }[] }>(visitor());
  expect(page.acts.map(({ name }) => name)).toEqual(['announce']);
  expect(JSON.stringify(page)).toContain('Meena Rao');
  await ok(visitor({ act: 'announce', values: { coming_at: '10:30', mobile: '+919840012345' } }));
  expect(await read(pass.id)).toMatchObject({ status: 'approved', coming_at: '10:30', mobile: '+919840012345' });
  expect((await visitor()).statusCode).toBe(409);
});
