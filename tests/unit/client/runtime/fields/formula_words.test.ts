import { expect, test } from 'vitest';
import type { Field, Screen } from '../../../../../src/descriptor/types.ts';
import { formulaInWords } from '../../../../../src/client/runtime/fields/formula_words.ts';
import type { FieldHost } from '../../../../../src/client/runtime/fields/widget.ts';

const field = (name: string, title: string, more: object = {}): Field =>
  ({ name, title, type: 'text', required: false, schema: {}, secret: false, readOnly: false, ...more }) as Field;
const fields = [
  field('qty', 'Quantity'),
  field('rate', 'Rate'),
  field('from', 'From'),
  field('ends_on', 'Ends on another day'),
  field('months', 'Months'),
  field('kind', 'Kind', {
    options: [
      { value: 'tds', label: 'TDS' },
      { value: 'credit_note', label: 'Credit note' },
    ],
  }),
  field('lines', 'Lines', { rows: [field('net', 'Net'), field('open', 'Open')] }),
];
const host = { screen: { fields } as Screen } as FieldHost;

test.for([
  ['qty * rate', 'Quantity × Rate'],
  ['(qty + rate) / 2 - (qty - rate)', '(Quantity + Rate) ÷ 2 − (Quantity − Rate)'],
  ["if(kind == 'tds', qty, 0)", 'Quantity if Kind is TDS, otherwise 0'],
  ["if(kind != 'credit_note' and qty >= 5, rate, null)", 'Rate if Kind is not Credit note and Quantity is at least 5'],
  [
    'if(ends_on != null, ends_on, add_days(add_months(from, months), -1))',
    'Ends on another day if Ends on another day is filled, otherwise From + Months − 1 day',
  ],
  ['days_between(from, coalesce(ends_on, from)) + 1', 'days from From to (Ends on another day, or if empty From) + 1'],
  ['sum(lines.net, lines.open == true) * 2', '(sum of Net of lines where Open of lines) × 2'],
  ['round(max(0, qty), 2)', 'larger of 0 and Quantity, rounded'],
  ["if(kind in ['tds'], 1, 2)", '1 if Kind is one of TDS, otherwise 2'],
] as const)('%s', ([formula, words]) => {
  expect(formulaInWords(formula, host)).toBe(words);
});
