import { afterAll, beforeAll, expect, test } from 'vitest';
import * as XLSX from 'xlsx';
import { ensureTables } from '../../../src/server/db/tenants.ts';
import { mayReceive } from '../../../src/server/platform/sync/job.ts';
import { linesFor } from '../../../src/server/platform/escalation/recipients.ts';
import { companyDay } from '../../company_day.ts';
import { checkRecords, importRecords } from '../import_records.ts';
import type { Caller, TestTenant } from '../world.ts';
import { productScreens } from '../world.ts';
import type { Doc, PerformanceWorld, Row } from './performance_world.ts';
import { callsOf, ok, startPerformance } from './performance_world.ts';

// From a KPI to a frozen score: sheet, targets, approval, actuals, scores (performance.md §4, 5.2–5.5).

let made: PerformanceWorld;
let acme: TestTenant;
let people: Record<string, Caller>;
let ids: Record<string, number>;
let { add, read, list, step, change, setLines } = {} as ReturnType<typeof callsOf>;
let sheet = 0;

const actualOf = async (kpi: string, month: string): Promise<Doc> =>
  read(
    'kpi_actual',
    (await list('kpi_actual', 'admin', ['and', ['kpi_id', 'eq', ids[kpi]], ['month', 'eq', month]]))[0]!.id,
  );

beforeAll(async () => {
  made = await startPerformance();
  ({ acme, people, ids } = made);
  ({ add, read, list, step, change, setLines } = callsOf(made));
});
afterAll(() => made.world.close());

test('a sheet is submitted when weights add up to 100 within their limits, a metric has none, and each period has its target', async () => {
  sheet = await add('kpi_sheet', {
    employee_id: ids.asha,
    financial_year: '2025-2026',
    valid_from: '2025-04-01',
    valid_to: '2026-03-31',
    lines: [
      { kpi_id: ids.SALES, weight: '75', year_target: '1000' },
      { kpi_id: ids.COMPLAINTS, weight: '20', year_target: '0' },
      { kpi_id: ids.AUDIT, weight: '10', year_target: '90' },
      { kpi_id: ids.NPS, weight: '5' },
    ],
  });
  const refused = await step('kpi_sheet', sheet, 'submit', 'mina');
  expect(refused.statusCode).toBe(422);
  const messages = refused
    .json<{ error: { details: { message: string }[] } }>()
    .error.details.map(({ message }) => message);
  expect(messages).toEqual([
    'SALES: its type allows weights from 0 to 70, above 0.',
    'SALES needs a target for each period. Enter it, or spread it.',
    'COMPLAINTS needs a target for each period. Enter it, or spread it.',
    'AUDIT needs a target for each period. Enter it, or spread it.',
    'NPS is a metric and carries no weight. Enter 0, or make it a KPI.',
    'Weights add up to 110. They must add up to 100. “Spread the difference” does that.',
  ]);
});

test('weights of 99.99 or 100.01 are refused, and “Spread the difference” brings them to 100', async () => {
  const { lines } = (await read('kpi_sheet', sheet)) as Doc & { lines: Row[] };
  const weighed = (...weights: string[]) => lines.map((line, at) => ({ ...line, weight: weights[at] }));
  const press = async (more: object) =>
    ok<{ set: { lines: Row[] } | null }>(
      people.mina!.call('POST', '/tapi/kpi_sheet/action/performance.spread_difference', {
        on: 'record',
        id: sheet,
        ...more,
      }),
    );
  await ok(setLines(sheet, weighed('60', '29.99', '10', '0'), 'mina'));
  const { version } = await read('kpi_sheet', sheet);
  expect((await step('kpi_sheet', sheet, 'submit', 'mina')).body).toContain(
    'Weights add up to 99.99. They must add up to 100.',
  );
  await press({ version });
  const even = (await read('kpi_sheet', sheet)) as Doc & { lines: Row[] };
  expect(even.lines.map(({ weight }) => Number(weight))).toEqual([60.01, 29.99, 10, 0]);
  // In the form nothing is stored; a metric gives its weight back.
  const { set } = await press({ values: { ...even, lines: weighed('59.01', '30', '10', '1') } });
  expect(set!.lines.map(({ weight }) => weight)).toEqual(['59.60', '30.30', '10.10', '0.00']);
  // Ranges of weights in Planning apply to KPIs too, where there are some for them.
  await ensureTables(acme, made.world.screens, ['weight_range']);
  await acme.sql(
    `insert into {s}.weight_range (name, applies_to, min_weight, max_weight, default_weight) values ('Normal', 'kpi', 20, 60, 30)`,
  );
  await ok(setLines(sheet, weighed('60', '30.01', '10', '0'), 'mina'));
  expect((await step('kpi_sheet', sheet, 'submit', 'mina')).body).toContain(
    'AUDIT: KPIs weigh 20 to 60 (Normal). Change the weight.',
  );
  await acme.sql('delete from {s}.weight_range');
  expect((await step('kpi_sheet', sheet, 'submit', 'mina')).body).toContain(
    'Weights add up to 100.01. They must add up to 100.',
  );
  await ok(setLines(sheet, weighed('75', '20', '10', '5'), 'mina'));
});

test('a lower limit above the upper one, a target that equals the base and a tolerance of 0 are refused', async () => {
  const { kpi_type_id, uom_id } = await read('kpi', ids.SALES!);
  const way = await add('kpi', {
    code: 'WAY',
    name: 'Way',
    kpi_type_id,
    uom_id,
    valid_from: '2024-04-01',
    achievement_method: 'base_to_target',
  });
  const own = await add('kpi_sheet', {
    employee_id: ids.mina,
    financial_year: '2025-2026',
    valid_from: '2025-04-01',
    valid_to: '2026-03-31',
    lines: [{ kpi_id: way, weight: '70', base_value: '60', ...monthly('60.0') }],
  });
  expect((await step('kpi_sheet', own, 'submit', 'head')).body).toContain(
    'Way: base and target are equal, so no score can be computed. Change one of them.',
  );
  const limits = [{ kpi_id: way, weight: '70', range_low: '10', range_high: '5' }];
  expect((await setLines(own, limits, 'mina')).body).toContain('The lower limit is above the upper limit.');
  const tooLow = 'Tolerance must be more than 0.';
  expect((await setLines(own, [{ kpi_id: way, weight: '70', tolerance: '-1' }], 'mina')).body).toContain(tooLow);
  const none = await change('kpi', ids.COMPLAINTS!, { tolerance: '0' }, 'admin');
  expect(none.json()).toMatchObject({ error: { details: [{ field: 'tolerance', message: tooLow }] } });
  const file = await checkRecords(made.world, people.admin!, 'kpi', [{ code: 'COMPLAINTS', tolerance: '0' }]);
  expect(file.errors).toEqual([tooLow]);
  await ok(step('kpi_sheet', own, 'cancel', 'head', { reason: 'Only tried.' }));
});

test('weights and targets are spread: sums by largest remainder, averages equally, quarters at their ends', async () => {
  const stored = await read('kpi_sheet', sheet);
  const press = async (action: string, values: object, rows: number[] = []) =>
    (
      await ok<{ set: { lines: Row[] } }>(
        people.mina!.call('POST', `/tapi/kpi_sheet/action/performance.${action}`, {
          on: 'rows:lines',
          id: sheet,
          values,
          rows,
        }),
      )
    ).set.lines;
  const weighed = await press('spread_weights', stored);
  expect(weighed.map(({ weight }) => weight)).toEqual(['33.34', '33.33', '33.33', '0.00']);
  const lines = await press('spread_targets', {
    ...stored,
    lines: weighed.map((line, at) => ({ ...line, weight: ['60', '30', '10', '0'][at] })),
  });
  const targets = (at: number, months: string[]) =>
    months.map((month) => lines[at]![month] && Number(lines[at]![month]));
  expect(targets(0, ['t01', 't04', 't05', 't12'])).toEqual([84, 84, 83, 83]);
  expect(targets(1, ['t01', 't12'])).toEqual([0, 0]);
  expect(targets(2, ['t01', 't03', 't06', 't12'])).toEqual([null, 90, 90, 90]);
  await ok(setLines(sheet, lines, 'mina'));
  await ok(step('kpi_sheet', sheet, 'submit', 'mina'));
});

test('a target type decides how a year is spread: from the first day on, or each period the same', async () => {
  const [first] = await acme.sql<{ type: number; unit: number }>(
    'select kpi_type_id as type, uom_id as unit from {s}.kpi order by id limit 1',
  );
  const aggregations: unknown[] = [];
  const spreadOf = async (code: string, more: object) => {
    const kind = await add('target_type', { code, name: code, ...more });
    const kpi = await add('kpi', {
      code,
      name: code,
      kpi_type_id: first!.type,
      uom_id: first!.unit,
      target_type_id: kind,
      valid_from: '2024-04-01',
    });
    aggregations.push((await read('kpi', kpi)).period_aggregation);
    const { set } = await ok<{ set: { lines: Row[] } }>(
      people.mina!.call('POST', '/tapi/kpi_sheet/action/performance.spread_targets', {
        on: 'rows:lines',
        id: sheet,
        values: { ...(await read('kpi_sheet', sheet)), lines: [{ kpi_id: kpi, weight: '100', year_target: '1000' }] },
        rows: [],
      }),
    );
    return ['t01', 't02', 't12'].map((month) => Number(set.lines[0]![month]));
  };
  expect(await spreadOf('YTD', { behaviour: 'cumulative', period_aggregation: 'last' })).toEqual([84, 168, 1000]);
  expect(await spreadOf('FLAT', { behaviour: 'period', phasing_allowed: false })).toEqual([1000, 1000, 1000]);
  // The type gives a KPI its aggregation, when it is chosen later too, until somebody chooses another.
  expect(aggregations).toEqual(['last', 'sum']);
  const kind = (await list('target_type', 'admin', ['code', 'eq', 'YTD']))[0]!.id;
  const other = await add('kpi', {
    code: 'OTHER',
    name: 'Other',
    kpi_type_id: first!.type,
    uom_id: first!.unit,
    valid_from: '2024-04-01',
  });
  expect(await ok(change('kpi', other, { target_type_id: kind }, 'admin'))).toMatchObject({
    period_aggregation: 'last',
  });
  await ok(change('kpi', other, { period_aggregation: 'max' }, 'admin'));
  expect(await ok(change('kpi', other, { target_type_id: null }, 'admin'))).toMatchObject({
    period_aggregation: 'max',
  });
});

test('another person approves it; the member disputes it, with notice to the manager, who changes it, or acknowledges it', async () => {
  expect((await step('kpi_sheet', sheet, 'approve', 'mina')).statusCode).toBe(403);
  await ok(step('kpi_sheet', sheet, 'approve', 'head'));
  const told = await acme.sql<{ user_id: number }>(
    `select user_id from {s}.notification where event_code = 'kpi.sheet_approved'`,
  );
  expect(told.map(({ user_id: user }) => Number(user))).toEqual([people.asha!.userId]);
  expect((await step('kpi_sheet', sheet, 'acknowledge', 'mina')).statusCode).toBe(403);
  // The member's scorecard leads to the sheet until then.
  const waiting = async () => {
    const { tiles } = await ok<{ tiles: { widget?: { acknowledge: string | null } }[] }>(
      people.asha!.call('POST', '/tapi/dashboard/scorecard_new', { filters: {} }),
    );
    return tiles.find(({ widget }) => widget)!.widget!.acknowledge;
  };
  expect(await waiting()).toBe(`/employee_kpi/view/${sheet}`);
  expect((await step('kpi_sheet', sheet, 'dispute', 'asha')).statusCode).toBe(422);
  await ok(step('kpi_sheet', sheet, 'dispute', 'asha', { reason: 'The target of May is that of June.' }));
  const disputed = await acme.sql<{ user_id: number; title: string }>(
    `select user_id, title from {s}.notification where event_code = 'kpi.sheet_disputed'`,
  );
  expect(disputed.map(({ user_id: user }) => Number(user))).toEqual([people.mina!.userId]);
  expect(disputed[0]!.title).toContain((await read('kpi_sheet', sheet)).sheet_no as string);
  expect(await read('kpi_sheet', sheet)).toMatchObject({ dispute_reason: 'The target of May is that of June.' });
  // Without figures a disputed sheet becomes a draft again; its updates are planned anew.
  await ok(step('kpi_sheet', sheet, 'rework', 'mina'));
  expect(await list('kpi_actual', 'asha')).toEqual([]);
  await ok(step('kpi_sheet', sheet, 'submit', 'mina'));
  await ok(step('kpi_sheet', sheet, 'approve', 'head'));
  await ok(step('kpi_sheet', sheet, 'dispute', 'asha', { reason: 'The target of May is still that of June.' }));
  await acme.sql(`update {s}.kpi_actual set status = 'submitted' where sheet_id = $1 and month = '2025-05'`, [sheet]);
  expect((await step('kpi_sheet', sheet, 'rework', 'mina')).body).toContain(
    'May 2025 has figures already. Revise the sheet from a later month.',
  );
  await acme.sql(`update {s}.kpi_actual set status = 'to_enter' where sheet_id = $1 and month = '2025-05'`, [sheet]);
  expect(await ok(step('kpi_sheet', sheet, 'acknowledge', 'asha'))).toMatchObject({ status: 'acknowledged' });
  expect(await waiting()).toBeNull();
  const updates = await list('kpi_actual', 'asha');
  expect(updates).toHaveLength(12 + 12 + 4 + 12);
  expect(await actualOf('SALES', '2025-04')).toMatchObject({
    status: 'to_enter',
    target: '84.0000',
    weight: '60.0000',
    ends_on: '2025-04-30',
    due_on: '2025-05-03',
    freezes_on: '2025-05-09',
    achievement: null,
  });
  expect(await list('kpi_actual', 'ravi')).toEqual([]);
});

