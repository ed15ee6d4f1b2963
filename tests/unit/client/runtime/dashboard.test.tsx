import { expect, test } from 'vitest';
import { formatCompact } from '../../../../src/descriptor/format.ts';
import type { Field } from '../../../../src/descriptor/types.ts';
import type { DashboardAnswer, Tile, TileAnswer } from '../../../../src/domain/dashboard.ts';
import type { RecordsGrouped } from '../../../../src/domain/report.ts';
import { chartOf } from '../../../../src/client/runtime/dashboard/tile_options.ts';
import {
  comparedText,
  figureText,
  isEmpty,
  leadsTo,
  matrixOf,
} from '../../../../src/client/runtime/dashboard/tile_view.ts';
import { merged } from '../../../../src/client/runtime/dashboard/use_dashboard.ts';
import { nextPage } from '../../../../src/client/runtime/dashboard/use_full_screen.ts';

const column = (name: string, type: string, more: object = {}): Field =>
  ({ name, type, title: name, required: false, schema: {}, secret: false, readOnly: true, ...more }) as Field;
const STATE = column('state', 'enum', {
  options: [
    { value: 'open', label: 'Open' },
    { value: 'done', label: 'Done' },
  ],
});
const MONTH = column('day_month', 'month');
const N = column('n', 'integer');
const tile = (kind: Tile['kind'], group: RecordsGrouped['group'], more: object = {}): Tile =>
  ({
    name: 'one',
    title: 'One',
    kind,
    refresh: [],
    list: null,
    span: null,
    narrow: [],
    choice: [],
    report: { from: { type: 'errand', group, measures: [{ name: 'n', title: 'n', count: true }] } },
    ...more,
  }) as unknown as Tile;
const answer = (
  columns: Field[],
  rows: object[],
  filter: TileAnswer['behind'] = { filter: null, choice: {} },
): TileAnswer => ({
  name: 'one',
  figures: { columns, rows: rows as Record<string, unknown>[], totals: null, more: false, figures: [] },
  behind: filter,
});

test('on a wall display every tile has its turn, also one that is taller than the screen', () => {
  const tiles = [
    { top: 0, bottom: 100 },
    { top: 0, bottom: 120 },
    { top: 130, bottom: 400 },
    { top: 410, bottom: 1500 },
  ];
  const pages = [0];
  for (let turn = 0; turn < 6; turn++) pages.push(nextPage(tiles, pages.at(-1)!, 500));
  expect(pages).toEqual([0, 410, 910, 1410, 0, 410, 910]);
  // What fits is never moved.
  expect(nextPage(tiles.slice(0, 3), 0, 500)).toBe(0);
});

test('large figures are written in lakh and crore, and by thousands elsewhere', () => {
  expect([0, 99_999, 100_000, 456_789, 12_34_56_789, -2_50_000, 99_99_999].map((one) => formatCompact(one))).toEqual([
    '0',
    '99,999',
    '1 L',
    '4.57 L',
    '12.35 Cr',
    '-2.5 L',
    '1 Cr',
  ]);
  expect([1_500_000, 250_000].map((one) => formatCompact(one, 'USD'))).toEqual(['1.5 M', '250 K']);
  expect(figureText(column('a', 'money', { currency: 'INR' }), '1250000.00')).toBe('₹12.5 L');
  expect(figureText(column('a', 'percent'), '85.3')).toBe('85.3 %');
  expect(figureText(N, null)).toBe('–');
});

test('a figure shows its change against other days', () => {
  const against = (value: unknown, before: unknown) =>
    comparedText(value, { value: before, days: ['2026-10-01', '2026-10-23'] });
  expect(against(5, 2)).toBe('▲ 150 % against 01 Oct 2026 to 23 Oct 2026');
  expect(against('90.00', '120.00')).toBe('▼ 25 % against 01 Oct 2026 to 23 Oct 2026');
  expect(against(3, 0)).toBe('none from 01 Oct 2026 to 23 Oct 2026');
  expect(comparedText(2, { value: 2, days: ['2026-10-01', '2026-10-01'] })).toBe('same as 01 Oct 2026');
  expect(comparedText(2, undefined)).toBeNull();
});

test('a chart part links to the list with its records, and nowhere without the list', () => {
  const of = answer([STATE, N], [], {
    filter: ['day', 'between', ['2026-10-01', null]],
    choice: { as_on: '2026-10-23' },
  });
  const to = leadsTo(tile('bar', ['state']), of, '/errand', { state: 'open', n: 3 }, 'n')!;
  const query = new URL(to, 'http://x').searchParams;
  expect(JSON.parse(query.get('filter')!)).toEqual([
    'and',
    ['state', 'eq', 'open'],
    ['day', 'between', ['2026-10-01', null]],
  ]);
  expect(query.get('p.as_on')).toBe('2026-10-23');
  expect(leadsTo(tile('figure', []), answer([N], []), '/errand')).toBe('/errand');
  expect(leadsTo(tile('figure', []), answer([N], []), null)).toBeNull();
  expect(leadsTo(tile('figure', [], { opens: '/other' }), answer([N], []), null)).toBe('/other');
});

test('two groups are rows and series, in the order of the options; missing values are gaps', () => {
  const { x, series } = matrixOf(
    answer(
      [MONTH, STATE, N],
      [
        { day_month: '2026-10', state: 'done', n: 2 },
        { day_month: '2026-10', state: 'open', n: 1 },
        { day_month: '2026-11', state: 'open', n: 4 },
      ],
    ),
  );
  expect(x.map(({ title }) => title)).toEqual(['Oct 2026', 'Nov 2026']);
  expect(series.map(({ title, cells }) => [title, cells.map((row) => row?.n ?? null)])).toEqual([
    ['Open', [1, 4]],
    ['Done', [2, null]],
  ]);
});

