import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scorecard } from '../../../src/domain/performance/scorecard.ts';
import { companyDay } from '../../company_day.ts';
import type { Doc, PerformanceWorld, Row } from './performance_world.ts';
import { callsOf, ok, startPerformance } from './performance_world.ts';

// Sheets of departments and the company, and figures that follow from the sheets below (performance.md §3.3, 5.7).

let made: PerformanceWorld;
let calls: ReturnType<typeof callsOf>;
const YEAR = { financial_year: '2026-2027', valid_from: '2026-04-01', valid_to: '2027-03-31' };
const NAMES = ['E1', 'E2', 'E3', 'E4', 'E5', 'AM1', 'AM2'];
const departments: Record<string, number> = {};
const sheets: Record<string, number> = {};
const kpis: Record<string, number> = {};
const months = Array.from({ length: 12 }, (_, at) => `t${String(at + 1).padStart(2, '0')}`);
const targets = (each: string) => Object.fromEntries(months.map((month) => [month, each]));

/** The sheet of a unit with the sales and four metrics. */
const addSheet = async (name: string, owner: object, above: string | null, more: object = targets('50')) => {
  const into = above === null ? {} : { parent_sheet_id: sheets[above] };
  sheets[name] = await calls.add(
    'kpi_sheet',
    {
      ...YEAR,
      ...owner,
      responsible_id: made.ids.asha,
      lines: [
        { kpi_id: kpis.SALES, weight: '70', ...more, ...into },
        { kpi_id: made.ids.COMPLAINTS, weight: '30', ...targets('4') },
        ...['CSAT', 'WCSAT', 'BILLS', 'WALKINS'].map((kpi) => ({ kpi_id: kpis[kpi], ...into })),
        { kpi_id: kpis.CONV },
      ],
    },
    'mina',
  );
};
const approve = async (name: string) => {
  await ok(calls.step('kpi_sheet', sheets[name]!, 'submit', 'mina'));
  return ok(calls.step('kpi_sheet', sheets[name]!, 'approve', 'head'));
};
const update = async (name: string, kpi: string): Promise<Doc> => {
  const filter = ['and', ['sheet_id', 'eq', sheets[name]], ['kpi_id', 'eq', kpis[kpi]], ['month', 'eq', '2026-04']];
  return calls.read('kpi_actual', (await calls.list('kpi_actual', 'admin', filter))[0]!.id);
};
const valueOf = async (name: string, kpi: string) => Number((await update(name, kpi)).value);
const enter = async (name: string, kpi: string, value: number) => {
  const { id } = await update(name, kpi);
  await ok(calls.change('kpi_actual', id, { value: String(value), remark: 'Counted.' }, 'asha'));
  await ok(calls.step('kpi_actual', id, 'submit', 'asha'));
};

beforeAll(async () => {
  made = await startPerformance();
  calls = callsOf(made);
  const { add } = calls;
  const [first] = await made.acme.sql<{ type: number; unit: number }>(
    'select kpi_type_id as type, uom_id as unit from {s}.kpi order by id limit 1',
  );
  const kpi = async (code: string, more: object) => {
    kpis[code] = await add('kpi', {
      code: `${code}_UP`,
      name: `${code} rolled up`,
      kpi_type_id: first!.type,
      uom_id: first!.unit,
      valid_from: '2024-04-01',
      approval_required: false,
      ...more,
    });
  };
  const metric = { measure: 'metric', period_aggregation: 'average' };
  await kpi('SALES', { org_rollup: 'sum', target_rollup: 'rollup' });
  await kpi('CSAT', { ...metric, org_rollup: 'average' });
  await kpi('BILLS', { measure: 'metric', org_rollup: 'sum' });
  await kpi('WALKINS', { measure: 'metric', org_rollup: 'sum' });
  await kpi('WCSAT', {
    measure: 'metric',
    period_aggregation: 'weighted',
    org_rollup: 'weighted',
    weight_kpi_id: kpis.BILLS,
  });
  const rate = { measure: 'metric', source: 'formula', period_aggregation: 'formula' };
  await kpi('CONV', { ...rate, formula: 'BILLS_UP / WALKINS_UP * 100' });
  for (const name of NAMES) departments[name] = await add('department', { code: name, name: `Team ${name}` });
});
afterAll(() => made.world.close());

test('a department and the company have sheets with a person who answers for them; members never have theirs', async () => {
  await addSheet('RH', { owner_kind: 'entity' }, null, {});
  for (const name of ['AM1', 'AM2'])
    await addSheet(name, { owner_kind: 'department', department_id: departments[name] }, 'RH', {});
  for (const [name, above] of Object.entries({ E1: 'AM1', E2: 'AM1', E3: 'AM2', E4: 'AM2', E5: 'AM2' }))
    await addSheet(name, { owner_kind: 'department', department_id: departments[name] }, above);
  expect(await calls.read('kpi_sheet', sheets.E1!)).toMatchObject({
    unit_name: 'Team E1',
    employee_id: null,
    manager_id: made.ids.mina,
  });
  const sheet = { ...YEAR, owner_kind: 'department', responsible_id: made.ids.asha, lines: [] };
  const again = await made.people.mina!.call('POST', '/tapi/kpi_sheet', { ...sheet, department_id: departments.E1 });
  expect(again.body).toContain('overlap');
  const nobody = await made.people.mina!.call('POST', '/tapi/kpi_sheet', { ...sheet, responsible_id: null });
  expect(nobody.json<{ error: { details: { field: string }[] } }>().error.details.map(({ field }) => field)).toEqual(
    expect.arrayContaining(['department_id', 'responsible_id']),
  );
});

test('a KPI counts only into a sheet that has it, and never into itself', async () => {
  const refused = async (lines: Record<string, unknown>[]) => {
    await ok(calls.setLines(sheets.RH!, lines, 'mina'));
    const answer = await calls.step('kpi_sheet', sheets.RH!, 'submit', 'mina');
    return answer.json<{ error: { details: { message: string }[] } }>().error.details.map(({ message }) => message);
  };
  const stored = (await calls.read('kpi_sheet', sheets.RH!)) as Doc & { lines: Record<string, unknown>[] };
  const place = (kpi: number | undefined, above: string) =>
    stored.lines.map((line) => (line.kpi_id === kpi ? { ...line, parent_sheet_id: sheets[above] } : line));
  expect(await refused(place(kpis.SALES, 'E1'))).toContain('SALES rolled up would count into itself.');
  expect(await refused(place(made.ids.COMPLAINTS, 'AM1'))).toContain(
    'COMPLAINTS is not rolled up. Choose in the KPI how it is, or empty “Counts into”.',
  );
  await ok(calls.setLines(sheets.RH!, stored.lines, 'mina'));
});

test('figures above follow from those below, level by level exact; targets too where the KPI says so', async () => {
  for (const name of ['E1', 'E2', 'AM1', 'RH', 'E3', 'E4', 'E5', 'AM2']) await approve(name);
  expect(await update('RH', 'SALES')).toMatchObject({ source: 'rollup', target: '250.0000', value: null });
  const entered: Record<string, number[]> = {
    SALES: [40, 60, 30, 50, 20],
    CSAT: [80, 90, 70, 60, 74],
    WCSAT: [80, 90, 70, 60, 74],
    BILLS: [100, 300, 200, 100, 100],
    WALKINS: [400, 600, 500, 500, 400],
  };
  await enter('E1', 'SALES', 40);
  expect(await update('AM1', 'SALES')).toMatchObject({
    status: 'approved',
    remark: '1 of 2 figures below are approved.',
  });
  for (const [kpi, values] of Object.entries(entered))
    for (const [at, value] of values.entries()) if (kpi !== 'SALES' || at > 0) await enter(`E${at + 1}`, kpi, value);
  const table = await Promise.all(
    Object.keys({ ...entered, CONV: 0 }).map(async (kpi) => [
      kpi,
      ...(await Promise.all(['AM1', 'AM2', 'RH'].map((name) => valueOf(name, kpi)))),
    ]),
  );
  expect(table).toEqual([
    ['SALES', 100, 100, 200],
    ['CSAT', 85, 68, 74.8],
    ['WCSAT', 87.5, 68.5, 78],
    ['BILLS', 400, 400, 800],
    ['WALKINS', 1000, 1400, 2400],
    ['CONV', 40, 28.571429, 33.333333],
  ]);
  expect(await update('RH', 'SALES')).toMatchObject({ remark: null, achievement: '80.0000', counts: true });
});