test('an update needs a figure of a month that has begun, and a remark if it is low', async () => {
  const { id } = await actualOf('SALES', '2025-04');
  expect((await step('kpi_actual', id, 'submit', 'asha')).statusCode).toBe(422);
  await acme.sql('update {s}.kpi set decimals = 1 where id = $1', [ids.SALES]);
  await ok(change('kpi_actual', id, { value: '12.5', remark: 'Half a month.' }, 'asha'));
  await acme.sql('update {s}.kpi set decimals = 0 where id = $1', [ids.SALES]);
  // What was entered before the KPI took whole numbers is refused at the submission.
  expect((await step('kpi_actual', id, 'submit', 'asha')).body).toContain('NOS takes whole numbers. Correct 12.5.');
  const inMonth = (month: string, opens: string) =>
    acme.sql('update {s}.kpi_actual set month = $2, opens_on = $3 where id = $1', [id, month, opens]);
  await inMonth('2099-03', '2099-04-01');
  expect((await step('kpi_actual', id, 'submit', 'asha')).body).toContain(
    'March 2099 has not started. Enter it from 01-04-2099 on.',
  );
  await inMonth('2025-04', '2025-04-30');
  await ok(change('kpi_actual', id, { remark: null }, 'asha'));
  const low = await ok(change('kpi_actual', id, { value: '50' }, 'asha'));
  expect(low).toMatchObject({ achievement: '59.5238', score: '59.5238', weighted: '35.7143', colour: 'red' });
  const refused = await step('kpi_actual', id, 'submit', 'asha');
  expect(refused.json()).toMatchObject({ error: { details: [{ field: 'remark' }] } });
  await ok(change('kpi_actual', id, { remark: 'Two salesmen were ill.' }, 'asha'));
  await ok(step('kpi_actual', id, 'submit', 'asha'));
  expect((await change('kpi_actual', id, { value: '500' }, 'asha')).statusCode).toBe(409);
  expect((await step('kpi_actual', id, 'approve', 'asha')).statusCode).toBe(403);
  expect(await list('kpi_score', 'asha')).toEqual([]);
  await ok(step('kpi_actual', id, 'approve', 'mina'));
  expect(await list('kpi_score', 'asha')).toMatchObject([
    { month: '2025-04', score: '59.52', covered: '66.6700', band: 'Needs improvement', frozen: false },
  ]);
});

test('a whole-number unit takes no 12.5, through any door: form, several at once, file, import, targets', async () => {
  const { id } = await actualOf('SALES', '2025-07');
  const refusal = (message: string, field: string) => ({ error: { details: [{ field, message }] } });
  const noPieces = 'NOS takes whole numbers. Correct 12.5.';
  expect((await change('kpi_actual', id, { value: '12.5' }, 'asha')).json()).toMatchObject(refusal(noPieces, 'value'));
  await acme.sql('update {s}.kpi set decimals = 1 where id = $1', [ids.SALES]);
  expect((await change('kpi_actual', id, { value: '12.55' }, 'asha')).json()).toMatchObject(
    refusal('NOS takes 1 decimal. Correct 12.55.', 'value'),
  );
  await acme.sql('update {s}.kpi set decimals = 0 where id = $1', [ids.SALES]);
  const several = await ok<{ changed: number[]; errors: object[] }>(
    people.asha!.call('PUT', '/tapi/kpi_actual/bulk', { ids: [id], set: { value: '12.5' } }),
  );
  expect(several).toMatchObject({ changed: [], errors: [{ message: expect.stringContaining(noPieces) as string }] });
  // A file changes the updates of a sheet, and adds none.
  const row = { sheet_id: String((await read('kpi_sheet', sheet)).sheet_no), kpi_id: 'SALES', month: '2025-07' };
  const file = await checkRecords(made.world, people.mina!, 'kpi_actual', [
    { ...row, value: '12.5' },
    { ...row, month: '2031-07', value: '12' },
  ]);
  expect(file.errors).toEqual([
    noPieces,
    'There is no record with these values in Sheet, KPI, Only, Month. A file changes records of this list and adds none.',
  ]);
  // Nothing is stored while a row is wrong, unless only the valid rows are wanted.
  const rows = [
    { ...row, value: '12.5' },
    { ...row, month: '2025-08', value: '11' },
  ];
  const whole = await checkRecords(made.world, people.mina!, 'kpi_actual', rows);
  expect((await people.mina!.call('POST', `/tapi/import/${whole.id}/commit`)).statusCode).toBe(422);
  expect(await actualOf('SALES', '2025-08')).toMatchObject({ value: null });
  await importRecords(made.world, people.mina!, 'kpi_actual', rows, { validOnly: [noPieces] });
  expect(await actualOf('SALES', '2025-08')).toMatchObject({ value: '11.000000' });
  await importRecords(made.world, people.mina!, 'kpi_actual', [{ ...row, month: '2025-08', value: '' }]);
  await importRecords(made.world, people.mina!, 'kpi_actual', [{ ...row, value: '12' }]);
  expect(await actualOf('SALES', '2025-07')).toMatchObject({ value: '12.000000', status: 'to_enter' });
  const { kpi_type_id, uom_id } = await read('kpi', ids.SALES!);
  const pieces = { kpi_type_id, uom_id, valid_from: '2024-04-01' };
  const read_in = await add('kpi', { ...pieces, code: 'READ_IN', name: 'Read in', source: 'import' });
  const imported = { source_ref: 'X1', kpi_id: read_in, month: '2025-07', employee_id: ids.asha, value: '12.5' };
  expect((await people.admin!.call('POST', '/tapi/kpi_import', imported)).json()).toMatchObject(
    refusal(noPieces, 'value'),
  );
  // Targets of a sheet: those that are changed.
  const target = await people.mina!.call('POST', '/tapi/kpi_sheet', {
    employee_id: ids.mina,
    financial_year: '2025-2026',
    valid_from: '2025-04-01',
    valid_to: '2026-03-31',
    lines: [{ kpi_id: ids.SALES, weight: '70', year_target: '100', t01: '12.5', t02: '13.0' }],
  });
  expect(target.json()).toMatchObject(refusal(noPieces, 'lines.0.t01'));
  const mapped = await people.admin!.call('POST', '/tapi/kpi_mapping', {
    kpi_id: ids.SALES,
    map_to: 'branch',
    branch_id: (await read('employee', ids.asha!)).branch_id,
    target_basis: 'fixed',
    year_target: '12.5',
    valid_from: '2025-04-01',
  });
  expect(mapped.json()).toMatchObject(refusal(noPieces, 'year_target'));
});

test('an update without approval counts at once; a missing actual scores nothing at the freeze, and nothing changes it afterwards', async () => {
  const audit = await actualOf('AUDIT', '2025-06');
  await ok(change('kpi_actual', audit.id, { value: '99' }, 'asha'));
  const hook = await add('api_config', {
    name: 'Scores',
    direction: 'outgoing',
    url: 'https://scores.example/hook',
    events: ['kpi_score.*', 'kpi_actual.approved'],
  });
  expect(await ok(step('kpi_actual', audit.id, 'submit', 'asha'))).toMatchObject({
    status: 'approved',
    colour: 'blue',
  });
  expect(await list('kpi_score', 'asha', ['month', 'eq', '2025-06'])).toMatchObject([
    { score: '110.00', covered: '10.0000', trend: 'up' },
  ]);
  // Other systems are called once for the figure, and once for the score of the sheet.
  const calls = await acme.sql<{ event: string }>('select event from {s}.api_delivery where api_config_id = $1', [
    hook,
  ]);
  expect(calls.map(({ event }) => event).toSorted()).toEqual(['kpi_actual.approved', 'kpi_score.created']);
  await acme.sql('update {s}.api_config set active = false');
  for (const kpi of ['SALES', 'COMPLAINTS', 'NPS', 'AUDIT'])
    await ok(step('kpi_actual', (await actualOf(kpi, '2025-06')).id, 'freeze', 'mina'));
  const [frozen] = await list('kpi_score', 'asha', ['month', 'eq', '2025-06']);
  expect(frozen).toMatchObject({ score: '11.00', covered: '100.0000', frozen: true, trend: 'down' });
  expect((await change('kpi_actual', audit.id, { value: '10' }, 'admin')).statusCode).toBe(409);
  await ok(change('kpi', ids.AUDIT!, { cap_percent: '100' }, 'admin'));
  await acme.sql('update {s}.kpi_actual set achievement = 10 where id = $1', [audit.id]);
  expect((await step('kpi_actual', audit.id, 'reopen', 'mina')).statusCode).toBe(409);
  expect(await read('kpi_score', frozen!.id)).toMatchObject({ score: '11.00', version: frozen!.version });
});

test('one sheet per member and day; a member sees no other scores', async () => {
  const second = await people.admin!.call('POST', '/tapi/kpi_sheet', {
    employee_id: ids.asha,
    financial_year: '2025-2026',
    valid_from: '2025-10-01',
    valid_to: '2026-03-31',
    lines: [],
  });
  expect(second.statusCode).toBe(422);
  expect(await list('kpi_score', 'ravi')).toEqual([]);
  expect((await list('kpi_score', 'mina')).length).toBeGreaterThan(0);
});

test('a development plan is approved by the manager and complete when its actions are', async () => {
  const group = await add('skillsgroup', { code: 'SOFT', name: 'Soft skills' });
  const competency = await add('competencies', { code: 'NEG', name: 'Negotiation', skillsgroup_id: group });
  const action = (weight: string, progress: string) => ({
    competency_id: competency,
    current_level: 2,
    target_level: 3,
    action: 'Lead the talks with two customers',
    action_kind: 'on_the_job',
    due_on: '2025-09-30',
    weight,
    progress,
  });
  const plan = await ok(
    people.mina!.call('POST', '/tapi/idp', {
      employee_id: ids.asha,
      period_from: '2025-04-01',
      period_to: '2026-03-31',
      actions: [action('40', '100'), action('30', '50'), action('30', '0')],
    }),
    201,
  );
  expect(Number((await read('idp', plan.id)).progress)).toBe(55);
  await ok(step('idp', plan.id, 'submit', 'asha'));
  const waiting = await acme.sql<{ user_id: number }>(
    `select user_id from {s}.notification where event_code = 'idp.waiting'`,
  );
  expect(waiting.map(({ user_id: user }) => Number(user))).toEqual([people.mina!.userId]);
  expect((await step('idp', plan.id, 'approve', 'asha')).statusCode).toBe(403);
  await ok(step('idp', plan.id, 'approve', 'mina'));
  await ok(step('idp', plan.id, 'start', 'asha'));
  expect((await step('idp', plan.id, 'complete', 'asha')).statusCode).toBe(422);
  const { actions } = await read('idp', plan.id);
  const done = (actions as Row[]).map((row, at) =>
    at === 2 ? { ...row, dropped: true } : { ...row, progress: '100' },
  );
  await ok(change('idp', plan.id, { actions: done }, 'asha'));
  expect(await ok(step('idp', plan.id, 'complete', 'asha'))).toMatchObject({ status: 'completed' });
});

test('feedback reaches the member, who answers it; its author closes it', async () => {
  const feedback = await ok(
    people.mina!.call('POST', '/tapi/tbl_emp_kpi_feedback_dtls', {
      employee_id: ids.asha,
      kpi_id: ids.SALES,
      month: '2025-04',
      feedback_kind: 'concern',
      text: 'Two offers were late. What happened?',
    }),
    201,
  );
  const notices = await ok<{ link: string }[]>(people.asha!.call('GET', '/tapi/notifications'));
  expect(notices.map(({ link }) => link)).toContain(`/tbl_emp_kpi_feedback_dtls/view/${feedback.id}`);
  expect((await step('tbl_emp_kpi_feedback_dtls', feedback.id, 'reply', 'mina', { answer: 'x' })).statusCode).toBe(403);
  await ok(step('tbl_emp_kpi_feedback_dtls', feedback.id, 'reply', 'asha', { answer: 'The price list came late.' }));
  expect((await people.ravi!.call('GET', `/tapi/tbl_emp_kpi_feedback_dtls/${feedback.id}`)).statusCode).toBe(404);
  expect(await ok(step('tbl_emp_kpi_feedback_dtls', feedback.id, 'close', 'mina'))).toMatchObject({ status: 'closed' });
});

const FEEDBACK = 'tbl_emp_kpi_feedback_dtls';

