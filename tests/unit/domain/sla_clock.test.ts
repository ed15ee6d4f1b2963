import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OpenHours } from '../../../src/domain/open_hours.ts';
import { afterOpen, openBetween } from '../../../src/domain/open_hours.ts';
import type { ClockEntry } from '../../../src/domain/sla_clock.ts';
import { bandMinutes, elapsedMinutes, minutesByHolder, momentAt, stretchesOf } from '../../../src/domain/sla_clock.ts';
import { workOf } from '../../../src/domain/working_days.ts';

const HOLIDAYS = new Set(['2025-08-15', '2025-08-27', '2025-10-01', '2025-10-02', '2025-10-20']);
const day = [
  ['09:30', '13:00'],
  ['13:30', '18:00'],
] as const;
const policy = {
  effective_from: '2025-01-01',
  exceptions: [],
  rules: [
    { weekday: 'sunday' as const, weeks: ['all'], part: 'full' as const },
    { weekday: 'saturday' as const, weeks: ['2', '4'], part: 'full' as const },
  ],
};
/** Sundays, 2nd and 4th Saturdays and holidays off; 480 minutes a day, 240 on Saturdays. */
const hours: OpenHours = {
  timezone: 'Asia/Kolkata',
  roundTheClock: false,
  hours: [day, day, day, day, day, [['09:30', '13:30']], []],
  off: (date) => (HOLIDAYS.has(date) || workOf(date, [policy]) === 0 ? 'full' : 'none'),
};
const always: OpenHours = { ...hours, roundTheClock: true };

/** "18-08 10:40" of 2025 in India, in milliseconds, and back. */
const ms = (text: string) => {
  const [, date, month, time] = /^(\d\d)-(\d\d) (\d\d:\d\d)$/.exec(text)!;
  return Date.parse(`2025-${month}-${date}T${time}:00+05:30`);
};
const text = (moment: number | null) => {
  if (moment === null) return null;
  const [date = '', time = ''] = new Date(moment + 5.5 * 3_600_000).toISOString().split('T');
  return `${date.slice(8)}-${date.slice(5, 7)} ${time.slice(0, 5)}`;
};
const clock = (...entries: [string, boolean][]) =>
  stretchesOf(entries.map(([at, runs]): ClockEntry => ({ at: ms(at), runs })));
const S1 = clock(['14-08 17:10', true]);
const S3 = clock(['14-08 17:10', true], ['18-08 11:00', false], ['19-08 15:30', true]);
const S4 = clock(['14-08 17:10', true], ['18-08 11:00', false], ['19-08 15:30', true], ['20-08 10:20', false]);

