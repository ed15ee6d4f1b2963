import { expect, test } from 'vitest';
import { tileSpans } from '../../../../../src/client/runtime/dashboard/tile_spans.ts';
import type { TileKind } from '../../../../../src/domain/dashboard.ts';

const figures = (count: number): TileKind[] => Array.from({ length: count }, () => 'figure');
const spans = (...kinds: TileKind[]) => tileSpans(kinds.map((kind) => ({ kind })));

test('figures that follow each other fill their rows', () => {
  expect(spans(...figures(8))).toEqual([3, 3, 3, 3, 3, 3, 3, 3]);
  expect(spans(...figures(7))).toEqual([3, 3, 3, 3, 4, 4, 4]);
  expect(spans(...figures(10))).toEqual([2, 2, 2, 2, 2, 2, 3, 3, 3, 3]);
  expect(spans(...figures(6))).toEqual([2, 2, 2, 2, 2, 2]);
  expect(spans(...figures(4))).toEqual([3, 3, 3, 3]);
});

test('a chart takes what its row has left', () => {
  expect(spans('figure', 'line', 'list', 'list')).toEqual([2, 10, 6, 6]);
  expect(spans('bar', 'donut')).toEqual([7, 5]);
  expect(spans('gauge', 'gauge', 'bar', 'bar', 'bar')).toEqual([6, 6, 6, 6, 12]);
});

test('every row is full, and a wide tile has its own', () => {
  const tiles = (['figure', 'figure', 'figure', 'bar', 'donut', 'heat', 'list'] as const).map((kind) => ({ kind }));
  const all = tileSpans([...tiles, { kind: 'line', wide: true }, { kind: 'gauge' }]);
  expect(all.at(-2)).toBe(12);
  expect(all.reduce((sum, span) => sum + span) % 12).toBe(0);
});
