import * as fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import type { Schedule } from '../../../../src/domain/act/recurrence.ts';
import {
  afterCompletion,
  nthWorkday,
  occurrences,
  ruleProblem,
  scheduleInWords,
} from '../../../../src/domain/act/recurrence.ts';
import {
  daysToGenerate,
  leastBusy,
  nextInRound,
  periodOf,
  shiftOffHoliday,
  taskDates,
} from '../../../../src/domain/act/task_dates.ts';
import { workOf } from '../../../../src/domain/working_days.ts';

// The example calendar of act.md §5.
const POLICY = {
  effective_from: '2020-01-01',
  rules: [
    { weekday: 'sunday' as const, weeks: ['all'], part: null },
    { weekday: 'saturday' as const, weeks: ['2', '4'], part: null },
  ],
  exceptions: [],
};
const HOLIDAYS = new Set(
  '2025-04-10 2025-04-14 2025-04-18 2025-05-01 2025-08-15 2025-08-27 2025-10-01 2025-10-02 2025-10-20 2025-12-25 2026-01-14 2026-01-26'.split(
    ' ',
  ),
);
const calendar = (holidays: ReadonlySet<string>) => (day: string) => !holidays.has(day) && workOf(day, [POLICY]) > 0;
const works = calendar(HOLIDAYS);
const plus = (day: string, days: number) => DateTime.fromISO(day, { zone: 'utc' }).plus({ days }).toISODate()!;
const rule = (rules: string, start = '2025-04-01', more: Partial<Schedule> = {}): Schedule => ({
  repeat: 'rules',
  rules,
  start_on: start,
  ...more,
});
const days = (schedule: Schedule, from: string, to: string) =>
  occurrences(schedule, from, to, works).map(({ nominal }) => nominal);

