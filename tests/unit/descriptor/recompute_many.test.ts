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

it('computes a running total from the changed row on, independently of other rows', () => {
  const screen = screenOf(
    {},
    {
      opening: { $ref: 'types#money' },
      lines: {
        type: 'array',
        items: {
          properties: {
            balance: { $ref: 'types#money', 'x-formula': 'coalesce(opening, 0) + running(lines.net)' },
            qty: { $ref: 'types#quantity' },
            net: { $ref: 'types#money', 'x-formula': 'qty * 10' },
          },
        },
      },
      closing: { $ref: 'types#money', 'x-formula': 'max(lines.balance)' },
    },
  );
  const balances = (record: Record<string, unknown>) =>
    (record.lines as { balance: string }[]).map(({ balance }) => balance);
  const first: Record<string, unknown> = recompute(screen, {
    opening: '5',
    lines: [{ qty: '1' }, { qty: null }, { qty: '2.5' }, { qty: '3' }],
  });
  expect([balances(first), first.closing]).toEqual([['15.00', '15.00', '40.00', '70.00'], '70.00']);
  const lines = first.lines as object[];
  const changed = recompute(screen, { ...first, lines: lines.with(1, { ...lines[1], qty: '1' }) }, { before: first });
  expect([balances(changed), changed.closing]).toEqual([['15.00', '25.00', '50.00', '80.00'], '80.00']);
  const without = recompute(screen, { ...first, lines: lines.toSpliced(0, 1) }, { storedRows: first });
  expect(balances(without)).toEqual(['5.00', '30.00', '60.00']);
  const opened = recompute(screen, { ...first, opening: null }, { before: first });
  expect(balances(opened)).toEqual(['10.00', '10.00', '35.00', '65.00']);
  expect(recompute(screen, { ...first }, { before: first }).lines).toBe(first.lines);
});

it('adds up a column exactly: signs, many digits, other places, nothing, and other values of the same rows', () => {
  const screen = screenOf(
    {},
    {
      lines: { type: 'array', items: { properties: { amount: { $ref: 'types#decimal' }, kind: { type: 'string' } } } },
      total: { $ref: 'types#decimal', 'x-formula': 'sum(lines.amount)' },
      share: { $ref: 'types#decimal', 'x-formula': "sum(lines.amount, lines.kind == 'a') / sum(lines.amount) * 100" },
    },
  );
  const made = (...amounts: unknown[]) => {
    const { total, share } = recompute(screen, {
      lines: [...amounts.map((amount) => ({ amount, kind: 'a' })), null, { amount: '-1.5', kind: 'b' }],
    }) as Record<string, unknown>;
    return [total, share];
  };
  expect(made('0.1', '0.2', '-12', 3, null)).toEqual(['-10.2', '85.2941176471']);
  expect(made('9007199254740.99', '9007199254740.99', '90071992547409910000.5')[0]).toBe('90072010561808419480.98');
  expect(made(...Array.from({ length: 2000 }, () => '9999999999999.9'))[0]).toBe('19999999999999798.5');
  expect(made('1,234.50')).toEqual(['1233', '100.1216545012']);
  expect(made('much')).toEqual(['-1.5', '0']);
  expect((recompute(screen, { lines: null }) as Record<string, unknown>).total).toBe('0');
});