test('a unit has an own part beside the sheets below, which counts once somebody else approves it', async () => {
  const own = async (kpi: string, value: number) => {
    const { id } = await update('AM1', kpi);
    await ok(calls.step('kpi_actual', id, 'enter_own', 'asha', { own_value: String(value) }));
    expect(await valueOf('RH', kpi)).toBe(before.get(kpi));
    expect((await calls.step('kpi_actual', id, 'approve_own', 'asha')).statusCode).toBe(403);
    await ok(calls.step('kpi_actual', id, 'approve_own', 'mina'));
    return id;
  };
  const before = new Map<string, number>();
  for (const kpi of ['SALES', 'BILLS', 'WCSAT']) before.set(kpi, await valueOf('RH', kpi));
  const sales = await own('SALES', 15);
  expect([await valueOf('AM1', 'SALES'), await valueOf('RH', 'SALES')]).toEqual([115, 215]);
  await ok(calls.step('kpi_actual', sales, 'return_own', 'mina', { reason: 'Counted twice.' }));
  expect([await valueOf('AM1', 'SALES'), await valueOf('RH', 'SALES')]).toEqual([100, 200]);
  // Its weight is the own part of the weighting KPI: (78 · 800 + 60 · 200) ÷ 1000.
  await own('WCSAT', 60);
  expect(await valueOf('RH', 'WCSAT')).toBe(78);
  before.set('BILLS', 800);
  await own('BILLS', 200);
  expect([await valueOf('RH', 'BILLS'), await valueOf('RH', 'WCSAT')]).toEqual([1000, 74.4]);
});

test('without a weighting KPI the weights on the lines decide', async () => {
  const { version } = await calls.read('kpi', kpis.CSAT!);
  await ok(made.people.admin!.call('PUT', `/tapi/kpi/${kpis.CSAT}`, { version, org_rollup: 'weighted' }));
  await made.acme.sql('update {s}.kpi_actual set contribution_weight = 3 where sheet_id = $1 and kpi_id = $2', [
    sheets.E1,
    kpis.CSAT,
  ]);
  const { id } = await update('E2', 'CSAT');
  await ok(calls.step('kpi_actual', id, 'reopen', 'head', { reason: 'Counted again.' }));
  await enter('E2', 'CSAT', 92);
  // (80 · 3 + 92) ÷ 4
  expect(await valueOf('AM1', 'CSAT')).toBe(83);
});

test('the scorecard of the company opens down to the sheets below; that of its person stays apart', async () => {
  const card = async (filters: object, by = 'asha') => {
    const { tiles } = await ok<{ tiles: { widget?: Scorecard }[] }>(
      made.people[by]!.call('POST', '/tapi/dashboard/scorecard_new', { filters: { month: '2026-04', ...filters } }),
    );
    return tiles.find(({ widget }) => widget)!.widget!;
  };
  const company = await card({ sheet_id: String(sheets.RH) });
  expect(company.owner).toMatchObject({ about: ['Company'], isUnit: true });
  expect(company.score).toMatchObject({ score: '80.00', covered: '70.0000' });
  const sales = company.lines.find(({ kpi }) => kpi === 'SALES rolled up')!;
  expect(decodeURIComponent(sales.records!)).toContain(`["parent_sheet_id","eq",${sheets.RH}]`);
  expect(company.tabs).toEqual(['own', 'reportees']);
  const { below: under, lines: none } = await card({ sheet_id: String(sheets.RH), tab: 'reportees' });
  expect(under.map(({ name }) => name).toSorted()).toEqual(['Team AM1', 'Team AM2']);
  // A tab has its own answer.
  expect([none, company.below]).toEqual([[], []]);
  const own = await card({});
  expect([own.lines, own.tab, own.units.length]).toEqual([[], 'board', 8]);
  expect((await card({}, 'ravi')).units).toEqual([]);

  // A longer period adds its months up first: (200 + 260) of (250 + 250), and June has no actual yet.
  await made.acme.sql(
    `update {s}.kpi_actual set value = 260, counts = true, status = 'approved' where sheet_id = $1 and kpi_id = $2 and month = '2026-05'`,
    [sheets.RH, kpis.SALES],
  );
  const over = async (period: string, month = '2026-05') => {
    const filters = { sheet_id: String(sheets.RH), period, month };
    const { title, score, lines, choices } = await card(filters);
    const { below } = await card({ ...filters, tab: 'reportees' });
    const { target, actual, achievement, weighted, together } = lines.find(({ kpi }) => kpi === 'SALES rolled up')!;
    return { title, score, target, actual, achievement, weighted, together, below, choices };
  };
  const quarter = await over('quarter', '2026-04');
  expect(quarter).toMatchObject({
    title: 'Q1 2026-27 (Apr–Jun)',
    target: '500',
    actual: '460',
    achievement: '92.0000',
    weighted: '64.4000',
    together: { as: 'sum', months: 2, of: 3 },
    score: { score: '92.00', covered: '70.00', frozen: false, trend: null },
  });
  expect(quarter.choices.map(({ month }) => month)).toEqual(['2027-03', '2026-12', '2026-09', '2026-06']);
  expect(quarter.below.map(({ name, score, to }) => [name, score, to?.includes('&period=quarter')])).toEqual([
    ['Team AM2', '66.67', true],
    ['Team AM1', '100.00', true],
  ]);
  // A rate follows from the totals, a weighted score from all bills: the mean of the months would be wrong (§5.6).
  const april = Object.fromEntries(
    await Promise.all(['BILLS', 'WALKINS', 'WCSAT'].map(async (kpi) => [kpi, await valueOf('RH', kpi)] as const)),
  );
  for (const [kpi, value] of Object.entries({ BILLS: 300, WALKINS: 400, WCSAT: 60, CONV: 75 }))
    await made.acme.sql(
      `update {s}.kpi_actual set value = $3, counts = true, status = 'approved' where sheet_id = $1 and kpi_id = $2 and month = '2026-05'`,
      [sheets.RH, kpis[kpi], value],
    );
  const { lines } = await card({ sheet_id: String(sheets.RH), period: 'quarter', month: '2026-05' });
  const actuals = Object.fromEntries(lines.map(({ kpi, actual }) => [kpi.split(' ')[0]!, Number(actual)]));
  const [bills, walkIns] = [april.BILLS! + 300, april.WALKINS! + 400];
  expect(actuals.CONV).toBeCloseTo((100 * bills) / walkIns, 5);
  expect(actuals.WCSAT).toBeCloseTo((april.WCSAT! * april.BILLS! + 60 * 300) / bills, 5);
  expect(await over('ytd', '2026-04')).toMatchObject({ title: 'April 2026', achievement: '80.0000' });
  expect(await over('ytd')).toMatchObject({ title: 'April to May 2026', achievement: '92.0000' });
  // A company may average its months instead: 80 in April and 103 in May.
  await made.acme.sql(
    `insert into {s}.kpi_score (entity_id, owner_kind, unit_name, sheet_id, month, score, covered, frozen)
     values (1, 'entity', 'Company', $1, '2026-05', 103, 100, false)`,
    [sheets.RH],
  );
  const settings = await calls.add('calc_settings', { year_score: 'average_of_periods' });
  // Another month of the quarter: a page keeps its figures for some seconds.
  expect((await over('quarter', '2026-06')).score).toMatchObject({ score: '91.50', covered: null });
  await ok(calls.change('calc_settings', settings, { year_score: 'cumulative' }, 'admin'));
  expect([(await over('half_year')).title, (await over('year')).title]).toEqual(['H1 2026-27 (Apr–Sep)', '2026-27']);
});

