import { expect, it } from 'vitest';
import { recompute } from '../../../src/descriptor/validate.ts';
import { screenOf } from './fixtures/compile_sample.ts';

const COLUMNS = 30;
const ROWS = 1000;

/** 1,000 rows of 30 formulas, each on the one before. */
it('computes 30,000 dependent formulas', () => {
  const properties: Record<string, unknown> = { qty: { $ref: 'types#quantity' } };
  for (let index = 1; index <= COLUMNS; index++)
    properties[`c${index}`] = { $ref: 'types#decimal', 'x-formula': index === 1 ? 'qty * 2' : `c${index - 1} + qty` };
  const screen = screenOf(
    {},
    {
      lines: { type: 'array', items: { type: 'object', properties } },
      total: { $ref: 'types#decimal', 'x-formula': `sum(lines.c${COLUMNS})` },
    },
  );
  const record = { lines: Array.from({ length: ROWS }, (_, index) => ({ qty: `${index % 7}.5` })) };
  const result: Record<string, unknown> = recompute(screen, record);
  const once = recompute(
    screen,
    { ...result, lines: (result.lines as object[]).with(3, { ...(result.lines as object[])[3], qty: '9.5' }) },
    { before: result },
  );
  const lines = result.lines as Record<string, string>[];
  expect(lines[1]!.c30).toBe('46.5');
  expect(result.total).toBe(String(lines.reduce((sum, line) => sum + Number(line.c30), 0)));
  expect((once.lines as Record<string, string>[])[3]!.c30).toBe(String(9.5 * 31));
});
