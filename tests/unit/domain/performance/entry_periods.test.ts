import { expect, test } from 'vitest';
import { daysOf, weeksOf } from '../../../../src/domain/performance/entry_periods.ts';

const year = (first: number) =>
  Array.from({ length: 12 }, (_, at) => {
    const month = ((3 + at) % 12) + 1;
    return weeksOf(`${month < 4 ? first + 1 : first}-${String(month).padStart(2, '0')}`, 4);
  });

test('a week belongs to the month of its Thursday, and is numbered within the financial year (§5.1)', () => {
  const months = year(2025);
  expect(months.map((weeks) => weeks.length)).toEqual([4, 5, 4, 5, 4, 4, 5, 4, 4, 5, 4, 4]);
  expect(months[0]![0]).toEqual({ from_day: '2025-03-31', to_day: '2025-04-06', label: 'W01' });
  expect(months.flat().at(-1)!.label).toBe('W52');
  expect([2021, 2027].map((first) => year(first).flat().length)).toEqual([53, 53]);
  expect(year(2027)[0]![0]!.from_day).toBe('2027-03-29');
});

test('days are those on which people work', () => {
  const days = daysOf('2026-02', (day) => new Date(day).getUTCDay() !== 0);
  expect([days.length, days[0]!.from_day, days.at(-1)!.to_day]).toEqual([24, '2026-02-02', '2026-02-28']);
});