// Asha is the secretary of the committee and Mina her manager; the reader sees all sheets of the company.
test('the sheet of a board unit is seen by its members, its secretary and HR alone, and acknowledged by secretary or chair', async () => {
  const { acme, ids, people, world } = made;
  const reads = { pages: ['landing' as const, 'view_screen' as const], scope: 'company' as const };
  const role = await acme.role({
    modules: ['PERFORMANCE'],
    screens: Object.fromEntries(
      ['SCN_EMPLOYEE_KPI', 'SCN_ACTUAL_VIEW', 'SCN_SCORE_LIST', 'SCN_SCORECARD'].map((code) => [code, reads]),
    ),
  });
  await acme.user('reader', { companies: [{ company: 1, roles: [role] }] });
  people.reader = await world.signIn(acme, 'reader');
  const committee = await calls.add('board_type', { code: 'AUD', name: 'Audit', kind: 'committee' });
  const unit = await calls.add('board_unit', {
    code: 'AUD',
    name: 'Audit committee',
    board_type_id: committee,
    constituted_on: '2014-04-01',
    secretary_id: ids.asha,
  });
  const lines = [
    { kpi_id: kpis.SALES, weight: '60', ...targets('50') },
    { kpi_id: ids.COMPLAINTS, weight: '40', ...targets('4') },
  ];
  const board = { ...YEAR, owner_kind: 'board_unit', lines };
  const nobody = await people.admin!.call('POST', '/tapi/kpi_sheet', { ...board, responsible_id: ids.asha });
  expect(nobody.json<{ error: { details: { field: string }[] } }>().error.details.map(({ field }) => field)).toEqual([
    'board_unit_id',
  ]);
  sheets.AUD = await calls.add('kpi_sheet', { ...board, board_unit_id: unit });
  expect(await calls.read('kpi_sheet', sheets.AUD)).toMatchObject({
    unit_name: 'Audit committee',
    responsible_id: ids.asha,
    manager_id: ids.mina,
  });
  const again = await people.admin!.call('POST', '/tapi/kpi_sheet', { ...board, board_unit_id: unit });
  expect(again.body).toContain('overlap');
  await ok(calls.step('kpi_sheet', sheets.AUD, 'submit', 'admin'));
  expect((await calls.step('kpi_sheet', sheets.AUD, 'approve', 'admin')).statusCode).toBe(403);
  await ok(calls.step('kpi_sheet', sheets.AUD, 'approve', 'mina'));

  for (const [kpi, value] of [
    ['SALES', '45'],
    ['COMPLAINTS', '4'],
  ] as const) {
    const filter = ['and', ['sheet_id', 'eq', sheets.AUD], ['month', 'eq', '2026-04']];
    const updates = await calls.list('kpi_actual', 'asha', filter);
    const { id } = updates.find(({ kpi_id: one }) => one === (kpis[kpi] ?? ids[kpi]))!;
    await ok(calls.change('kpi_actual', id, { value, remark: 'Counted.' }, 'asha'));
    await ok(calls.step('kpi_actual', id, 'submit', 'asha'));
    if (kpi === 'COMPLAINTS') await ok(calls.step('kpi_actual', id, 'approve', 'mina'));
  }
  const ofUnit = ['sheet_id', 'eq', sheets.AUD];
  // A page keeps its figures for some seconds, by what is asked.
  const sees = async (by: string, period = 'month') => {
    const card = await ok<{ tiles: { widget?: Scorecard }[] }>(
      people[by]!.call('POST', '/tapi/dashboard/scorecard_new', {
        filters: { month: '2026-04', sheet_id: String(sheets.AUD), period },
      }),
    );
    const { owner, score } = card.tiles.find(({ widget }) => widget)!.widget!;
    return {
      sheet: (await people[by]!.call('GET', `/tapi/kpi_sheet/${sheets.AUD}`)).statusCode,
      sheets: (await calls.list('kpi_sheet', by, ['id', 'eq', sheets.AUD])).length,
      updates: (await calls.list('kpi_actual', by, ['and', ofUnit, ['month', 'eq', '2026-04']])).length,
      scores: (await calls.list('kpi_score', by, ofUnit)).length,
      card: owner === null ? null : [owner.name, owner.about[0], score?.score],
    };
  };
  const nothing = { sheet: 404, sheets: 0, updates: 0, scores: 0, card: null };
  // 0.6 of 90 and 0.4 of 100.
  const all = { sheet: 200, sheets: 1, updates: 2, scores: 1, card: ['Audit committee', 'Board unit', '94.00'] };
  expect(await sees('reader')).toEqual(nothing);
  expect(await sees('ravi')).toEqual(nothing);
  for (const by of ['asha', 'mina', 'admin']) expect(await sees(by)).toEqual(all);

  // With a seat Ravi sees it; as the chair he may acknowledge it, as others with a seat he may not.
  const seat = (column: string, who: string) =>
    acme.sql(`update {s}.board_unit set ${column} = array[$2::bigint] where id = $1`, [unit, people[who]!.userId]);
  await seat('member_user_ids', 'ravi');
  expect(await sees('ravi', 'ytd')).toEqual(all);
  expect(await sees('reader', 'ytd')).toEqual(nothing);
  expect((await calls.step('kpi_sheet', sheets.AUD, 'acknowledge', 'ravi')).statusCode).toBe(403);
  await seat('chair_user_ids', 'ravi');
  expect(await ok(calls.step('kpi_sheet', sheets.AUD, 'acknowledge', 'ravi'))).toMatchObject({
    status: 'acknowledged',
  });

  // The committee's own page shows its KPIs before those of a member that it names.
  const { tiles } = await ok<{ tiles: { name: string; figures?: { rows: Record<string, unknown>[] } }[] }>(
    people.admin!.call('POST', '/tapi/dashboard/committee_board', {
      filters: { unit: String(unit), month: '2026-04' },
    }),
  );
  expect(tiles.find(({ name }) => name === 'kpis')!.figures!.rows).toMatchObject([
    { kpi: 'SALES rolled up', weight: 60, score: 90 },
    { kpi: 'COMPLAINTS', weight: 40, score: 100 },
  ]);
});

test('a KPI of days or weeks is entered day by day; the month adds them up, is approved and scored as a whole', async () => {
  const today = new Date().toISOString().slice(0, 10);
  const first = Number(today.slice(0, 4)) - (today.slice(5) < '05-01' ? 1 : 0);
  const kpi = await calls.read('kpi', kpis.SALES!);
  const { kpi_type_id, uom_id } = kpi;
  const own = { kpi_type_id, uom_id, valid_from: '2020-01-01', approval_required: false };
  const visits = await calls.add('kpi', { ...own, code: 'VISITS', name: 'Visits', frequency: 'daily' });
  const output = await calls.add('kpi', {
    ...own,
    code: 'OUTPUT',
    name: 'Output',
    frequency: 'weekly',
    period_aggregation: 'average',
  });
  for (const [code, name] of [
    ['SHOP', 'Shops'],
    ['WEB', 'Web shop'],
  ])
    await calls.add('channel', { code, name, channel_kind: 'own_store' });
  const sold = await calls.add('kpi', { ...own, code: 'SOLD', name: 'Sold', dimension: 'channel' });
  for (const frequency of ['daily', 'weekly'])
    await calls.add('kpi_settings', {
      name: frequency,
      frequency,
      opens_days: 0,
      due_days: 1,
      approve_days: 200,
      freeze_days: 365,
    });
  const month = `${first}-04`;
  const sheet = await calls.add('kpi_sheet', {
    employee_id: made.ids.ravi,
    financial_year: `${first}-${first + 1}`,
    valid_from: `${first}-04-01`,
    valid_to: `${first + 1}-03-31`,
    lines: [
      { kpi_id: visits, weight: '50', ...targets('20') },
      { kpi_id: output, weight: '30', ...targets('10') },
      { kpi_id: sold, weight: '20', ...targets('10') },
    ],
  });
  await ok(calls.step('kpi_sheet', sheet, 'submit', 'head'));
  await ok(calls.step('kpi_sheet', sheet, 'approve', 'admin'));
  const of = async (id: number) => {
    const filter = ['and', ['sheet_id', 'eq', sheet], ['kpi_id', 'eq', id], ['month', 'eq', month]];
    const found = await calls.list('kpi_actual', 'admin', filter);
    return (await calls.read('kpi_actual', found[0]!.id)) as Doc & { entries: Record<string, unknown>[] };
  };
  const enter = async (update: Doc & { entries: Record<string, unknown>[] }, values: (string | null)[]) =>
    made.people.ravi!.call('PUT', `/tapi/kpi_actual/${update.id}`, {
      version: update.version,
      entries: update.entries.map((row, at) => ({ ...row, value: values[at] ?? null })),
    });
  const days = await of(visits);
  expect(days.entries.length).toBeGreaterThan(19);
  expect(days.entries[0]).toMatchObject({ value: null, label: null });
  const some = await ok(enter(days, ['1', '2', '3']));
  expect(some).toMatchObject({ value: '6', achievement: '30.0000' });
  expect((await calls.step('kpi_actual', days.id, 'submit', 'ravi')).body).toContain('figures are missing');
  await ok(
    enter(
      await of(visits),
      days.entries.map(() => '1'),
    ),
  );
  expect(await ok(calls.step('kpi_actual', days.id, 'submit', 'ravi'))).toMatchObject({ status: 'approved' });
  const weeks = await of(output);
  expect(weeks.entries.map(({ label }) => label).slice(0, 2)).toEqual(['W01', 'W02']);
  expect(await ok(enter(weeks, ['8', '10', null, '12']))).toMatchObject({ value: '10' });
  await made.acme.sql(
    `update {s}.kpi_actual__entries set freezes_on = current_date where parent_id = $1 and label = 'W01'`,
    [weeks.id],
  );
  const again = await of(output);
  expect((await enter(again, ['9', '10', null, '12'])).body).toContain('is frozen since');
  expect((await enter(again, ['8', '11', null, '12'])).statusCode).toBe(200);
  // The scorecard of a day or week has these KPIs only, each with its share of the month's target.
  const cardOf = async (filters: object) => {
    const { tiles } = await ok<{ tiles: { widget?: Scorecard }[] }>(
      made.people.ravi!.call('POST', '/tapi/dashboard/scorecard_new', {
        filters: { employee_id: String(made.ids.ravi), month, ...filters },
      }),
    );
    return tiles.find(({ widget }) => widget)!.widget!;
  };
  const day = String(days.entries[2]!.from_day);
  const share = 20 / days.entries.length;
  const ofDay = await cardOf({ period: 'day', day });
  expect(ofDay).toMatchObject({ period: 'day', hasDays: true, lines: [{ kpi: 'Visits', actual: '1' }] });
  expect(Number(ofDay.lines[0]!.target)).toBeCloseTo(share, 3);
  expect(Number(ofDay.score!.score)).toBeCloseTo(Math.min(120, 100 / share), 1);
  const { from_day: monday, to_day: sunday } = again.entries[1]!;
  const inWeek = days.entries.filter(
    ({ from_day: on }) => String(on) >= String(monday) && String(on) <= String(sunday),
  );
  const ofWeek = await cardOf({ period: 'week', day: String(monday) });
  expect(ofWeek.lines.map(({ kpi: name, actual, target }) => [name, Number(actual), Number(target)])).toEqual([
    ['Visits', inWeek.length, expect.closeTo(inWeek.length * share, 2)],
    ['Output', 11, 10],
  ]);
  expect((await cardOf({})).hasDays).toBe(true);
  await made.acme.sql(
    `update {s}.kpi_actual__entries set from_day = current_date + 2 where parent_id = $1 and label = 'W02'`,
    [weeks.id],
  );
  expect((await enter(await of(output), ['8', '12', null, '12'])).body).toContain('has not come yet');

  // A KPI with parts is entered for each sales channel, and its report shows them beside each other.
  const { id, version, parts } = (await of(sold)) as unknown as Doc & { parts: Record<string, unknown>[] };
  expect(parts.map(({ label }) => label)).toEqual(['Shops', 'Web shop']);
  const values = parts.map((part, at) => ({ ...part, value: ['3', '5'][at] }));
  expect(await ok(made.people.ravi!.call('PUT', `/tapi/kpi_actual/${id}`, { version, parts: values }))).toMatchObject({
    value: '8',
    achievement: '80.0000',
  });
  expect(await ok(calls.step('kpi_actual', id, 'submit', 'ravi'))).toMatchObject({ status: 'approved' });
  const { rows } = await ok<{ rows: Record<string, unknown>[] }>(
    made.people.admin!.call('GET', `/tapi/report/kpi_by_part/rows?kpi_id=${sold}`),
  );
  expect(rows.map((row) => [row.part, Number(row[`${month}.total`])])).toEqual([
    ['Shops', 3],
    ['Web shop', 5],
  ]);
});

