import { describe, expect, test } from 'vitest';
import { errorBound, errorsOf, fit, forecast, levels, rare } from '../../../../src/domain/review/forecast.ts';
import type { Parameters } from '../../../../src/domain/review/forecast.ts';
import { fewPieces, normalQuantile, orderNow, reorderPoint } from '../../../../src/domain/review/reorder_point.ts';
import { eventFactor, paceToEnd } from '../../../../src/domain/review/sales_events.ts';
import { outlook } from '../../../../src/domain/review/sales_outlook.ts';
import {
  ageOf,
  carryingCost,
  cover,
  demandClass,
  meltDays,
  outlasts,
  mixGaps,
  perStock,
  sellThrough,
  transfers,
  valueClasses,
  variation,
} from '../../../../src/domain/review/stock_classes.ts';

// The figures are those of performance.md §5.18 and §5.19; tests with an author’s name repeat a published example.

describe('stock (5.18)', () => {
  test('what sells most is A, by the share sold before it; nothing sold is N', () => {
    expect(valueClasses([4200, 2600, 1100, 800, 450, 300, 250, 180, 120, 0]).join('')).toBe('AAAABBBCCN');
    expect(valueClasses([0, 100]).join('')).toBe('NA');
  });

  test('a steady demand is X, a wild one Z, a young one has no class', () => {
    const rows: [number[], number, string][] = [
      [[10, 12, 9, 11, 10, 13, 10, 9, 12, 11, 10, 11], 0.1105, 'X'],
      [[10, 2, 14, 6, 18, 3, 9, 15, 4, 12, 8, 7], 0.5329, 'Y'],
      [[0, 0, 12, 0, 0, 0, 9, 0, 0, 0, 0, 15], 1.7795, 'Z'],
    ];
    for (const [months, varies, name] of rows) {
      expect(variation(months)).toBeCloseTo(varies, 4);
      expect(demandClass(months)).toBe(name);
    }
    expect(demandClass([3, 4, 5])).toBe('new');
  });

  test('cover, turn, GMROI and the cost of carrying', () => {
    expect(cover(24, 36, 90)).toBe(60);
    expect(cover(24, 0, 90)).toBeNull();
    // 40 at the start and 20 received are the 36 sold and the 24 left.
    expect([sellThrough(36, 24), sellThrough(0, 0)]).toEqual([60, null]);
    expect(perStock(3_00_00_000, 2_10_00_000)).toBeCloseTo(1.4286, 4);
    expect(perStock(54_00_000, 2_10_00_000)).toBeCloseTo(0.2571, 4);
    expect(carryingCost(4_50_000, 12, 400)).toBeCloseTo(59_178.08, 2);
    expect([90, 91, 365, 366].map(ageOf)).toEqual(['0–90', '91–180', '181–365', '> 365']);
  });

  test('the reorder point of a line that sells often, and the order in packs', () => {
    expect(normalQuantile(0.95)).toBeCloseTo(1.644854, 6);
    const demand = { aDay: 3, deviation: 1.5, leadDays: 14, leadDeviation: 2, reviewDays: 7, servicePercent: 95 };
    const point = reorderPoint(demand);
    expect(point.reorder).toBeCloseTo(55.5139, 4);
    expect(point.safety).toBeCloseTo(15.0079, 4);
    expect(point.upTo).toBeCloseTo(78.0079, 4);
    expect(orderNow(point, 56, 1)).toBe(23);
    expect(orderNow(point, 57, 1)).toBe(0);
    expect(orderNow(point, 40, 10)).toBe(40);
  });

  test('safety stock of Chopra and Meindl, Supply Chain Management: fixed, reviewed and uncertain lead times', () => {
    const phones = { aDay: 2_500, deviation: 500, leadDays: 2, leadDeviation: 0, reviewDays: 0, servicePercent: 90 };
    // Book: 906 phones by its table of the normal distribution.
    expect(reorderPoint(phones).safety).toBeCloseTo(906.19, 2);
    expect(reorderPoint(phones).reorder).toBeCloseTo(5_906.19, 2);
    // Reviewed every four weeks. Book: safety 1,570, order up to 16,570.
    const reviewed = reorderPoint({ ...phones, reviewDays: 4 });
    expect([reviewed.safety, reviewed.upTo].map(Math.round)).toEqual([1_570, 16_570]);
    // Lead time of seven days with a deviation of seven. Book: 22,491.
    const uncertain = reorderPoint({ ...phones, leadDays: 7, leadDeviation: 7 });
    expect(uncertain.safety).toBeCloseTo(22_491, 0);
  });

  test('few pieces are counted: Poisson, or negative binomial where they vary more', () => {
    expect(fewPieces(8.4, 8.4, 0.95).pieces).toBe(13);
    expect(fewPieces(8.4, 8.4, 0.95).probability).toBeCloseTo(0.952436, 6);
    expect(fewPieces(8.4, 19.57, 0.95).pieces).toBe(17);
    expect(fewPieces(8.4, 19.57, 0.95).probability).toBeCloseTo(0.963311, 6);
    const few = { aDay: 0.6, deviation: 0.77, leadDays: 14, leadDeviation: 0, reviewDays: 7, servicePercent: 95 };
    expect(reorderPoint(few).reorder).toBe(13);
  });

  test('a piece is melted after the days in which keeping it costs as much', () => {
    const piece = { metalValue: 1_70_200, making: 20_424, carryingPercent: 12, lossPercent: 1.5 };
    expect(meltDays(piece)).toBeCloseTo(410.6, 1);
    // Melting is advised only if the line lasts longer than that; without sales it lasts for ever.
    expect([410, 411, null].map((cover) => outlasts(cover, meltDays(piece)!))).toEqual([false, true, true]);
  });

  test('stores give what they have to spare before anything is bought', () => {
    const days = { targetDays: 45, maxDays: 90 };
    const { moves, buy } = transfers([
      { stock: 30, aDay: 0.2, ...days },
      { stock: 2, aDay: 0.5, ...days },
      { stock: 10, aDay: 0.3, ...days },
    ]);
    expect(moves).toEqual([{ from: 0, to: 1, pieces: 12 }]);
    expect(buy).toEqual([0, 9, 4]);
  });

  test('the mix follows the sales', () => {
    expect(mixGaps([40, 35, 25], [30, 50, 20])).toEqual([10, -15, 5]);
  });
});

