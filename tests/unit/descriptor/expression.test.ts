import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ExpressionSyntaxError, compileExpression } from '../../../src/descriptor/expression/compile_expression.ts';
import { addMonths, completedYears, functions } from '../../../src/descriptor/expression/functions.ts';
import { USUAL_PLACE, setPlace, today } from '../../../src/descriptor/place.ts';
import { ExpressionError, fromPlain, text } from '../../../src/descriptor/expression/value.ts';
import type { Value } from '../../../src/descriptor/expression/value.ts';

const scope = Object.fromEntries(
  Object.entries({
    qty: 3,
    rate: 0.1,
    zero: 0,
    name: 'Asha',
    empty: null,
    blank: '',
    on: true,
    off: false,
    from: '2024-08-31',
    to: '2025-02-28',
    status: 'open',
    tags: ['a', 'b'],
    lines: [{ amount: 10.1, kind: 'x' }, { amount: 20.2, kind: null }, { amount: null }],
  }).map(([key, value]): [string, Value] => [key, fromPlain(value)]),
);
const give = (source: string) => {
  const value = compileExpression(source).evaluate(scope);
  return value === null || typeof value === 'boolean' || Array.isArray(value) ? value : text(value);
};

const results: [string, unknown][] = [
  ['rate + rate + rate', '0.3'],
  ['qty * rate', '0.3'],
  ['1 / 3', '0.3333333333333333333333333333333333'],
  ['2 + 3 * 4', '14'],
  ['(2 + 3) * 4', '20'],
  ['-qty', '-3'],
  ['7 % 4', '3'],
  ['qty / empty', null],
  ['qty + empty', null],
  ["name + ' R'", 'Asha R'],
  ['qty == 3', true],
  ['qty != 3', false],
  ['qty === 3.0', true],
  ['qty > 2 && qty <= 3', true],
  ['qty > 2 and not (qty == 4)', true],
  ['qty > 5 or on', true],
  ['!off', true],
  ['empty > 1', null],
  ['empty > 1 and off', false],
  ['empty > 1 or on', true],
  ['not (empty > 1)', null],
  ["status in ['open', 'late']", true],
  ['qty in [1, 2]', false],
  ['empty == null', true],
  ['empty != null', false],
  ['qty != null', true],
  ['empty != empty', null],
  ['empty != qty', true],
  ["blank == ''", true],
  ["if(qty > 2, 'many', 'few')", 'many'],
  ["if(empty > 2, 'many', 'few')", 'few'],
  ["qty > 2 ? 'many' : 'few'", 'many'],
  ['round(2.345, 2)', '2.35'],
  ['round(2.5)', '3'],
  ['round(-2.5)', '-3'],
  ['ceil(2.1)', '3'],
  ['floor(-2.1)', '-3'],
  ['abs(-2)', '2'],
  ['min(3, 1, empty)', '1'],
  ['max(lines.amount)', '20.2'],
  ['sum(lines.amount)', '30.3'],
  ['count(lines)', '3'],
  ['count(lines.kind)', '1'],
  ["sum(lines.amount, lines.kind == 'x')", '10.1'],
  ["sum(lines.amount, lines.kind == 'y')", '0'],
  ['max(lines.amount, lines.amount < 20)', '10.1'],
  ['min(lines.amount, lines.amount > qty * 4)', '20.2'],
  ['sum(lines.amount * 2, lines.amount > 15)', '40.4'],
  ['count(lines, lines.amount > 5)', '2'],
  ['count(lines, lines.kind != null and lines.amount > qty)', '1'],
  ['any(lines, lines.amount > 20)', true],
  ['any(lines, lines.amount > 30)', null],
  ['any(lines, lines.amount > 30 and lines.amount != null)', false],
  ['all(lines, lines.amount > 5 or lines.amount == null)', true],
  ['all(lines, lines.amount > 15)', false],
  ['all(lines, lines.amount > 5)', null],
  ['all(nowhere, nowhere.x > 1)', true],
  ['any(nowhere, nowhere.x > 1)', false],
  ['max(qty, 2)', '3'],
  ['round_to(12.37, 0.05)', '12.35'],
  ['round_to(12.375, 0.05)', '12.4'],
  ['round_to(1234, 500)', '1000'],
  ['round_to(-7, 5)', '-5'],
  ['round_to(empty, 5)', null],
  ['len(name)', '4'],
  ['len(tags)', '2'],
  ['year(from)', '2024'],
  ['month(from)', '8'],
  ['weekday(from)', '6'],
  ['add_months(from, 6)', '2025-02-28'],
  ['add_months(to, -12)', '2024-02-28'],
  ['add_days(to, 1)', '2025-03-01'],
  ['days_between(from, to)', '181'],
  ['days_between(from, empty)', null],
  ["hours_between('2026-03-31T23:00:00+05:30', '2026-04-01T00:30:00+05:30')", '1.5'],
  ["hours_between('2026-03-31T12:00:00Z', '2026-03-31T17:00:00+05:30')", '-0.5'],
  ['hours_between(empty, empty)', null],
  ["age('2000-05-10', '2025-05-09')", '24'],
  ["age('2000-05-10', '2025-05-10')", '25'],
  ['to > from', true],
  ["concat(name, '-', qty)", 'Asha-3'],
  ["join(' ', name, empty, 'R')", 'Asha R'],
  ['upper(name)', 'ASHA'],
  ['lower(name)', 'asha'],
  ['is_empty(blank)', true],
  ['is_empty(lines)', false],
  ["coalesce(empty, blank, 'x')", 'x'],
  ['between(qty, 1, 3)', true],
  ["between(from, '2024-01-01', '2024-12-31')", true],
  ['9007199254740993 + 1', '9007199254740994'],
  ['0.1 * 3 == 0.3', true],
];