test('sheet gaps show the own target beside the sum of the sheets below, the largest shortfall first', async () => {
  const { kpi_type_id, uom_id } = await calls.read('kpi', kpis.SALES!);
  const own = { kpi_type_id, uom_id, decimals: 1, valid_from: '2024-04-01', org_rollup: 'sum', target_rollup: 'own' };
  const visits = await calls.add('kpi', { ...own, code: 'GAP_A', name: 'Visits with a target of their own' });
  const orders = await calls.add('kpi', { ...own, code: 'GAP_B', name: 'Orders with a target of their own' });
  const year = { financial_year: '2029-2030', valid_from: '2029-04-01', valid_to: '2030-03-31' };
  const sheet = (owner: object, lines: object[]) =>
    calls.add('kpi_sheet', { ...year, ...owner, responsible_id: made.ids.asha, lines }, 'mina');
  const company = await sheet({ owner_kind: 'entity' }, [
    { kpi_id: visits, weight: '50', year_target: '500' },
    { kpi_id: orders, weight: '30', ...targets('10') },
    { kpi_id: kpis.SALES, weight: '20', year_target: '100' },
  ]);
  const into = { weight: '0', parent_sheet_id: company };
  await sheet({ owner_kind: 'department', department_id: departments.E1 }, [
    { kpi_id: visits, ...into, year_target: '300' },
    { kpi_id: orders, ...into, year_target: '130' },
    { kpi_id: kpis.SALES, ...into, year_target: '40' },
  ]);
  // Without a target for the year, the targets of the months count.
  const cancelled = await sheet({ owner_kind: 'department', department_id: departments.E2 }, [
    { kpi_id: visits, ...into, year_target: '999' },
  ]);
  await ok(calls.step('kpi_sheet', cancelled, 'cancel', 'mina', { reason: 'A mistake.' }));
  await sheet({ owner_kind: 'department', department_id: departments.E2 }, [
    { kpi_id: visits, ...into, ...targets('12.5') },
  ]);
  const answer = await ok<{ rows: Record<string, unknown>[] }>(
    made.people.admin!.call('GET', '/tapi/report/sheet_gaps/rows?financial_year=2029-2030'),
  );
  expect(
    answer.rows.map((row) => [
      row.sheet_id,
      row.kpi_id,
      ...['own', 'below', 'gap', 'share'].map((name) => Number(row[name])),
    ]),
  ).toEqual([
    [company, visits, 500, 450, -50, -10],
    [company, orders, 120, 130, 10, 8.33],
  ]);
});