/** Whether feedback is behind the doors of a person; if they do not agree, the open ones. */
async function doorsTo(id: number, text: string, by: string): Promise<boolean | string> {
  const get = (path: string) => people[by]!.call('GET', path);
  const word = encodeURIComponent(text);
  const counted = async () => {
    const { tiles } = await ok<{ tiles: { name: string; figures?: { rows: Row[] } }[] }>(
      people[by]!.call('POST', '/tapi/dashboard/feedback_dashboards', { filters: {} }),
    );
    return Number(tiles.find(({ name }) => name === 'given')!.figures!.rows[0]!.n);
  };
  const pages = await Promise.all([
    get(`/tapi/${FEEDBACK}?size=100`),
    get(`/tapi/${FEEDBACK}?mine=1&size=100`),
    get(`/tapi/${FEEDBACK}?q=${word}`),
    get(`/tapi/${FEEDBACK}?filter=${encodeURIComponent(JSON.stringify(['text', 'eq', text]))}`),
  ]);
  const options = await ok<{ id: number }[]>(get(`/tapi/${FEEDBACK}/options?ids=${id}`));
  const rows = await Promise.all(pages.map((page) => ok<Doc[]>(Promise.resolve(page))));
  const [all, mine, ...found] = rows.map((rows_) => rows_.some((row) => row.id === id));
  // A tile is remembered for some seconds.
  await expect.poll(counted, { timeout: 15_000 }).toBe(rows[0]!.length);
  const one = await Promise.all(['', '/history'].map((tail) => get(`/tapi/${FEEDBACK}/${id}${tail}`)));
  const book = await get(`/tapi/${FEEDBACK}/export.xlsx?columns=text`);
  const doors: Record<string, boolean> = {
    list: all!,
    ...(mine && { mine }),
    search: found[0]!,
    filter: found[1]!,
    record: one[0]!.statusCode === 200,
    history: one[1]!.statusCode === 200,
    options: options.some((option) => option.id === id),
    ...(book.statusCode === 200 && {
      export: JSON.stringify(XLSX.read(book.rawPayload).Sheets).includes(text),
    }),
  };
  const open = Object.keys(doors).filter((name) => doors[name]);
  return open.length === 0 ? false : open.length === Object.keys(doors).length ? true : open.join(', ');
}

test('feedback for the member alone, or for the manager alone, is behind no door of anybody else', async () => {
  const hr = await acme.role({
    modules: ['PERFORMANCE'],
    screens: {
      SCN_EMP_KPI_FEEDBACK: { pages: ['landing', 'view_screen'], scope: 'company' },
      SCN_FEEDBACK_DASHBOARDS: { pages: ['landing', 'view_screen'], scope: 'company' },
    },
    actions: ['EXPORT_DATA'],
  });
  await acme.user('hr', { companies: [{ company: 1, roles: [hr] }] });
  people.hr = await made.world.signIn(acme, 'hr');
  const give = async (visibility: string, text: string) => {
    const { id } = await ok(
      people.head!.call('POST', `/tapi/${FEEDBACK}`, {
        employee_id: ids.asha,
        kpi_id: ids.SALES,
        month: '2025-05',
        feedback_kind: 'concern',
        text,
        visibility,
      }),
      201,
    );
    return id;
  };
  const seen = async (id: number, text: string) =>
    Object.fromEntries(
      await Promise.all(
        ['head', 'asha', 'mina', 'hr', 'admin', 'ravi'].map(async (by) => [by, await doorsTo(id, text, by)] as const),
      ),
    );
  const told = async (id: number) => {
    const rows = await acme.sql<{ user_id: number }>('select user_id from {s}.notification where link = $1', [
      `/${FEEDBACK}/view/${id}`,
    ]);
    return rows.map(({ user_id: user }) => Number(user));
  };
  const nobody = { head: true, asha: false, mina: false, hr: false, admin: true, ravi: false };

  const both = await give('employee_and_manager', 'Everybody of the line reads this.');
  expect(await seen(both, 'Everybody of the line reads this.')).toMatchObject({ asha: true, mina: true, hr: true });
  const member = await give('employee_only', 'Between the two of us.');
  expect(await seen(member, 'Between the two of us.')).toEqual({ ...nobody, asha: true });
  expect(await told(member)).toEqual([people.asha!.userId]);
  const manager = await give('manager_only', 'Please talk to her.');
  expect(await seen(manager, 'Please talk to her.')).toEqual({ ...nobody, mina: true });
  expect(await told(manager)).toEqual([people.mina!.userId]);

  // Only the reader answers, and only the author changes it: what others cannot see they cannot change.
  expect((await step(FEEDBACK, manager, 'reply', 'asha', { answer: 'What?' })).statusCode).toBe(404);
  expect((await step(FEEDBACK, member, 'reply', 'mina', { answer: 'What?' })).statusCode).toBe(404);
  expect((await change(FEEDBACK, manager, { visibility: 'employee_and_manager' }, 'mina')).statusCode).toBe(409);
  expect((await change(FEEDBACK, member, { visibility: 'employee_and_manager' }, 'asha')).statusCode).toBe(409);
  await ok(step(FEEDBACK, manager, 'reply', 'mina', { answer: 'I will, tomorrow.' }));

  // A reminder of the open concern reaches only people who see it.
  const screen = (await productScreens()).screens.get(FEEDBACK)!;
  const lines = ['assignee', 'approver', 'manager_1'].map((kind) => ({
    kind,
    role_id: null,
    employee_id: null,
    mail: null,
  }));
  const reminded = (visibility: string) =>
    linesFor(screen, { visibility }, lines, screen.due![0]!.people).map(({ kind }) => kind);
  expect(reminded('employee_and_manager')).toEqual(['assignee', 'approver', 'manager_1']);
  expect(reminded('employee_only')).toEqual(['assignee']);
  expect(reminded('manager_only')).toEqual(['approver']);
});

test('a member asks a colleague for feedback, who has it as a task; the answer names who asked, and is kept in one place', async () => {
  const ask = (more: object) =>
    people.asha!.call('POST', '/tapi/kpi_feedback_request', {
      asked_id: ids.ravi,
      kpi_id: ids.SALES,
      month: '2025-05',
      question: 'How did my offers read?',
      ...more,
    });
  expect((await ask({ asked_id: ids.asha })).body).toContain('Ask somebody else than yourself.');
  expect((await ask({ due_on: '2020-01-01' })).body).toContain('Choose today or a later day.');
  const { id } = await ok(ask({}), 201);
  const link = `/kpi_feedback_request/view/${id}`;
  const notices = await ok<{ link: string; title: string }[]>(people.ravi!.call('GET', '/tapi/notifications'));
  expect(notices.find((one) => one.link === link)?.title).toBe('E10002 asks for your feedback on SALES');
  const waiting = await ok<Doc[]>(people.ravi!.call('GET', '/tapi/kpi_feedback_request?mine=1'));
  expect(waiting).toMatchObject([{ id, status: 'asked' }]);
  const days = await ok<{ link?: string; to?: string }[]>(
    people.ravi!.call('GET', `/tapi/calendar?from=${companyDay(0)}&to=${companyDay(10)}`),
  );
  expect(JSON.stringify(days)).toContain('Feedback on a KPI is asked for');

  const answer = {
    feedback_kind: 'suggestion',
    stars: 4,
    text: 'Clear, but the price came last.',
    visibility: 'employee_only',
  };
  expect((await step('kpi_feedback_request', id, 'give', 'mina', answer)).statusCode).not.toBe(200);
  await ok(step('kpi_feedback_request', id, 'give', 'ravi', answer));
  const [found] = await list(FEEDBACK, 'asha', ['text', 'eq', answer.text]);
  expect(await read(FEEDBACK, found!.id, 'asha')).toMatchObject({
    employee_id: ids.asha,
    asked_by: ids.asha,
    created_by: people.ravi!.userId,
    month: '2025-05',
    ...answer,
  });
  // The manager sees that it was given, not what it says.
  expect(await list(FEEDBACK, 'mina', ['text', 'eq', answer.text])).toEqual([]);
  for (const by of ['asha', 'mina', 'ravi', 'admin'])
    expect((await people[by]!.call('GET', `/tapi/kpi_feedback_request/${id}`)).body).not.toContain(answer.text);
  const [stored] = await acme.sql('select text, stars from {s}.kpi_feedback_request where id = $1', [id]);
  expect(stored).toEqual({ text: null, stars: null });
});

test('a formula with an unknown KPI or a circle is refused; a calculated KPI follows its KPIs, and says why it has no figure', async () => {
  const { kpi_type_id: type, uom_id: unit } = await read('kpi', ids.SALES!);
  const rate = {
    code: 'REACHED',
    name: 'Sales of the target',
    kpi_type_id: type,
    uom_id: unit,
    decimals: 2,
    source: 'formula',
    valid_from: '2025-04-01',
  };
  const refused = async (formula: string, more: object = {}) =>
    (await made.people.admin!.call('POST', '/tapi/kpi', { ...rate, formula, ...more })).body;
  expect(await refused('SALE / 2')).toContain('There is no KPI SALE. Did you mean SALES?');
  expect(await refused('REACHED + 1')).toContain('REACHED uses itself: REACHED → REACHED.');
  expect(await refused('SALES / prev(SALES)', { period_aggregation: 'formula' })).toContain(
    'prev(SALES) looks at single months.',
  );
  expect(await refused('', { source: 'manual', period_aggregation: 'formula' })).toContain(
    'Only KPIs that are calculated',
  );
  ids.REACHED = await add('kpi', { ...rate, formula: 'SALES / target(SALES) * 100' });
  const beyond = await add('kpi', { ...rate, code: 'BEYOND', name: 'Beyond', formula: 'REACHED - 100' });
  expect((await change('kpi', ids.REACHED, { formula: 'BEYOND + 100' }, 'admin')).json()).toMatchObject({
    error: { details: [{ field: 'formula', message: 'REACHED uses itself: REACHED → BEYOND → REACHED.' }] },
  });
  const gone = await people.admin!.call('DELETE', `/tapi/kpi/${beyond}?version=1`);
  expect(gone.statusCode, gone.body).toBe(204);
  const targets = Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [`t${String(at + 1).padStart(2, '0')}`, '100']),
  );
  const own = await add('kpi_sheet', {
    employee_id: ids.ravi,
    financial_year: '2025-2026',
    valid_from: '2025-04-01',
    valid_to: '2026-03-31',
    lines: ['SALES', 'REACHED'].map((code) => ({ kpi_id: ids[code], weight: '50', year_target: '1200', ...targets })),
  });
  await ok(step('kpi_sheet', own, 'submit', 'admin'));
  await ok(step('kpi_sheet', own, 'approve', 'head'));
  const update = async (code: string) =>
    (
      await list('kpi_actual', 'admin', [
        'and',
        ['sheet_id', 'eq', own],
        ['kpi_id', 'eq', ids[code]],
        ['month', 'eq', '2025-05'],
      ])
    )[0]!;
  const { id } = await update('SALES');
  await ok(change('kpi_actual', id, { value: '90' }, 'ravi'));
  await ok(step('kpi_actual', id, 'submit', 'ravi'));
  expect(await read('kpi_actual', (await update('REACHED')).id)).toMatchObject({ status: 'to_enter', value: null });
  await ok(step('kpi_actual', id, 'approve', 'head'));
  const calculated = (await update('REACHED')).id;
  expect(await read('kpi_actual', calculated)).toMatchObject({
    status: 'approved',
    value: '90.000000',
    achievement: '90.0000',
  });
  await ok(step('kpi_actual', id, 'reopen', 'admin', { reason: 'A bill was cancelled.' }));
  const [again] = await acme.sql<{ user_id: number; title: string }>(
    `select user_id, title from {s}.notification where event_code = 'kpi.update_reopened'`,
  );
  expect([Number(again!.user_id), again!.title]).toEqual([
    people.ravi!.userId,
    'SALES of May 2025 is to be entered again',
  ]);
  expect(await read('kpi_actual', calculated)).toMatchObject({
    status: 'to_enter',
    value: null,
    achievement: null,
    remark: 'Not computable: SALES is missing.',
  });
});

test('a KPI whose code a formula or a sheet uses is not renamed, deactivated or deleted', async () => {
  const sales = await read('kpi', ids.SALES!);
  expect((await change('kpi', sales.id, { code: 'TURNOVER' }, 'admin')).json()).toMatchObject({
    error: {
      details: [
        {
          field: 'code',
          message: 'SALES is used in REACHED and 2 sheets. Keep its code; the name can be changed.',
        },
      ],
    },
  });
  await ok(change('kpi', sales.id, { name: 'Turnover' }, 'admin'));
  const { version } = await ok(change('kpi', sales.id, { name: 'SALES' }, 'admin'));
  const refused = await people.admin!.call('POST', `/tapi/kpi/${sales.id}/deactivate`, { version });
  expect([refused.statusCode, refused.body]).toEqual([
    422,
    expect.stringContaining(
      'SALES is used in REACHED and 2 sheets. Enter the day until which it is valid instead.',
    ) as string,
  ]);
  // Only a formula uses it: no reference keeps it from being deleted.
  const { kpi_type_id, uom_id, valid_from } = sales;
  const measured = { kpi_type_id, uom_id, valid_from };
  const cost = await add('kpi', { ...measured, code: 'COST', name: 'Cost' });
  const margin = await add('kpi', {
    ...measured,
    code: 'MARGIN',
    name: 'Margin',
    source: 'formula',
    formula: '100 - prev(COST)',
  });
  const remove = async (id: number) =>
    people.admin!.call('DELETE', `/tapi/kpi/${id}?version=${(await read('kpi', id)).version}`);
  expect((await remove(cost)).body).toContain('COST is used in MARGIN.');
  expect((await remove(margin)).statusCode).toBeLessThan(300);
  await ok(change('kpi', cost, { code: 'COSTS' }, 'admin'));
  expect((await remove(cost)).statusCode).toBeLessThan(300);
});