const SERIES = [30, 42, 55, 38, 34, 47, 61, 43, 39, 52, 68, 48];
const GIVEN: Parameters = { alpha: 0.4, beta: 0.1, gamma: 0.3, phi: 1 };
const four = (values: (number | null)[]) => values.map((value) => value!.toFixed(4));

describe('forecasts (5.19)', () => {
  test('(a) simple smoothing: the table of ERPNext’s issue 31640', () => {
    const sales = [94764, 103900, 167777, 291264, 318568, 239092, 220916, 216408, 197992, 177392, 166972, 178884];
    const expected = [94764, 97505, 118586, 170390, 214843, 222118, 221757, 220153, 213504, 202671, 191961, 188038];
    expect(levels(sales, 0.3).map(Math.round)).toEqual(expected);
  });

  test('simple smoothing of Hyndman and Athanasopoulos, Forecasting: Principles and Practice, 7.1: Saudi oil', () => {
    const oil = [
      445.3641, 453.195, 454.4096, 422.3789, 456.0371, 440.3866, 425.1944, 486.2052, 500.4291, 521.2759, 508.9476,
      488.8889, 509.8706, 456.7229, 473.8166, 525.9509, 549.8338,
    ];
    const fitted =
      '445.5672 451.9280 453.9974 427.6311 451.3186 442.2025 428.0196 476.5400 496.4609 517.1539 510.3108 492.4472 506.9764 465.0705 472.3638 517.0495 544.3880';
    // The book estimates the level before the first year; here the series starts with it.
    const [, ...smoothed] = levels([446.5867935, ...oil], 0.8338901);
    fitted.split(' ').forEach((value, at) => expect(smoothed[at]).toBeCloseTo(Number(value), 3));
    expect(smoothed.length).toBe(17);
  });

  test('(b) Holt–Winters, one step ahead and four ahead, as a published state-space implementation computes it', () => {
    const { expected, ahead } = fit(SERIES, 4, 'additive', GIVEN);
    expect(four(expected.slice(4))).toEqual(
      '31.2500 45.7100 60.6376 45.2087 38.4879 51.6130 65.8632 50.4058'.split(' '),
    );
    expect(four([1, 2, 3, 4].map(ahead))).toEqual('44.4476 57.3351 71.9447 54.1735'.split(' '));
  });

  test('(c) what methods err in a back-test of the last four, and which is chosen', () => {
    const errors = (method: 'additive' | 'naive' | 'simple') => {
      const { expected } = fit(SERIES, 4, method, { ...GIVEN, alpha: method === 'simple' ? 0.3 : 0.4 });
      const pairs = SERIES.slice(8).map((actual, at) => ({ actual, expected: expected[at + 8]! }));
      const { mae, wape, bias, mase } = errorsOf(pairs, SERIES.slice(0, 8), 4);
      return four([mae, wape, bias, mase]);
    };
    expect(errors('additive')).toEqual(['1.3604', '2.6288', '-0.3044', '0.2721']);
    expect(errors('naive')).toEqual(['5.5000', '10.6280', '-10.6280', '1.1000']);
    expect(errors('simple')).toEqual(['10.3842', '20.0661', '-9.1790', '2.0768']);
    const found = forecast([...SERIES, 44, 57, 74, 53], 4, 4)!;
    expect(['additive', 'multiplicative']).toContain(found.method);
    expect(found.errors!.wape).toBeLessThan(5);
  });

  test('(d) a series that is mostly zero', () => {
    const found = rare([0, 3, 0, 0, 2, 0, 0, 0, 4, 0], { alpha: 0.1, beta: 0.1 }, { probability: 0.3, size: 3 });
    expect([found.probability, found.size, found.ahead(1)].map((value) => value.toFixed(6))).toEqual([
      '0.296699',
      '3.010000',
      '0.893065',
    ]);
  });

  test('(e) the interval is the error that covers its share', () => {
    expect(errorBound([3, 1, 4, 2, 6, 5, 2, 3, 1, 7], 0.8)).toBe(6);
  });

  test('(f) the pace of a month, and the factor of an event', () => {
    expect(paceToEnd(12_00_000, 0.48)).toBe(25_00_000);
    expect(eventFactor([45, 60, 30], 10)).toBe(4.5);
  });

  test('too short a series gets a simple method, nothing sold none; nothing falls below zero', () => {
    expect(forecast([5, 6, 7], 12, 3)).toMatchObject({ method: 'naive', isShort: true, repeatsLast: true });
    // Two years and four months: the simple methods are not the only ones any more.
    const years = Array.from({ length: 28 }, (_, at) => 100 + 10 * (at % 12) + at);
    expect(forecast(years, 12, 3)).toMatchObject({ method: 'additive', isShort: false, repeatsLast: false });
    expect(forecast(years.slice(0, 23), 12, 3)!.tested.map(({ method }) => method)).toEqual(['naive', 'simple']);
    expect(forecast([0, 0, 0, 0], 12, 3)).toBeNull();
    const falling = forecast(
      Array.from({ length: 30 }, (_, at) => Math.max(1, 60 - 2 * at)),
      12,
      12,
    )!;
    for (const { point, low, high } of falling.ahead) {
      expect(low).toBeGreaterThanOrEqual(0);
      expect(low).toBeLessThanOrEqual(point);
      expect(high).toBeGreaterThanOrEqual(point);
    }
  });
});

test('the weekly day off of a store is no day without sales: the factor of an event stays', () => {
  const sold = new Map<string, number>();
  const isOpen = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay() !== 0;
  for (let time = Date.parse('2023-01-01'); time < Date.parse('2025-06-15'); time += 86_400_000) {
    const day = new Date(time).toISOString().slice(0, 10);
    if (isOpen(day)) sold.set(day, 10);
  }
  for (const [at, amount] of [45, 60, 30].entries()) sold.set(`2024-10-${29 + at}`, amount);
  const events = [{ name: 'Diwali', from: '2024-10-29', to: '2024-10-31' }];
  expect(outlook(sold, events, '2025-06-15', 3, isOpen).factors.get('Diwali')).toBeCloseTo(4.5, 10);
  expect(outlook(sold, events, '2025-06-15', 3).factors.get('Diwali')).toBeGreaterThan(5);
});