// Asha, Ravi and Mina work in Sales, the head in Team E1. Mina sees herself and Asha, the head sees everybody.
test('score ranking, scores by department and weekly updates count what their reader may see', async () => {
  const { acme, ids, people } = made;
  const [sales] = await acme.sql<{ id: number }>(`select id from {s}.department where name = 'Sales'`);
  const month = '2031-05';
  const scores = { asha: '90', ravi: '90', mina: '60', head: '70' };
  const own: Record<string, number> = {};
  for (const [name, score] of Object.entries(scores)) {
    own[name] = await calls.add('kpi_sheet', {
      employee_id: ids[name],
      financial_year: '2031-2032',
      valid_from: '2031-04-01',
      valid_to: '2032-03-31',
      lines: [
        { kpi_id: kpis.SALES, weight: '60', ...targets('10') },
        { kpi_id: ids.COMPLAINTS, weight: '40', ...targets('4') },
      ],
    });
    await ok(calls.step('kpi_sheet', own[name], 'submit', 'head'));
    await ok(calls.step('kpi_sheet', own[name], 'approve', 'admin'));
    await acme.sql(
      `insert into {s}.kpi_score (entity_id, owner_kind, employee_id, sheet_id, month, department_id, score, covered, band, trend, frozen, active)
       select 1, 'employee', $1::bigint, $2::bigint, m.month, $3::bigint, m.score::numeric, 100, 'Meets', 'level', false, m.active
       from (values ($4, $5, true), ('2031-06', '10', true), ('2031-07', '20', false)) m(month, score, active)`,
      [ids[name], own[name], name === 'head' ? departments.E1 : sales!.id, month, score],
    );
  }
  await acme.sql(`update {s}.kpi_actual set status = 'approved' where sheet_id = $1 and month = $2 and kpi_id = $3`, [
    own.asha,
    month,
    kpis.SALES,
  ]);
  const rowsOf = async (report: string, by: string, query = '') => {
    const got = await people[by]!.call('GET', `/tapi/report/${report}/rows?${query}`);
    return ok<{ rows: Record<string, unknown>[] }>(Promise.resolve(got)).then(({ rows }) => rows);
  };

  // Equal scores share a rank, and the next one follows without a gap. Units and other months are left out.
  const ranks = async (by: string, query = `month=${month}`) =>
    (await rowsOf('score_ranking', by, query)).map(({ rank, member, score, open }) => [
      rank,
      String(member).split(' ').at(-1),
      Number(score),
      open,
    ]);
  const everybody = await ranks('head');
  expect(everybody.map(([rank, , score, open]) => [rank, score, open])).toEqual([
    [1, 90, 1],
    [1, 90, 2],
    [2, 70, 2],
    [3, 60, 2],
  ]);
  expect((await ranks('mina')).map(([rank, , score]) => [rank, score])).toEqual([
    [1, 90],
    [2, 60],
  ]);
  expect(await ranks('head', 'month=2031-07')).toEqual([]);
  const onlyUnit = await ranks('head', `month=${month}&department_id=${departments.E1}`);
  expect(onlyUnit.map(([rank, , score]) => [rank, score])).toEqual([[1, 70]]);

  // Sales: 60, 90, 90. All: 60, 70, 90, 90. A quartile between two scores lies in proportion between them.
  const spread = async (by: string) =>
    (await rowsOf('score_spread', by, `month=${month}`)).map((row) => [
      row.department,
      row.members,
      ...['lowest', 'lower_quartile', 'median', 'upper_quartile', 'highest', 'mean'].map((name) => Number(row[name])),
    ]);
  expect(await spread('head')).toEqual([
    ['Sales', 3, 60, 75, 90, 90, 90, 80],
    ['Team E1', 1, 70, 70, 70, 70, 70, 70],
    ['All departments', 4, 60, 67.5, 80, 90, 90, 77.5],
  ]);
  expect(await spread('mina')).toEqual([
    ['Sales', 2, 60, 67.5, 75, 82.5, 90, 75],
    ['All departments', 2, 60, 67.5, 75, 82.5, 90, 75],
  ]);

  // Asha in one week: in time and approved, late and waiting, not entered. Ravi in another: in time and approved.
  await acme.sql(`update {s}.kpi_actual set due_on = '2099-01-01'`);
  const [week] = await acme.sql<{ monday: string; other: string }>(
    `select (date_trunc('week', $1::date) - interval '14 days')::date::text as monday, (date_trunc('week', $1::date) - interval '28 days')::date::text as other`,
    [companyDay(0)],
  );
  const due = (sheet: number | undefined, kpi: number | undefined, of: string, on: string, set: string) =>
    acme.sql(`update {s}.kpi_actual set due_on = $4::date, ${set} where sheet_id = $1 and kpi_id = $2 and month = $3`, [
      sheet,
      kpi,
      of,
      on,
    ]);
  const inTime = 'entered_on = $4::date, days_late = 0, counts = true';
  await due(own.asha, kpis.SALES, '2031-04', week!.monday, inTime);
  await due(own.asha, ids.COMPLAINTS, '2031-04', week!.monday, `entered_on = $4::date + 2, days_late = 2`);
  await due(own.asha, kpis.SALES, '2031-06', week!.monday, 'entered_on = null');
  await due(own.asha, ids.COMPLAINTS, '2031-06', week!.monday, `source = 'system', counts = true`);
  await due(own.asha, ids.COMPLAINTS, '2031-07', companyDay(-120), inTime);
  await due(own.ravi, kpis.SALES, '2031-04', week!.other, inTime);
  const weekly = async (by: string) =>
    (await rowsOf('weekly_kpi_updates', by)).map((row) =>
      ['due', 'entered', 'approved', 'late'].map((figure) => row[`.total.${figure}`]),
    );
  expect(await weekly('head')).toHaveLength(2);
  expect(await weekly('head')).toEqual(
    expect.arrayContaining([
      [1, 1, 1, 0],
      [3, 2, 1, 1],
    ]),
  );
  expect(await weekly('mina')).toEqual([[3, 2, 1, 1]]);

  // Below Mina is Asha; directly below the head are Mina and Ravi. Years, months and types of KPIs narrow too.
  const members = async (query: string, report = 'kpi_role_ack_report', by = 'admin') =>
    new Set((await rowsOf(report, by, query)).map((row) => row.employee_id));
  const set = (...names: string[]) => new Set(names.map((name) => ids[name]));
  const sheetsOf = 'financial_year=2031-2032';
  expect(await members(`${sheetsOf}&employee_id_above=${ids.mina}`)).toEqual(set('asha'));
  expect(await members(`${sheetsOf}&employee_id_above=${ids.head}`)).toEqual(set('mina', 'asha', 'ravi'));
  const direct = `employee_id_above=${ids.head}&employee_id_direct=true`;
  expect(await members(`${sheetsOf}&${direct}`)).toEqual(set('mina', 'ravi'));
  const [type] = await acme.sql<{ id: number }>('select kpi_type_id as id from {s}.kpi order by id limit 1');
  const detail = (query: string) => members(query, 'kpi_detailed_report_view');
  expect(await detail(`month_year=2031-2032&kpi_id_kpi_type_id=${type!.id}`)).toEqual(set('asha'));
  expect(await detail('month_from=2031-05&month_to=2031-05')).toEqual(set('asha'));
  for (const none of ['month_year=2031-2032&kpi_id_kpi_type_id=999', 'month_from=2031-06', 'month_year=2030-2031'])
    expect(await detail(none)).toEqual(new Set());
  const below = `manager_id=${ids.head}`;
  const [status, targets2031] = ['kpi_overall_ack_report', 'targetandactual'];
  expect(await members(`from=2031-04&to=2031-07&${below}`, status)).toEqual(set('mina', 'asha', 'ravi'));
  expect(await members(`${sheetsOf}&to=&${below}&direct=true`, status)).toEqual(set('mina', 'ravi'));
  expect(await members(`${sheetsOf}&${below}&kpi_type_id=${type!.id}`, targets2031)).toEqual(
    set('mina', 'asha', 'ravi'),
  );
  // Readers who may not list members are not offered what they know of them, and cannot choose it.
  const grade = async (by: string) => {
    const { parameters } = await ok<{ parameters: { name: string }[] }>(
      people[by]!.call('GET', '/tapi/report/at?route=/weekly_kpi_updates'),
    );
    const chosen = await people[by]!.call('GET', '/tapi/report/weekly_kpi_updates/rows?employee_id_grade_id=1');
    return [parameters.some(({ name }) => name === 'employee_id_grade_id'), chosen.statusCode];
  };
  expect([await grade('admin'), await grade('mina')]).toEqual([
    [true, 200],
    [false, 403],
  ]);

  // The day of four has passed, the one not yet entered is the latest; the others are due in 2099 or never entered.
  const states = await rowsOf(status, 'admin', `from=2031-04&to=2031-07&employee_id=${ids.asha}`);
  expect(states.filter(({ state }) => state === 'overdue')).toHaveLength(4);
  expect(states[0]).toMatchObject({ month: '2031-06', state: 'overdue', entered_on: null });

  // Counts by department and state, as the heat map draws them: Sales in the first row, the head's team in the second.
  const stateIn = (sheet: number | undefined, kpi: number | undefined, set: string) =>
    acme.sql(`update {s}.kpi_actual set ${set} where sheet_id = $1 and kpi_id = $2 and month = '2031-09'`, [
      sheet,
      kpi,
    ]);
  const [later, past] = [`opens_on = '2099-01-01'`, `opens_on = '2020-01-01'`];
  await stateIn(own.asha, kpis.SALES, `status = 'approved'`);
  await stateIn(own.asha, ids.COMPLAINTS, `status = 'submitted'`);
  for (const kpi of [kpis.SALES, ids.COMPLAINTS]) {
    await stateIn(own.mina, kpi, `${past}, due_on = '2020-01-05'`);
    await stateIn(own.ravi, kpi, `${past}, due_on = '2099-01-05'`);
  }
  await stateIn(own.head, kpis.SALES, `${later}, due_on = '2099-02-05'`);
  await stateIn(own.head, ids.COMPLAINTS, `status = 'returned'`);
  await acme.sql(
    `update {s}.kpi_actual set department_id = case sheet_id when $1 then $2::bigint else $3::bigint end where month = '2031-09' and sheet_id = any($4)`,
    [own.head, departments.E1, sales!.id, Object.values(own)],
  );
  const heat = await ok<{ chart: unknown }>(
    people.admin!.call('GET', `/tapi/report/${status}/rows?from=2031-09&to=2031-09&owner_kind=employee`),
  );
  expect(heat.chart).toEqual({
    x: ['Sales', 'Team E1'],
    series: [
      { title: 'Not due', values: [0, 1], tone: 'neutral' },
      { title: 'Due', values: [2, 0], tone: 'brand' },
      { title: 'Overdue', values: [2, 0], tone: 'danger' },
      { title: 'Returned', values: [0, 1], tone: 'danger' },
      { title: 'Submitted', values: [1, 0], tone: 'warning' },
      { title: 'Approved', values: [1, 0], tone: 'success' },
    ],
  });

  // The year stands before its months: 12 months of 10, of which nothing is approved but May.
  const [own2031Sales] = await rowsOf(targets2031, 'admin', `${sheetsOf}&employee_id=${ids.asha}&kpi_id=${kpis.SALES}`);
  expect([Number(own2031Sales!['Year.target']), Number(own2031Sales!['Apr 2031.target'])]).toEqual([120, 10]);

  // All four members belong to Sales; one of their approved sheets is acknowledged: 25 %, as 45 of 48 are 93.75 % (§5.20).
  await ok(calls.step('kpi_sheet', own.asha!, 'acknowledge', 'asha'));
  for (const [name, days] of Object.entries({ asha: 3, ravi: 6 }))
    await acme.sql('update {s}.kpi_sheet set acknowledge_days = $2 where id = $1', [own[name], days]);
  const acks = await ok<{ rows: Record<string, unknown>[]; totals: Record<string, unknown> }>(
    people.admin!.call(
      'GET',
      `/tapi/report/kpi_role_ack_report/rows?financial_year=2031-2032&department_id=${sales!.id}`,
    ),
  );
  expect(acks.totals).toMatchObject({ silent: 3, acknowledged: 1, disputed: 0, days: '4.50' });
  expect(Number(acks.totals.share)).toBe(25);
  expect(acks.rows.find((row) => row.employee_id === ids.asha)).toMatchObject({ status: 'acknowledged', days: '3.00' });

  // The end of the year changes nothing: a closed sheet counts by whether it was acknowledged.
  await acme.sql(`update {s}.kpi_sheet set status = 'closed' where id = any($1)`, [[own.asha, own.ravi]]);
  const closed = await ok<{ totals: Record<string, unknown> }>(
    people.admin!.call(
      'GET',
      `/tapi/report/kpi_role_ack_report/rows?financial_year=2031-2032&department_id=${sales!.id}`,
    ),
  );
  expect(closed.totals).toMatchObject({ silent: 3, acknowledged: 1 });
  await acme.sql(
    `update {s}.kpi_sheet set status = case when acknowledged_on is null then 'approved' else 'acknowledged' end where id = any($1)`,
    [[own.asha, own.ravi]],
  );

  // Feedback on Asha answered after 2 and 4 days, on Ravi 100 days ago: 3 days in the middle, and Ravi has had none lately.
  for (const [name, back, answered] of [
    ['asha', -10, -8],
    ['asha', -10, -6],
    ['ravi', -100, null],
  ] as const) {
    const feedback = await calls.add('tbl_emp_kpi_feedback_dtls', {
      employee_id: ids[name],
      month: '2031-05',
      feedback_kind: 'praise',
      text: 'Well done.',
    });
    const days = [companyDay(back), answered === null ? null : companyDay(answered)];
    await acme.sql(
      'update {s}.tbl_emp_kpi_feedback_dtls set created_on = $2::date, answered_on = $3::date where id = $1',
      [feedback, ...days],
    );
  }
  const inForce = (from: string, to: string) =>
    // Members with another sheet in these days have one in force anyway.
    acme.sql(
      `update {s}.kpi_sheet t set valid_from = $2::date, valid_to = $3::date where id = any($1) and not exists (
         select 1 from {s}.kpi_sheet o where o.employee_id = t.employee_id and o.id <> t.id and o.valid_from <= $3::date and o.valid_to >= $2::date)`,
      [Object.values(own), from, to],
    );
  await inForce(companyDay(-1), companyDay(1));
  const tilesOf = async (dashboard: string, filters: object = {}) => {
    const { tiles } = await ok<{ tiles: { name: string; figures?: { rows: Record<string, unknown>[] } }[] }>(
      people.admin!.call('POST', `/tapi/dashboard/${dashboard}`, { filters }),
    );
    return (name: string) => tiles.find((tile) => tile.name === name)?.figures?.rows;
  };
  const feedback = await tilesOf('feedback_dashboards');
  expect(feedback('answered')).toMatchObject([{ answered: 2, given: 3 }]);
  expect(feedback('median')).toEqual([{ days: '3.0' }]);
  expect(feedback('authors')).toMatchObject([{ n: 3 }]);
  const quiet = new Set(feedback('quiet')!.map((row) => row.employee_id));
  expect([quiet.has(ids.asha), quiet.has(ids.ravi), quiet.has(ids.mina)]).toEqual([false, true, true]);
  await inForce('2031-04-01', '2032-03-31');
  // A large and a small target: the achievement is that of the totals, 130 of 400, not the mean of 100 % and 10 %.
  await acme.sql(
    `update {s}.kpi_actual set status = 'approved', counts = true, not_applicable = false, achievement = 100, target = 100,
       value = case kpi_id when $2 then 100 else 90 end where sheet_id = $1 and month = '2031-08'`,
    [own.asha, kpis.SALES],
  );
  await acme.sql(
    `update {s}.kpi_actual set status = 'approved', counts = true, not_applicable = false, achievement = 10, target = 300, value = 30
     where sheet_id = $1 and month = '2031-08' and kpi_id = $2`,
    [own.mina, kpis.SALES],
  );
  const board = await tilesOf('dashboard_scorecard', { month: '2031-08' });
  const reached = (tile: string) => board(tile)!.map(({ kpi_id: kpi, achievement }) => [kpi, Number(achievement)]);
  const sums = await ok<{ rows: Record<string, unknown>[] }>(
    people.admin!.call('GET', '/tapi/report/kpi_summary_reports/rows?financial_year=&from=2031-08&to=2031-08'),
  );
  const reported = sums.rows.flatMap(({ kpi_id: kpi, achievement }) =>
    achievement === null ? [] : [[kpi, Number(Number(achievement).toFixed(1))]],
  );
  const [sold] = reached('kpis').filter(([kpi]) => kpi === kpis.SALES);
  expect(sold).toEqual([kpis.SALES, 32.5]);
  expect(reached('kpis')).toEqual(reported);
  expect(reached('worst_kpis')[0]).toEqual(sold);
  expect(reached('best_kpis').at(-1)).toEqual(sold);
  // Readers of the page need no right to units, settings or the list of members.
  const page = await acme.role({
    modules: ['DASHBOARD', 'PERFORMANCE'],
    screens: {
      SCN_DASHBOARD_SCORECARD: { module: 'DASHBOARD', pages: ['landing'] },
      SCN_ACTUAL_VIEW: { module: 'PERFORMANCE', pages: ['landing'], scope: 'company' },
      SCN_KPI_ADDITIONS: { module: 'PERFORMANCE', pages: ['landing'] },
    },
  });
  await acme.user('onlooker', { products: ['PMS'], companies: [{ company: 1, roles: [page] }] });
  const onlooker = await made.world.signIn(acme, 'onlooker');
  const seen = await ok<{ tiles: { name: string; figures?: { rows: unknown[] } }[] }>(
    onlooker.call('POST', '/tapi/dashboard/dashboard_scorecard', { filters: { month: '2031-08' } }),
  );
  for (const name of ['kpis', 'best_kpis', 'worst_kpis'])
    expect(seen.tiles.find((tile) => tile.name === name)?.figures?.rows.length, name).toBeGreaterThan(0);

  // Of a confidential KPI only the member and the manager see the figures, and they count as before.
  const confidential = async (is: boolean) => {
    await ok(calls.change('kpi', ids.COMPLAINTS!, { confidential: is }, 'admin'));
    while ((await made.world.app.deliveries.deliver(acme)) > 0);
  };
  await confidential(true);
  const own2031 = ['and', ['sheet_id', 'eq', own.asha], ['month', 'eq', '2031-05']];
  const seenBy = async (by: string) => (await calls.list('kpi_actual', by, own2031)).map(({ kpi_id: kpi }) => kpi);
  const [complaints, all] = [ids.COMPLAINTS, new Set([ids.COMPLAINTS, kpis.SALES])];
  for (const by of ['asha', 'mina']) expect(new Set(await seenBy(by))).toEqual(all);
  for (const by of ['admin', 'head']) expect(await seenBy(by)).toEqual([kpis.SALES]);
  const [secret] = await calls.list('kpi_actual', 'mina', [...own2031, ['kpi_id', 'eq', complaints]]);
  const act = async (by: string, method: string, path: string, more: object = {}) =>
    ok(
      people[by]!.call(method, `/tapi/kpi_actual/${secret!.id}${path}`, {
        version: (await calls.read('kpi_actual', secret!.id, by)).version,
        ...more,
      }),
    );
  await acme.sql(`update {s}.kpi_actual set opens_on = '2026-01-01', ends_on = '2026-01-01' where id = $1`, [
    secret!.id,
  ]);
  await act('asha', 'PUT', '', { value: '2', remark: 'Two.' });
  await act('asha', 'POST', '/submit');
  await act('mina', 'POST', '/approve');
  const [score] = await calls.list('kpi_score', 'head', own2031);
  expect(score).toMatchObject({ covered: '40.0000' });
  await confidential(false);
  expect(new Set(await seenBy('head'))).toEqual(all);

  // Reports need their right; the scores alone are not enough.
  for (const report of ['score_ranking', 'score_spread', 'weekly_kpi_updates'])
    expect((await people.asha!.call('GET', `/tapi/report/${report}/rows?month=${month}`)).statusCode).toBe(403);
});

