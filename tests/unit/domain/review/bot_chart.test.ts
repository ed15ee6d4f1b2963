import { expect, test } from 'vitest';
import {
  chartProblem,
  comparedWith,
  comparisonText,
  largestParts,
  periodsBefore,
} from '../../../../src/domain/review/bot_chart.ts';
import { bandChange } from '../../../../src/domain/review/bot_rules.ts';
import { questionIn, questionsOf } from '../../../../src/domain/review/collection_question.ts';

const months = [
  { first: '2024-04-01', value: '80', target: '100' },
  { first: '2025-03-01', value: '90', target: null },
  { first: '2025-04-01', value: '100', target: '95' },
  { first: '2025-06-01', value: '50' },
];

test('a figure is compared with the period before, the year before or its target, not with the figure before', () => {
  expect(comparedWith(months, 'previous', 'month')).toEqual([null, null, '90', null]);
  expect(comparedWith(months, 'last_year', 'month')).toEqual([null, null, '80', null]);
  expect(comparedWith(months, 'target', 'month')).toEqual(['100', null, '95', null]);
  // 52 weeks before, the same days of the week.
  const weeks = [
    { first: '2024-04-01', value: '1' },
    { first: '2025-03-31', value: '2' },
  ];
  expect(comparedWith(weeks, 'last_year', 'week')).toEqual([null, '1']);
  expect(comparedWith([{ first: null, value: '4' }], 'previous', 'day')).toEqual([null]);
  expect([periodsBefore('last_year', 'week'), periodsBefore('previous', 'day')]).toEqual([52, 0]);
});

test('a comparison is a sentence', () => {
  expect(comparisonText('90', '95', 'target', 'month')).toBe('That is 5.3 % below the target (95).');
  expect(comparisonText('90', '-60', 'previous', 'week')).toBe('That is 250 % above the week before (-60).');
  expect(comparisonText('3', '0', 'last_year', 'month')).toBe('That is 3 above the month a year before (0).');
  expect(comparisonText('3.0', '3', 'target', 'month')).toBe('That is the same as the target.');
  expect(comparisonText('3', null, 'target', 'month')).toBe('There is no figure of the target to compare with.');
  expect(comparisonText('3', '1', 'none', 'month')).toBe('');
});

test('a chart draws only what there is', () => {
  const kpi = { isDated: true, hasParts: false, isMonthly: true };
  for (const chart of ['figure', 'line', 'bar', 'heat', 'table'] as const) expect(chartProblem(chart, kpi)).toBe(null);
  for (const chart of ['stack', 'pie', 'funnel'] as const) expect(chartProblem(chart, kpi)).toContain('draws parts');
  expect(chartProblem('heat', { ...kpi, isDated: false })).toContain('no history');
  expect(chartProblem('heat', { ...kpi, isMonthly: false })).toContain('needs months');
  expect(chartProblem('pie', { isDated: false, hasParts: true, isMonthly: false })).toBe(null);
});

test('only the largest parts are drawn', () => {
  const figures = Array.from({ length: 10 }, (_, at) => ({ first: null, part: `P${at}`, value: String(at) }));
  const { parts, count } = largestParts(figures);
  expect([parts.length, parts[0], count]).toEqual([8, 'P9', 10]);
});

test('a rating that falls is worse, one that rises is not', () => {
  const order = ['Low', 'High'];
  expect(bandChange(['High', 'Low'], order)).toEqual({ isWorse: true, before: 'High', now: 'Low' });
  expect(bandChange(['Low', 'High'], order)!.isWorse).toBe(false);
  expect(bandChange(['Low', null], order)!.isWorse).toBe(true);
  expect(bandChange(['Low'], order)).toBe(null);
});

test('a figure is divided by a column of texts', () => {
  const column = { isNumber: false, isText: true, isDate: false };
  const { properties } = questionsOf([{ name: 'branch', ...column }]);
  expect((properties!.divided_by as { enum: string[] }).enum).toEqual(['branch']);
  expect(questionIn({ figure: 'number of rows', divided_by: 'branch' }, 'day')).toMatchObject({
    by: 'branch',
    only: [],
  });
});