describe('a clock over business hours', () => {
  it('S1: skips night, holiday and lunch', () => {
    expect(text(momentAt(S1, hours, 60))).toBe('16-08 09:40');
    expect(text(momentAt(S1, hours, 480))).toBe('18-08 12:40');
  });

  it('S2: reaches its bands', () => {
    const moments = [75, 100, 150, 200].map((percent) =>
      text(momentAt(S1, hours, bandMinutes({ name: 'x', percent }, 480)!)),
    );
    expect(moments).toEqual(['18-08 10:40', '18-08 12:40', '18-08 17:10', '19-08 12:40']);
    expect([bandMinutes({ name: 'x', minutes: -60 }, 480), bandMinutes({ name: 'x', minutes: 90 }, null)]).toEqual([
      420, 90,
    ]);
    expect(bandMinutes({ name: 'x', percent: 75 }, null)).toBeNull();
  });

  it('S3: stops while paused, and continues with the rest', () => {
    expect(elapsedMinutes(S3, hours, ms('19-08 15:30'))).toBe(380);
    expect(openBetween(hours, ms('18-08 11:00'), ms('19-08 15:30')) / 60_000).toBe(720);
    expect(text(momentAt(S3, hours, 480))).toBe('19-08 17:10');
    // While it is paused nobody knows when.
    expect(momentAt(S3.slice(0, 1), hours, 480)).toBeNull();
  });

  it('S4: has used the time until it ended', () => {
    expect(elapsedMinutes(S4, hours, ms('25-08 10:00'))).toBe(580);
  });

  it('S5: keeps the used time when the target changes', () => {
    expect(elapsedMinutes(S1, hours, ms('18-08 10:00'))).toBe(320);
    expect(text(momentAt(S1, hours, 240))).toBe('16-08 12:40');
  });

  it('S6: is shared among the holders', () => {
    const shares = minutesByHolder(
      S4,
      [
        { at: ms('14-08 17:10'), holder: 'L1' },
        { at: ms('16-08 11:00'), holder: 'Network' },
      ],
      hours,
      ms('25-08 10:00'),
    );
    expect([...shares]).toEqual([
      ['L1', 140],
      ['Network', 440],
    ]);
  });

  it('S7: starts with the next open minute', () => {
    const after = (from: string) => text(afterOpen(hours, ms(from), 60 * 60_000));
    expect(['23-08 11:00', '27-08 10:00', '18-08 13:10', '16-08 13:00'].map(after)).toEqual([
      '25-08 10:30',
      '28-08 10:30',
      '18-08 14:30',
      '18-08 10:00',
    ]);
    expect(after('18-08 12:00')).toBe('18-08 13:00');
    expect(after('18-08 17:00')).toBe('18-08 18:00');
  });

  it('S8: continues when the record is reopened', () => {
    const again = stretchesOf([
      { at: ms('14-08 17:10'), runs: true },
      { at: ms('18-08 11:00'), runs: false },
      { at: ms('19-08 15:30'), runs: true },
      { at: ms('20-08 10:20'), runs: false },
      { at: ms('22-08 12:00'), runs: true },
    ]);
    expect(elapsedMinutes(again, hours, ms('22-08 12:00'))).toBe(580);
    expect(elapsedMinutes(again, hours, ms('22-08 12:30'))).toBe(610);
    expect(text(momentAt(again, hours, 480))).toBe('19-08 17:10');
  });

  it('S9: ignores nights if it runs round the clock', () => {
    expect([30, 240].map((minutes) => text(momentAt(S1, always, minutes)))).toEqual(['14-08 17:40', '14-08 21:10']);
  });

  it('counts half a day on half days off, and never ends if nobody ever works', () => {
    const half = (part: 'first_half' | 'second_half') => ({ ...hours, off: () => part });
    expect(openBetween(half('first_half'), ms('18-08 00:00'), ms('19-08 00:00')) / 60_000).toBe(240);
    expect(text(afterOpen(half('first_half'), ms('18-08 00:00'), 60_000))).toBe('18-08 14:01');
    expect(text(afterOpen(half('second_half'), ms('18-08 00:00'), 240 * 60_000))).toBe('18-08 14:00');
    expect(afterOpen({ ...hours, off: () => 'full' }, ms('18-08 00:00'), 1)).toBeNull();
  });
});

describe('for any events', () => {
  const minute = fc.integer({ min: 0, max: 40 * 24 * 60 }).map((one) => ms('01-08 00:00') + one * 60_000);
  const entries = fc.array(fc.record({ at: minute, runs: fc.boolean() }), { maxLength: 8 });

  it('it never goes back, and its parts add up', () => {
    fc.assert(
      fc.property(entries, minute, minute, minute, (log, ...moments) => {
        const [a, b, c] = moments.toSorted((one, other) => one - other) as [number, number, number];
        const stretches = stretchesOf(log);
        const [first, second] = [elapsedMinutes(stretches, hours, a), elapsedMinutes(stretches, hours, b)];
        expect(first).toBeGreaterThanOrEqual(0);
        expect(second).toBeGreaterThanOrEqual(first);
        expect(openBetween(hours, a, c)).toBe(openBetween(hours, a, b) + openBetween(hours, b, c));
      }),
      { numRuns: 60 },
    );
  });

  it('an immediate pause and resumption change nothing', () => {
    fc.assert(
      fc.property(minute, minute, minute, (from, pause, until) => {
        const plain = stretchesOf([{ at: from, runs: true }]);
        const paused = stretchesOf([
          { at: from, runs: true },
          { at: pause, runs: false },
          { at: pause, runs: true },
        ]);
        const late = Math.max(until, pause, from);
        expect(elapsedMinutes(paused, hours, late)).toBe(elapsedMinutes(plain, hours, late));
      }),
      { numRuns: 60 },
    );
  });

  it('the used time equals the given time when it is due, and holders have all of it', () => {
    fc.assert(
      fc.property(entries, fc.integer({ min: 1, max: 3_000 }), minute, minute, (log, target, one, other) => {
        const stretches = stretchesOf(log);
        const due = momentAt(stretches, hours, target);
        if (due !== null) expect(elapsedMinutes(stretches, hours, due)).toBe(target);
        const [first, second] = [Math.min(one, other), Math.max(one, other)];
        const holders = [
          { at: first, holder: 'A' },
          { at: second, holder: 'B' },
        ];
        const until = ms('20-09 00:00');
        const shares = minutesByHolder(stretches, holders, hours, until);
        expect([...shares.values()].reduce((sum, share) => sum + share, 0)).toBe(
          elapsedMinutes(stretches, hours, until),
        );
      }),
      { numRuns: 60 },
    );
  });
});
