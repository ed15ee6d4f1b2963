import { expect, it } from 'vitest';
import { matchesWildcard } from '../../../src/domain/wildcard.ts';

it.each([
  ['stock_*.csv', 'STOCK_may.csv', true],
  ['stock_*.csv', 'stock_may.csv.bak', false],
  ['a?.xlsx', 'ab.xlsx', true],
  ['a?.xlsx', 'a.xlsx', false],
  ['*.acme.in', 'deep.shop.acme.in', true],
  ['*.acme.in', 'acme.in', false],
  ['a*b*c', 'aXbXbc', true],
  ['a(1)+[x]', 'a(1)+[x]', true],
  ['**', '', true],
  ['', 'a', false],
  ['?', '😀', true],
])('%s and %s: %s', (pattern, text, meant) => expect(matchesWildcard(pattern, text)).toBe(meant));

it('many stars over a text that almost fits end', () => {
  // As a regular expression this tries more ways than there are atoms.
  expect(matchesWildcard(`${'*a'.repeat(60)}b`, 'a'.repeat(2_000))).toBe(false);
  expect(matchesWildcard(`${'*a'.repeat(60)}*`, 'a'.repeat(2_000))).toBe(true);
});
