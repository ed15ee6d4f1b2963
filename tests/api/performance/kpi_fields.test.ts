import { afterAll, beforeAll, expect, test } from 'vitest';
import * as XLSX from 'xlsx';
import { ensureTables } from '../../../src/server/db/tenants.ts';
import type { Field } from '../../../src/descriptor/types.ts';
import type { Caller, TestTenant } from '../world.ts';
import type { Doc, PerformanceWorld, Row } from './performance_world.ts';
import { callsOf, ok, startPerformance } from './performance_world.ts';

// Which fields KPIs, the lines of their sheets, their updates and the KPI detail carry (performance.md §2, 3.2).

let made: PerformanceWorld;
let acme: TestTenant;
let people: Record<string, Caller>;
let ids: Record<string, number>;
let { add, read, list, step, change } = {} as ReturnType<typeof callsOf>;
let sheet = 0;

const LINES = 'kpi_sheet.lines';
const settings = new Map<string, number>();
const set = (of: string, field: string, more: object) => {
  const known = settings.get(`${of} ${field}`);
  return known === undefined
    ? people.admin!.call('POST', '/tapi/detailed_kpi_config', { of, field, shown: true, ...more })
    : change('detailed_kpi_config', known, more, 'admin');
};
const setting = async (of: string, field: string, more: object) => {
  const answer = await set(of, field, more);
  expect(answer.statusCode, answer.body).toBeLessThan(300);
  settings.set(`${of} ${field}`, answer.json<{ data: Doc }>().data.id);
};
const refusal = async (of: string, field: string, more: object) => {
  const answer = await set(of, field, more);
  expect(answer.statusCode, answer.body).toBe(422);
  return answer.json<{ error: { details: { field: string; message: string }[] } }>().error.details[0];
};
const fieldsOf = async (type: string, rows?: string, by = people.mina!): Promise<Field[]> => {
  const { screen } = await ok<{ screen: { fields: Field[] } }>(by.call('GET', `/tapi/screens/${type}`));
  return rows === undefined ? screen.fields : screen.fields.find(({ name }) => name === rows)!.rows!;
};
const names = (fields: readonly Field[]) => fields.map(({ name }) => name);
const linesOf = async () => ((await read('kpi_sheet', sheet)) as Doc & { lines: Row[] }).lines;
const cells = (more: object) => people.mina!.call('PATCH', `/tapi/kpi_sheet/${sheet}/rows/lines`, more);
const months = (value: string) =>
  Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`t${String(at + 1).padStart(2, '0')}`, value]));

beforeAll(async () => {
  made = await startPerformance();
  ({ acme, people, ids } = made);
  ({ add, read, list, step, change } = callsOf(made));
  sheet = await add('kpi_sheet', {
    employee_id: ids.asha,
    financial_year: '2025-2026',
    valid_from: '2025-04-01',
    valid_to: '2026-03-31',
    lines: [
      { kpi_id: ids.SALES, weight: '60', year_target: '1200', ...months('100') },
      { kpi_id: ids.COMPLAINTS, weight: '40', year_target: '0', tolerance: '4', ...months('0') },
    ],
  });
});
afterAll(() => made.world.close());

test('a column of lines is hidden from forms, Excel and every call; stored values stay', async () => {
  await setting(LINES, 'tolerance', { shown: false });
  await setting(LINES, 'stretch_percent', { shown: false });
  const lines = await fieldsOf('kpi_sheet', 'lines');
  expect(names(lines)).not.toContain('tolerance');
  expect(names(await fieldsOf('kpi'))).toContain('tolerance');
  const template = await people.admin!.call('GET', '/tapi/kpi_sheet/template.xlsx');
  const heads = XLSX.read(template.rawPayload).SheetNames.flatMap(
    (name) => XLSX.utils.sheet_to_json<string[]>(XLSX.read(template.rawPayload).Sheets[name]!, { header: 1 })[0] ?? [],
  );
  expect(heads).toContain('Base');
  expect(heads.filter((head) => /Tolerance|Stretch/.test(head))).toEqual([]);
  const [first] = await linesOf();
  expect(first).not.toHaveProperty('tolerance');
  const sent = await cells({ cells: [{ id: first!.id, set: { tolerance: [null, '3'] } }] });
  expect([sent.statusCode, sent.body]).toEqual([422, expect.stringContaining('tolerance')]);
  const created = await people.admin!.call('POST', '/tapi/kpi_sheet', {
    employee_id: ids.ravi,
    financial_year: '2025-2026',
    valid_from: '2025-04-01',
    valid_to: '2026-03-31',
    lines: [{ kpi_id: ids.SALES, weight: '100', tolerance: '3' }],
  });
  expect([created.statusCode, created.body]).toEqual([422, expect.stringContaining('There is no field')]);
  await ok(cells({ cells: [{ id: first!.id, set: { base_value: [null, '90'] } }] }));
  const stored = await acme.sql<{ tolerance: string | null; base_value: string | null }>(
    'select tolerance::float8 as tolerance, base_value::float8 as base_value from {s}.kpi_sheet__lines where parent_id = $1 order by position',
    [sheet],
  );
  expect(stored).toEqual([
    { tolerance: null, base_value: 90 },
    { tolerance: 4, base_value: null },
  ]);
  await setting(LINES, 'tolerance', { shown: true });
  expect((await linesOf()).map((line) => line.tolerance ?? null)).toEqual([null, '4.0000']);
});