describe('an expression evaluates', () => {
  for (const [source, expected] of results)
    it(`${source} → ${String(expected)}`, () => expect(give(source)).toEqual(expected));
  it('the financial year from its first month', () => {
    const before = setPlace(() => ({ ...USUAL_PLACE, fyStartMonth: 7 }));
    onTestFinished(() => void setPlace(before));
    expect(give("financial_year('2026-06-30')")).toBe('2025-2026');
    expect(give("financial_year('2026-07-01')")).toBe('2026-2027');
    setPlace(() => USUAL_PLACE);
    expect(give("financial_year('2026-04-01')")).toBe('2026-2027');
  });
  it('today as a date', () => expect(give('today()')).toMatch(/^\d{4}-\d\d-\d\d$/));
});

describe('a function over rows with a condition', () => {
  const rows = fc.array(
    fc.record({ amount: fc.option(fc.integer({ min: -50, max: 50 })), kind: fc.constantFrom('x', 'y', null) }),
  );
  const of = (source: string, lines: object[], kind: string) =>
    compileExpression(source).evaluate({ lines: fromPlain(lines), kind });
  for (const name of ['sum', 'min', 'max'])
    it(`${name} uses the rows for which it is true`, () => {
      fc.assert(
        fc.property(rows, fc.constantFrom('x', 'y'), (lines, kind) => {
          const those = lines.filter((line) => line.kind === kind);
          expect(of(`${name}(lines.amount, lines.kind == kind)`, lines, kind)).toEqual(
            of(`${name}(lines.amount)`, those, kind),
          );
        }),
      );
    });
  it('count, any and all agree', () => {
    fc.assert(
      fc.property(rows, fc.constantFrom('x', 'y'), (lines, kind) => {
        const count = lines.filter((line) => line.kind === kind).length;
        expect(text(of('count(lines, lines.kind == kind)', lines, kind))).toBe(String(count));
        expect(of('any(lines, lines.kind == kind)', lines, kind)).toBe(count > 0);
        expect(of('all(lines, lines.kind == kind)', lines, kind)).toBe(count === lines.length);
      }),
    );
  });
  it('a bare name refers to the row of the formula', () => {
    const deductions = [
      { bill: 1, amount: 5 },
      { bill: 2, amount: 7 },
      { bill: 1, amount: 1 },
    ];
    const { evaluate } = compileExpression('sum(deductions.amount, deductions.bill == bill)');
    expect(text(evaluate({ deductions: fromPlain(deductions), bill: fromPlain(1) }))).toBe('6');
  });
  it('lists the columns and fields that it uses', () => {
    expect(compileExpression('sum(lines.amount, lines.bill == bill)').names.sort()).toEqual([
      'bill',
      'lines.amount',
      'lines.bill',
    ]);
    expect(compileExpression('any(lines, lines.bill == 1)').names.sort()).toEqual(['lines', 'lines.bill']);
  });
});

describe('an expression fails with a reason', () => {
  const failures: [string, RegExp][] = [
    ['qty / zero', /division by zero/],
    ['qty % zero', /division by zero/],
    ['name * 2', /"Asha" is not a number/],
    ["year('x')", /"x" is not a date/],
    ["add_days('2025-02-31', 1)", /not a date/],
    ['add_days(from, 99999999)', /9999/],
    ['add_days(from, 9e30)', /9999|range/],
    ['add_months(from, 9e30)', /9999|range/],
    ['round(qty, -1)', /range/],
    ['round(qty, 1.5)', /range/],
  ];
  for (const [source, reason] of failures)
    it(source, () => {
      expect(() => give(source)).toThrow(ExpressionError);
      expect(() => give(source)).toThrow(reason);
    });
});

describe('an expression is refused', () => {
  const refused: [string, RegExp][] = [
    ['qty *', /./],
    ['', /expected|one expression/i],
    ['qty; rate', /One expression/],
    ['constructor("x")', /no function "constructor"/],
    ["name.constructor('x')", /Only the functions/],
    ["lines['amount']", /rows\.column/],
    ['a.b.c.d.e', /rows\.column/],
    ['this', /One expression/],
    ['x = 1', /./],
    ['sqrt(4)', /no function "sqrt"\. There are: if, round/],
    ['if(on, 1)', /three values/],
    ['abs()', /abs takes 1 values/],
    ['qty & 1', /not an operator/],
    ['~qty', /not an operator/],
    ['not status == 1', /not \(a == b\)/],
    ['toString()', /no function/],
    ['`x`', /./],
    ['constructor', /not the name of a field/],
    ['lines.constructor', /not the name/],
    ['__proto__', /not the name/],
    ['qty ** 2', /./],
    ['() => 1', /./],
  ];
  for (const [source, reason] of refused)
    it(JSON.stringify(source), () => {
      expect(() => compileExpression(source)).toThrow(ExpressionSyntaxError);
      expect(() => compileExpression(source)).toThrow(reason);
    });
});

it('lists its names', () => {
  expect(compileExpression('sum(lines.amount) * qty + if(on, len(name), 0)').names).toEqual([
    'lines.amount',
    'qty',
    'on',
    'name',
  ]);
});

it('knows the calendar', () => {
  expect(addMonths('2024-01-31', 1)).toBe('2024-02-29');
  expect(addMonths('2024-11-30', 3)).toBe('2025-02-28');
  expect(completedYears('2000-02-29', '2025-02-28')).toBe(24);
  expect(today()).toHaveLength(10);
});

it('has a plain name for every function', () => {
  for (const name of Object.keys(functions)) expect(name).toMatch(/^[a-z_]+$/);
});
