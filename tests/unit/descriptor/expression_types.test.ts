import { describe, expect, it } from 'vitest';
import { compileExpression } from '../../../src/descriptor/expression/compile_expression.ts';
import { USUAL_PLACE, setPlace } from '../../../src/descriptor/place.ts';
import { fromPlain } from '../../../src/descriptor/expression/value.ts';
import { compile, sample } from './fixtures/compile_sample.ts';

const type = (name: string, more: object = {}) => ({ $ref: `types#${name}`, ...more });
const FIELDS = {
  qty: type('integer'),
  rate: type('money'),
  supplier: type('text'),
  status: { enum: ['open', 'closed'] },
  grade: { enum: [1, 2, 3] },
  due_on: type('date'),
  done_on: type('date'),
  seen_at: type('datetime'),
  left_at: type('datetime'),
  opens_at: type('time'),
  period: type('month'),
  lit: type('boolean'),
  words: type('tags'),
  up_id: type('ref', { 'x-ref': 'thing' }),
  lines: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        item: type('text'),
        kind: { enum: ['spare', 'labour'] },
        amount: type('money'),
        done: type('boolean'),
        ends_on: type('date'),
      },
    },
  },
};
const problemsOf = (more: Record<string, unknown>, properties: Record<string, unknown> = {}) =>
  compile({ thing: sample(more, { ...FIELDS, ...properties }) }).problems;
const ofRule = (assert: string) => problemsOf({ rules: [{ assert, message: 'No.' }] });
const ofFormula = (formula: string, field: object) => problemsOf({}, { made: { ...field, 'x-formula': formula } });

const money = type('money');
const text = type('text');
const date = type('date');

