import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clockIn, dayIn } from '../../../src/descriptor/place.ts';
import type { RelativeWord } from '../../../src/domain/relative_days.ts';
import { RELATIVE_DAYS, dayParameters, relativeDay, relativeDays } from '../../../src/domain/relative_days.ts';
import type { ReportSchedule } from '../../../src/domain/report_schedule.ts';
import { isDayOf, nextDue, scheduleText } from '../../../src/domain/report_schedule.ts';

const INDIA = 'Asia/Kolkata';
const at = (schedule: ReportSchedule, after: string) =>
  clockIn(INDIA, nextDue(schedule, INDIA, Date.parse(after))).slice(0, 16);

describe('the next date of a report', () => {
  test.each<[ReportSchedule, string, string]>([
    [{ every: 'daily', day: null, hour: 8 }, '2026-11-23T02:29:59Z', '2026-11-23T08:00'],
    [{ every: 'daily', day: null, hour: 8 }, '2026-11-23T02:30:00Z', '2026-11-24T08:00'],
    [{ every: 'weekly', day: 1, hour: 8 }, '2026-11-23T02:30:00Z', '2026-11-30T08:00'],
    [{ every: 'weekly', day: 7, hour: 0 }, '2026-11-23T02:30:00Z', '2026-11-29T00:00'],
    [{ every: 'monthly', day: 31, hour: 18 }, '2027-02-01T00:00:00Z', '2027-02-28T18:00'],
    [{ every: 'monthly', day: 1, hour: 0 }, '2026-12-31T18:29:00Z', '2027-01-01T00:00'],
  ])('%j after %s', (schedule, after, expected) => expect(at(schedule, after)).toBe(expected));

  test('is later, at its hour and on its day, without gaps', () => {
    const schedule = fc.oneof(
      fc.record({ every: fc.constant('daily' as const), day: fc.constant(null), hour: fc.nat(23) }),
      fc.record({ every: fc.constant('weekly' as const), day: fc.integer({ min: 1, max: 7 }), hour: fc.nat(23) }),
      fc.record({ every: fc.constant('monthly' as const), day: fc.integer({ min: 1, max: 31 }), hour: fc.nat(23) }),
    );
    const longest = { daily: 1, weekly: 7, monthly: 31 };
    fc.assert(
      fc.property(schedule, fc.integer({ min: 0, max: 4e12 }), (one, after) => {
        const next = nextDue(one, INDIA, after);
        expect(next).toBeGreaterThan(after);
        expect(next - after).toBeLessThanOrEqual(longest[one.every] * 86_400_000);
        expect(clockIn(INDIA, next).slice(11)).toBe(`${String(one.hour).padStart(2, '0')}:00:00`);
        if (one.every === 'weekly') expect(new Date(`${dayIn(INDIA, next)}T00:00:00Z`).getUTCDay()).toBe(one.day % 7);
      }),
    );
  });

  test('has a text, and an impossible day is refused', () => {
    expect(scheduleText({ every: 'weekly', day: 5, hour: 9 })).toBe('every Friday at 9:00');
    expect(scheduleText({ every: 'daily', day: null, hour: 0 })).toBe('every day at 0:00');
    expect(scheduleText({ every: 'monthly', day: 31, hour: 8 })).toBe('on the last day of every month at 8:00');
    expect([isDayOf('daily', 1), isDayOf('weekly', 8), isDayOf('monthly', null), isDayOf('monthly', 31)]).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });
});

describe('days relative to today', () => {
  test.each<[RelativeWord, string, [string, string]]>([
    ['yesterday', '2026-03-01', ['2026-02-28', '2026-02-28']],
    ['last_week', '2026-11-23', ['2026-11-16', '2026-11-22']],
    ['this_month', '2028-02-10', ['2028-02-01', '2028-02-29']],
    ['last_month', '2026-01-31', ['2025-12-01', '2025-12-31']],
    ['last_quarter', '2026-01-31', ['2025-10-01', '2025-12-31']],
    ['last_fy', '2026-03-31', ['2024-04-01', '2025-03-31']],
    ['this_fy', '2026-04-01', ['2026-04-01', '2027-03-31']],
    ['last_year', '2026-04-01', ['2025-01-01', '2025-12-31']],
    ['last_7_days', '2026-03-01', ['2026-02-23', '2026-03-01']],
    ['last_30_days', '2026-03-01', ['2026-01-31', '2026-03-01']],
  ])('%s on %s', (word, today, days) => expect(relativeDays(word, today, 4)).toEqual(days));

  test('today is in the current periods, and the last ones end the day before them', () => {
    const day = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(day, fc.integer({ min: 1, max: 12 }), (date, start) => {
        const today = date.toISOString().slice(0, 10);
        for (const word of Object.keys(RELATIVE_DAYS) as RelativeWord[]) {
          const [from, to] = relativeDays(word, today, start);
          if (word === 'today' || word.startsWith('this_')) expect(from <= today && today <= to, word).toBe(true);
          else if (word.endsWith('_days')) expect(from < to && to === today, word).toBe(true);
          else expect(from <= to && to < today, word).toBe(true);
        }
      }),
    );
  });

  test('the start and end of a period belong together; a single day is the end', () => {
    const date = (name: string) => ({ name, type: 'date' });
    expect(dayParameters([date('from'), date('to'), date('as_on'), date('day_from'), date('day_to')])).toEqual([
      { from: 'from', to: 'to' },
      { from: null, to: 'as_on' },
      { from: 'day_from', to: 'day_to' },
    ]);
    expect(relativeDay('day_from', 'last_month', '2026-05-05', 4)).toBe('2026-04-01');
    expect(relativeDay('as_on', 'last_month', '2026-05-05', 4)).toBe('2026-04-30');
  });
});
