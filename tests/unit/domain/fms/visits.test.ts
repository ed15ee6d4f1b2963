import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { attendanceOf, gapsOver, minutesCovered } from '../../../../src/domain/fms/attendance.ts';
import { bestOrder, distanceKm, wayKm } from '../../../../src/domain/fms/best_order.ts';
import { planMonth } from '../../../../src/domain/fms/month_plan.ts';
import { contentOf, nextFromCompletion, visitDates, windowResult } from '../../../../src/domain/fms/visit_dates.ts';

const HOLIDAYS = ['2026-01-26', '2026-05-01', '2026-08-15', '2026-10-02'];
const works = (day: string) => !HOLIDAYS.includes(day) && DateTime.fromISO(day).weekday !== 7;
const every = (visits: number, more = {}) => ({
  visits_per_year: visits,
  first_after_days: 0,
  before_days: 0,
  after_days: 5,
  min_gap_days: 0,
  ...more,
});
const yearFrom = (start: string, line = {}) => ({
  start_on: start,
  year_no: 1,
  line_from: start,
  line_to: DateTime.fromISO(start).plus({ years: 1 }).minus({ days: 1 }).toISODate()!,
  ...line,
});
const days = (start: string, frequency: ReturnType<typeof every>) =>
  visitDates(frequency, yearFrom(start), works).map(({ due_on: day }) => day);