const LAST_YEAR = { financial_year: '2025-2026', valid_from: '2025-04-01', valid_to: '2026-03-31' };
const ofMembers: Record<string, number> = {};

/** An approved sheet of a member with sales, which may count into the sheet of another, and complaints. */
const memberSheet = async (name: string, above?: string) => {
  const id = await calls.add('kpi_sheet', {
    ...LAST_YEAR,
    employee_id: made.ids[name],
    lines: [
      {
        kpi_id: kpis.SALES,
        weight: '70',
        ...targets('50'),
        ...(above !== undefined && { parent_sheet_id: ofMembers[above] }),
      },
      { kpi_id: made.ids.COMPLAINTS, weight: '30', ...targets('4') },
    ],
  });
  ofMembers[name] = id;
  await ok(calls.step('kpi_sheet', id, 'submit', 'head'));
  await ok(calls.step('kpi_sheet', id, 'approve', 'admin'));
};
const salesOf = async (name: string, month: string) => {
  const filter = ['and', ['sheet_id', 'eq', ofMembers[name]], ['kpi_id', 'eq', kpis.SALES], ['month', 'eq', month]];
  return calls.read('kpi_actual', (await calls.list('kpi_actual', 'admin', filter))[0]!.id);
};
const sell = async (name: string, month: string, value: string) => {
  const { id } = await salesOf(name, month);
  await ok(calls.change('kpi_actual', id, { value, remark: 'Counted.' }, 'admin'));
  await ok(calls.step('kpi_actual', id, 'submit', 'admin'));
};

test('the tabs of a scorecard show the people below as a tree, and their KPIs added up, to those who may see them', async () => {
  for (const [name, above] of [['head'], ['mina'], ['asha', 'mina'], ['ravi']] as const) await memberSheet(name, above);
  await sell('asha', '2025-05', '40');
  await sell('ravi', '2025-05', '60');
  const card = async (by: string, filters: object) => {
    const { tiles } = await ok<{ tiles: { widget?: Scorecard }[] }>(
      made.people[by]!.call('POST', '/tapi/dashboard/scorecard_new', { filters: { month: '2025-05', ...filters } }),
    );
    return tiles.find(({ widget }) => widget)!.widget!;
  };
  const { below, tabs, lines } = await card('head', { tab: 'reportees' });
  expect(tabs.slice(0, 3)).toEqual(['own', 'reportees', 'team']);
  expect(lines).toEqual([]);
  const { asha, mina, ravi } = made.ids;
  expect(below.map(({ id, above, open, isWithout }) => ({ id, above, open, isWithout }))).toEqual(
    expect.arrayContaining([
      { id: mina, above: null, open: 1, isWithout: false },
      { id: asha, above: mina, open: 1, isWithout: false },
      { id: ravi, above: null, open: 1, isWithout: false },
    ]),
  );
  // Mina's figure follows from Asha's, which counts once.
  const { team } = await card('head', { tab: 'team' });
  expect(team!.lines.find(({ kpi }) => kpi === 'SALES rolled up')).toMatchObject({
    members: 3,
    entered: 3,
    target: '100',
    actual: '100',
    achievement: '100.0000',
    colours: { red: 0, amber: 2, green: 0, blue: 1 },
  });
  const quarter = await card('mina', { tab: 'team', period: 'quarter' });
  expect(quarter.team!.lines.find(({ kpi }) => kpi === 'SALES rolled up')).toMatchObject({
    members: 1,
    target: '50',
    actual: '40',
    achievement: '80.0000',
  });
  // Who has nobody below has no such tabs, nor has a stranger.
  expect((await card('ravi', { tab: 'team' })).tabs.filter((tab) => tab !== 'board')).toEqual(['own']);
  const foreign = await card('ravi', { employee_id: String(mina), tab: 'team' });
  expect([foreign.owner, foreign.tabs, foreign.team, foreign.below]).toEqual([null, [], null, []]);
});

