import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, addMonths, comparedDays, daysOf } from '../../../src/domain/dashboard_span.ts';
import type { RunningPeriod, Span } from '../../../src/domain/dashboard_span.ts';

const of = 'day';
const thisOne = (period: RunningPeriod): Span => ({ of, this: period });

describe('the days of a tile', () => {
  test.each<[Span, string, (string | null)[]]>([
    [{ of, from: 0, to: 6 }, '2026-12-30', ['2026-12-30', '2027-01-05']],
    [{ of, to: -1 }, '2026-03-01', [null, '2026-02-28']],
    [{ of, from: 1 }, '2026-12-31', ['2027-01-01', null]],
    [thisOne('day'), '2026-11-23', ['2026-11-23', '2026-11-23']],
    [thisOne('week'), '2026-11-29', ['2026-11-23', '2026-11-29']],
    [thisOne('month'), '2028-02-10', ['2028-02-01', '2028-02-29']],
    [thisOne('quarter'), '2026-11-23', ['2026-10-01', '2026-12-31']],
    [thisOne('year'), '2026-11-23', ['2026-01-01', '2026-12-31']],
    [thisOne('fy'), '2027-03-31', ['2026-04-01', '2027-03-31']],
    [thisOne('fy'), '2027-04-01', ['2027-04-01', '2028-03-31']],
  ])('%j on %s', (span, today, days) => expect(daysOf(span, today, 4)).toEqual(days));

  test('a compared period ends today', () =>
    expect(daysOf(thisOne('month'), '2026-11-23', 4, true)).toEqual(['2026-11-01', '2026-11-23']));
});

describe('the comparison period', () => {
  test.each<[Span, [string, string], 'before' | 'same_weekday' | 'year_before', (string | null)[]]>([
    [thisOne('month'), ['2026-03-01', '2026-03-31'], 'before', ['2026-02-01', '2026-02-28']],
    [thisOne('fy'), ['2026-04-01', '2026-11-23'], 'before', ['2025-04-01', '2025-11-23']],
    [thisOne('week'), ['2026-11-23', '2026-11-25'], 'before', ['2026-11-20', '2026-11-22']],
    [{ of, from: -6, to: 0 }, ['2026-11-17', '2026-11-23'], 'before', ['2026-11-10', '2026-11-16']],
    [thisOne('day'), ['2026-11-23', '2026-11-23'], 'same_weekday', ['2026-11-16', '2026-11-16']],
    [{ of, from: -9, to: 0 }, ['2026-11-14', '2026-11-23'], 'same_weekday', ['2026-10-31', '2026-11-09']],
    [thisOne('day'), ['2028-02-29', '2028-02-29'], 'year_before', ['2027-02-28', '2027-02-28']],
  ])('%j %j %s', (span, days, comparison, expected) => expect(comparedDays(days, comparison, span)).toEqual(expected));

  test('is missing without a start or an end', () =>
    expect(comparedDays([null, '2026-11-23'], 'before', { of, to: 0 })).toBeNull());

  test('has as many days, none in common, and the same weekdays', () => {
    const day = fc.integer({ min: 0, max: 20_000 }).map((count) => addDays('2000-01-01', count));
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 400 }), (from, length) => {
        const to = addDays(from, length);
        const span: Span = { of, from: 0, to: length };
        const [first, last] = comparedDays([from, to], 'before', span)!;
        expect([addDays(last!, 1), addDays(first!, length)]).toEqual([from, last]);
        const [monday, end] = comparedDays([from, to], 'same_weekday', span)!;
        expect((Date.parse(from) - Date.parse(monday!)) % (7 * 86_400_000)).toBe(0);
        expect(end! < from).toBe(true);
      }),
    );
  });

  test('months count from the day, or the last day of the month', () =>
    expect([addMonths('2026-01-31', 1), addMonths('2026-03-31', -1), addMonths('2026-11-23', 14)]).toEqual([
      '2026-02-28',
      '2026-02-28',
      '2028-01-23',
    ]));
});