test('a frozen month takes no entries and no approvals, and keeps its manager; it is reopened with the right, a reason and a last day', async () => {
  const locks = () => list('kpi_period_lock', 'admin', ['month', 'eq', '2025-07']);
  const follow = async () => {
    while ((await made.world.app.deliveries.deliver(acme)) > 0);
    await made.world.app.jobs.drain();
  };
  const messageOf = (answer: { json: () => { error: { message: string; details: { message: string }[] } } }) => {
    const { error } = answer.json();
    return error.details[0]?.message ?? error.message;
  };
  const sales = await actualOf('SALES', '2025-07');
  const nps = await actualOf('NPS', '2025-07');
  await ok(change('kpi_actual', sales.id, { value: '90' }, 'asha'));
  await ok(step('kpi_actual', sales.id, 'submit', 'asha'));
  const lock = await add('kpi_period_lock', { month: '2025-07' });
  expect(
    messageOf(await step('kpi_period_lock', await add('kpi_period_lock', { month: '2099-01' }), 'freeze', 'admin')),
  ).toBe('January 2099 has not started.');

  // Entries end first; what is submitted can still be decided.
  await ok(step('kpi_period_lock', lock, 'close', 'admin'));
  expect(messageOf(await change('kpi_actual', nps.id, { value: '40' }, 'asha'))).toBe(
    'Entries of July 2025 have ended. Ask HR to allow them again.',
  );
  await ok(step('kpi_period_lock', lock, 'open', 'admin', { reason: 'Branch was closed by rain.' }));
  await ok(change('kpi_actual', nps.id, { value: '40' }, 'asha'));

  // From the moment of the freeze nothing is taken, also before the updates themselves have followed.
  await ok(step('kpi_period_lock', lock, 'freeze', 'admin'));
  const refusal = new RegExp(String.raw`^July 2025 is frozen since \d\d-\d\d-\d{4}\. Ask HR to reopen it\.$`);
  expect(messageOf(await step('kpi_actual', sales.id, 'approve', 'mina'))).toMatch(refusal);
  expect(messageOf(await step('kpi_actual', nps.id, 'submit', 'asha'))).toMatch(refusal);
  expect(messageOf(await change('kpi_actual', nps.id, { value: '41' }, 'asha'))).toMatch(refusal);
  // Nor for several at once, nor from a file.
  const several = await ok<{ changed: number[]; errors: { message: string }[] }>(
    people.asha!.call('PUT', '/tapi/kpi_actual/bulk', { ids: [nps.id], set: { value: '41' } }),
  );
  expect([several.changed, several.errors.map(({ message }) => message.replace(/^.*?: /, ''))]).toEqual([
    [],
    [expect.stringMatching(refusal)],
  ]);
  const row = {
    sheet_id: String((await read('kpi_sheet', sheet)).sheet_no),
    kpi_id: 'NPS',
    month: '2025-07',
    value: '41',
  };
  expect((await checkRecords(made.world, people.mina!, 'kpi_actual', [row])).errors).toEqual([
    expect.stringMatching(refusal),
  ]);
  await follow();
  // Other months that are over have a period now; their entries ended long ago.
  expect(await list('kpi_period_lock', 'admin', ['month', 'eq', '2025-05'])).toMatchObject([{ status: 'closing' }]);
  const scores = () => list('kpi_score', 'asha', ['month', 'eq', '2025-07']);
  const [frozen] = await scores();
  expect(frozen).toMatchObject({ frozen: true, covered: '100.0000' });
  expect(await locks()).toMatchObject([{ status: 'frozen', not_approved: 5 }]);
  // A new manager takes over what ends from the day on; what is open moves only if the change says so.
  const managers = async () =>
    Object.fromEntries(
      await Promise.all(
        ['2025-07', '2025-08', '2025-09'].map(
          async (month) => [month, (await actualOf('SALES', month)).manager_id] as const,
        ),
      ),
    );
  const moveTo = async (manager: number, from: string, more: object = {}) => {
    const moved = await people.admin!.call('POST', `/tapi/employee/${ids.asha}/move`, {
      effective_from: from,
      reporting_to_id: manager,
      reason: 'New teams',
      ...more,
    });
    await follow();
    return moved;
  };
  const [mina, head] = [ids.mina!, ids.head!];
  expect(messageOf(await moveTo(head, '2025-07-15'))).toBe('The change can start on 01-08-2025 at the earliest.');
  // Back-dated org change into a frozen period: a transfer is refused like a new manager.
  expect(messageOf(await moveTo(head, '2025-07-15', { change: 'transfer' }))).toBe(
    'The change can start on 01-08-2025 at the earliest.',
  );
  await ok(moveTo(head, '2025-09-15'));
  expect(await managers()).toEqual({ '2025-07': mina, '2025-08': mina, '2025-09': head });
  expect(await read('kpi_sheet', sheet)).toMatchObject({ manager_id: head });
  await ok(moveTo(mina, '2025-09-16'));
  await ok(moveTo(head, '2025-09-17', { moves_open: true }));
  expect(await managers()).toEqual({ '2025-07': mina, '2025-08': head, '2025-09': head });
  await ok(moveTo(mina, '2025-09-18', { moves_open: true }));

  // Changed inputs change nothing, whatever runs afterwards.
  await ok(change('kpi', ids.SALES!, { cap_percent: '100' }, 'admin'));
  await acme.sql(`update {s}.kpi_actual set achievement = 120, counts = true where id = $1`, [nps.id]);
  for (const job of ['follow_period_locks', 'freeze_months'])
    await made.world.app.jobs.enqueue(acme.schema, job, {}, { company: 1 });
  await follow();
  expect(await scores()).toMatchObject([{ score: frozen!.score, version: frozen!.version }]);
  await acme.sql(`update {s}.kpi_actual set achievement = null, counts = false where id = $1`, [nps.id]);

  // Reopening needs its own right, a reason and a last day, and is in the log.
  const until = { reopen_until: '2099-01-31' };
  expect((await step('kpi_period_lock', lock, 'reopen', 'mina', { ...until, reason: 'Late bill' })).statusCode).toBe(
    403,
  );
  expect((await step('kpi_period_lock', lock, 'reopen', 'admin', until)).statusCode).toBe(422);
  expect((await step('kpi_period_lock', lock, 'reopen', 'admin', { reason: 'Late bill' })).statusCode).toBe(422);
  await ok(step('kpi_period_lock', lock, 'reopen', 'admin', { ...until, reason: 'Late bill' }));
  await follow();
  expect(await scores()).toMatchObject([{ frozen: false, score: frozen!.score }]);
  expect(await locks()).toMatchObject([{ status: 'reopened', reopen_reason: 'Late bill' }]);

  // The updates can be entered and decided again; the nightly freeze leaves them alone until the month is frozen.
  await made.world.app.jobs.enqueue(acme.schema, 'freeze_months', {}, { company: 1 });
  await made.world.app.jobs.drain();
  expect(await read('kpi_actual', sales.id)).toMatchObject({ status: 'to_enter', value: '90.000000' });
  await ok(step('kpi_actual', sales.id, 'submit', 'asha'));
  // An approval in the moment of a freeze waits for it, and is refused.
  const approval = await acme.db.owner.transaction(async (tx) => {
    await tx.query(`update "${acme.schema}".kpi_period_lock set status = 'frozen' where id = $1`, [lock]);
    const asked = step('kpi_actual', sales.id, 'approve', 'mina');
    await expect
      .poll(() =>
        acme.sql(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%kpi_period_lock%'`,
        ),
      )
      .not.toEqual([]);
    return { asked };
  });
  expect(messageOf(await approval.asked)).toMatch(refusal);
  await acme.sql(`update {s}.kpi_period_lock set status = 'reopened' where id = $1`, [lock]);
  await ok(step('kpi_actual', sales.id, 'approve', 'mina'));
  // Each night the open figures are computed anew: one that differs is reported, and repaired by nobody.
  const checked = async () => {
    await made.world.app.jobs.runNow(acme, 'check_scores', { userId: people.admin!.userId, companies: acme.entityIds });
    const last = async () =>
      ((await made.world.app.jobs.log(acme.schema, { name: 'check_scores' })) as { state: string }[])[0]!;
    await expect
      .poll(async () => {
        await made.world.app.jobs.drain();
        return (await last()).state;
      })
      .toMatch(/^(done|failed)$/);
    return JSON.stringify(await last());
  };
  expect(await checked()).toMatch(/The open figures of \d+ sheets equal their recomputation\./);
  const reached = (await read('kpi_actual', sales.id)).achievement;
  await acme.sql(`update {s}.kpi_actual set achievement = 12 where id = $1`, [sales.id]);
  expect(await checked()).toMatch(
    /1 open figures differ from their recomputation: achievement of .+, SALES, 2025-07: 12 stored, [\d.]+ computed\./,
  );
  // Another way of measuring a KPI recomputes its open figures, and no frozen ones.
  await ok(change('kpi', ids.SALES!, { tolerance: '5' }, 'admin'));
  await follow();
  expect(await read('kpi_actual', sales.id)).toMatchObject({ achievement: reached });
  expect(await checked()).toMatch(/equal their recomputation/);
  // The month is open on its last day, and frozen again on the next without anybody.
  await made.world.sweep(new Date('2099-01-31T12:00:00Z'));
  expect(await locks()).toMatchObject([{ status: 'reopened' }]);
  await made.world.sweep(new Date('2099-02-01T12:00:00Z'));
  expect(await locks()).toMatchObject([{ status: 'frozen', reopen_until: null }]);
  await follow();
  const [corrected] = await scores();
  expect(corrected).toMatchObject({ frozen: true });
  expect(Number(corrected!.score)).toBeGreaterThan(Number(frozen!.score));

  // A department's own period takes precedence over that of the company; those of other departments do not matter.
  const { department_id: own } = await read('kpi_actual', sales.id);
  const other = await add('department', { code: 'D2', name: 'Stores' });
  const august = await actualOf('NPS', '2025-08');
  expect(august).toMatchObject({ status: 'frozen' });
  const reopened = async (department_id: unknown) => {
    const id = await add('kpi_period_lock', { month: '2025-08', department_id });
    await ok(step('kpi_period_lock', id, 'freeze', 'admin'));
    await ok(step('kpi_period_lock', id, 'reopen', 'admin', { ...until, reason: 'Late count' }));
    await follow();
    return id;
  };
  await reopened(other);
  expect(await read('kpi_actual', august.id)).toMatchObject({ status: 'frozen' });
  const ofOwn = await reopened(own);
  await ok(change('kpi_actual', august.id, { value: '12' }, 'asha'));
  await ok(step('kpi_period_lock', ofOwn, 'freeze', 'admin'));
  expect(messageOf(await change('kpi_actual', august.id, { value: '13' }, 'asha'))).toMatch(/^August 2025 is frozen/);
  await follow();
  expect(await read('kpi_actual', august.id)).toMatchObject({ status: 'frozen', value: '12.000000' });

  // The period of the company waits for no department that has its own; without updates it follows the calendar.
  const of = async (month: string, department: unknown) =>
    (
      await acme.sql<{ status: string }>(
        `select status from {s}.kpi_period_lock where month = $1 and department_id is not distinct from $2`,
        [month, department],
      )
    )[0]!.status;
  await acme.sql(`update {s}.kpi_period_lock set status = 'closing' where month = '2025-08' and department_id is null`);
  const lateOwn = await add('kpi_period_lock', { month: '2025-09', department_id: own });
  await ok(step('kpi_period_lock', lateOwn, 'freeze', 'admin'));
  await ok(step('kpi_period_lock', lateOwn, 'reopen', 'admin', { ...until, reason: 'Late count' }));
  await follow();
  expect(await read('kpi_actual', (await actualOf('NPS', '2025-09')).id)).toMatchObject({ status: 'to_enter' });
  await acme.sql(`update {s}.kpi_period_lock set status = 'open' where month = '2025-09' and department_id is null`);
  await made.world.app.jobs.enqueue(acme.schema, 'follow_period_locks', {}, { company: 1 });
  await follow();
  expect([await of('2025-08', null), await of('2025-09', null), await of('2025-09', own)]).toEqual([
    'frozen',
    'frozen',
    'reopened',
  ]);
  // What the company's settings say: the rank among peers, and actuals only after the acknowledgement.
  await ok(
    people.admin!.call('POST', '/tapi/calc_settings', {
      show: 'yes',
      score_decimals: 1,
      red_below: '80',
      amber_below: '95',
      blue_from: '110',
      missing_actual: 'zero',
      year_score: 'cumulative',
      show_rank: 'peers',
      peer_group: 'department',
      ack_required_for_actuals: true,
    }),
    201,
  );
  const { tiles } = await ok<{ tiles: { name: string; widget?: { rank: Row | null; decimals: number } }[] }>(
    people.admin!.call('POST', '/tapi/dashboard/scorecard_new', {
      filters: { employee_id: String(ids.asha), month: '2025-07' },
    }),
  );
  expect(tiles.find(({ widget }) => widget)!.widget).toMatchObject({
    rank: { place: 1, among: 'in the department' },
    decimals: 1,
  });
  // The scorecard opens with the period of the settings.
  const opened = async () => {
    const answer = await ok<{ tiles: { widget?: { period: string; month: string } }[] }>(
      people.admin!.call('POST', '/tapi/dashboard/scorecard_new', { filters: { employee_id: String(ids.asha) } }),
    );
    const { period, month } = answer.tiles.find(({ widget }) => widget)!.widget!;
    return [period, month];
  };
  const [usual, closed] = await opened();
  expect(usual).toBe('month');
  await acme.sql(`update {s}.calc_settings set default_period = 'ytd'`);
  await expect.poll(opened, { timeout: 15_000 }).toEqual(['ytd', closed]);
  // “Current” opens the running month, which “last closed” leaves out.
  const running = companyDay(0).slice(0, 7);
  const [moved] = await acme.sql<{ month: string }>(
    `select min(month) as month from {s}.kpi_actual where sheet_id = $1 and active`,
    [sheet],
  );
  const monthIs = (from: string, to: string) =>
    acme.sql('update {s}.kpi_actual set month = $3 where sheet_id = $1 and month = $2', [sheet, from, to]);
  await monthIs(moved!.month, running);
  expect(closed).not.toBe(running);
  await acme.sql(`update {s}.calc_settings set default_period = 'current'`);
  await expect.poll(opened, { timeout: 15_000 }).toEqual(['month', running]);
  await acme.sql(`update {s}.calc_settings set default_period = 'last_closed'`);
  await expect.poll(opened, { timeout: 15_000 }).toEqual(['month', closed]);
  await monthIs(running, moved!.month);
  await acme.sql(`update {s}.kpi_sheet set status = 'approved' where id = $1`, [sheet]);
  const waiting = await actualOf('NPS', '2025-09');
  await ok(change('kpi_actual', waiting.id, { value: '50' }, 'asha'));
  expect(messageOf(await step('kpi_actual', waiting.id, 'submit', 'asha'))).toBe(
    'The member must acknowledge the KPI sheet first.',
  );

  await acme.sql(`update {s}.kpi_sheet set status = 'acknowledged' where id = $1`, [sheet]);
});

