import { expect, test } from 'vitest';
import { compileScreens } from '../../../src/descriptor/compile.ts';
import { file, sample, types } from './fixtures/compile_sample.ts';

type Json = Record<string, unknown>;

const COUNT = { name: 'n', title: 'Things', count: true };
const tile = (more: Json, from: Json = {}): Json => ({
  name: 'one',
  title: 'One',
  kind: 'figure',
  from: { type: 'thing', measures: [COUNT], ...from },
  ...more,
});

/** What is said of a dashboard with these tiles over things with a day, an amount and an owner. */
function told(tiles: Json[], more: Json = {}, words: Json = {}): string[] {
  const board = {
    $schema: '../meta/dashboard.schema.json',
    kind: 'dashboard',
    title: 'Board',
    access: { screen: 'SCN_THING' },
    tiles,
    ...more,
  };
  const thing = sample(words, {
    day: { $ref: 'types#date' },
    amount: { $ref: 'types#money' },
    of_id: { $ref: 'types#ref', 'x-ref': 'thing' },
    qty: { $ref: 'types#quantity', 'x-unit-of': 'of_id' },
  });
  const { problems, dashboards } = compileScreens(
    Object.entries({ thing, board }).map(([name, one]) => file(name, JSON.stringify(one, null, 2))),
    types,
    { sources: new Set(['test.rows']) },
  );
  if (!('panel' in words)) expect(dashboards.has('board')).toBe(problems.length === 0);
  return problems.map(({ path, message }) => `${path} ${message}`);
}
const filters = (properties: Json) => ({ filters: { properties } });

test('a valid one has tiles with their columns, and filters', () => {
  expect(
    told(
      [
        tile({ compare: 'before' }, { span: { of: 'day', this: 'month' }, narrow: { day: ['from', 'to'] } }),
        tile({ name: 'two', kind: 'bar' }, { group: ['of_id', { field: 'day', by: 'month' }] }),
        tile({ name: 'three', kind: 'list' }, { measures: undefined, columns: ['name', 'day'], sort: ['-day'] }),
        tile({ name: 'four', kind: 'gauge', of: 'n' }, { measures: [COUNT, { ...COUNT, name: 'm', title: 'More' }] }),
      ],
      filters({
        of_id: { $ref: 'types#ref', 'x-ref': 'thing' },
        from: { $ref: 'types#date' },
        to: { $ref: 'types#date' },
      }),
    ),
  ).toEqual([]);
});

test('a measure shows fewer decimals than its field stores, if that field is a decimal', () => {
  const measured = (field: string) => ({
    $schema: '../meta/report.schema.json',
    kind: 'report',
    title: 'Sizes',
    access: { screen: 'SCN_THING' },
    from: { type: 'thing', group: ['name'], measures: [{ name: 'm', title: 'M', average: field, decimals: 2 }] },
  });
  const thing = sample({}, { size: { $ref: 'types#decimal', 'x-precision': 6 }, amount: { $ref: 'types#money' } });
  const compiled = (report: Json) =>
    compileScreens([file('thing', JSON.stringify(thing)), file('sizes', JSON.stringify(report))], types);
  expect(compiled(measured('size')).reports.get('sizes')!.columns.at(-1)).toMatchObject({ name: 'm', precision: 2 });
  expect(compiled(measured('amount')).problems.map(({ message }) => message)).toEqual([
    expect.stringContaining('"amount" has its own decimals: it is of type money.'),
  ]);
});

test('a panel of a record names a tile of a dashboard and its filters', () => {
  const withPanel = (more: Json) =>
    told([tile({})], filters({ of_id: { $ref: 'types#ref', 'x-ref': 'thing' } }), {
      panel: { title: 'History', dashboard: 'board', tile: 'one', with: { of_id: 'id' }, ...more },
    });
  expect(withPanel({})).toEqual([]);
  expect(withPanel({ tile: 'two' })).toEqual([expect.stringContaining('There is no tile "two" of "board".')]);
  expect(withPanel({ dashboard: 'wall' })).toEqual([expect.stringContaining('There is no tile "one" of "wall".')]);
  expect(withPanel({ with: { day: 'day' } })).toEqual([expect.stringContaining('board has no filter "day".')]);
});

