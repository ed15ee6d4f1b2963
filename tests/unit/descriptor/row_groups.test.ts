import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recompute } from '../../../src/descriptor/validate.ts';
import { compile, sample, screenOf } from './fixtures/compile_sample.ts';

const problemsOf = (properties: Record<string, unknown>) =>
  compile({ test: sample({}, properties) }).problems.map(({ message }) => message);
const money = { $ref: 'types#money' };
const text = { $ref: 'types#text' };
const rows = (properties: object, more: object = {}) => ({
  type: 'array',
  ...more,
  items: { type: 'object', properties },
});
const lines = rows({ option: text, qty: { $ref: 'types#quantity' }, net: { ...money, 'x-formula': 'qty * rate' } });
const options = rows(
  {
    option: text,
    net: { ...money, 'x-formula': 'sum(lines.net)' },
    count: { $ref: 'types#integer', 'x-formula': 'count(lines)' },
    taxed: { ...money, 'x-formula': 'net * 2' },
  },
  { 'x-group': { of: 'lines', by: 'option' } },
);
const screen = screenOf({}, { rate: money, lines, options, best: { ...money, 'x-formula': 'max(options.taxed)' } });

describe('grouped rows', () => {
  it('exist for each value, in order, computed over the rows of the value', () => {
    const result = recompute(screen, {
      rate: '10',
      lines: [
        { option: 'B', qty: '1' },
        { option: 'A', qty: '2' },
        { option: 'B', qty: '3' },
        { option: null, qty: '9' },
      ],
      options: [{ id: 7, option: 'A', net: '1.00' }],
    });
    expect(result.options).toEqual([
      { option: 'B', net: '40.00', count: 2, taxed: '80.00' },
      // What is stored for the value stays that row.
      { id: 7, option: 'A', net: '20.00', count: 1, taxed: '40.00' },
    ]);
    expect(result.best).toBe('80.00');
  });

  it('are unchanged while their inputs are unchanged', () => {
    const before = recompute(screen, { rate: '10', lines: [{ option: 'A', qty: '2' }], options: [] });
    expect(recompute(screen, { ...before, other: 1 }, { before }).options).toBe(before.options);
    const now = recompute(screen, { ...before, rate: '5' }, { before });
    expect(now).toMatchObject({ options: [{ option: 'A', net: '10.00' }], best: '20.00' });
    expect(recompute(screen, { ...before, options: [{ option: 'Z', net: '9' }] }, { before }).options).toEqual(
      before.options,
    );
  });

  it('add up to the total of the rows', () => {
    const line = fc.record({
      option: fc.constantFrom('A', 'B', 'C'),
      qty: fc.integer({ min: 0, max: 99 }).map(String),
    });
    fc.assert(
      fc.property(fc.array(line), (all) => {
        const made = recompute(screen, { rate: '1', lines: all, options: [] }).options as { net: string }[];
        expect(made.reduce((sum, { net }) => sum + Number(net), 0)).toBe(
          all.reduce((sum, { qty }) => sum + Number(qty), 0),
        );
      }),
    );
  });
});

describe('schema:check refuses a group', () => {
  const group = (more: object, columns: object = { option: text }) =>
    problemsOf({ rate: money, lines, more: rows(columns, { 'x-group': { of: 'lines', by: 'option', ...more } }) });
  it.each([
    [{ of: 'linse' }, undefined, /linse/],
    [{ by: 'optoin' }, undefined, /optoin/],
    [{ of: 'more' }, undefined, /more/],
    [{}, { option: { $ref: 'types#integer' } }, /another type/],
    [{}, { option: text, note: text }, /Nothing fills "note"/],
  ])('%j', (more, columns, message) => expect(group(more, columns)).toEqual([expect.stringMatching(message)]));
  it('with rows that are computed from it', () => {
    expect(
      problemsOf({
        lines: rows({ option: text, net: { ...money, 'x-formula': 'count(more)' } }),
        more: rows({ option: text }, { 'x-group': { of: 'lines', by: 'option' } }),
      }),
    ).toEqual([expect.stringMatching(/circle/)]);
  });
  it('without rows', () => {
    expect(
      problemsOf({ rate: money, lines, word: { type: 'string', 'x-group': { of: 'lines', by: 'option' } } }),
    ).toEqual([expect.stringMatching(/no child rows/)]);
  });
});
