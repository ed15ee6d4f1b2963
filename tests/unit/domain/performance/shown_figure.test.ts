import { expect, test } from 'vitest';
import type { FigureStyle } from '../../../../src/domain/performance/shown_figure.ts';
import { shownFigure } from '../../../../src/domain/performance/shown_figure.ts';

const write = (value: number, decimals: number) => value.toFixed(decimals);

test.each<[number, FigureStyle, string]>([
  [9_850_000, { symbol: '₹', scale: 'crore' }, '₹0.98 Cr'],
  [1_250_000, { symbol: '₹', scale: 'lakh' }, '₹12.50 L'],
  [-1_500, { symbol: null, scale: 'thousand' }, '-1.50 K'],
  [96.5, { symbol: '%', scale: 'one' }, '96.5 %'],
  [12, { symbol: 'km', scale: 'one' }, '12.0 km'],
])('%d of %o is shown as %s', (value, style, shown) => {
  expect(shownFigure(value, 1, style, write)).toBe(shown);
});
