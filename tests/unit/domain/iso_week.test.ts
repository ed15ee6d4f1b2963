import { expect, it } from 'vitest';
import { weeksUntil } from '../../../src/domain/iso_week.ts';

it('names weeks by ISO 8601: the last days of December and the first of January may be one week', () => {
  expect(weeksUntil('2027-01-03', 2)).toEqual([
    { monday: '2026-12-21', title: 'W52 2026' },
    { monday: '2026-12-28', title: 'W53 2026' },
  ]);
  expect(weeksUntil('2026-12-28', 1)).toEqual([{ monday: '2026-12-28', title: 'W53 2026' }]);
  expect(weeksUntil('2027-01-04', 1)).toEqual([{ monday: '2027-01-04', title: 'W01 2027' }]);
  // A year whose first Thursday comes early: 30-12-2024 is of 2025 already.
  expect(weeksUntil('2024-12-30', 1)).toEqual([{ monday: '2024-12-30', title: 'W01 2025' }]);
});

it('of every day of four years: weeks follow each other by seven days, begin on Mondays and the last holds the day', () => {
  for (let at = Date.UTC(2024, 0, 1); at < Date.UTC(2028, 0, 1); at += 86_400_000) {
    const day = new Date(at).toISOString().slice(0, 10);
    const weeks = weeksUntil(day, 3);
    const mondays = weeks.map(({ monday }) => Date.parse(monday));
    expect(mondays.map((monday) => new Date(monday).getUTCDay())).toEqual([1, 1, 1]);
    expect(
      mondays
        .map((monday) => (at - monday) / 86_400_000)
        .map((days, index) => days >= (2 - index) * 7 && days < (3 - index) * 7),
    ).toEqual([true, true, true]);
    expect(new Set(weeks.map(({ title }) => title)).size).toBe(3);
  }
});
