import { describe, expect, it } from 'vitest';
import { describeFilter, listField, operatorsFor, parseFilter } from '../../../src/descriptor/filter.ts';
import {
  formatDate,
  formatLongDate,
  formatMoment,
  formatMoney,
  formatValue,
  shorten,
} from '../../../src/descriptor/format.ts';
import type { FilterExpression } from '../../../src/descriptor/types.ts';
import { screenOf } from './fixtures/compile_sample.ts';

const screen = screenOf(
  {},
  {
    price: { $ref: 'types#money' },
    months: { $ref: 'types#integer' },
    on: { $ref: 'types#date', title: 'Due' },
    state: { enum: ['open', 'in_work'] },
    urgent: { $ref: 'types#boolean' },
    up_id: { $ref: 'types#ref', 'x-ref': 'thing' },
    all_ids: { $ref: 'types#refs', 'x-ref': 'thing' },
    words: { $ref: 'types#tags' },
    pin: { $ref: 'types#text', 'x-secret': true },
    lines: { type: 'array', items: { type: 'object', properties: { a: { $ref: 'types#text' } } } },
    at: { $ref: 'types#datetime' },
  },
);

describe('an accepted filter', () => {
  const right: unknown[] = [
    null,
    '',
    undefined,
    ['name', 'contains', 'chen'],
    ['code', 'in', ['A', 'B']],
    ['price', 'gte', '100000.00'],
    ['price', 'between', ['1', null]],
    ['months', 'eq', 5],
    ['months', 'eq', '5'],
    ['on', 'before', '2025-04-01'],
    ['on', 'between', ['2025-01-01', '2025-12-31']],
    ['state', 'in', ['open']],
    ['urgent', 'eq', true],
    ['up_id', 'in', [1, 2]],
    ['up_id', 'contains', 'x'],
    ['all_ids', 'eq', 3],
    ['words', 'contains', 'x'],
    ['name', 'empty'],
    ['created_at', 'after', '2025-01-01T00:00:00Z'],
    ['created_by', 'eq', 4],
    ['id', 'in', [9007199254740991]],
    ['and', ['state', 'eq', 'open'], ['or', ['price', 'lt', 5], ['on', 'empty']]],
    ['and'],
  ];
  for (const filter of right) {
    it(JSON.stringify(filter) ?? 'nothing', () => {
      expect(parseFilter(filter, screen)).toEqual({ filter: filter || null });
      if (Array.isArray(filter)) expect(parseFilter(JSON.stringify(filter), screen)).toEqual({ filter });
    });
  }
});

describe('a refused filter', () => {
  const wrong: [unknown, RegExp][] = [
    ['{', /not JSON/],
    [{ a: 1 }, /A filter is/],
    [[], /A filter is/],
    [['nmae', 'eq', 'x'], /no field "nmae"/],
    [['pin', 'eq', '1'], /no field "pin"/],
    [['lines', 'empty'], /no field "lines"/],
    [['name', 'gt', 'x'], /does not fit Name/],
    [['name', 'like', 'x'], /does not fit/],
    [['name', 'eq', 5], /does not fit "eq"/],
    [['name', 'contains', ''], /does not fit/],
    [['price', 'eq', 'x'], /does not fit/],
    [['price', 'eq', Infinity], /does not fit/],
    [['months', 'eq', 1.5], /does not fit/],
    [['months', 'eq', '99999999999'], /does not fit/],
    [['months', 'eq', '1.5'], /does not fit/],
    [['on', 'eq', '2025-02-31'], /does not fit/],
    [['on', 'eq', '31-03-2025'], /does not fit/],
    [['state', 'in', ['closed']], /does not fit/],
    [['state', 'in', []], /does not fit/],
    [['urgent', 'eq', 'yes'], /does not fit/],
    [['up_id', 'eq', '1'], /does not fit/],
    [['up_id', 'eq', -1], /does not fit/],
    [['up_id', 'in', ["1'; drop table"]], /does not fit/],
    [['on', 'between', [null, null]], /does not fit/],
    [['on', 'between', ['2025-01-01']], /does not fit/],
    [['and', 'x'], /./],
    [['and', ['and', ['and', ['and', ['and', ['and', ['name', 'empty']]]]]]], /levels deep/],
    [['or', ...Array.from({ length: 51 }, () => ['name', 'empty'])], /at most 50/],
    [['constructor', 'eq', 'x'], /no field/],
  ];
  for (const [filter, reason] of wrong)
    it(String(JSON.stringify(filter)).slice(0, 60), () => {
      const parsed = parseFilter(filter, screen);
      expect('error' in parsed ? parsed.error : parsed).toMatch(reason);
    });
});

it('has a message', () => {
  const cases: [FilterExpression | null, string[]][] = [
    [null, []],
    [['state', 'in', ['open', 'in_work']], ['State is Open, In work']],
    [['on', 'between', ['2025-01-01', '2025-01-31']], ['Due is between 01-01-2025 and 31-01-2025']],
    [['price', 'gte', '100000'], ['Price at least 1,00,000.00']],
    [['up_id', 'eq', 4], ['Up is Chennai']],
    [['up_id', 'eq', 5], ['Up is #5']],
    [
      ['and', ['name', 'empty'], ['or', ['urgent', 'eq', true], ['months', 'lt', 3]]],
      ['Name is empty', 'Urgent is Yes or Months under 3'],
    ],
  ];
  for (const [filter, words] of cases)
    expect(describeFilter(filter, screen, (_field, id) => (id === 4 ? 'Chennai' : undefined))).toEqual(words);
});

it('offers the matching operators, and columns of every record', () => {
  expect(operatorsFor(listField(screen, 'price')!)[0]).toBe('eq');
  expect(operatorsFor(listField(screen, 'pin')!)).toEqual([]);
  expect(operatorsFor(listField(screen, 'lines')!)).toEqual([]);
  expect(listField(screen, 'updated_at')?.type).toBe('datetime');
  expect(listField(screen, 'version')).toBeUndefined();
  for (const field of screen.fields)
    for (const operator of operatorsFor(field))
      if (operator === 'empty')
        expect(parseFilter([field.name, operator], screen)).toEqual({ filter: [field.name, operator] });
});

describe('format', () => {
  const field = (name: string) => screen.fields.find((one) => one.name === name)!;
  it('shows labels of references', () => {
    expect(formatValue(field('up_id'), 4, { up_id__label: 'Chennai' })).toBe('Chennai');
    expect(formatValue(field('all_ids'), [1, 2], { all_ids__label: ['A', 'B'] })).toBe('A, B');
    expect(formatValue(field('up_id'), null, { up_id__label: 'Chennai' })).toBe('');
    expect(formatValue(field('up_id'), 4)).toBe('#4');
  });
  it('writes amounts, days and short names', () => {
    expect([
      formatMoney('1234567.5'),
      formatMoney(5, 0),
      formatMoney('x'),
      formatDate('2025-03-31'),
      formatLongDate('2025-09-03T20:00:00Z'),
      formatMoment(new Date(2025, 2, 31, 0, 5).toISOString()),
      formatMoment(new Date(2025, 2, 31, 12, 5, 9).toISOString(), true),
      shorten('Asha'),
      shorten('Senior Vice President'),
    ]).toEqual([
      '₹12,34,567.50',
      '₹5',
      'x',
      '31-03-2025',
      '03 Sep 2025',
      '31-03-2025 12:05 AM',
      '31-03-2025 12:05:09 PM',
      'Asha',
      'Senior Vice Pre…',
    ]);
  });
});