test('months across are contiguous, whatever their labels', () => {
  const months = ['2026-02', '2025-12', '2026-04'];
  const { series } = matrixOf(
    answer(
      [STATE, MONTH, N],
      months.map((month) => ({ state: 'open', day_month: month, n: 1 })),
    ),
  );
  expect(series.map(({ title }) => title)).toEqual(['Dec 2025', 'Feb 2026', 'Apr 2026']);
});

test('each part of a chart knows the row behind it', () => {
  const drawn = { token: (name: string) => name, width: 600 };
  const rows = [
    { state: 'open', n: 3 },
    { state: 'done', n: -1 },
  ];
  for (const kind of ['bar', 'line', 'donut', 'funnel', 'treemap', 'waterfall'] as const) {
    const { parts } = chartOf(tile(kind, ['state']), answer([STATE, N], rows), drawn);
    expect(
      parts.at(-1)!.map((part) => part?.row.state),
      kind,
    ).toEqual(['open', 'done']);
  }
  const { option } = chartOf(tile('waterfall', ['state']), answer([STATE, N], rows), drawn);
  const [below, steps] = (option as { series: { data: (number | { value: number })[] }[] }).series;
  expect(below!.data).toEqual([0, 2, 0]);
  expect(steps!.data.map((one) => (one as { value: number }).value)).toEqual([3, 1, 2]);
});

test('a chart of horizontal bars grows with the number of rows, up to a limit', () => {
  const NAME = column('member', 'text');
  const drawn = { token: (name: string) => name, width: 600 };
  const heightOf = (count: number) =>
    chartOf(
      tile('bar', ['member']),
      answer(
        [NAME, N],
        Array.from({ length: count }, (_, at) => ({ member: `Member ${at}`, n: at })),
      ),
      drawn,
    ).height;
  expect(heightOf(30)).toBe(660);
  expect(heightOf(60)).toBe(1260);
  expect(heightOf(500)).toBe(1260);
  expect(chartOf(tile('line', ['day_month']), answer([MONTH, N], []), drawn).height).toBeUndefined();
});

test('an empty tile shows nothing, but zero is shown as a figure', () => {
  expect(isEmpty(tile('bar', ['state']), answer([STATE, N], []))).toBe(true);
  expect(isEmpty(tile('figure', []), answer([N], [{ n: 0 }]))).toBe(false);
  expect(isEmpty(tile('gauge', []), answer([N], [{ n: null }]))).toBe(true);
  // A score of nothing is no score of zero, although the sums it is computed from are zero.
  const weight = { ...N, name: 'weight', title: 'Weight' };
  const score = tile('gauge', [], { of: 100 });
  expect(isEmpty(score, answer([N, weight], [{ n: null, weight: 0 }]))).toBe(true);
  expect(isEmpty(score, answer([N, weight], [{ n: 0, weight: 5 }]))).toBe(false);
  // Nor is "0 of 0" a figure; "0 of 5" is.
  const part = tile('gauge', [], { of: 'weight' });
  expect(isEmpty(part, answer([N, weight], [{ n: 0, weight: 0 }]))).toBe(true);
  expect(isEmpty(part, answer([N, weight], [{ n: 0, weight: 5 }]))).toBe(false);
});

test('reloaded tiles replace the previous ones; a missing one disappears', () => {
  const before: DashboardAnswer = {
    filters: {},
    at: '2026-04-01T04:30:00Z',
    tiles: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
  };
  const after: DashboardAnswer = { filters: {}, at: '2026-04-01T04:31:00Z', tiles: [{ name: 'b', problem: 'Slow' }] };
  expect(merged(before, after, ['b', 'c']).tiles).toEqual([{ name: 'a' }, { name: 'b', problem: 'Slow' }]);
});

test('series of a coloured list of values have its colours, unless two would look the same', () => {
  const drawn = { token: (name: string) => name, width: 600 };
  const coloured = (done: string) =>
    column('state', 'enum', {
      options: [
        { value: 'open', label: 'Open', colour: 'danger' },
        { value: 'done', label: 'Done', colour: done },
      ],
    });
  const rows = [
    { day_month: '2026-01', state: 'open', n: 2 },
    { day_month: '2026-01', state: 'done', n: 3 },
  ];
  const colours = (kind: Tile['kind'], group: RecordsGrouped['group'], columns: Field[]) =>
    (chartOf(tile(kind, group), answer(columns, rows), drawn).option as { color: string[] }).color;
  const own = ['--colorPaletteRedBorderActive', '--colorPaletteGreenBorderActive'];
  expect(colours('bar', ['day_month', 'state'], [MONTH, coloured('success'), N])).toEqual(own);
  expect(colours('donut', ['state'], [coloured('success'), N])).toEqual(own);
  expect(colours('donut', ['state'], [coloured('danger'), N])[0]).toBe('--colorBrandStroke1');
  expect(colours('donut', ['state'], [STATE, N])[0]).toBe('--colorBrandStroke1');
  // Texts bring along the colours that a client has chosen for them.
  const bands = [
    { band: 'Meets', band__colour: '#117733', n: 2 },
    { band: 'Exceeds', band__colour: '#004488', n: 3 },
  ];
  const chosen = chartOf(tile('donut', ['band']), answer([column('band', 'text'), N], bands), drawn);
  expect((chosen.option as { color: string[] }).color).toEqual(['#117733', '#004488']);
  const bars = chartOf(tile('bar', ['band']), answer([column('band', 'text'), N], bands), drawn);
  const [{ data }] = (bars.option as { series: [{ data: object[] }] }).series;
  expect(data).toEqual([
    { value: 2, itemStyle: { color: '#117733' } },
    { value: 3, itemStyle: { color: '#004488' } },
  ]);
});