test('a column of lines is renamed, moved and asked for where lines are entered', async () => {
  await setting(LINES, 'base_value', { label: 'Last year', required: true, sequence_no: 1 });
  await setting(LINES, 'year_target', { sequence_no: 5 });
  const { screen } = await ok<{ screen: { fields: Field[] } }>(people.mina!.call('GET', '/tapi/screens/kpi_sheet'));
  const lines = screen.fields.find(({ name }) => name === 'lines')!;
  expect(lines.rows!.find(({ name }) => name === 'base_value')).toMatchObject({ title: 'Last year', required: true });
  const places = (names: readonly string[]) =>
    ['weight', 'base_value', 'year_target'].map((name) => names.indexOf(name));
  for (const order of [places(lines.columns!), places(lines.sections![0]!.fields)])
    expect(order.toSorted((a, b) => a - b)).toEqual(order);
  const missing = await cells({ insert: [{ kpi_id: ids.NPS, weight: '0' }] });
  expect([missing.statusCode, missing.body]).toEqual([422, expect.stringContaining('Last year is required.')]);
  const posted = await people.admin!.call('POST', '/tapi/kpi_sheet', {
    employee_id: ids.ravi,
    financial_year: '2025-2026',
    valid_from: '2025-04-01',
    valid_to: '2026-03-31',
    lines: [{ kpi_id: ids.SALES, weight: '100' }],
  });
  expect([posted.statusCode, posted.body]).toEqual([422, expect.stringContaining('Last year is required.')]);
  await setting(LINES, 'base_value', { required: false });
});

test('what targets and actuals need is neither hidden nor offered', async () => {
  expect(await refusal(LINES, 'base_value', { shown: false, required: false })).toMatchObject({ field: 'shown' });
  expect(await refusal(LINES, 'threshold_percent', { shown: false })).toEqual({
    field: 'shown',
    message: 'Counts from cannot be hidden: other fields, or steps, go by it.',
  });
  expect(await refusal(LINES, 'approver_id', { shown: false })).toMatchObject({ field: 'shown' });
  expect(await refusal(LINES, 'weight', { shown: false })).toMatchObject({ field: 'field' });
  expect(await refusal(LINES, 'remark', { label: 'Note' })).toEqual({
    field: 'field',
    message: 'Field: Remark cannot be chosen here. Choose another.',
  });
  expect(await refusal('kpi_actual', 'not_applicable', { shown: false })).toMatchObject({ field: 'shown' });
  for (const where of [LINES, 'kpi_actual'])
    expect(
      (
        await people.admin!.call('POST', '/tapi/detailed_kpi_config', {
          of: where,
          kind: 'own',
          own_field: `extra_${where.length}`,
          type: 'text',
          label: 'Extra',
          shown: true,
        })
      ).json<{ error: { details: { field: string }[] } }>().error.details[0],
    ).toMatchObject({ field: 'kind' });
});

test('an update asks for the remark while it is entered; steps that decide, and the product itself, are not stopped', async () => {
  await ok(step('kpi_sheet', sheet, 'submit', 'mina'));
  await setting('kpi_actual', 'tolerance', { shown: false });
  await ok(step('kpi_sheet', sheet, 'approve', 'head'));
  const update = async (month: string, kpi = ids.SALES) =>
    (
      await list('kpi_actual', 'admin', [
        'and',
        ['kpi_id', 'eq', kpi],
        ['month', 'eq', month],
        ['employee_id', 'eq', ids.asha],
      ])
    )[0]!.id;
  const [april, may] = [await update('2025-04'), await update('2025-05')];
  // What other systems hear of changed facts (performance.md §8, docs/http.md).
  const hook = await add('api_config', {
    name: 'Facts',
    direction: 'outgoing',
    url: 'https://facts.example.com/in',
    events: ['kpi_actual.approved', 'kpi_score.created', 'kpi_score.updated'],
  });
  await ok(change('kpi_actual', april, { value: '100' }, 'asha'));
  await ok(step('kpi_actual', april, 'submit', 'asha'));
  await setting('kpi_actual', 'remark', { required: true, label: 'What happened', in_report: true });
  const refused = await change('kpi_actual', may, { value: '100' }, 'asha');
  expect([refused.statusCode, refused.body]).toEqual([422, expect.stringContaining('What happened is required.')]);
  // Entered before the client asked for remarks: it is decided as it is.
  await ok(step('kpi_actual', april, 'approve', 'mina'));
  for (const [id, value] of [
    [may, '120'],
    [await update('2025-05', ids.COMPLAINTS), '0'],
  ] as const) {
    await ok(change('kpi_actual', id, { value, remark: 'A fair.' }, 'asha'));
    await ok(step('kpi_actual', id, 'submit', 'asha'));
    await ok(step('kpi_actual', id, 'approve', 'mina'));
  }
  const heard = await acme.sql<{ event: string }>('select event from {s}.api_delivery where api_config_id = $1', [
    hook,
  ]);
  expect(new Set(heard.map(({ event }) => event))).toEqual(
    new Set(['kpi_actual.approved', 'kpi_score.created', 'kpi_score.updated']),
  );
  // What is hidden from people is still written.
  expect(names(await fieldsOf('kpi_actual'))).not.toContain('tolerance');
  expect(
    await acme.sql(
      'select distinct tolerance::float8 as tolerance from {s}.kpi_actual where sheet_id = $1 and kpi_id = $2',
      [sheet, ids.COMPLAINTS],
    ),
  ).toEqual([{ tolerance: 4 }]);
});