describe('an expression of the wrong type is refused, with the alternative', () => {
  it.each([
    ["status == 'clsoed'", /'clsoed' is not a value of "status"/, /"closed"/],
    ["status in ['open', 'clsoed']", /'clsoed'/, /"closed"/],
    ["if(status != 'opne', qty > 1, true)", /'opne'/, /"open"/],
    ["count(if(lines.kind == 'spares', 1, null)) > 0", /'spares' is not a value of "lines.kind"/, /"spare"/],
    ["status > 'open'", /no meaning/, /in \[/],
    ["lit == 'yes'", /'yes' is not a value of "lit"/, /lit == true/],
    ["up_id == 'Chennai'", /reference/, /x-fetch/],
    ["due_on > '31-12-2025'", /'31-12-2025' is not a value of "due_on"/, /2025-03-31/],
    ["seen_at > 'noon'", /'noon'/, /2025-03-31/],
    ["opens_at > '9 am'", /'9 am'/, /09:30/],
    ["period == 'April'", /'April'/, /2025-04/],
    ["qty == 'many'", /'many'/, /number/],
    ["supplier != ''", /''/, /supplier == null/],
    ['due_on > qty', /a date and "qty" is a number/, /one kind/],
    ['supplier * 2 > 1', /"\*" takes numbers; "supplier" is text/, /number/],
    ['due_on - done_on > 3', /"-" takes numbers; "due_on" is a date/, /days_between/],
    ["due_on + 7 > '2025-01-01'", /"\+" takes numbers; "due_on" is a date/, /add_days/],
    ["supplier + qty == 'x'", /two numbers or two texts/, /concat/],
    ['lines.amount > 5', /column of many rows/, /sum\(/],
    ['sum(lines) > 5', /takes a column/, /lines\.column/],
    ['sum(lines.item) > 5', /adds numbers; "lines.item" is text/, /count/],
    ['max(lines.amount, due_on) > 5', /column of many rows/, /max\(/],
    ['min(qty, due_on) > 5', /one kind/, /one kind/],
    ['round(supplier) > 1', /"round" takes numbers/, /number/],
    ['year(supplier) > 1', /"year" takes dates; "supplier" is text/, /date/],
    ['days_between(due_on, opens_at) > 1', /"days_between" takes dates; "opens_at" is a time/, /date/],
    ['add_days(qty, 5) > due_on', /"add_days" takes dates/, /date/],
    ['count(qty) > 1', /counts child rows/, /count\(lines\)/],
    ['between(due_on, 1, 2)', /cannot compare/, /one kind/],
    ['qty', /a number, not yes or no/, /> 0/],
    ['supplier', /text, not yes or no/, /supplier != null/],
    ['lines', /child rows/, /count\(lines\)/],
    ['any(qty, qty > 5)', /takes child rows; "qty" is a number/, /any\(lines/],
    ['sum(lines.amount, lines.item) > 5', /condition of "sum" gives text/, /Compare it/],
    ["count(lines, lines.kind == 'spaer') > 1", /'spaer'/, /spare/],
    ['all(lines, lines.amount > due_on)', /cannot compare/, /one kind/],
    ['sum(lines.item, lines.amount > 5) > 1', /adds numbers/, /count/],
    ['count(lines, lines.amount)  > 1', /condition of "count" gives a number/, /Compare it/],
    ['round_to(supplier, 5) > 1', /"round_to" takes numbers/, /number/],
  ])('rule %s', (assert, message, hint) => {
    expect(ofRule(assert)).toEqual([
      expect.objectContaining({
        path: '$.rules[0].assert',
        message: expect.stringMatching(message),
        hint: expect.stringMatching(hint),
      }),
    ]);
  });

  it.each([
    ['days_between(due_on, done_on)', date, /gives a number, and "made" is a date/, /add_days/],
    ['if(lit, due_on, qty)', date, /gives a number/, /add_days/],
    ['seen_at', date, /gives a date and time/, /add_days\(moment, 0\)/],
    ['qty > 1', money, /gives yes or no/, /if\(…, 1, 0\)/],
    ['qty > 1', text, /gives yes or no/, /'Yes'/],
    ['supplier', money, /gives text/, /./],
    ['qty * 2', type('boolean'), /gives a number/, /comparison/],
    ["if(qty > 5, 'hgih', 'low')", { enum: ['high', 'low'] }, /'hgih'/, /"high"/],
    ['lines.amount', money, /column of many rows/, /sum\(/],
    ["coalesce(due_on, 'soon')", date, /'soon'/, /2025-03-31/],
  ])('formula %s', (formula, field, message, hint) => {
    expect(ofFormula(formula, field)).toEqual([
      expect.objectContaining({ message: expect.stringMatching(message), hint: expect.stringMatching(hint) }),
    ]);
  });

  it.each([
    ["label(up_id) == 'Chennai'", /on the server alone/, /x-fetch/],
    ['running(lines.amount) > 5', /stands in a row of another table/, /x-formula/],
  ])('rule %s', (assert, message, hint) => {
    expect(ofRule(assert)).toEqual([
      expect.objectContaining({ message: expect.stringMatching(message), hint: expect.stringMatching(hint) }),
    ]);
  });

  it('a running total is a number, in a formula of its rows, and not of itself', () => {
    const ofRows = (formula: string, more: object = {}) =>
      problemsOf(
        {},
        {
          bills: {
            type: 'array',
            items: { properties: { due: money, words: text, so_far: { ...money, 'x-formula': formula } } },
            ...more,
          },
        },
      ).map(({ message }) => message);
    expect(ofRows('running(bills.due)')).toEqual([]);
    expect(ofRows('running(bills.due) - due')).toEqual([]);
    expect(ofRows('running(bills.words)')).toEqual([expect.stringContaining('"running" adds numbers')]);
    expect(ofRows('running(lines.amount)')).toEqual([expect.stringContaining('a row of another table')]);
    expect(ofRows('running(bills.so_far)')).toEqual([expect.stringContaining('in a circle')]);
    expect(ofRows('running(due)')).toEqual([expect.stringContaining('running takes a column')]);
    expect(ofRows('running(bills.due)', { 'x-save': 'row' })).toContainEqual(
      expect.stringContaining('rows that are saved by themselves'),
    );
  });

  it('in conditions of fields and rows as well', () => {
    const at = problemsOf(
      {},
      {
        why: { ...text, 'x-when': "status == 'clsoed'", 'x-required-when': 'qty' },
        more: {
          type: 'array',
          items: { type: 'object', properties: { note: { ...text, 'x-when': "status == 'opne'" } } },
        },
      },
    );
    expect(at.map(({ path }) => path)).toEqual([
      '$.schema.properties.why.x-when',
      '$.schema.properties.why.x-required-when',
      '$.schema.properties.more.items.properties.note.x-when',
    ]);
  });

  it.each([
    ["sum(if(lines.kind == 'spare', lines.amount, 0)) > 5"],
    ['max(lines.ends_on) <= due_on'],
    ["max(lines.ends_on, lines.kind == 'spare' and lines.amount > qty) <= due_on"],
    ['all(lines, lines.amount > 0) and not any(lines, lines.ends_on > due_on)'],
    ['round_to(sum(lines.amount, lines.done), 0.05) > 1'],
    ['seen_at >= due_on and left_at > seen_at'],
    ["grade >= 2 and grade != '1'"],
    ["between(due_on, '2025-01-01', today())"],
    ["'red' in words and words != null"],
    ['lines == null or count(lines.item) > 0'],
    ['sum(lines.done) == count(lines)'],
    ['up_id != id'],
    ["lit and (status == 'open' or is_empty(supplier))"],
    ["join(', ', lines.item) != null"],
  ])('but not %s', (assert) => {
    expect(ofRule(assert)).toEqual([]);
  });
});

describe('types of expressions', () => {
  const lines = [
    { kind: 'spare', amount: 10, done: true, ends_on: '2025-05-02', item: 'Rope' },
    { kind: 'labour', amount: 5, done: false, ends_on: '2025-04-01', item: 'Fitter' },
    { kind: 'spare', amount: 2, done: null, ends_on: null, item: null },
  ];
  const scope = fromPlain({
    lines,
    limit: 5,
    seen_at: '2025-03-31T20:00:00.000Z',
    left_at: '2025-04-01T02:30:00+05:30',
    first: '12A',
    second: '3B',
    words: [],
  }) as Record<string, never>;
  const give = (source: string) => {
    const value = compileExpression(source).evaluate(scope);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? Number(String(value)) : value;
  };

  it.each([
    ["sum(if(lines.kind == 'spare', lines.amount, 0))", 12],
    ['sum(lines.amount * 2)', 34],
    ["count(lines.kind == 'spare' and lines.amount > 5)", 1],
    ['sum(if(lines.amount >= limit, 1, 0))', 2],
    ['max(if(lines.done, lines.amount, null))', 10],
    ['round(sum(lines.amount / sum(lines.amount)), 2)', 1],
    ['min(lines.ends_on)', '2025-04-01'],
    ['max(lines.ends_on)', '2025-05-02'],
    ["join(' / ', lines.item)", 'Rope / Fitter'],
    ['first + second', '12A3B'],
    ['words == null', true],
  ])('%s', (source, value) => {
    expect(give(source)).toEqual(value);
  });

  it('days and moments, in the client’s time zone', () => {
    setPlace(() => ({ ...USUAL_PLACE, timezone: 'Asia/Kolkata' }));
    expect(give("days_between(seen_at, '2025-04-01')")).toBe(0);
    expect(give('days_between(seen_at, left_at)')).toBe(0);
    expect(give('add_days(seen_at, 1)')).toBe('2025-04-02');
    expect(give('left_at > seen_at')).toBe(true);
    expect(give("seen_at == '2025-04-01'")).toBe(true);
    expect(give("left_at == '2025-03-31T21:00:00Z'")).toBe(true);
    expect(give("seen_at <= '2025-03-31'")).toBe(false);
  });

  it('two tables of rows in one function are refused', () => {
    expect(() => compileExpression('sum(lines.amount * others.rate)')).toThrow(/one table/);
  });
});
