import { describe, expect, it } from 'vitest';
import { crossTab, hiddenGroups } from '../../../../src/domain/questionnaire/cross_tab.ts';
import type { Question, Questionnaire } from '../../../../src/domain/questionnaire/question.ts';
import { npsOf, resultsOf, spreadOf } from '../../../../src/domain/questionnaire/results.ts';

// The worked examples of act_engage.md §5.1 to §5.3.

const times = <T>(counts: readonly number[], value: (at: number) => T): T[] =>
  counts.flatMap((n, at) => Array.from({ length: n }, () => value(at)));
const asked = (question: Partial<Question> & Pick<Question, 'type'>): Questionnaire => ({
  sections: [
    {
      code: 's',
      title: 'S',
      questions: [{ code: 'q', text: 'Q', options: [], rows: [], columns: [], weight: 1, jumps: [], ...question }],
    },
  ],
  score: 'index',
  paging: 'section',
  allowBack: true,
  showProgress: true,
});
const result = (question: Parameters<typeof asked>[0], values: readonly unknown[], least?: number) =>
  resultsOf(
    asked(question),
    values.map((value) => ({ q: { value } })),
    least,
  )[0]!;
const figures = ({ figures: all }: ReturnType<typeof result>) =>
  Object.fromEntries(all.map(({ title, value }) => [title, value]));

describe('results of a question', () => {
  it('NPS with its margin', () => {
    const values = times([2, 1, 0, 1, 2, 4, 6, 14, 30, 36, 24], (at) => at);
    expect(npsOf(values)).toEqual({ nps: '36.7', margin: '12.6', promoters: 60, passives: 44, detractors: 16 });
    expect(figures(result({ type: 'nps' }, values))).toMatchObject({ NPS: '36.7 ± 12.6', Passives: '44 (36.7 %)' });
  });

  it('satisfaction: the top two of five', () => {
    const got = result(
      { type: 'csat' },
      times([4, 6, 20, 50, 40], (at) => at + 1),
    );
    expect(figures(got)).toEqual({ Mean: '3.97', 'Two best': '75.0 %', 'Two worst': '8.3 %' });
    expect(got.bars.map(({ n }) => n)).toEqual([4, 6, 20, 50, 40]);
  });

  it('a table of ratings', () => {
    const rows = ['price', 'delivery', 'support'].map((code) => ({ code, label: code }));
    const lines = [
      times([5, 10, 30, 40, 15], (at) => at + 1),
      times([2, 3, 15, 50, 30], (at) => at + 1),
      times([10, 20, 30, 25, 15], (at) => at + 1),
    ];
    const values = lines[0]!.map((price, at) => ({ price, delivery: lines[1]![at], support: lines[2]![at] }));
    expect(result({ type: 'matrix_rating', rows }, values).table!.rows.map(({ cells }) => cells.slice(-2))).toEqual([
      ['3.50', '55.0 %'],
      ['4.03', '80.0 %'],
      ['3.15', '40.0 %'],
    ]);
  });

  it('a ranking', () => {
    const options = ['quality', 'price', 'delivery'].map((code) => ({ code, label: code }));
    const orders: [number, string[]][] = [
      [30, ['quality', 'price', 'delivery']],
      [20, ['quality', 'delivery', 'price']],
      [20, ['price', 'quality', 'delivery']],
      [10, ['price', 'delivery', 'quality']],
      [10, ['delivery', 'quality', 'price']],
      [10, ['delivery', 'price', 'quality']],
    ];
    const values = orders.flatMap(([n, order]) => Array.from({ length: n }, () => order));
    const cells = result({ type: 'ranking', options }, values).table!.rows.map((row) => row.cells);
    // First 50, second 30, third 20: average rank 1.70, 230 points.
    expect(cells[0]).toEqual(['1.70', '230', '100']);
    expect(cells[1]).toEqual(['2.00', '200', '100']);
  });

  it('several choices, numbers and texts', () => {
    const options = [
      { code: 'a', label: 'A' },
      { code: 'b', label: 'B' },
    ];
    const chosen = [
      ...times([30], () => ['a', 'b']),
      ...times([30], () => ['a']),
      ...times([60], () => ['b']),
      ...times([30], () => []),
    ];
    const bars = result({ type: 'multiple_choice', options }, chosen).bars.map(({ n, percent }) => [n, percent]);
    expect(bars).toEqual([
      [60, '40.0'],
      [90, '60.0'],
    ]);
    expect(Object.fromEntries(spreadOf([2, 3, 3, 4, 5, 5, 5, 4]).map(({ title, value }) => [title, value]))).toEqual({
      Mean: '3.88',
      Median: '4.00',
      'Standard deviation': '1.13',
      Lowest: '2',
      Highest: '5',
    });
    expect(result({ type: 'short_text' }, ['late', null, 'fine'])).toMatchObject({ n: 2, texts: ['late', 'fine'] });
    expect(result({ type: 'short_text' }, ['late', 'fine'], 5)).toMatchObject({ n: null, texts: [] });
  });
});

describe('two questions against each other', () => {
  const pairs = (counts: number[][]) =>
    counts.flatMap((line, row) => line.flatMap((n, column) => Array.from({ length: n }, () => [row, column] as const)));

  it('shares, χ² and its probability', () => {
    const got = crossTab(
      ['North', 'South'],
      ['a', 'b', 'c'],
      pairs([
        [30, 20, 10],
        [20, 30, 30],
      ]),
    );
    expect(got.rows.map(({ percents }) => percents)).toEqual([
      ['50.0', '33.3', '16.7'],
      ['25.0', '37.5', '37.5'],
    ]);
    expect(got.totals).toEqual([50, 50, 40]);
    expect(got.test).toEqual({ chi2: '11.375', df: 2, p: '0.0034', isReliable: true });
    expect(
      crossTab(
        ['x', 'y'],
        ['a', 'b'],
        pairs([
          [3, 1],
          [1, 3],
        ]),
      ).test,
    ).toMatchObject({ isReliable: false });
    expect(crossTab(['x'], ['a', 'b'], pairs([[3, 1]])).test).toBeNull();
  });

  it('hides small groups, and a further one if subtraction would reveal it', () => {
    expect(hiddenGroups([3, 12, 9, 40], 5)).toEqual(new Set([0, 2]));
    expect(hiddenGroups([3, 2, 9, 40], 5)).toEqual(new Set([0, 1]));
    expect(hiddenGroups([1, 2, 9, 40], 5)).toEqual(new Set([0, 1, 2]));
    expect(hiddenGroups([6, 0, 9], 5)).toEqual(new Set());
    const got = crossTab(['n', 's', 'e', 'w'], ['a'], pairs([[3], [12], [9], [40]]), 5);
    expect(got.rows.map(({ n }) => n)).toEqual([null, 12, null, 40]);
    expect([got.n, got.test]).toEqual([64, null]);
  });
});