describe('Occurrences (§5.1)', () => {
  const gst = { statutory: true, holiday_rule: 'previous' as const, advance_days: 2, lead_days: 5 };

  it('O1, O2: a statutory day is fixed; the internal target moves before the holiday', () => {
    expect(taskDates('2025-10-20', gst, works)).toEqual({
      shifted: '2025-10-18',
      target_on: '2025-10-16',
      opens_on: '2025-10-09',
      due_on: '2025-10-20',
    });
    expect(periodOf('2025-10-20', 'last_month')).toEqual({ from: '2025-09-01', to: '2025-09-30' });
    expect(taskDates('2025-04-20', gst, works)).toMatchObject({
      shifted: '2025-04-19',
      target_on: '2025-04-16',
      opens_on: '2025-04-07',
    });
    expect(periodOf('2025-04-20', 'last_month')).toEqual({ from: '2025-03-01', to: '2025-03-31' });
  });

  it('O3: several rules are combined', () => {
    const set = rule('FREQ=MONTHLY;BYMONTH=1,2,3,5,6,7,8,9,10,11,12;BYMONTHDAY=7\nFREQ=YEARLY;BYMONTH=4;BYMONTHDAY=30');
    expect(days(set, '2025-04-01', '2026-03-31')).toEqual(
      '2025-04-30 2025-05-07 2025-06-07 2025-07-07 2025-08-07 2025-09-07 2025-10-07 2025-11-07 2025-12-07 2026-01-07 2026-02-07 2026-03-07'.split(
        ' ',
      ),
    );
  });

  it('O4: quarters that end before the day', () => {
    const dates = days(rule('FREQ=YEARLY;BYMONTH=1,5,7,10;BYMONTHDAY=31'), '2025-04-01', '2026-03-31');
    expect(dates).toEqual(['2025-05-31', '2025-07-31', '2025-10-31', '2026-01-31']);
    expect(dates.map((day) => periodOf(day, 'last_quarter'))).toEqual([
      { from: '2025-01-01', to: '2025-03-31' },
      { from: '2025-04-01', to: '2025-06-30' },
      { from: '2025-07-01', to: '2025-09-30' },
      { from: '2025-10-01', to: '2025-12-31' },
    ]);
    expect(periodOf('2025-10-15', 'last_half')).toEqual({ from: '2025-04-01', to: '2025-09-30' });
    expect(periodOf('2025-10-31', 'last_year')).toEqual({ from: '2024-04-01', to: '2025-03-31' });
  });

  it('O5, O6: the 30th or the last day; the 31st alone skips short months', () => {
    const expected = ['2025-11-30', '2025-12-30', '2026-01-30', '2026-02-28', '2026-03-30', '2026-04-30'];
    expect(
      days(rule('FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1', '2025-11-01'), '2025-11-01', '2026-04-30'),
    ).toEqual(expected);
    expect(days({ repeat: 'monthly', month_day: 30, start_on: '2025-11-01' }, '2025-11-01', '2026-04-30')).toEqual(
      expected,
    );
    expect(days(rule('FREQ=MONTHLY;BYMONTHDAY=31'), '2025-04-01', '2025-12-31')).toEqual([
      '2025-05-31',
      '2025-07-31',
      '2025-08-31',
      '2025-10-31',
      '2025-12-31',
    ]);
  });

  it('O7, O8: how a day moves because of a holiday', () => {
    expect(days(rule('FREQ=WEEKLY;INTERVAL=2;BYDAY=FR', '2025-08-01'), '2025-08-01', '2025-08-31')).toEqual([
      '2025-08-01',
      '2025-08-15',
      '2025-08-29',
    ]);
    const shifts = (['none', 'skip', 'previous', 'next', 'modified_following', 'nearest'] as const).map((one) =>
      shiftOffHoliday('2025-08-15', one, works),
    );
    expect(shifts).toEqual(['2025-08-15', null, '2025-08-14', '2025-08-16', '2025-08-16', '2025-08-14']);
    expect(shiftOffHoliday('2025-08-31', 'next', works)).toBe('2025-09-01');
    expect(shiftOffHoliday('2026-02-28', 'next', works)).toBe('2026-03-02');
    expect(shiftOffHoliday('2025-08-31', 'modified_following', works)).toBe('2025-08-30');
    expect(shiftOffHoliday('2026-02-28', 'modified_following', works)).toBe('2026-02-27');
  });

  it('O9, O10: the n-th working day, and working days', () => {
    const nth = (month: string) => [3, -1].map((one) => nthWorkday(month, one, works));
    expect(nth('2025-04-01')).toEqual(['2025-04-03', '2025-04-30']);
    expect(nth('2025-08-01')).toEqual(['2025-08-04', '2025-08-30']);
    expect(nth('2025-10-01')).toEqual(['2025-10-06', '2025-10-31']);
    const working = (from: string, to: string) => days({ repeat: 'working_days', start_on: from }, from, to).length;
    expect([
      working('2025-04-01', '2025-04-30'),
      working('2025-08-01', '2025-08-31'),
      working('2025-10-01', '2025-10-31'),
    ]).toEqual([21, 22, 22]);
  });

  it('O11, O12: the second Tuesday of every quarter; days after an event', () => {
    const quarterly: Schedule = { repeat: 'weekday_of_month', every: 3, nth: 2, weekday: 'tu', start_on: '2025-04-01' };
    const expected = ['2025-04-08', '2025-07-08', '2025-10-14', '2026-01-13'];
    expect(days(rule('FREQ=MONTHLY;INTERVAL=3;BYDAY=2TU'), '2025-04-01', '2026-03-31')).toEqual(expected);
    expect(days(quarterly, '2025-04-01', '2026-03-31')).toEqual(expected);
    expect([15, 30, 60].map((after) => plus('2025-09-26', after))).toEqual(['2025-10-11', '2025-10-26', '2025-11-25']);
  });

  it('O13: a later holiday moves the target, never the due day or the key', () => {
    const later = calendar(new Set([...HOLIDAYS, '2025-10-18']));
    expect(taskDates('2025-10-20', gst, later)).toEqual({
      shifted: '2025-10-17',
      target_on: '2025-10-15',
      opens_on: '2025-10-08',
      due_on: '2025-10-20',
    });
  });

  it('counts from the last completion if the schedule says so', () => {
    expect(afterCompletion({ repeat: 'daily', every: 30, start_on: '2025-01-01' }, '2025-04-10', works)).toEqual({
      key: '2025-05-10',
      nominal: '2025-05-10',
    });
  });

  it('adds and excludes single days', () => {
    const schedule = rule('FREQ=MONTHLY;BYMONTHDAY=10', '2025-04-01', {
      rdates: ['2025-04-25'],
      exdates: ['2025-05-10'],
    });
    expect(days(schedule, '2025-04-01', '2025-06-30')).toEqual(['2025-04-10', '2025-04-25', '2025-06-10']);
  });

  it('explains an invalid rule, and describes a schedule', () => {
    expect(ruleProblem('FREQ=MONTHLY;BYMONTHDAY=20')).toBeNull();
    expect(ruleProblem('FREQ=HOURLY')).toContain('DAILY');
    expect(ruleProblem('monthly on the 20th')).toContain('not a part of a rule');
    expect(days(rule('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'), '2025-04-01', '2030-04-01')).toEqual([]);
    expect(scheduleInWords({ repeat: 'monthly', month_day: 11, start_on: '2025-04-01' })).toBe(
      'Every month on the 11th',
    );
    expect(scheduleInWords({ repeat: 'workday_of_month', nth: -1, start_on: '2025-04-01' })).toBe(
      'Every month on the last working day',
    );
    const inWords = (rules: string) => scheduleInWords({ repeat: 'rules', rules, start_on: '2025-04-01' });
    expect(inWords('FREQ=YEARLY;BYMONTH=1,5,7,10;BYMONTHDAY=31')).toBe(
      'Every year on the 31st of January, May, July and October',
    );
    expect(
      inWords('FREQ=MONTHLY;BYMONTH=1,2,3,5,6,7,8,9,10,11,12;BYMONTHDAY=7\nFREQ=YEARLY;BYMONTH=4;BYMONTHDAY=30'),
    ).toBe('Every month except April on the 7th, and every year on the 30th of April');
    expect(inWords('FREQ=WEEKLY;INTERVAL=2;BYDAY=FR')).toBe('Every 2 weeks on Friday');
    expect(inWords('FREQ=MONTHLY;BYDAY=2TU')).toBe('FREQ=MONTHLY;BYDAY=2TU');
  });
});