test.each<[string, string[], Json[], Json?]>([
  ['an unknown word', ['$.tile Unknown word "tile".'], [tile({})], { tile: [] }],
  ['a kind that is none', ['$.tiles[0].kind "kind" cannot be "pie".'], [tile({ kind: 'pie' })]],
  [
    'a kind and columns that do not fit',
    ['$.tiles[0].kind A donut has 1 groups and 1 figures; "one" has 2 and 1.'],
    [tile({ kind: 'donut' }, { group: ['of_id', { field: 'day', by: 'month' }] })],
  ],
  [
    'two groups with several figures',
    ['$.tiles[0].kind Of two groups "one" draws one figure.'],
    [
      tile(
        { kind: 'bar' },
        { group: ['of_id', { field: 'day', by: 'day' }], measures: [COUNT, { name: 'a', title: 'A', sum: 'amount' }] },
      ),
    ],
  ],
  [
    'a calendar without days',
    ['$.tiles[0].kind A calendar has days.'],
    [tile({ kind: 'calendar' }, { group: ['of_id'] })],
  ],
  ['a gauge without its whole', ['$.tiles[0].of A gauge needs its whole.'], [tile({ kind: 'gauge' })]],
  [
    'what is compared without days',
    ['$.tiles[0].compare Only a figure of certain days is compared.'],
    [tile({ compare: 'before' })],
  ],
  [
    'a measure of no field',
    ['$.tiles[0].from.measures[0].sum Thing has no field "amont".'],
    [tile({}, { measures: [{ name: 'a', title: 'A', sum: 'amont' }] })],
  ],
  [
    'a sum of several units',
    ['$.tiles[0].from.measures[0].sum "qty" is in several units: it has no sum of them all.'],
    [tile({}, { measures: [{ name: 'q', title: 'Q', sum: 'qty' }] })],
  ],
  [
    'days of no date',
    ['$.tiles[0].from.span.of Thing has no date "amount".'],
    [tile({}, { span: { of: 'amount', to: 0 } })],
  ],
  [
    'a filter that narrows nothing',
    ['$.filters.properties.city No tile is narrowed by "city".'],
    [tile({})],
    filters({ city: { $ref: 'types#text' } }),
  ],
  [
    'a filter of another type',
    ['$.tiles[0].from.narrow.amount The filter "from" does not fit "amount".'],
    [tile({}, { narrow: { amount: 'from' } })],
    filters({ from: { $ref: 'types#date' } }),
  ],
  ['two tiles of a name', ['$.tiles[1].name Two tiles are called "one".'], [tile({}), tile({})]],
  ['a type that is none', ['$.tiles[0].from.type There is no record type "thingy".'], [tile({}, { type: 'thingy' })]],
  [
    'a function that is none',
    ['$.tiles[0].source There is no function "test.row".'],
    [tile({ from: undefined, source: 'test.row', columns: { properties: { n: { $ref: 'types#integer' } } } })],
  ],
  [
    'a widget without a component',
    ['$.tiles[0].widget "one" needs "widget" and "source".'],
    [tile({ from: undefined, kind: 'widget', source: 'test.rows' })],
  ],
  [
    'days of a month that is no filter',
    ['$.tiles[0].from.span.at There is no filter "month" with a month.'],
    [tile({}, { span: { of: 'day', from: 0, to: 30, at: 'month' } })],
  ],
  [
    'the condition of an earlier month without that month, or of no field',
    [
      '$.tiles[0].from.past.at There is no filter "month" with a month.',
      '$.tiles[0].from.past.filter There is no field "dy" to filter by.',
    ],
    [tile({}, { past: { at: 'month', filter: ['dy', 'lte', '@day'] } })],
  ],
  [
    'a tile of today that is of the chosen month',
    ['$.tiles[0].now "one" is of the chosen month.'],
    [tile({ now: true }, { past: { at: 'month', filter: ['day', 'lte', '@day'] } })],
    filters({ month: { $ref: 'types#month' } }),
  ],
  ['an address that is taken', ['$.route The address /thing is taken by "thing".'], [tile({})], { route: '/thing' }],
])('refuses %s', (_what, problems, tiles, more) => expect(told(tiles, more)).toEqual(problems));

test('an address takes the choices of the page by the names of its filters', () => {
  const chosen = filters({ month: { $ref: 'types#month' } });
  expect(told([tile({ opens: '/things?month={month}' })], chosen).join(' ')).not.toContain('{month}');
  expect(told([tile({ opens: '/things?on={day}' }, { span: { of: 'day', to: 0, at: 'month' } })], chosen)).toEqual([]);
  expect(told([tile({ opens: '/things?on={day}' })])).toEqual(['$.tiles[0].opens There is no filter "day".']);
  expect(told([tile({ opens: '/things?of={company}' })], { companies: 'one' })).toEqual([]);
  expect(told([tile({ opens: '/things?of={company}' })])).toEqual(['$.tiles[0].opens There is no filter "company".']);
});