test('at a move KPIs count into the new manager’s sheet from the first month that is not frozen; frozen figures stay', async () => {
  const { admin, mina } = made.people;
  const { asha, head, mina: manager } = made.ids;
  await sell('asha', '2025-06', '30');
  // May is frozen for Mina, into whose sheet Asha's sales count.
  const frozen = await salesOf('mina', '2025-05');
  await made.acme.sql(`update {s}.kpi_actual set status = 'frozen' where id = $1`, [frozen.id]);
  expect(await salesOf('mina', '2025-06')).toMatchObject({ value: '30.000000', source: 'rollup' });
  const links = (by: typeof admin, to: number, from: string) =>
    by!.call('GET', `/tapi/employee/${asha}/move_links?manager=${to}&from=${from}`);
  const offered = await ok<{ kpi: string; into: object; choices: object[] }[]>(links(admin, head!, '2025-05-20'));
  expect(offered).toMatchObject([
    {
      kpi: 'SALES rolled up',
      into: { sheet_id: ofMembers.mina, isUnit: false },
      choices: [
        { sheet_id: ofMembers.head, from: '2025-06' },
        { sheet_id: null, from: '2025-06' },
      ],
    },
  ]);
  // Who may not move members asks in vain.
  expect((await links(mina, head!, '2025-05-20')).statusCode).toBe(403);
  const move = (to: number, from: string, target: number | null) =>
    admin!.call('POST', `/tapi/employee/${asha}/move`, {
      effective_from: from,
      reporting_to_id: to,
      reason: 'New teams',
      relinks: [{ sheet_id: ofMembers.asha, kpi_id: kpis.SALES, to: target }],
    });
  const wrong = await move(head!, '2025-05-20', ofMembers.ravi!);
  expect([wrong.statusCode, wrong.body]).toEqual([422, expect.stringContaining('cannot count into this sheet')]);
  expect(await calls.read('employee', asha!)).toMatchObject({ reporting_to_id: manager });

  await ok(move(head!, '2025-05-20', ofMembers.head!));
  expect(await calls.read('employee', asha!)).toMatchObject({ reporting_to_id: head });
  const [before, after] = [await salesOf('asha', '2025-05'), await salesOf('asha', '2025-06')];
  expect([before.parent_sheet_id, after.parent_sheet_id]).toEqual([ofMembers.mina, ofMembers.head]);
  expect(await salesOf('mina', '2025-05')).toMatchObject({ value: frozen.value, status: 'frozen' });
  expect(await salesOf('mina', '2025-06')).toMatchObject({ value: null, source: 'manual', status: 'to_enter' });
  expect(await salesOf('head', '2025-06')).toMatchObject({ value: '30.000000', source: 'rollup' });
  expect(await salesOf('head', '2025-05')).toMatchObject({ value: null, source: 'manual' });
  const { lines } = (await calls.read('kpi_sheet', ofMembers.asha!)) as Doc & { lines: Record<string, unknown>[] };
  expect(lines.find(({ kpi_id: kpi }) => kpi === kpis.SALES)).toMatchObject({ parent_sheet_id: ofMembers.head });

  // The move is taken back, and the link with it.
  await ok(move(manager!, '2025-05-21', ofMembers.mina!));
  expect(await salesOf('mina', '2025-06')).toMatchObject({ value: '30.000000', source: 'rollup' });
  expect(await salesOf('head', '2025-06')).toMatchObject({ value: null, source: 'manual' });
});

test('a KPI may stand on a sheet once for each channel, with its own weight, target, actual and score', async () => {
  const { acme, people, ids } = made;
  const { add, list, step, change, read } = calls;
  const channel: Record<string, number> = {};
  for (const [code, name] of [
    ['ONL', 'Online'],
    ['OWN', 'Own stores'],
  ] as const)
    channel[name] = await add('channel', { code, name, channel_kind: code === 'ONL' ? 'online' : 'own_store' });
  const { kpi_type_id, uom_id } = await read('kpi', ids.SALES!);
  const kpi = (code: string, more: object) =>
    add('kpi', {
      code,
      name: code,
      kpi_type_id,
      uom_id,
      valid_from: '2024-04-01',
      approval_required: false,
      ...more,
    });
  const orders = await kpi('ORDERS', { org_rollup: 'sum', dimensions: ['channel'], achievement_method: 'linear' });
  const visits = await kpi('CALLS', { measure: 'metric', dimensions: ['channel'] });
  const rate = await kpi('ORDER_RATE', {
    measure: 'metric',
    source: 'formula',
    formula: 'ORDERS / CALLS * 100',
    period_aggregation: 'formula',
    dimensions: ['channel'],
  });
  const year = { financial_year: '2027-2028', valid_from: '2027-04-01', valid_to: '2028-03-31' };
  const above = await add(
    'kpi_sheet',
    {
      ...year,
      owner_kind: 'department',
      department_id: departments.AM1,
      responsible_id: ids.asha,
      lines: [
        { kpi_id: orders, weight: '70', ...targets('100') },
        { kpi_id: ids.COMPLAINTS, weight: '30', ...targets('4') },
      ],
    },
    'mina',
  );
  const of = (name: string) => ({ channel_id: channel[name] });
  const into = { parent_sheet_id: above };
  const sheet = {
    ...year,
    employee_id: ids.asha,
    lines: [
      { kpi_id: orders, ...of('Online'), weight: '60', ...targets('20'), ...into },
      { kpi_id: orders, ...of('Own stores'), weight: '40', ...targets('80'), ...into },
      ...['Online', 'Own stores'].flatMap((name) =>
        [visits, rate].map((kpi_id) => ({ kpi_id, ...of(name), weight: '0' })),
      ),
    ],
  };
  const refused = async (lines: object[]) =>
    (await people.mina!.call('POST', '/tapi/kpi_sheet', { ...sheet, lines })).json<{
      error: { details: { field: string; message: string }[] };
    }>().error.details;
  expect(await refused([...sheet.lines, { kpi_id: orders, ...of('Online'), weight: '0' }])).toHaveLength(1);
  expect(await refused([...sheet.lines, { kpi_id: orders, weight: '0' }])).toEqual([
    {
      field: 'lines.6.kpi_id',
      message: 'ORDERS is on the sheet by parts as well. Limit this line too, or remove the other lines.',
    },
  ]);
  expect(await refused([...sheet.lines, { kpi_id: ids.COMPLAINTS, ...of('Online'), weight: '0' }])).toMatchObject([
    { message: 'COMPLAINTS has no lines by channel. Empty this, or add it to “Lines by” of the KPI.' },
  ]);
  const recorded = { code: 'TAKEN', name: 'Taken in', kpi_type_id, uom_id, valid_from: '2024-04-01', source: 'import' };
  const ofRecords = await people.admin!.call('POST', '/tapi/kpi', { ...recorded, dimensions: ['channel'] });
  expect([ofRecords.statusCode, ofRecords.body]).toEqual([
    422,
    expect.stringContaining('Figures from records or imports do not know these.'),
  ]);
  const own = await add('kpi_sheet', sheet, 'mina');
  expect((await read('kpi_sheet', own)).lines).toMatchObject([
    { part: 'Online' },
    { part: 'Own stores' },
    {},
    {},
    {},
    {},
  ]);
  for (const id of [above, own]) {
    await ok(step('kpi_sheet', id, 'submit', 'mina'));
    await ok(step('kpi_sheet', id, 'approve', 'head'));
  }
  const actual = async (of_sheet: number, kpi_id: number, part?: string, month = '2027-04') => {
    const which = ['and', ['sheet_id', 'eq', of_sheet], ['kpi_id', 'eq', kpi_id], ['month', 'eq', month]];
    const [found] = await list('kpi_actual', 'admin', part ? [...which, ['part', 'eq', part]] : which);
    return read('kpi_actual', found!.id);
  };
  await acme.sql(`update {s}.kpi_actual set opens_on = '2026-01-01' where month = '2027-04'`);
  for (const [kpi_id, part, value] of [
    [orders, 'Online', '30'],
    [orders, 'Own stores', '40'],
    [visits, 'Online', '120'],
    [visits, 'Own stores', '400'],
  ] as const) {
    const { id } = await actual(own, kpi_id, part);
    await ok(change('kpi_actual', id, { value, remark: 'Counted.' }, 'asha'));
    await ok(step('kpi_actual', id, 'submit', 'asha'));
  }
  // 30 of 20 = 150 %, capped at 120; 40 of 80 = 50 %: 120 · 0.6 + 50 · 0.4 = 92.
  expect(await actual(own, orders, 'Online')).toMatchObject({ achievement: '150.0000', weighted: '72.0000' });
  expect(await actual(own, orders, 'Own stores')).toMatchObject({ achievement: '50.0000', weighted: '20.0000' });
  const [score] = await list('kpi_score', 'admin', ['and', ['sheet_id', 'eq', own], ['month', 'eq', '2027-04']]);
  expect(score).toMatchObject({ score: '92.00' });
  // Calculated lines look at the same channel; the department’s figure is the sum of both.
  expect(await actual(own, rate, 'Online')).toMatchObject({ value: '25.000000' });
  expect(await actual(own, rate, 'Own stores')).toMatchObject({ value: '10.000000' });
  expect(await actual(above, orders)).toMatchObject({ value: '70.000000', source: 'rollup', counts: true });

  const shown = async (period: string) => {
    const { tiles } = await ok<{ tiles: { widget: Scorecard }[] }>(
      people.asha!.call('POST', '/tapi/dashboard/scorecard_new', {
        filters: { month: '2027-04', period, employee_id: String(ids.asha) },
      }),
    );
    const { lines, score: whole } = tiles.find(({ widget }) => widget)!.widget;
    return { whole: whole?.score, lines: lines.map(({ kpi: name, score: one }) => [name, one]) };
  };
  for (const period of ['month', 'ytd'])
    expect(await shown(period)).toEqual({
      whole: '92.00',
      lines: expect.arrayContaining([
        ['ORDERS, Online', '120.0000'],
        ['ORDERS, Own stores', '50.0000'],
      ]) as unknown,
    });
  const report = async (name: string) => {
    const query = `kpi_id=${orders}&from=2027-04&to=2027-04&employee_id=${ids.asha}`;
    return (await ok<{ rows: Row[] }>(people.admin!.call('GET', `/tapi/report/${name}/rows?${query}`))).rows;
  };
  // 30 + 40 of 20 + 80.
  expect(await report('kpi_summary_reports')).toMatchObject([
    { members: 1, target: '100.0000', actual: '70.000000', achievement: '70.00' },
  ]);

  // A changed target is of one channel.
  const planned = {
    sheet_id: own,
    kpi_id: orders,
    from_month: '2027-05',
    new_total: '350',
    reason: 'The web shop grows.',
  };
  const other = await add('kpi_target_change', planned, 'mina');
  const wrong = (await step('kpi_target_change', other, 'submit', 'mina')).json<{ error: { details: object[] } }>();
  expect(wrong.error.details).toMatchObject([
    { field: 'part', message: 'ORDERS is on this sheet for: Online; Own stores. Enter one of these.' },
  ]);
  await ok(change('kpi_target_change', other, { part: 'online' }, 'mina'));
  await ok(step('kpi_target_change', other, 'submit', 'mina'));
  await ok(step('kpi_target_change', other, 'approve', 'head'));
  expect((await actual(own, orders, 'Online', '2027-05')).target).toBe('30.0000');
  expect((await actual(own, orders, 'Own stores', '2027-05')).target).toBe('80.0000');
});