describe('C11: the visits of a contract year', () => {
  it('keeps month ends and moves a Sunday', () => {
    expect(days('2026-01-31', every(12))).toEqual([
      '2026-01-31',
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
      '2026-06-01',
      '2026-06-30',
      '2026-07-31',
      '2026-08-31',
      '2026-09-30',
      '2026-10-31',
      '2026-11-30',
      '2026-12-31',
    ]);
  });

  it('starts later with first_after_days', () => {
    expect(days('2026-04-01', every(6, { first_after_days: 10 }))).toEqual([
      '2026-04-11',
      '2026-06-11',
      '2026-08-11',
      '2026-10-12',
      '2026-12-11',
      '2027-02-11',
    ]);
  });

  it('occurs twice a month, and by days if the year does not divide', () => {
    const twice = days('2026-04-01', every(24));
    expect(twice).toHaveLength(24);
    const plain = Array.from({ length: 12 }, (_, month) =>
      ['01', '16'].map((day) => `${DateTime.fromISO('2026-04-01').plus({ months: month }).toFormat('yyyy-MM')}-${day}`),
    ).flat();
    const moved: Record<string, string> = {
      '2026-08-16': '2026-08-17',
      '2026-05-01': '2026-05-02',
      '2026-11-01': '2026-11-02',
    };
    expect(twice).toEqual(plain.map((day) => moved[day] ?? day));
    expect(days('2026-04-01', every(5))).toEqual([
      '2026-04-01',
      '2026-06-13',
      '2026-08-25',
      '2026-11-06',
      '2027-01-18',
    ]);
  });

  it('includes the work with the longest cycle', () => {
    const rows = [
      { cycle: 1, is: 'M' },
      { cycle: 3, is: 'Q' },
      { cycle: 6, is: 'H' },
      { cycle: 12, is: 'Y' },
    ];
    expect(Array.from({ length: 12 }, (_, i) => contentOf(rows, i + 1)!.is).join('')).toBe('MMQMMHMMQMMY');
    expect(contentOf([{ cycle: 2 }], 3)).toBeNull();
  });

  it('uses the last working day before if the window has none, and stays in the line', () => {
    const sunday = visitDates(every(12, { after_days: 0 }), yearFrom('2026-05-03', { line_from: '2026-05-01' }), works);
    expect(sunday[0]).toEqual({
      visit_no: 1,
      due_on: '2026-05-02',
      window_from: '2026-05-02',
      window_to: '2026-05-03',
    });
    const short = visitDates(
      every(12),
      yearFrom('2026-04-01', { line_from: '2026-06-01', line_to: '2026-08-31' }),
      works,
    );
    expect(short.map(({ visit_no: no }) => no)).toEqual([3, 4, 5]);
  });

  it('counts from the last completed visit', () => {
    const year = yearFrom('2026-04-01');
    expect(nextFromCompletion(every(12), year, '2026-04-10', works).due_on).toBe('2026-05-11');
    expect(nextFromCompletion(every(24), year, '2026-04-10', works).due_on).toBe('2026-04-25');
    expect(nextFromCompletion(every(5), year, '2026-04-01', works).due_on).toBe('2026-06-13');
  });

  it('describes the position of a visit in its window', () => {
    const visit = { window_from: '2026-04-01', window_to: '2026-04-06' };
    expect(['2026-03-31', '2026-04-06', '2026-04-07'].map((day) => windowResult(visit, day))).toEqual([
      'early',
      'in_window',
      'late',
    ]);
  });

  it('holds for every frequency: in the line, in the window, in order, with the gap or at the end of the window', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 52 }),
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 0, max: 10 }),
        fc.integer({ min: 0, max: 10 }),
        fc.integer({ min: 0, max: 20 }),
        fc.integer({ min: 0, max: 1500 }),
        (n, first, before, after, gap, offset) => {
          const start = DateTime.fromISO('2024-01-01').plus({ days: offset }).toISODate()!;
          const year = yearFrom(start);
          const visits = visitDates(
            { visits_per_year: n, first_after_days: first, before_days: before, after_days: after, min_gap_days: gap },
            year,
            works,
          );
          let last: string | null = null;
          for (const { due_on: due, window_from: from, window_to: to } of visits) {
            expect(due >= year.line_from && due <= year.line_to).toBe(true);
            expect(from <= due && due <= to).toBe(true);
            if (last !== null) {
              const apart = DateTime.fromISO(due).diff(DateTime.fromISO(last), 'days').days;
              const next = DateTime.fromISO(due).plus({ days: 1 });
              const room = Array.from({ length: 25 }, (_, i) => next.plus({ days: i }).toISODate()!).some(
                (day) => day <= to && works(day),
              );
              expect(apart >= gap || !room).toBe(true);
            }
            last = due;
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('C14: the best order of a day', () => {
  const start = { lat: 13.0604, lng: 80.2496 };
  const stops = [
    { key: 'B1', lat: 13.0827, lng: 80.2707 },
    { key: 'B2', lat: 13.0358, lng: 80.2337 },
    { key: 'B3', lat: 13.0067, lng: 80.2206 },
    { key: 'B4', lat: 12.975, lng: 80.2207 },
    { key: 'B5', lat: 13.0878, lng: 80.2785 },
  ];

  it('finds the shortest way', () => {
    expect(wayKm(start, stops).toFixed(2)).toBe('31.03');
    const best = bestOrder(start, stops);
    expect(best.map(({ key }) => key)).toEqual(['B1', 'B5', 'B2', 'B3', 'B4']);
    expect(wayKm(start, best).toFixed(2)).toBe('19.00');
    // Always going to the nearest stop is longer.
    const nearest = ['B2', 'B3', 'B4', 'B1', 'B5'].map((name) => stops.find(({ key }) => key === name)!);
    expect(wayKm(start, nearest).toFixed(2)).toBe('24.45');
    expect(distanceKm(start, start)).toBe(0);
  });

  it('keeps fixed times, and inserts the others with the least detour', () => {
    const best = bestOrder(start, [
      { key: 'B4', lat: 12.975, lng: 80.2207, fixed: '09:00' },
      { key: 'B1', lat: 13.0827, lng: 80.2707, fixed: '15:00' },
      ...stops.slice(1, 3),
      stops[4]!,
    ]);
    expect(best.map(({ key }) => key)).toEqual(['B2', 'B3', 'B4', 'B1', 'B5']);
  });

  const places = (max: number) =>
    fc.array(
      fc.record({
        lat: fc.double({ min: 12, max: 14, noNaN: true }),
        lng: fc.double({ min: 79, max: 81, noNaN: true }),
      }),
      { minLength: 1, maxLength: max },
    );

  it('is no longer than any order, and visits each stop once', () => {
    fc.assert(
      fc.property(places(6), fc.integer(), (at, seed) => {
        const some = at.map((one, i) => ({ ...one, key: `B${i}` }));
        const best = bestOrder(start, some);
        expect(best.map(({ key }) => key).toSorted()).toEqual(some.map(({ key }) => key).toSorted());
        const other = some.toSorted((a, b) => ((a.lat * 1e6 + seed) % 97) - ((b.lat * 1e6 + seed) % 97));
        expect(wayKm(start, best)).toBeLessThanOrEqual(wayKm(start, other) + 1e-6);
      }),
      { numRuns: 60 },
    );
  });

  it('improves on the nearest neighbour for many stops', () => {
    fc.assert(
      fc.property(places(16), (at) => {
        const some = at.map((one, i) => ({ ...one, key: `B${String(i).padStart(2, '0')}` }));
        const best = bestOrder(start, some);
        expect(new Set(best).size).toBe(some.length);
        expect(wayKm(start, best)).toBeLessThanOrEqual(wayKm(start, some) + 1e-6);
      }),
      { numRuns: 30 },
    );
  });
});

describe('C15: the month of a route', () => {
  const day = (d: number) => `2026-11-0${d}`;
  const group = (building: string, minutes: number, from: number, to: number, due: number) => ({
    building_no: building,
    minutes,
    window_from: day(from),
    window_to: day(to),
    due_on: day(due),
  });

  it('balances the days within the windows', () => {
    const { planned, loads } = planMonth(
      [
        group('BLD1', 120, 1, 3, 2),
        group('BLD2', 60, 1, 2, 1),
        group('BLD3', 180, 1, 3, 1),
        group('BLD4', 60, 2, 3, 3),
        group('BLD5', 240, 1, 3, 2),
      ],
      new Map([1, 2, 3].map((d) => [day(d), 360])),
    );
    expect(planned.map((one) => [one.group.building_no, Number(one.planned_on.slice(-2)), one.overloaded])).toEqual([
      ['BLD2', 1, false],
      ['BLD3', 2, false],
      ['BLD1', 3, false],
      ['BLD5', 1, false],
      ['BLD4', 3, false],
    ]);
    expect([...loads.values()]).toEqual([300, 180, 180]);
  });

  it('marks visits without room, and loses nothing', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 8 }), fc.integer({ min: 5, max: 400 })),
        ),
        (raw) => {
          const groups = raw.map(([from, length, minutes], i) =>
            group(`B${i}`, minutes, from, Math.min(9, from + length), from),
          );
          const capacity = new Map(Array.from({ length: 9 }, (_, i) => [day(i + 1), 360]));
          const { planned, loads } = planMonth(groups, capacity);
          expect(planned).toHaveLength(groups.length);
          for (const one of planned)
            expect(one.planned_on >= one.group.window_from && one.planned_on <= one.group.window_to).toBe(true);
          const sum = (all: number[]) => all.reduce((a, b) => a + b, 0);
          expect(sum([...loads.values()])).toBe(sum(groups.map(({ minutes }) => minutes)));
          if (planned.every(({ overloaded }) => !overloaded))
            for (const load of loads.values()) expect(load).toBeLessThanOrEqual(360);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('C22: attendance', () => {
  const shift = { from: '09:00', to: '18:00', grace_minutes: 10, break_minutes: 60 };

  it('counts minutes worked and late', () => {
    expect(attendanceOf(shift, '09:14', '18:32')).toEqual({ worked: 498, late: 14 });
    expect(attendanceOf(shift, '09:10', null)).toEqual({ worked: null, late: 0 });
    // A stay that is too short for a break is worked whole: 85 minutes, not 25.
    expect(attendanceOf(shift, '10:40', '12:05').worked).toBe(85);
    expect(attendanceOf(shift, '09:00', '14:00').worked).toBe(300);
    expect(attendanceOf(shift, '09:00', '14:01').worked).toBe(241);
    expect(attendanceOf({ ...shift, from: '22:00' }, '22:00', '06:00').worked).toBe(420);
  });

  it('finds the gaps between jobs', () => {
    const time = (at: string) => new Date(`2026-11-24T${at}:00Z`);
    const span = (from: string, to: string) => ({ from: time(from), to: time(to) });
    expect(gapsOver([span('12:00', '12:30'), span('09:00', '10:00'), span('10:30', '10:45')], 60)).toEqual([
      span('10:45', '12:00'),
    ]);
    // Two lifts of one arrival: their common time counts once.
    expect(minutesCovered([span('09:30', '10:30'), span('09:00', '10:00'), span('12:00', '12:15')])).toBe(105);
    expect(minutesCovered([])).toBe(0);
  });
});