test('the year of a sheet is closed at night once all its months are frozen; HR reopens it with a reason, until a day', async () => {
  const follow = async (...jobs: string[]) => {
    for (const job of jobs) await made.world.app.jobs.enqueue(acme.schema, job, {}, { company: 1 });
    while ((await made.world.app.deliveries.deliver(acme)) > 0);
    await made.world.app.jobs.drain();
  };
  const messageOf = (answer: { json: () => { error: { message: string; details: { message: string }[] } } }) =>
    answer.json().error.details[0]!.message;
  const stateOf = async () => (await read('kpi_sheet', sheet)).status;
  const until = { reopen_until: '2099-01-31', reason: 'A bill was counted twice.' };
  await acme.sql(
    `update {s}.kpi_sheet set valid_to = '2026-03-31', acknowledged_on = null, status = 'approved' where id = $1`,
    [sheet],
  );
  await acme.sql(`update {s}.kpi_sheet set reopen_until = '2099-01-01' where id <> $1`, [sheet]);
  // One month is reopened: the year waits for it.
  await acme.sql(`update {s}.kpi_actual set status = 'frozen' where sheet_id = $1`, [sheet]);
  await acme.sql(`update {s}.kpi_period_lock set status = 'frozen'`);
  const [july] = await list('kpi_period_lock', 'admin', [
    'and',
    ['month', 'eq', '2025-07'],
    ['department_id', 'empty'],
  ]);
  await ok(step('kpi_period_lock', july!.id, 'reopen', 'admin', until));
  await follow('close_sheets');
  expect(await stateOf()).toBe('approved');
  expect(messageOf(await step('kpi_sheet', sheet, 'close', 'admin'))).toMatch(
    /^The updates of July 2025 are not frozen/,
  );
  await ok(step('kpi_period_lock', july!.id, 'freeze', 'admin'));
  await follow('follow_period_locks', 'close_sheets');
  expect(await stateOf()).toBe('closed');

  // The month says which way to go; the sheet needs the right, a reason and a day, and returns to where it was.
  const { sheet_no: number } = await read('kpi_sheet', sheet);
  expect(messageOf(await step('kpi_period_lock', july!.id, 'reopen', 'admin', until))).toBe(
    `The year of ${String(number)} is closed. Reopen this sheet in Assign KPI first, then the month.`,
  );
  expect((await step('kpi_sheet', sheet, 'reopen_approved', 'mina', until)).statusCode).toBe(403);
  for (const missing of ['reason', 'reopen_until'])
    expect((await step('kpi_sheet', sheet, 'reopen_approved', 'admin', { ...until, [missing]: null })).statusCode).toBe(
      422,
    );
  expect((await step('kpi_sheet', sheet, 'reopen', 'admin', until)).statusCode).not.toBe(200);
  await ok(step('kpi_sheet', sheet, 'reopen_approved', 'admin', until));
  expect(await read('kpi_sheet', sheet)).toMatchObject({ status: 'approved', reopen_reason: until.reason });
  // The nightly job leaves it open until the day has passed, and the month can be reopened.
  await follow('close_sheets');
  expect(await stateOf()).toBe('approved');
  await ok(step('kpi_period_lock', july!.id, 'reopen', 'admin', until));
  await ok(step('kpi_period_lock', july!.id, 'freeze', 'admin'));
  await follow('follow_period_locks');
  await acme.sql(
    `update {s}.kpi_sheet set reopen_until = '2026-01-01', acknowledged_on = '2025-05-01', status = 'acknowledged' where id = $1`,
    [sheet],
  );
  await follow('close_sheets');
  expect(await read('kpi_sheet', sheet)).toMatchObject({ status: 'closed', reopen_until: null });
  await ok(step('kpi_sheet', sheet, 'reopen', 'admin', until));
  expect(await stateOf()).toBe('acknowledged');
});

test('a figure 10 times the usual, a percentage above 100 or a year to date that falls needs a remark', async () => {
  const update = await actualOf('SALES', '2026-03');
  const before = await acme.sql<{ id: number; value: string | null; counts: boolean }>(
    `select id, value::text, counts from {s}.kpi_actual where sheet_id = $1 and kpi_id = $2 and month between '2025-09' and '2026-02'`,
    [update.sheet_id, ids.SALES],
  );
  await acme.sql('update {s}.kpi_actual set value = 80, counts = true where id = any($1)', [
    before.map(({ id }) => id),
  ]);
  await acme.sql(`update {s}.kpi_actual set status = 'to_enter', value = 800, remark = null where id = $1`, [
    update.id,
  ]);
  const refused = async () => (await step('kpi_actual', update.id, 'submit', 'asha')).body;
  const lock = (from: string, to: string) =>
    acme.sql(`update {s}.kpi_period_lock set status = $2 where month = '2026-03' and status = $1`, [from, to]);
  await lock('frozen', 'reopened');
  /** With a remark the same figure is taken, and not asked for again. */
  const isTakenWithRemark = async () => {
    await ok(change('kpi_actual', update.id, { remark: 'One large order.' }, 'asha'));
    expect(await ok(step('kpi_actual', update.id, 'submit', 'asha'))).toMatchObject({ status: 'submitted' });
    await acme.sql(`update {s}.kpi_actual set status = 'to_enter', remark = null where id = $1`, [update.id]);
  };
  expect(await refused()).toContain('This is 10 times the usual value. Correct it, or say why.');
  await isTakenWithRemark();
  await acme.sql(`update {s}.uom set dimension = 'percent'`);
  expect(await refused()).toContain('800 is above 100 %. Correct it, or say why.');
  await isTakenWithRemark();
  await acme.sql(`update {s}.uom set dimension = 'count'`);
  const kind = await add('target_type', {
    code: 'CUM',
    name: 'To date',
    behaviour: 'cumulative',
    period_aggregation: 'last',
  });
  await acme.sql('update {s}.kpi set target_type_id = $2 where id = $1', [ids.SALES, kind]);
  await acme.sql('update {s}.kpi_actual set value = 79 where id = $1', [update.id]);
  expect(await refused()).toContain('A year to date cannot fall: 80 by February 2026.');
  // The scorecard shows what each month adds to a year to date: 80, 175, 285 are 80, 95 and 110 (§5.6).
  const first = await acme.sql<{ id: number; value: string | null }>(
    `select id, value::text from {s}.kpi_actual where sheet_id = $1 and kpi_id = $2 and month between '2025-04' and '2025-06' order by month`,
    [update.sheet_id, ids.SALES],
  );
  const alone: number[] = [];
  for (const [at, { id }] of first.entries()) {
    await acme.sql('update {s}.kpi_actual set value = $2 where id = $1', [id, [80, 175, 285][at]]);
    const { tiles } = await ok<{ tiles: { widget?: { lines: Row[] } }[] }>(
      people.admin!.call('POST', '/tapi/dashboard/scorecard_new', {
        filters: { employee_id: String(ids.asha), month: `2025-0${4 + at}` },
      }),
    );
    const { lines } = tiles.find(({ widget }) => widget)!.widget!;
    alone.push(Number(lines.find(({ kpi }) => kpi === 'SALES')!.alone));
  }
  expect(alone).toEqual([80, 95, 110]);
  for (const { id, value } of first) await acme.sql('update {s}.kpi_actual set value = $2 where id = $1', [id, value]);
  await acme.sql('update {s}.kpi set target_type_id = null where id = $1', [ids.SALES]);
  for (const { id, value, counts } of before)
    await acme.sql('update {s}.kpi_actual set value = $2, counts = $3 where id = $1', [id, value, counts]);
  await acme.sql(`update {s}.kpi_actual set status = $2, value = $3 where id = $1`, [
    update.id,
    update.status,
    update.value,
  ]);
  await lock('reopened', 'frozen');
});

test('a sheet that nobody disputes counts as acknowledged after the days of the settings', async () => {
  const [known] = await list('calc_settings', 'admin');
  if (known) await ok(change('calc_settings', known.id, { auto_acknowledge_days: 3 }, 'admin'));
  else await add('calc_settings', { auto_acknowledge_days: 3 });
  const kept = await add('kpi_sheet', {
    employee_id: ids.mina,
    financial_year: '2026-2027',
    valid_from: '2026-04-01',
    valid_to: '2027-03-31',
    lines: [
      { kpi_id: ids.SALES, weight: '60', year_target: '120', ...monthly('10') },
      { kpi_id: ids.COMPLAINTS, weight: '40', year_target: '0', ...monthly('0') },
    ],
  });
  await ok(step('kpi_sheet', kept, 'submit', 'admin'));
  await ok(step('kpi_sheet', kept, 'approve', 'head'));
  const { acknowledge_by: until } = await read('kpi_sheet', kept);
  const day = Date.parse(`${String(until)}T06:00:00Z`);
  await made.world.sweep(new Date(day));
  expect(await read('kpi_sheet', kept)).toMatchObject({ status: 'approved' });
  await made.world.sweep(new Date(day + 86_400_000));
  expect(await read('kpi_sheet', kept)).toMatchObject({ status: 'acknowledged' });
  const notified = await acme.sql<{ user_id: number }>(
    `select user_id from {s}.notification where event_code = 'kpi.sheet_counts' order by 1`,
  );
  expect(notified.map(({ user_id: user }) => Number(user))).toEqual(
    [people.head!.userId, people.mina!.userId].toSorted((a, b) => a - b),
  );
});

test('targets follow from the base of the settings: last year, or the mean of three years, and the growth', async () => {
  const settings = await add('base_performance', { base_method: 'last_year', growth_default: '15' });
  const past = await add('kpi_sheet', {
    employee_id: ids.ravi,
    financial_year: '2024-2025',
    valid_from: '2024-04-01',
    valid_to: '2025-03-31',
    lines: [
      { kpi_id: ids.SALES, weight: '60', year_target: '120', ...monthly('10') },
      { kpi_id: ids.COMPLAINTS, weight: '40', year_target: '0', ...monthly('0') },
    ],
  });
  await ok(step('kpi_sheet', past, 'submit', 'head'));
  await ok(step('kpi_sheet', past, 'approve', 'admin'));
  await acme.sql(
    `update {s}.kpi_actual set value = 80, counts = true, status = 'frozen' where sheet_id = $1 and kpi_id = $2 and month <= '2024-06'`,
    [past, ids.SALES],
  );
  const grown = async () => {
    const values = {
      employee_id: ids.ravi,
      financial_year: '2025-2026',
      valid_from: '2025-04-01',
      valid_to: '2026-03-31',
      lines: [{ kpi_id: ids.SALES, weight: '60' }],
    };
    const answer = await people.mina!.call('POST', '/tapi/kpi_sheet/action/performance.base_targets', {
      on: 'rows:lines',
      values,
      rows: [],
    });
    return answer.statusCode === 200
      ? answer.json<{ data: { set: { lines: Row[] } } }>().data.set.lines[0]
      : answer.statusCode;
  };
  expect(await grown()).toMatchObject({ base_value: '240', year_target: '276' });
  const { rows } = await ok<{ rows: Row[] }>(
    people.admin!.call('GET', `/tapi/report/kpi_summary_reports/rows?from=2024-04&to=2024-12&employee_id=${ids.ravi}`),
  );
  expect(rows.map(({ kpi, members, target, actual }) => [kpi, members, Number(target), Number(actual)])).toEqual([
    ['SALES', 1, 30, 240],
  ]);
  // 800 % count as the cap of the KPI; of the year's 120, 120 more than all is done.
  expect(rows).toMatchObject([{ achievement: '800.00', score: '100.00', colour: 'blue' }]);
  const cumulative = await ok<{ rows: Row[] }>(
    people.admin!.call(
      'GET',
      `/tapi/report/cumulative_actuals_targets_report/rows?financial_year=2024-2025&employee_id=${ids.ravi}`,
    ),
  );
  const [own] = cumulative.rows.filter(({ kpi }) => kpi === 'SALES');
  expect([Number(own!['Jun 2024.actual']), Number(own!['Jun 2024.gap'])]).toEqual([240, -120]);
  await ok(change('base_performance', settings, { base_year: '2023-2024' }, 'admin'));
  expect(await grown()).toBe(422);
  await ok(change('base_performance', settings, { base_year: null, base_method: 'average_3_years' }, 'admin'));
  expect(await grown()).toMatchObject({ base_value: '240' });
  await add('kpi_baseline', { kpi_id: ids.SALES, employee_id: ids.ravi, base_year: '2024-2025', value: '200' });
  expect(await grown()).toMatchObject({ base_value: '200', year_target: '230' });
  await ok(change('base_performance', settings, { base_method: 'entered' }, 'admin'));
  expect(await grown()).toMatchObject({ base_value: '200', year_target: '230' });
});

