import { expect, test } from 'vitest';
import type { WeekOffPolicy } from '../../../src/domain/working_days.ts';
import { shiftWorkingDays, weekOfMonth, workOf, workingDays } from '../../../src/domain/working_days.ts';

const policy: WeekOffPolicy = {
  effective_from: '2024-04-01',
  rules: [
    { weekday: 'sunday', weeks: ['all'], part: 'full' },
    { weekday: 'saturday', weeks: ['2', '4'], part: 'full' },
  ],
  exceptions: [],
};
const march = (policies: WeekOffPolicy[], holidays: { date: string; to_date: string | null }[] = []) =>
  workingDays('2025-03-01', '2025-03-31', policies, holidays);

test('the weekday’s number is counted within its month', () => {
  expect([30, 31, 14, 7, 8, 1].map(weekOfMonth)).toEqual([5, 5, 2, 1, 2, 1]);
});

test('March 2025 with every Sunday, 2nd and 4th Saturday off, Holi and Id: 22 working days', () => {
  const days = march(
    [policy],
    [
      { date: '2025-03-14', to_date: null },
      { date: '2025-03-31', to_date: null },
    ],
  );
  expect(days.week_offs.map((day) => Number(day.slice(-2)))).toEqual([2, 8, 9, 16, 22, 23, 30]);
  expect(days).toMatchObject({ working_days: 22, holidays: ['2025-03-14', '2025-03-31'], half_days: [] });
});

test('a holiday on a day off counts once, and a longer one on each of its days', () => {
  expect(march([policy], [{ date: '2025-03-16', to_date: null }]).working_days).toBe(24);
  expect(march([policy], [{ date: '2025-03-13', to_date: '2025-03-17' }])).toMatchObject({
    working_days: 20,
    holidays: ['2025-03-13', '2025-03-14', '2025-03-15', '2025-03-16', '2025-03-17'],
  });
});

test('the fifth Sunday is off only if a rule says so', () => {
  expect(['2025-03-30', '2025-08-31', '2025-06-14', '2025-06-21'].map((day) => workOf(day, [policy]))).toEqual([
    0, 0, 0, 1,
  ]);
  const fifth: WeekOffPolicy = { ...policy, rules: [{ weekday: 'sunday', weeks: ['5'], part: 'full' }] };
  expect(march([fifth]).week_offs).toEqual(['2025-03-30']);
});

test('a half-day off leaves half a day; both halves leave none', () => {
  const half: WeekOffPolicy = { ...policy, rules: [{ weekday: 'saturday', weeks: ['all'], part: 'second_half' }] };
  expect(march([half])).toMatchObject({
    working_days: 28.5,
    half_days: ['2025-03-01', '2025-03-08', '2025-03-15', '2025-03-22', '2025-03-29'],
  });
  const both: WeekOffPolicy = {
    ...half,
    rules: [...half.rules, { weekday: 'saturday', weeks: ['1'], part: 'first_half' }],
  };
  expect(march([both])).toMatchObject({ working_days: 28, week_offs: ['2025-03-01'] });
});

test('exceptions override the rules, and a newer policy starts on its day', () => {
  expect(
    march([
      {
        ...policy,
        exceptions: [
          { date: '2025-03-08', working: true },
          { date: '2025-03-10', working: false },
        ],
      },
    ]).working_days,
  ).toBe(24);
  const newer: WeekOffPolicy = {
    effective_from: '2025-03-17',
    rules: [{ weekday: 'sunday', weeks: ['all'], part: null }],
    exceptions: [],
  };
  expect(march([policy, newer]).week_offs).toEqual([
    '2025-03-02',
    '2025-03-08',
    '2025-03-09',
    '2025-03-16',
    '2025-03-23',
    '2025-03-30',
  ]);
  expect(march([]).working_days).toBe(31);
});

test('the n-th working day is after or before a day; without working days for a year, calendar days count', () => {
  const works = (day: string) => workOf(day, [policy]) > 0 && day !== '2025-03-14';
  expect([0, 1, 2, 3, -1, -2].map((count) => shiftWorkingDays('2025-03-13', count, works))).toEqual([
    '2025-03-13',
    '2025-03-15',
    '2025-03-17',
    '2025-03-18',
    '2025-03-12',
    '2025-03-11',
  ]);
  expect(shiftWorkingDays('2025-03-01', 2, () => false)).toBe('2026-03-04');
});