test('the KPI detail has the marked fields, under their names, and no chart is divided by them', async () => {
  await setting('kpi', 'data_source', { label: 'Proof', in_report: true });
  await ok(change('kpi', ids.SALES!, { data_source: 'Ledger' }, 'admin'));
  const report = (by = people.admin!) =>
    ok<{ columns: { name: string; title: string }[]; rows: Row[]; chart: { series: unknown[] } | null }>(
      by.call('GET', `/tapi/report/kpi_detailed_report_view/rows?kpi_id=${ids.SALES}&employee_id=${ids.asha}`),
    );
  const { columns, rows, chart } = await report();
  const titles = new Map(columns.map(({ name, title }) => [name, title]));
  expect([titles.get('remark'), titles.get('days_late'), titles.get('kpi_id_data_source')]).toEqual([
    'What happened',
    'Late by',
    'Proof',
  ]);
  expect(rows.map(({ month, remark, kpi_id_data_source: proof }) => [month, remark, proof])).toEqual([
    ['2025-04', null, 'Ledger'],
    ['2025-05', 'A fair.', 'Ledger'],
  ]);
  expect(chart!.series).toHaveLength(1);
  await setting('kpi', 'data_source', { in_report: false });
  await setting('kpi_actual', 'days_late', { shown: false });
  const after = (await report()).columns.map(({ name }) => name);
  expect([after.includes('kpi_id_data_source'), after.includes('days_late')]).toEqual([false, false]);
});

test('ratings in charts bring along the colours of their bands, unless schemes disagree', async () => {
  const colours = { Meets: '#117733', Exceeds: '#004488' };
  for (const [label, colour] of Object.entries(colours))
    await acme.sql('update {s}.performance_rating__bands set color = $2 where label = $1', [label, colour]);
  await acme.sql(
    `insert into {s}.performance_rating__bands (parent_id, position, code, label, from_score, to_score, grade_points, color)
     select parent_id, 9, 'X', label, 200, 300, 1, '#000000' from {s}.performance_rating__bands where label = 'Meets'`,
  );
  for (const [month, band] of [
    ['2025-04', 'Meets'],
    ['2025-05', 'Exceeds'],
  ])
    await acme.sql('update {s}.kpi_score set band = $2 where month = $1', [month, band]);
  const { tiles } = await ok<{ tiles: { figures: { rows: Row[] } }[] }>(
    people.admin!.call('POST', '/tapi/dashboard/dashboard_scorecard', { filters: {}, tiles: ['bands'] }),
  );
  expect(tiles[0]!.figures.rows).toEqual([
    { band: 'Exceeds', n: 1, band__colour: colours.Exceeds },
    { band: 'Meets', n: 1 },
  ]);
});

test('settings stored before there were lines and updates apply to KPIs', async () => {
  const old = await made.world.tenant({ products: ['PMS'] });
  await old.user('admin', { isAdmin: true, companies: [{ company: 1 }] });
  await ensureTables(old, made.world.screens, ['kpi', 'detailed_kpi_config']);
  await old.sql('alter table {s}.detailed_kpi_config drop column "of" cascade, drop column in_report cascade');
  await old.sql(
    `insert into {s}.detailed_kpi_config (kind, field, label, shown, required) values ('standard', 'data_source', 'Proof', true, false), ('standard', 'benchmark', null, false, false)`,
  );
  const admin = await made.world.signIn(old, 'admin');
  const fields = await fieldsOf('kpi', undefined, admin);
  expect(fields.find(({ name }) => name === 'data_source')!.title).toBe('Proof');
  expect(names(fields)).not.toContain('benchmark');
});
