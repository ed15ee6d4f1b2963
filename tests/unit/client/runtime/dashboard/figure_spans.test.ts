import { expect, test } from 'vitest';
import { figureSpans } from '../../../../../src/client/runtime/dashboard/figure_spans.ts';

const figures = (count: number) => Array.from({ length: count }, () => 'figure');

test('figures that follow each other fill their rows', () => {
  expect(figureSpans([...figures(8), 'heat'])).toEqual([3, 3, 3, 3, 3, 3, 3, 3, undefined]);
  expect(figureSpans(figures(7))).toEqual([3, 3, 3, 3, 4, 4, 4]);
  expect(figureSpans(figures(10))).toEqual([2, 2, 2, 2, 2, 2, 3, 3, 3, 3]);
});

test('a row that is full, or that half a tile fills, stays as it is', () => {
  for (const count of [1, 4, 6, 9]) expect(figureSpans(figures(count))).toEqual(figures(count).map(() => 2));
  expect(figureSpans(['bar', ...figures(2), 'bar', 'figure'])).toEqual([undefined, 2, 2, undefined, 2]);
});
