import { expect, test } from 'vitest';
import type { BenchRow } from '../../bench/table.ts';
import { isMet, withRows } from '../../bench/table.ts';

const row = (section: string, measured: string, target = '', reference = ''): BenchRow => ({
  section,
  what: `what of ${section}`,
  measured,
  reference,
  target,
});

test.each([
  ['0.81', '≥ 0.80', true],
  ['0.79 (1,800 ÷ 2,278 a second)', '≥ 0.80', false],
  ['1,012 ms', '< 1,000 ms', false],
  ['p99 9.5 ms', '< 10 ms', true],
  ['1.4 / 4.2 ms', 'p95 < 4 ms', false],
  ['149.7 kB', '≤ 150 kB', true],
  ['31 ms', '', null],
])('%s against "%s": %s', (measured, target, met) => {
  expect(isMet(row('any', measured, target))).toBe(met);
});

test('the page has the last run of each section and nothing older', () => {
  const first = withRows('# Performance\n\nHow it is measured.\n', [
    row('list', '0.7', '≥ 0.80', '900/s'),
    row('form', '3 ms'),
  ]);
  expect(first).toBe(`# Performance

How it is measured.

| section | what | measured | reference | target | met |
| --- | --- | --- | --- | --- | --- |
| form | what of form | 3 ms | – | – | – |
| list | what of list | 0.7 | 900/s | ≥ 0.80 | **no** |
`);
  const second = withRows(first, [row('list', '0.9', '≥ 0.80', '950/s')]);
  expect(second).toContain('| form | what of form | 3 ms |');
  expect(second).toContain('| list | what of list | 0.9 | 950/s | ≥ 0.80 | yes |');
  expect(second).not.toContain('0.7');
  expect(withRows(second, [])).toBe(second);
});