describe('The doer of a task', () => {
  it('rotates in the order of ids', () => {
    expect(nextInRound([11, 14, 19], 14)).toBe(19);
    expect(nextInRound([11, 14, 19], 19)).toBe(11);
    expect(nextInRound([], 3)).toBeNull();
  });
  it('or is the least busy person who has waited longest', () => {
    expect(
      leastBusy([
        { id: 11, open: 2, last_on: '2025-01-01' },
        { id: 14, open: 1, last_on: '2025-03-01' },
        { id: 19, open: 1, last_on: '2025-02-01' },
      ]),
    ).toBe(19);
  });
});

describe('Generation', () => {
  const START = '2025-01-01';
  const aDay = (within: number) => fc.integer({ min: 0, max: within }).map((offset) => plus(START, offset));
  const aSchedule: fc.Arbitrary<Schedule> = fc.record({
    repeat: fc.constantFrom<Schedule['repeat']>(
      'daily',
      'weekly',
      'monthly',
      'quarterly',
      'last_day',
      'weekday_of_month',
      'workday_of_month',
      'once',
    ),
    start_on: aDay(60),
    every: fc.integer({ min: 1, max: 3 }),
    month_day: fc.integer({ min: 1, max: 31 }),
    nth: fc.constantFrom(1, 2, 3, 4, -1),
    weekday: fc.constantFrom('mo', 'we', 'fr', 'su'),
    weekdays: fc.constantFrom(['mo'], ['tu', 'fr'], ['sa', 'su']),
  });
  const zones = ['Asia/Kolkata', 'Pacific/Kiritimati', 'America/Los_Angeles', 'Pacific/Pago_Pago'].map(
    (timeZone) => new Intl.DateTimeFormat('en-CA', { timeZone }),
  );
  /** A day as it is at a moment in one of the zones that a company may move to and back. */
  const aMomentSomewhere = fc
    .tuple(fc.integer({ min: 0, max: 400 * 1440 }), fc.constantFrom(...zones))
    .map(([minute, zone]) => zone.format(Date.parse(`${START}T00:00:00Z`) + minute * 60_000));
  /** A run of the job: clock and time zone may have been changed, and holidays may have been entered or taken out. */
  const aRun = fc.record({
    today: aMomentSomewhere,
    ahead: fc.integer({ min: 1, max: 90 }),
    holidays: fc.uniqueArray(aDay(500), { maxLength: 8 }),
    dies: fc.boolean(),
  });

  it('neither duplicates nor loses an occurrence, for any clock, time zone, holidays and interrupted processes', () => {
    fc.assert(
      fc.property(aSchedule, fc.array(aRun, { minLength: 1, maxLength: 12 }), (schedule, runs) => {
        const stored = new Map<string, string>();
        let through: string | null = null;
        for (const { today, ahead, holidays, dies } of runs) {
          const window = daysToGenerate({ through, startOn: schedule.start_on }, today, ahead);
          if (window === null) continue;
          const on = calendar(new Set(holidays));
          const made = occurrences(schedule, window.from, window.to, on);
          expect(new Set(made.map(({ key }) => key)).size).toBe(made.length);
          // The key is unique in the table; a process that dies has stored nothing, as rows and mark are one act.
          if (dies) continue;
          for (const { key, nominal } of made) {
            expect(stored.has(key)).toBe(false);
            stored.set(key, nominal);
          }
          through = window.to;
        }
        const all =
          through === null ? [] : occurrences(schedule, schedule.start_on, through, () => true).map(({ key }) => key);
        expect([...stored.keys()].toSorted()).toEqual(all);
      }),
      { numRuns: 300 },
    );
  });

  it('a shift never skips a working day, and stays in the month if required', () => {
    fc.assert(
      fc.property(aDay(700), fc.uniqueArray(aDay(700), { maxLength: 40 }), (day, holidays) => {
        const on = calendar(new Set(holidays));
        const next = shiftOffHoliday(day, 'next', on)!;
        for (let at = day; at < next; at = plus(at, 1)) expect(on(at)).toBe(false);
        expect(on(next)).toBe(true);
        const near = shiftOffHoliday(day, 'nearest', on)!;
        expect([shiftOffHoliday(day, 'previous', on), next]).toContain(near);
      }),
      { numRuns: 200 },
    );
  });
});
