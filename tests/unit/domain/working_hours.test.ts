import { describe, expect, it } from 'vitest';
import type { WorkingHours } from '../../../src/domain/working_hours.ts';
import { WEEKDAYS, addWorkingMinutes } from '../../../src/domain/working_hours.ts';

const hours = (spans: [string, string][], more: Partial<WorkingHours> = {}): WorkingHours => ({
  timezone: 'Asia/Kolkata',
  roundTheClock: false,
  hours: WEEKDAYS.flatMap((weekday) => spans.map(([from, to]) => ({ weekday, from, to }))),
  ...more,
});
const at = (text: string) => new Date(`${text}:00+05:30`);
const notSunday = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay() !== 0;
const after = (from: string, minutes: number, of: WorkingHours, works: (day: string) => boolean = notSunday) =>
  addWorkingMinutes(at(from), minutes, of, works).toISOString();

describe('working time', () => {
  it('continues after the holiday, as in the design’s example', () => {
    const works = (day: string) => notSunday(day) && day !== '2025-08-15';
    expect(after('2025-08-14T17:10', 240, hours([['09:30', '18:00']]), works)).toBe(
      at('2025-08-16T12:40').toISOString(),
    );
  });
  it('ends with the day’s hours, and excludes the break', () => {
    const office = hours([
      ['13:40', '18:30'],
      ['09:30', '13:00'],
    ]);
    expect(after('2025-08-18T12:00', 60, office)).toBe(at('2025-08-18T13:00').toISOString());
    expect(after('2025-08-18T12:00', 61, office)).toBe(at('2025-08-18T13:41').toISOString());
    expect(after('2025-08-18T22:00', 30, office)).toBe(at('2025-08-19T10:00').toISOString());
  });
  it('skips days off, runs round the clock if the place does, and always terminates', () => {
    const office = hours([['09:30', '18:00']]);
    expect(after('2025-08-16T17:30', 60, office)).toBe(at('2025-08-18T10:00').toISOString());
    expect(after('2025-08-16T17:30', 60, hours([], { roundTheClock: true }))).toBe(
      at('2025-08-16T18:30').toISOString(),
    );
    expect(after('2025-08-16T17:30', 60, office, () => false)).toBe(at('2025-08-16T18:30').toISOString());
  });
});