test('members are reminded of actuals on the days of the settings, once each; late ones are reported above', async () => {
  const [setting] = await list('kpi_settings', 'admin');
  await ok(
    change(
      'kpi_settings',
      setting!.id,
      { reminder_days: ['2'], escalate_after_days: 3, escalate_to: 'manager' },
      'admin',
    ),
  );
  await acme.sql(
    `update {s}.kpi_actual set status = 'to_enter', source = 'manual', due_on = case when month = '2026-02' then $2::date when month = '2026-01' then $3::date else '2020-01-01'::date end
     where employee_id = $1`,
    [ids.asha, companyDay(2), companyDay(-3)],
  );
  await acme.sql(`update {s}.kpi_actual set due_on = '2099-01-01' where employee_id is distinct from $1`, [ids.asha]);
  await made.world.app.jobs.enqueue(acme.schema, 'remind_updates', {}, { company: 1 });
  await made.world.app.jobs.drain();
  const told = await acme.sql<{ code: string; title: string; user_id: number }>(
    `select event_code as code, title, user_id from {s}.notification where event_code like 'kpi.updates%' order by 1`,
  );
  expect(told.map(({ code, user_id: user }) => [code, Number(user)])).toEqual([
    ['kpi.updates_due', people.asha!.userId],
    ['kpi.updates_late', people.mina!.userId],
  ]);
});

test('an approved change of a target applies from its month on; frozen months never change', async () => {
  const [known] = await list('kpi_sheet', 'admin', ['sheet_no', 'eq', 'KS/2026-27/00001']);
  const asked = (from: string, total: string) =>
    add('kpi_target_change', {
      sheet_id: known!.id,
      kpi_id: ids.SALES,
      from_month: from,
      new_total: total,
      reason: 'The region has grown by a town.',
    });
  await acme.sql(`update {s}.kpi_actual set status = 'frozen' where sheet_id = $1 and month < '2026-07'`, [known!.id]);
  const early = await asked('2026-06', '210');
  expect((await step('kpi_target_change', early, 'submit', 'admin')).json()).toMatchObject({
    error: { details: [{ field: 'from_month', message: 'June 2026 is frozen. Choose a later month.' }] },
  });
  const asking = await asked('2026-07', '210');
  expect((await read('kpi_target_change', asking)).old_total).toBe('120');
  await ok(step('kpi_target_change', asking, 'submit', 'admin'));
  expect((await read('kpi_target_change', asking)).periods).toHaveLength(9);
  expect((await step('kpi_target_change', asking, 'approve', 'admin')).statusCode).toBe(403);
  await ok(step('kpi_target_change', asking, 'approve', 'head'));
  // 30 of April to June stay; the other 180 follow the old shape.
  const targets = await acme.sql<{ month: string; target: string }>(
    'select month, target::float::text as target from {s}.kpi_actual where sheet_id = $1 and kpi_id = $2 order by month',
    [known!.id, ids.SALES],
  );
  expect(targets.map(({ target }) => target)).toEqual([...Array<string>(3).fill('10'), ...Array<string>(9).fill('20')]);
  const [line] = (await read('kpi_sheet', known!.id)).lines as Row[];
  expect(line).toMatchObject({ year_target: '210.0000', t03: '10', t04: '20' });

  // A revision takes the place of the sheet from a month on: the old one keeps its months and stays readable.
  const revise = (from: string) => step('kpi_sheet', known!.id, 'revise', 'mina', { revise_from: from });
  const details = async (from: string) => (await revise(from)).body;
  expect(await details('2026-10-15')).toContain('Choose the first day of a month.');
  expect(await details('2026-04-01')).toContain('Choose a later month within it.');
  expect(await details('2026-06-01')).toContain('June 2026 has figures already. The earliest month is July 2026.');
  // An update that was returned goes with the others.
  await acme.sql(`update {s}.kpi_actual set status = 'returned' where sheet_id = $1 and month = '2026-11'`, [
    known!.id,
  ]);
  await ok(revise('2026-10-01'));
  expect(await read('kpi_sheet', known!.id)).toMatchObject({ valid_to: '2026-09-30', revision: 1 });
  const months = (id: number) =>
    acme.sql<{ month: string }>('select distinct month from {s}.kpi_actual where sheet_id = $1 order by 1', [id]);
  expect((await months(known!.id)).map(({ month }) => month).at(-1)).toBe('2026-09');
  const [revision] = await list('kpi_sheet', 'admin', ['revises_id', 'eq', known!.id]);
  const fresh = (await read('kpi_sheet', revision!.id)) as Doc & { lines: Row[] };
  expect(fresh).toMatchObject({ revision: 2, valid_from: '2026-10-01', valid_to: '2027-03-31', status: 'draft' });
  const lines = fresh.lines.map((row, at) =>
    at === 0
      ? {
          ...row,
          cap_percent: '120',
          stretch_percent: '150',
          tolerance: '7',
          updater_id: ids.asha,
          approver_id: ids.ravi,
        }
      : row,
  );
  await ok(setLines(revision!.id, lines, 'mina'));
  await ok(step('kpi_sheet', revision!.id, 'submit', 'admin'));
  await ok(step('kpi_sheet', revision!.id, 'approve', 'head'));
  expect((await months(revision!.id)).map(({ month }) => month)[0]).toBe('2026-10');

  // The line says who enters the figure, and what earns the highest score: 25 of 20 are 125 %, half way to 150 %.
  const [sales] = await list('kpi_actual', 'admin', [
    'and',
    ['sheet_id', 'eq', revision!.id],
    ['kpi_id', 'eq', ids.SALES],
    ['month', 'eq', '2026-10'],
  ]);
  expect(await read('kpi_actual', sales!.id, 'asha')).toMatchObject({ responsible_id: ids.asha, tolerance: '7.0000' });
  expect(await ok(change('kpi_actual', sales!.id, { value: '25' }, 'asha'))).toMatchObject({
    achievement: '125.0000',
    score: '110.0000',
    weighted: '66.0000',
  });

  // It says who approves it too: that person, or somebody who may correct all actuals.
  const screens = {
    SCN_ACTUAL_VIEW: {
      pages: ['landing' as const, 'view_screen' as const, 'approval_screen' as const],
      scope: 'company' as const,
    },
  };
  await acme.user('vera', {
    companies: [{ company: 1, roles: [await acme.role({ modules: ['PERFORMANCE'], screens })] }],
  });
  people.vera = await made.world.signIn(acme, 'vera');
  await acme.sql(`update {s}.kpi_actual set status = 'submitted' where id = $1`, [sales!.id]);
  expect((await step('kpi_actual', sales!.id, 'approve', 'vera')).body).toContain('approves this KPI.');
  expect(await read('kpi_actual', sales!.id, 'ravi')).toMatchObject({ approver_id: ids.ravi });
  await ok(step('kpi_actual', sales!.id, 'approve', 'head'));
});

test('evidence or comment missing, not applicable, approving one’s own entry, two people at one cell', async () => {
  const { kpi_type_id, uom_id } = await read('kpi', ids.SALES!);
  const proof = await add('kpi', {
    code: 'PROOF',
    name: 'Proof',
    kpi_type_id,
    uom_id,
    valid_from: '2020-04-01',
    approval_required: false,
    evidence_required: true,
    comment_below_percent: '80',
  });
  const updatesOf = async (member: number, submitter: string) => {
    const own = await add('kpi_sheet', {
      employee_id: member,
      financial_year: '2023-2024',
      valid_from: '2023-04-01',
      valid_to: '2024-03-31',
      lines: [
        { kpi_id: proof, weight: '60', year_target: '120', ...monthly('10') },
        { kpi_id: ids.COMPLAINTS, weight: '40', year_target: '0', ...monthly('0') },
      ],
    });
    await acme.sql(`update {s}.kpi set valid_from = '2020-04-01'`);
    await ok(step('kpi_sheet', own, 'submit', submitter));
    await ok(step('kpi_sheet', own, 'approve', 'admin'));
    return async (kpi: number) =>
      (
        await list('kpi_actual', 'admin', [
          'and',
          ['sheet_id', 'eq', own],
          ['kpi_id', 'eq', kpi],
          ['month', 'eq', '2023-05'],
        ])
      )[0]!.id;
  };
  await acme.sql('update {s}.calc_settings set ack_required_for_actuals = false');
  const ofAsha = await updatesOf(ids.asha!, 'mina');
  const shown = await ofAsha(proof);
  await ok(change('kpi_actual', shown, { value: '5' }, 'asha'));
  expect((await step('kpi_actual', shown, 'submit', 'asha')).json()).toMatchObject({
    error: {
      details: [
        { field: 'evidence', message: 'Attach evidence for Proof.' },
        { field: 'remark', message: 'Below 80 %: say why.' },
      ],
    },
  });
  // Not applicable is decided by somebody else, also of a KPI without approval.
  const unfit = { not_applicable: true, remark: 'The shop was closed.' };
  await ok(change('kpi_actual', shown, unfit, 'asha'));
  expect(await ok(step('kpi_actual', shown, 'submit', 'asha'))).toMatchObject({ status: 'submitted' });
  await ok(step('kpi_actual', shown, 'approve', 'mina'));

  // Two people change one cell: the second sees both values, and nothing else is refused.
  const cell = await ofAsha(ids.COMPLAINTS!);
  const { version } = await read('kpi_actual', cell);
  const put = (by: string, value: string) => people[by]!.call('PUT', `/tapi/kpi_actual/${cell}`, { version, value });
  await ok(put('asha', '3'));
  expect((await put('mina', '4')).json()).toMatchObject({
    error: {
      code: 'stale_version',
      theirs: { value: '3.000000' },
      base: { value: null },
      changed_by: 'Person asha',
      changed_at: expect.any(String) as string,
    },
  });
  // Targets too: the sheet keeps its other cells, and the second person chooses between both values.
  const planned = await add('kpi_sheet', {
    employee_id: ids.asha,
    financial_year: '2027-2028',
    valid_from: '2027-04-01',
    valid_to: '2028-03-31',
    lines: [{ kpi_id: ids.SALES, weight: '70', t01: '10', t02: '20' }],
  });
  const line = async () => ((await read('kpi_sheet', planned)) as Doc & { lines: Row[] }).lines[0]!;
  const { id: lineId } = await line();
  const cells = (by: string, set: object) =>
    people[by]!.call('PATCH', `/tapi/kpi_sheet/${planned}/rows/lines`, { cells: [{ id: lineId, set }] });
  await ok(cells('mina', { t01: ['10.0000', '11'] }));
  const conflict = { id: lineId, field: 't01', yours: '12', theirs: '11', by: 'Person mina' };
  expect(await ok(cells('head', { t01: ['10.0000', '12'], t02: ['20.0000', '21'] }))).toMatchObject({
    conflicts: [{ ...conflict, at: expect.any(String) as string }],
  });
  expect(await line()).toMatchObject({ t01: '11', t02: '21' });
  const both = await cells('head', { t01: ['10.0000', '12'] });
  expect([both.statusCode, both.json()]).toMatchObject([409, { error: { conflicts: [conflict] } }]);
  await ok(cells('head', { t01: ['11', '12'] }));
  expect(await line()).toMatchObject({ t01: '12' });
  const wrong = await cells('mina', { t03: [null, '12.5'] });
  expect(wrong.json()).toMatchObject({
    error: {
      details: [{ field: `lines.set.${String(lineId)}.t03`, message: 'NOS takes whole numbers. Correct 12.5.' }],
    },
  });
  await ok(step('kpi_sheet', planned, 'cancel', 'mina', { reason: 'Only tried.' }));
  // The manager enters for the member, and somebody else approves.
  await ok(change('kpi_actual', cell, { value: '4' }, 'mina'));
  await ok(step('kpi_actual', cell, 'submit', 'mina'));
  const { name: head } = await read('employee', ids.head!);
  for (const name of ['approve', 'give_back']) {
    const own = await step('kpi_actual', cell, name, 'mina', { reason: 'My own.' });
    expect([own.statusCode, own.body], name).toEqual([
      403,
      expect.stringContaining(`You submitted this KPI update yourself. ${String(head)} must decide.`) as string,
    ]);
  }
  const together = await ok<{ changed: number[]; errors: { message: string }[] }>(
    people.mina!.call('POST', '/tapi/kpi_actual/bulk/approve', { ids: [cell] }),
  );
  expect([together.changed, together.errors.map(({ message }) => message)]).toEqual([
    [],
    [expect.stringContaining(`${String(head)} must decide.`)],
  ]);
  await ok(step('kpi_actual', cell, 'approve', 'head'));
  // Nobody is above the head: HR approves.
  const top = await (await updatesOf(ids.head!, 'head'))(ids.COMPLAINTS!);
  await ok(change('kpi_actual', top, { value: '1' }, 'head'));
  await ok(step('kpi_actual', top, 'submit', 'head'));
  expect((await step('kpi_actual', top, 'approve', 'head')).json()).toMatchObject({
    error: { message: 'You submitted this KPI update yourself. Somebody else must decide.' },
  });
  await ok(step('kpi_actual', top, 'approve', 'admin'));
});

