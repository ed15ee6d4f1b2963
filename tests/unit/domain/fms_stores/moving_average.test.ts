import { describe, expect, it } from 'vitest';
import { Exact } from '../../../../src/descriptor/exact.ts';
import { UnitError, stockQuantity } from '../../../../src/domain/fms_stores/units.ts';
import {
  averageValue,
  fixedValue,
  issueValue,
  valueOfEntry,
} from '../../../../src/domain/fms_stores/moving_average.ts';
import type { StockState } from '../../../../src/domain/fms_stores/moving_average.ts';
import { replay } from '../../../../src/domain/fms_stores/replay.ts';
import type { ReplayedEntry } from '../../../../src/domain/fms_stores/replay.ts';

// The worked examples 5.1 to 5.4 and 5.6 of the design of the stores.

const nothing: StockState = { qty: new Exact(0), value: new Exact(0) };
const at = (qty: string, value: string): StockState => ({ qty: new Exact(qty), value: new Exact(value) });
const shown = ({ qty, value }: StockState) => [qty.toString(), value.toFixed(2)];

describe('units (5.1)', () => {
  const metre = { code: 'MTR', decimals: 3 };
  it('converts by ratios, and refuses what the stock unit cannot hold', () => {
    const roll = { code: 'ROLL', decimals: 0 };
    expect(stockQuantity('2', roll, metre, { from_qty: '1', to_qty: '200' }).toString()).toBe('400');
    const convert = () =>
      stockQuantity(
        '3',
        { code: 'SQFT', decimals: 2 },
        { code: 'PLATE', decimals: 3 },
        { from_qty: '400', to_qty: '1' },
      );
    expect(convert).toThrow(UnitError);
    expect(convert).toThrow('3 SQFT is 0.0075 PLATE; PLATE allows 3 decimals.');
  });
});

describe('moving average (5.2, 5.3)', () => {
  it('follows the table', () => {
    let state = nothing;
    const states: string[][] = [];
    for (const [kind, qty, value] of [
      ['in', '10', '4921.82'],
      ['out', '3', null],
      ['in', '5', '2600'],
      ['out', '4', null],
    ] as const) {
      const entry = { kind, qty: new Exact(qty), value: value === null ? null : new Exact(value) };
      const { delta, after } = valueOfEntry(state, entry);
      state = after;
      states.push([delta.abs().toFixed(2), ...shown(state), state.value.dividedBy(state.qty).toFixed(4)]);
    }
    expect(states).toEqual([
      ['4921.82', '10', '4921.82', '492.1820'],
      ['1476.55', '7', '3445.27', '492.1814'],
      ['2600.00', '12', '6045.27', '503.7725'],
      ['2015.09', '8', '4030.18', '503.7725'],
    ]);
  });

  it('leaves no rope in metres, and no residue of three pieces', () => {
    let state = at('400', '36800');
    const out = (qty: string) => {
      const { delta, after } = valueOfEntry(state, { kind: 'out', qty: new Exact(qty), value: null });
      state = after;
      return delta.negated().toFixed(2);
    };
    expect(out('37.5')).toBe('3450.00');
    state = valueOfEntry(state, { kind: 'in', qty: new Exact(200), value: new Exact(19350) }).after;
    expect([out('112.25'), out('450.25')]).toEqual(['10516.58', '42183.42']);
    expect(shown(state)).toEqual(['0', '0.00']);
    state = at('3', '100');
    expect([out('1'), out('1'), out('1')]).toEqual(['33.33', '33.34', '33.33']);
  });

  it('values found stock, and returns to vendors at their own rate, never below 0 (5.6)', () => {
    expect(averageValue(at('7', '1234.57'), new Exact(2), null).toFixed(2)).toBe('352.73');
    expect(averageValue(nothing, new Exact(2), '12.5').toFixed(2)).toBe('25.00');
    expect(fixedValue(at('4', '600'), new Exact(1), new Exact(200)).toFixed(2)).toBe('200.00');
    expect(fixedValue(at('2', '250'), new Exact(2), new Exact(400)).toFixed(2)).toBe('250.00');
    expect(issueValue(at('48', '9280.46'), new Exact(3)).toFixed(2)).toBe('580.03');
    // One of the second receipt goes back: 3 pieces are left for 400.00.
    const left = new Exact(600).minus(fixedValue(at('4', '600'), new Exact(1), new Exact(200)));
    expect([left.toFixed(2), left.dividedBy(3).toFixed(4)]).toEqual(['400.00', '133.3333']);
  });

  it('takes a repaired part in at what the repair costs (5.17)', () => {
    const { after } = valueOfEntry(at('2', '3400'), { kind: 'in', qty: new Exact(1), value: new Exact(1850 + 150) });
    expect([...shown(after), after.value.dividedBy(after.qty).toFixed(4)]).toEqual(['3', '5400.00', '1800.0000']);
  });
});

describe('back-dated entries (5.4)', () => {
  const stored: ReplayedEntry[] = [
    { id: 2, kind: 'out', qty: new Exact(4), value: null, known: new Exact(-4000) },
    { id: 3, kind: 'in', qty: new Exact(6), value: null, known: new Exact(7800) },
    { id: 4, kind: 'out', qty: new Exact(5), value: null, known: new Exact(-5750) },
  ];
  it('a receipt for the 3rd changes both issues', () => {
    const receipt: ReplayedEntry = { id: null, kind: 'in', qty: new Exact(5), value: new Exact(5750), known: null };
    const { adjusted, end } = replay(at('10', '10000'), [receipt, ...stored]);
    expect(adjusted.map(({ id, difference }) => [id, difference.toFixed(2)])).toEqual([
      [2, '-200.00'],
      [4, '58.82'],
    ]);
    expect(shown(end)).toEqual(['12', '13658.82']);
  });
  it('an issue for the 7th changes the later one', () => {
    const issue: ReplayedEntry = { id: null, kind: 'out', qty: new Exact(3), value: null, known: null };
    const { added, adjusted, end } = replay(at('6', '6000'), [issue, ...stored.slice(1)]);
    expect(added.map((one) => one.toFixed(2))).toEqual(['-3000.00']);
    expect(adjusted.map(({ id, difference }) => [id, difference.toFixed(2)])).toEqual([[4, '-250.00']]);
    expect(shown(end)).toEqual(['4', '4800.00']);
  });
});
