import { expect, test } from 'vitest';
import { closedPeriods } from '../../../../src/domain/review/closed_periods.ts';
import { questionIn, questionsOf } from '../../../../src/domain/review/collection_question.ts';

test('the running period is left out, whatever its length', () => {
  // 28 November 2026 is a Saturday.
  expect(closedPeriods('day', '2026-11-28', 2)).toEqual([
    { first: '2026-11-26', next: '2026-11-27' },
    { first: '2026-11-27', next: '2026-11-28' },
  ]);
  expect(closedPeriods('week', '2026-11-28', 1)).toEqual([{ first: '2026-11-16', next: '2026-11-23' }]);
  expect(closedPeriods('month', '2026-11-28', 1)).toEqual([{ first: '2026-10-01', next: '2026-11-01' }]);
  // On its first day the period before has just ended.
  expect(closedPeriods('week', '2026-11-23', 1)).toEqual([{ first: '2026-11-16', next: '2026-11-23' }]);
});

const COLUMNS = [
  { name: 'amount', isNumber: true, isText: false, isDate: false },
  { name: 'branch', isNumber: false, isText: true, isDate: false },
  { name: 'date', isNumber: false, isText: true, isDate: true },
];

test('the columns of a collection decide what can be asked of it', () => {
  const { properties = {} } = questionsOf(COLUMNS);
  expect(properties.figure!.enum).toEqual([
    'number of rows',
    'sum of amount',
    'average of amount',
    'highest of amount',
    'lowest of amount',
  ]);
  expect(properties.dated_by!.enum).toEqual(['date']);
  expect(Object.keys(properties)).toEqual(['figure', 'dated_by', 'divided_by', 'only_branch']);
  expect(questionsOf(COLUMNS.slice(0, 2)).properties).not.toHaveProperty('dated_by');
});

test('a question is read from its form, and anything else is none', () => {
  expect(questionIn({ figure: 'sum of amount', dated_by: 'date', only_branch: ['NORTH', 'SOUTH'] }, 'week')).toEqual({
    measure: { way: 'sum', column: 'amount' },
    dated: 'date',
    by: null,
    period: 'week',
    only: [['branch', ['NORTH', 'SOUTH']]],
  });
  expect(questionIn({ figure: 'number of rows', only_branch: [] }, 'day')).toEqual({
    measure: { way: 'rows', column: '' },
    dated: null,
    by: null,
    period: 'day',
    only: [],
  });
  for (const wrong of [null, {}, { figure: 'product of amount' }, { figure: 'sum of ' }])
    expect(questionIn(wrong, 'day')).toBeNull();
});
