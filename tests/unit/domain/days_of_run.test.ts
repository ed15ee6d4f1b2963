import { expect, it } from 'vitest';
import { daysOfRun } from '../../../src/domain/days_of_run.ts';

it('a daily run covers its own day and the days missed since the last one', () => {
  expect(daysOfRun(null, '2026-03-01')).toEqual(['2026-03-01']);
  expect(daysOfRun('2026-02-28', '2026-03-01')).toEqual(['2026-03-01']);
  expect(daysOfRun('2026-02-26', '2026-03-01')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
  // A second run of a day, and a clock that was wrong.
  expect(daysOfRun('2026-03-01', '2026-03-01')).toEqual(['2026-03-01']);
  expect(daysOfRun('2027-03-01', '2026-03-01')).toEqual(['2026-03-01']);
  const long = daysOfRun('2025-01-01', '2026-03-01');
  expect([long.length, long[0], long.at(-1)]).toEqual([31, '2026-01-30', '2026-03-01']);
});