test('a plan carries the KPIs of its moves into the new managers’ sheets in one transaction; until then its page shows them', async () => {
  const { acme, ids, people, world } = made;
  const sheetOf = async (name: string) =>
    (
      await acme.sql<{ id: number }>(
        `select id from {s}.kpi_sheet where employee_id = $1 and financial_year = '2031-2032' and active order by id desc limit 1`,
        [ids[name]],
      )
    )[0]!.id;
  const [asha, mina, head, ravi] = [
    await sheetOf('asha'),
    await sheetOf('mina'),
    await sheetOf('head'),
    await sheetOf('ravi'),
  ];
  await acme.sql('update {s}.kpi_sheet__lines set parent_sheet_id = $2 where parent_id = $1 and kpi_id = $3', [
    asha,
    mina,
    kpis.SALES,
  ]);
  await acme.sql('update {s}.kpi_actual set parent_sheet_id = $2 where sheet_id = $1 and kpi_id = $3', [
    asha,
    mina,
    kpis.SALES,
  ]);
  const day = '2031-06-15';
  const offered = await ok<{ choices: object[] }[]>(
    people.admin!.call('GET', `/tapi/employee/${ids.asha}/move_links?manager=${ids.head}&from=${day}`),
  );
  expect(offered).toMatchObject([
    { kpi_id: kpis.SALES, choices: [{ sheet_id: head, from: '2031-06' }, { sheet_id: null }] },
  ]);
  const plan = (name: string, links: object[]) =>
    calls.add('org_plan', {
      name,
      effective_on: day,
      reason: 'Fewer levels',
      moves: [{ employee_id: ids.asha, to_manager_id: ids.head }],
      links: links.map((link) => ({ employee_id: ids.asha, sheet_id: asha, kpi_id: kpis.SALES, ...link })),
    });
  // A sheet that the move does not offer, or a member who does not move, refuses the whole plan.
  for (const [name, link, message] of [
    ['Wrong sheet', { to_sheet_id: ravi }, 'cannot count into this sheet'],
    ['Who stays', { to_sheet_id: head, employee_id: ids.ravi }, 'This member is not among the moves'],
  ] as const) {
    const refused = await calls.step('org_plan', await plan(name, [link]), 'schedule', 'admin');
    expect([refused.statusCode, refused.body]).toEqual([422, expect.stringContaining(message)]);
    expect(refused.body).toContain('links.0.to_sheet_id');
  }

  const right = await plan('Right', [{ to_sheet_id: head }]);
  await ok(
    calls.change(
      'org_plan',
      right,
      {
        moves: [
          { employee_id: ids.ravi, to_manager_id: ids.mina },
          { employee_id: ids.asha, to_manager_id: ids.head },
        ],
      },
      'admin',
    ),
  );
  await ok(calls.step('org_plan', right, 'schedule', 'admin'));
  expect(await calls.read('org_plan', right)).toMatchObject({
    status: 'planned',
    links: [{ kpi_id: kpis.SALES, to_sheet_id: head }],
    relinked: expect.stringMatching(/^SALES rolled up of .+: counts into .+ from June 2031$/) as string,
  });
  const linked = async () =>
    (
      await acme.sql<{ parent_sheet_id: number }>(
        `select parent_sheet_id from {s}.kpi_actual where sheet_id = $1 and kpi_id = $2 and month in ('2031-05', '2031-06') order by month`,
        [asha, kpis.SALES],
      )
    ).map(({ parent_sheet_id: id }) => id);
  await world.sweep(new Date('2031-06-14T06:00:00Z'));
  expect(await linked()).toEqual([mina, mina]);
  // A link that cannot be stored takes all moves back, that of the other member too.
  const standing = async () => [
    (await calls.read('org_plan', right)).status,
    ...(await Promise.all(['ravi', 'asha'].map((name) => calls.read('employee', ids[name]!)))).map(
      ({ reporting_to_id: manager }) => manager,
    ),
    await calls.list('employee_history', 'admin', ['effective_from', 'eq', day]),
    await linked(),
  ];
  await acme.sql(
    `create function {s}.refuse_link() returns trigger language plpgsql as $$ begin raise exception 'no link'; end $$`,
  );
  await acme.sql(
    `create trigger refuse_link before update on {s}.kpi_actual for each row when (old.parent_sheet_id is distinct from new.parent_sheet_id) execute function {s}.refuse_link()`,
  );
  await world.sweep(new Date('2031-06-15T05:00:00Z'));
  expect(await standing()).toEqual(['planned', ids.head, ids.mina, [], [mina, mina]]);
  await acme.sql('drop function {s}.refuse_link() cascade');
  await world.sweep(new Date('2031-06-15T06:00:00Z'));
  expect(await calls.read('org_plan', right)).toMatchObject({ status: 'applied' });
  expect((await standing()).slice(0, 3)).toEqual(['applied', ids.mina, ids.head]);
  expect(await linked()).toEqual([mina, head]);

  // A planned move of one member shows its KPIs on its page as well.
  await ok(
    people.admin!.call('POST', `/tapi/employee/${ids.asha}/move`, {
      effective_from: '2031-08-20',
      reporting_to_id: ids.mina,
      reason: 'Back again',
      relinks: [{ sheet_id: asha, kpi_id: kpis.SALES, to: mina }],
    }),
  );
  const [planned] = await calls.list('employee_history', 'admin', ['effective_from', 'eq', '2031-08-20']);
  expect(planned).toMatchObject({ state: 'planned' });
  expect((await calls.read('employee_history', planned!.id)).relinked).toMatch(
    /^SALES rolled up of .+: counts into .+ from August 2031$/,
  );
});