test('slabs and bands that overlap or leave a gap are refused; only the last slab is open', async () => {
  const { kpi_type_id, uom_id } = await read('kpi', ids.SALES!);
  const slab = (from_percent: string, to_percent: string | null) => ({ from_percent, to_percent, achievement: '50' });
  const slabs = async (...rows: object[]) =>
    people.admin!.call('POST', '/tapi/kpi', {
      code: 'SLABS',
      name: 'Slabs',
      kpi_type_id,
      uom_id,
      valid_from: '2024-04-01',
      achievement_method: 'slab',
      slabs: rows,
    });
  const message = (answer: { json: () => unknown }) =>
    (answer.json() as { error: { details: { message: string }[] } }).error.details[0]!.message;
  expect(message(await slabs(slab('0', '80'), slab('70', null)))).toMatch(/^This overlaps with/);
  expect(message(await slabs(slab('0', '80'), slab('90', null)))).toMatch(/^This leaves 80\S* to 90\S* uncovered/);
  expect(message(await slabs(slab('0', null), slab('80', null)))).toMatch(/^This overlaps with/);
  expect((await slabs(slab('0', '80'), slab('80', null))).statusCode).toBe(201);
  const band = (code: string, from_score: string, to_score: string) => ({
    code,
    label: code,
    from_score,
    to_score,
    grade_points: '1',
  });
  const bands = (second: object) =>
    people.admin!.call('POST', '/tapi/performance_rating', {
      code: 'GAP',
      name: 'Gap',
      applies_to: 'feedback',
      valid_from: '2026-04-01',
      bands: [band('A', '0', '79.49'), second],
    });
  expect(message(await bands(band('B', '80', '120')))).toBe(
    'This leaves 79.50 to 79.99 uncovered, behind row 1 (0.00 to 79.49). Begin at 79.50.',
  );
  expect(message(await bands(band('B', '79', '120')))).toMatch(/^This overlaps with/);
  // Slabs of incentives too.
  const scheme = (...rows: object[]) =>
    people.admin!.call('POST', '/tapi/incentive', {
      code: 'BONUS',
      name: 'Bonus',
      basis: 'sheet_score',
      payout_kind: 'percent_of_target_amount',
      slab_mode: 'whole',
      payroll_component: 'INC',
      valid_from: '2025-04-01',
      slabs: rows.map((row) => ({ ...row, rate: '50' })),
    });
  expect(message(await scheme({ from: '0', to: '80' }, { from: '70' }))).toMatch(/^This overlaps with/);
  expect(message(await scheme({ from: '0', to: '79.99' }, { from: '90' }))).toMatch(
    /^This leaves 80\S* to 89\.99\S* uncovered/,
  );
  expect(message(await scheme({ from: '0' }, { from: '80', to: '120' }))).toMatch(/^This overlaps with/);
  expect((await scheme({ from: '0', to: '79.99' }, { from: '80' })).statusCode).toBe(201);
});

test('a unit, KPI type or store in use is not deleted, and may be deactivated', async () => {
  const sales = await read('kpi', ids.SALES!);
  const { branch_id } = await read('employee', ids.asha!);
  const [city] = await acme.sql<{ id: number }>('select id from {s}.city_mstr order by id limit 1');
  const store = await add('store', {
    code: 'ST1',
    name: 'Store',
    branch_id,
    format: 'standard',
    address: 'Main street',
    city_id: city!.id,
    opened_on: '2020-01-01',
  });
  await add('kpi_sheet', {
    owner_kind: 'store',
    store_id: store,
    responsible_id: ids.mina,
    financial_year: '2021-2022',
    valid_from: '2021-04-01',
    valid_to: '2022-03-31',
    lines: [],
  });
  const used = [
    ['uom', sales.uom_id],
    ['kpi_type', sales.kpi_type_id],
    ['store', store],
  ] as [string, number][];
  for (const [type, id] of used) {
    const { version } = await read(type, id);
    const refused = await people.admin!.call('DELETE', `/tapi/${type}/${id}?version=${version}`);
    expect([refused.statusCode, refused.json()], type).toMatchObject([
      409,
      {
        error: {
          code: 'in_use',
          message: expect.stringMatching(/^Used by \d+ .+\. Deactivate it instead\.$/) as string,
        },
      },
    ]);
    const inactive = await ok(people.admin!.call('POST', `/tapi/${type}/${id}/deactivate`, { version }));
    await ok(people.admin!.call('POST', `/tapi/${type}/${id}/activate`, { version: inactive.version }));
  }
});

test('a unit is offered where it is used; dates are for milestones, yes or no for what is done or not', async () => {
  const { kpi_type_id } = await read('kpi', ids.SALES!);
  const kpiWith = (code: string, uom_id: number, more: object = {}) =>
    people.admin!.call('POST', '/tapi/kpi', {
      code,
      name: code,
      kpi_type_id,
      uom_id,
      valid_from: '2024-04-01',
      ...more,
    });
  const unit = (code: string, more: object) =>
    people.admin!.call('POST', '/tapi/uom', { code, name: code, decimals: 0, dimension: 'count', ...more });
  const fault = async (answer: ReturnType<typeof unit>) => {
    const got = await answer;
    expect(got.statusCode, got.body).toBe(422);
    return got.json<{ error: { details: { field: string; message: string }[] } }>().error.details;
  };
  const posted = async (answer: ReturnType<typeof unit>) => (await ok(answer, 201)).id;
  const forKpis = { for_items: false };
  expect(await fault(unit('FINE', { decimals: 4 }))).toEqual([
    expect.objectContaining({ field: 'decimals', message: expect.stringContaining('at most 3 decimals') }),
  ]);
  const fine = await posted(unit('FINE', { decimals: 6, ...forKpis }));
  const rate = await posted(kpiWith('FINE_RATE', fine, { decimals: 6 }));
  expect(await read('kpi', rate)).toMatchObject({ decimals: 6 });
  expect(await fault(unit('DAY', { dimension: 'date' }))).toEqual([
    expect.objectContaining({ field: 'for_items', message: expect.stringContaining('not counted in dates') }),
  ]);
  // A unit of items alone is not offered for KPIs.
  const boxes = await posted(unit('BOXES', { for_kpis: false }));
  expect((await fault(kpiWith('BOXED', boxes)))[0]).toMatchObject({ field: 'uom_id' });
  expect((await change('kpi', rate, { uom_id: boxes }, 'admin')).json()).toMatchObject({
    error: { details: [{ field: 'uom_id' }] },
  });
  const offered = await ok<{ id: number }[]>(people.admin!.call('GET', '/tapi/uom/options?for=kpi.uom_id&size=100'));
  expect(offered.map(({ id }) => id)).toContain(fine);
  expect(offered.map(({ id }) => id)).not.toContain(boxes);

  const day = await posted(unit('DAY', { dimension: 'date', ...forKpis }));
  const done = await posted(unit('YESNO', { dimension: 'boolean', ...forKpis }));
  for (const [uom, method, message] of [
    [day, 'binary', 'DAY counts dates. Choose the achievement “By a date”, or another unit.'],
    [done, 'linear', 'YESNO says yes or no. Choose the achievement “Done or not”, or another unit.'],
  ] as const)
    expect(await fault(kpiWith('MISFIT', uom, { achievement_method: method }))).toEqual([
      expect.objectContaining({ field: 'uom_id', message }),
    ]);
  await posted(kpiWith('OPENING', day, { achievement_method: 'milestone' }));
  await posted(kpiWith('AUDITED', done, { achievement_method: 'binary' }));
});

test('KPIs and their detail narrow by category', async () => {
  const category_id = await add('category', { code: 'RINGS', name: 'Rings', kind: 'product' });
  const { category_id: before } = await ok(change('kpi', ids.SALES!, { category_id }, 'admin'));
  expect(before).toBe(category_id);
  expect((await list('kpi', 'admin', ['category_id', 'eq', category_id])).map(({ id }) => id)).toEqual([ids.SALES]);
  const detail = async (choice: string) =>
    (
      await ok<{ rows: { kpi_id: number }[] }>(
        people.admin!.call(
          'GET',
          `/tapi/report/kpi_detailed_report_view/rows?month_from=2020-04&month_to=2030-03${choice}`,
        ),
      )
    ).rows.map(({ kpi_id: id }) => id);
  expect(new Set(await detail('')).size).toBeGreaterThan(1);
  expect(new Set(await detail(`&kpi_id_category_id=${category_id}`))).toEqual(new Set([ids.SALES]));
});

test('a store takes an empty address from its outlet, which no other open store has', async () => {
  const [city] = await acme.sql<{ id: number; state_id: number }>(
    'select id, state_id from {s}.city_mstr order by id limit 1',
  );
  const region_id = await add('region', { code: 'R1', name: 'North' });
  const subregion_id = await add('subregion', { code: 'SR1', name: 'City', region_id });
  const { branch_id } = await read('employee', ids.asha!);
  const outlet = await add('outlet', {
    code: 'OUT1',
    name: 'Corner',
    outlet_type: 'own',
    district_id: await add('district', { code: 'D1', name: 'Old town', subregion_id, state_id: city!.state_id }),
    branch_id,
    address1: '7 Bazaar Street',
    city: city!.id,
    pincode: '600001',
  });
  const store = (code: string) =>
    people.admin!.call('POST', '/tapi/store', {
      code,
      name: code,
      branch_id,
      format: 'standard',
      outlet_id: outlet,
      opened_on: '2024-04-01',
    });
  const first = await ok(store('CORNER'), 201);
  expect(await read('store', first.id)).toMatchObject({
    outlet_id: outlet,
    address: '7 Bazaar Street',
    city_id: city!.id,
    pincode: '600001',
  });
  expect((await store('SECOND')).body).toContain('Another store is at this outlet.');
});

test('the KPI configuration hides, names and requires a field of KPIs', async () => {
  const { kpi_type_id, uom_id } = await read('kpi', ids.SALES!);
  const post = (code: string, more: object = {}) =>
    people.admin!.call('POST', '/tapi/kpi', {
      code,
      name: code,
      kpi_type_id,
      uom_id,
      valid_from: '2024-04-01',
      ...more,
    });
  const fieldNow = async () => {
    const { screen } = await ok<{ screen: { fields: { name: string; title: string }[] } }>(
      people.admin!.call('GET', '/tapi/screens/kpi'),
    );
    return screen.fields.find(({ name }) => name === 'data_source')?.title ?? null;
  };
  expect(await fieldNow()).not.toBe('Proof');
  const rule = await add('detailed_kpi_config', { field: 'data_source', label: 'Proof', shown: true, required: true });
  expect(await fieldNow()).toBe('Proof');
  const refused = await post('UNPROVEN');
  expect([refused.statusCode, refused.body]).toEqual([422, expect.stringContaining('data_source')]);
  await ok(post('PROVEN', { data_source: 'Ledger' }), 201);
  await ok(change('detailed_kpi_config', rule, { shown: false, required: false }, 'admin'));
  await ok(post('UNPROVEN'), 201);
  expect(await fieldNow()).toBe(null);
  const { version } = await read('detailed_kpi_config', rule);
  const deleted = await people.admin!.call('DELETE', `/tapi/detailed_kpi_config/${rule}?version=${version}`);
  expect(deleted.statusCode).toBe(204);
  expect(await fieldNow()).not.toBe(null);
});

test('a changed target that equals the base, or has too many decimals, is refused as on the sheet', async () => {
  const [way] = await list('kpi', 'admin', ['code', 'eq', 'WAY']);
  const own = await add('kpi_sheet', {
    employee_id: ids.ravi,
    financial_year: '2029-2030',
    valid_from: '2029-04-01',
    valid_to: '2030-03-31',
    lines: [
      { kpi_id: way!.id, weight: '60', base_value: '15', year_target: '120', ...monthly('10') },
      { kpi_id: ids.COMPLAINTS, weight: '40', year_target: '0', ...monthly('0') },
    ],
  });
  await ok(step('kpi_sheet', own, 'submit', 'head'));
  await ok(step('kpi_sheet', own, 'approve', 'admin'));
  const refused = async (total: string) => {
    const asked = await add('kpi_target_change', {
      sheet_id: own,
      kpi_id: way!.id,
      from_month: '2029-10',
      new_total: total,
      reason: 'The region has grown by a town.',
    });
    return (await step('kpi_target_change', asked, 'submit', 'admin')).json<{ error: { details: unknown[] } }>().error
      .details;
  };
  expect(await refused('150')).toEqual([
    { field: 'new_total', message: 'Way: base and target are equal, so no score can be computed. Change one of them.' },
  ]);
  expect(await refused('150.5')).toEqual([{ field: 'new_total', message: 'NOS takes whole numbers. Correct 150.5.' }]);
});

test('a push gives members with an approved sheet a draft in its place, and its undoing brings the sheet back', async () => {
  const [old] = await list('kpi_sheet', 'admin', [
    'and',
    ['employee_id', 'eq', ids.ravi],
    ['financial_year', 'eq', '2029-2030'],
  ]);
  const { branch_id } = await read('employee', ids.ravi!);
  await add('kpi_mapping', {
    kpi_id: ids.SALES,
    map_to: 'branch',
    branch_id,
    weight: '30',
    target_basis: 'fixed',
    year_target: '120',
    valid_from: '2029-04-01',
  });
  const push = await add('kpi_push', { financial_year: '2029-2030', mode: 'add_missing', employee_ids: [ids.ravi] });
  await ok(step('kpi_push', push, 'preview', 'admin'));
  expect((await read('kpi_push', push)).lines).toMatchObject([
    {
      change: 'add',
      revise_from: '2029-05-01',
      note: `A draft takes the place of ${String(old!.sheet_no)} from 01-05-2029 on.`,
    },
  ]);
  await ok(step('kpi_push', push, 'apply', 'admin'));
  expect(await read('kpi_sheet', old!.id)).toMatchObject({ valid_to: '2029-04-30', status: 'approved' });
  const [draft] = await list('kpi_sheet', 'admin', ['revises_id', 'eq', old!.id]);
  const { lines, ...made } = (await read('kpi_sheet', draft!.id)) as Doc & { lines: Row[] };
  expect(made).toMatchObject({ status: 'draft', revision: 2, valid_from: '2029-05-01', valid_to: '2030-03-31' });
  expect(lines.map(({ kpi_id: kpi }) => kpi)).toContain(ids.SALES);
  expect(lines).toHaveLength(3);
  await ok(step('kpi_push', push, 'undo', 'admin'));
  expect(await read('kpi_sheet', old!.id)).toMatchObject({ valid_to: '2030-03-31', revise_from: null });
  expect(await list('kpi_sheet', 'admin', ['revises_id', 'eq', old!.id])).toEqual([]);
  const [again] = await acme.sql<{ months: number }>(
    'select count(distinct month)::int as months from {s}.kpi_actual where sheet_id = $1 and active',
    [old!.id],
  );
  expect(again!.months).toBe(12);
});

test('owners and HR are notified once that entries of a period have ended, and once that it is frozen', async () => {
  const month = companyDay(-Number(companyDay(0).slice(8))).slice(0, 7);
  const past = await acme.sql<{ id: number }>(
    `update {s}.kpi_actual set month = $2, status = 'to_enter', counts = false where employee_id = $1 and month = '2025-02' returning id`,
    [ids.ravi, month],
  );
  expect(past).toHaveLength(2);
  const [known] = await list('kpi_period_lock', 'admin', ['month', 'eq', month]);
  const lock = known?.id ?? (await add('kpi_period_lock', { month }));
  const notices = async (event: string) =>
    Object.fromEntries(
      (
        await acme.sql<{ user_id: number; title: string; body: string; times: number }>(
          `select user_id, min(title) as title, min(body) as body, count(*)::int as times from {s}.notification where event_code = $1 group by user_id`,
          [event],
        )
      ).map(({ user_id: user, ...one }) => [
        Object.keys(people).find((name) => people[name]!.userId === Number(user)),
        one,
      ]),
    );
  await ok(step('kpi_period_lock', lock, 'close', 'admin'));
  await ok(step('kpi_period_lock', lock, 'open', 'admin', { reason: 'Late bills' }));
  await ok(step('kpi_period_lock', lock, 'close', 'admin'));
  const ended = await notices('kpi.period_closing');
  expect(ended.ravi).toMatchObject({
    title: expect.stringMatching(/^Entries of \w+ \d{4} have ended$/) as string,
    body: '2 updates of yours can no longer be submitted. Ask HR to allow entries again.',
    times: 1,
  });
  // The head and the manager may enter figures of others: they are HR here.
  const toHr = expect.stringMatching(/^\d+ updates were not submitted: .*E10003 \(2\)/) as string;
  for (const name of ['head', 'mina']) expect(ended[name]).toMatchObject({ body: toHr, times: 1 });
  await ok(step('kpi_period_lock', lock, 'freeze', 'admin'));
  await ok(step('kpi_period_lock', lock, 'reopen', 'admin', { reopen_until: companyDay(3), reason: 'Late bills' }));
  await ok(step('kpi_period_lock', lock, 'freeze', 'admin'));
  const frozen = await notices('kpi.period_frozen');
  expect(frozen.ravi).toMatchObject({ body: '2 updates of yours were not approved and count as missing.', times: 1 });
  expect(frozen.head).toMatchObject({ times: 1 });
  const mails = await acme.sql<{ event_code: string }>(
    `select distinct event_code from {s}.outbox where channel = 'mail' and event_code like 'kpi.period%' order by 1`,
  );
  expect(mails.map(({ event_code: code }) => code)).toEqual(['kpi.period_closing', 'kpi.period_frozen']);
});

function monthly(target: string) {
  return Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`t${String(at + 1).padStart(2, '0')}`, target]));
}

test('imported actuals are taken over by their updates: of ended months approved, corrected until the freeze', async () => {
  expect(mayReceive(made.world.screens.get('kpi_import')!)).toBe(true);
  const kpi = await read('kpi', ids.SALES!);
  const { kpi_type_id, uom_id } = kpi;
  const measured = { kpi_type_id, uom_id, source: 'import', valid_from: '2020-04-01' };
  const door = await add('kpi', { ...measured, code: 'DOOR', name: 'Door' });
  const gate = await add('kpi', { ...measured, code: 'GATE', name: 'Gate' });
  await ensureTables(acme, made.world.screens, ['kpi_import', 'kpi_score', 'performance_rating']);
  const year = { financial_year: '2022-2023', valid_from: '2022-04-01', valid_to: '2023-03-31' };
  const lines = [
    { kpi_id: door, weight: '60', year_target: '120', ...monthly('10') },
    { kpi_id: gate, weight: '40', year_target: '120', ...monthly('10') },
  ];
  const own = await add('kpi_sheet', { employee_id: ids.ravi, ...year, lines });
  const all = await add('kpi_sheet', { owner_kind: 'entity', responsible_id: ids.head, ...year, lines });
  for (const sheetId of [own, all]) {
    await ok(step('kpi_sheet', sheetId, 'submit', 'head'));
    await ok(step('kpi_sheet', sheetId, 'approve', 'admin'));
  }
  const taken = async () => {
    while ((await made.world.app.deliveries.deliver(acme)) > 0);
    await made.world.app.jobs.drain();
    return acme.sql<Row>(
      `select sheet_id, status, value::float8, remark from {s}.kpi_actual where kpi_id = $1 and month = '2022-04' order by sheet_id`,
      [door],
    );
  };
  const first = await add('kpi_import', {
    source_ref: 'A1',
    kpi_id: door,
    month: '2022-04',
    employee_id: ids.ravi,
    value: '8',
  });
  const missing = { sheet_id: all, status: 'to_enter', value: null, remark: 'Nothing was imported for this period.' };
  expect(await taken()).toEqual([{ sheet_id: own, status: 'approved', value: 8, remark: null }, missing]);
  await add('kpi_import', { source_ref: 'A2', kpi_id: door, month: '2022-04', value: '9' });
  await ok(change('kpi_import', first, { value: '7' }, 'admin'));
  expect((await taken()).map(({ status, value }) => [status, value])).toEqual([
    ['approved', 7],
    ['approved', 9],
  ]);
  // A month that has not begun takes nothing; of a frozen one the figure waits until it is reopened.
  const early = await made.people.admin!.call('POST', '/tapi/kpi_import', {
    source_ref: 'A0',
    kpi_id: door,
    month: '2099-06',
    value: '1',
  });
  expect(early.json()).toMatchObject({
    error: { details: [{ field: 'month', message: 'June 2099 has not started.' }] },
  });
  const state = (status: string) =>
    acme.sql(`update {s}.kpi_actual set status = $3 where kpi_id = $1 and sheet_id = $2 and month = '2022-04'`, [
      door,
      own,
      status,
    ]);
  await state('frozen');
  await ok(change('kpi_import', first, { value: '6' }, 'admin'));
  expect((await taken())[0]).toMatchObject({ status: 'frozen', value: 7 });
  await state('approved');
  await ok(change('kpi_import', first, { value: '5' }, 'admin'));
  expect((await taken())[0]).toMatchObject({ status: 'approved', value: 5 });
  const entered = await made.people.admin!.call('POST', '/tapi/kpi_import', {
    source_ref: 'A3',
    kpi_id: ids.SALES,
    month: '2022-04',
    value: '1',
  });
  expect(entered.statusCode).toBe(422);
});

test('the sheet of a member who leaves ends on the last working day, and keeps what was approved', async () => {
  const asha = await read('employee', ids.asha!);
  const leaver = await add('employee', {
    empno: 'E20001',
    first_name: 'Lena',
    mobile: '+919840011122',
    date_of_joining: '2022-04-01',
    branch_id: asha.branch_id,
    department_id: asha.department_id,
    designation_id: asha.designation_id,
    reporting_to_id: ids.mina,
  });
  const own = await add('kpi_sheet', {
    employee_id: leaver,
    financial_year: '2022-2023',
    valid_from: '2022-04-01',
    valid_to: '2023-03-31',
    lines: [
      { kpi_id: ids.SALES, weight: '60', year_target: '120', ...monthly('10') },
      { kpi_id: ids.COMPLAINTS, weight: '40', year_target: '12', ...monthly('1') },
    ],
  });
  await acme.sql(`update {s}.kpi set valid_from = '2020-04-01'`);
  await ok(step('kpi_sheet', own, 'submit', 'mina'));
  await ok(step('kpi_sheet', own, 'approve', 'head'));
  const months = async () =>
    (
      await acme.sql<{ month: string }>('select distinct month from {s}.kpi_actual where sheet_id = $1 order by 1', [
        own,
      ])
    ).map(({ month }) => month);
  expect(await months()).toHaveLength(12);
  await acme.sql(
    `update {s}.kpi_actual set status = 'approved', counts = true, value = 9 where sheet_id = $1 and month = '2022-10' and kpi_id = $2`,
    [own, ids.SALES],
  );
  const reason = await add('reason', { code: 'GONE', name: 'Resigned', used_for: ['leaving'] });
  await ok(
    people.admin!.call('POST', `/tapi/employee/${leaver}/leave`, {
      last_working_day: '2022-08-14',
      leaving_reason_id: reason,
    }),
  );
  while ((await made.world.app.deliveries.deliver(acme)) > 0);
  await made.world.app.jobs.drain();
  expect(await read('kpi_sheet', own)).toMatchObject({ valid_to: '2022-08-14', status: 'approved' });
  expect(await months()).toEqual(['2022-04', '2022-05', '2022-06', '2022-07', '2022-08', '2022-10']);
});

test('with an approval process its people decide on a sheet, one after another, and nobody else', async () => {
  const process = await add('approval_process', {
    name: 'KPI sheets',
    transaction_type: 'kpi_sheet',
    mode: 'cumulative',
    levels: [
      { level: 1, approver_by: 'reporting_manager', need: 'any_one' },
      { level: 2, approver_by: 'employee', employee_id: ids.head, need: 'any_one' },
    ],
  });
  const months = Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [`t${String(at + 1).padStart(2, '0')}`, '10']),
  );
  const decided = await add('kpi_sheet', {
    employee_id: ids.asha,
    financial_year: '2033-2034',
    valid_from: '2033-04-01',
    valid_to: '2034-03-31',
    lines: [
      { kpi_id: ids.SALES, weight: '60', year_target: '120', ...months },
      { kpi_id: ids.COMPLAINTS, weight: '40', year_target: '120', ...months },
    ],
  });
  await ok(step('kpi_sheet', decided, 'submit', 'admin'));
  const approve = (by: string) => step('kpi_sheet', decided, 'approve', by);
  // The member's manager first: the second approver cannot yet, others never, although their roles would let them.
  for (const by of ['head', 'asha', 'admin']) expect((await approve(by)).statusCode, by).toBe(403);
  expect(await ok(approve('mina'))).toMatchObject({ status: 'submitted' });
  for (const by of ['mina', 'admin']) expect((await approve(by)).statusCode, by).toBe(403);
  expect(await list('kpi_actual', 'admin', ['sheet_id', 'eq', decided])).toEqual([]);
  expect(await ok(approve('head'))).toMatchObject({ status: 'approved' });
  expect(await list('kpi_actual', 'admin', ['sheet_id', 'eq', decided])).toHaveLength(24);
  await acme.sql('update {s}.approval_process set active = false where id = $1', [process]);
});
