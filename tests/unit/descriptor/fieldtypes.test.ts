import { Decimal } from 'decimal.js';
import { describe, expect, it } from 'vitest';
import { gstinCheckCharacter, gstinError } from '../../../src/descriptor/fieldtypes/gstin.ts';
import { fieldType, fieldTypes } from '../../../src/descriptor/fieldtypes/registry.ts';
import { written } from '../../../src/descriptor/fieldtypes/written.ts';
import type { Field } from '../../../src/descriptor/types.ts';
import { types } from './fixtures/compile_sample.ts';

const field = (type: string, more: Partial<Field> = {}): Field => ({
  name: 'f',
  type,
  title: 'Field',
  required: false,
  schema: {},
  secret: false,
  readOnly: false,
  ...more,
});
const options = [
  { value: 'wip', label: 'In progress' },
  { value: 'done', label: 'Done' },
];

const channels = { items: { enum: ['in_app', 'push'], 'x-labels': { push: 'Phone' } } };

/** Type, what a person or a sheet gives, the value; an error is a pattern. */
const parses: [string, unknown, unknown, Partial<Field>?][] = [
  ['money', '₹1,23,456.50', '123456.50'],
  ['money', 'Rs. 500/-', '500.00'],
  ['money', '(1,000)', '-1000.00'],
  ['money', '₹0.125', '0.125', { precision: 3 }],
  ['money', '0.125', /At most 2 decimals/],
  ['money', '-₹ 20.5', '-20.50'],
  ['money', 1234.5, '1234.50'],
  ['money', 0.1 + 0.2, '0.30'],
  ['money', '12345678901234.56', '12345678901234.56'],
  ['money', '12.345', /At most 2 decimals/],
  ['money', '12,5', /not a number/],
  ['money', '1,23', /not a number/],
  ['money', 'abc', /"abc" is not a number/],
  ['money', '', null],
  ['money', null, null],
  ['money', {}, /not a number/],
  ['decimal', '1.0000000001', '1.0000000001'],
  ['percent', '12.5 %', '12.5'],
  ['quantity', '2.125', '2.125'],
  ['quantity', '2.1', '2.10', { precision: 2 }],
  ['integer', '1,234', 1234],
  ['integer', '5.0', 5],
  ['integer', '5.5', /whole number/],
  ['integer', '3000000000', /too large/],
  ['date', '31-03-2025', '2025-03-31'],
  ['date', '31/03/2025', '2025-03-31'],
  ['date', '31.3.25', '2025-03-31'],
  ['date', '2025-03-31', '2025-03-31'],
  ['date', '31 Mar 2025', '2025-03-31'],
  ['date', '31-Mar-25', '2025-03-31'],
  ['date', '31st March 2025', '2025-03-31'],
  ['date', '1 March, 2025', '2025-03-01'],
  ['date', new Date('2025-03-31T00:00:00Z'), '2025-03-31'],
  ['date', new Date('2025-03-30T23:59:50Z'), '2025-03-31'],
  ['date', 45747, '2025-03-31'],
  ['date', '29-02-2024', '2024-02-29'],
  ['date', '31-02-2025', /31-02-2025 is not a day of the calendar/],
  ['date', '29-02-2025', /not a day/],
  ['date', '32-01-2025', /not a day/],
  ['date', '2025-03-31T10:00:00.000Z', '2025-03-31'],
  ['date', '2025-03-31 10:00:00 +0530', '2025-03-31'],
  ['date', '2025-01-01T00:00:00+99:99', /Enter a date/],
  ['date', '2025-01-01T25:00:00Z', /Enter a date/],
  ['date', 'soon', /Enter a date as DD-MM-YYYY/],
  ['date', new Date('x'), /Enter a date/],
  ['date', 1e9, /Enter a date/],
  ['time', '9:05', '09:05'],
  ['time', '9.30 pm', '21:30'],
  ['time', '12:00 am', '00:00'],
  ['time', 0.5, '12:00'],
  ['time', '25:00', /HH:MM/],
  ['datetime', '2025-03-31T10:00:00Z', '2025-03-31T10:00:00.000Z'],
  ['datetime', '31-03-2025 9:30', new Date('2025-03-31T09:30').toISOString()],
  ['datetime', 45747.5, new Date('2025-03-31T12:00').toISOString()],
  ['datetime', 'x', /Enter a date/],
  ['month', '2025-04', '2025-04'],
  ['month', '04/2025', '2025-04'],
  ['month', 'April 2025', '2025-04'],
  ['month', 'Apr-25', '2025-04'],
  ['month', 45747, '2025-03'],
  ['month', '13-2025', /MM-YYYY/],
  ['financial_year', '2025-26', '2025-2026'],
  ['financial_year', 'FY 2025/2026', '2025-2026'],
  ['financial_year', '2025-2027', /2025-2026/],
  ['boolean', 'Yes', true],
  ['boolean', 'n', false],
  ['boolean', 1, true],
  ['boolean', '', null],
  ['boolean', 'perhaps', /Yes or No/],
  ['enum', 'in PROGRESS', 'wip', { options }],
  ['enum', 'wip', 'wip', { options }],
  ['enum', 'open', /"open" is not one of In progress, Done/, { options }],
  ['text', '  a   b ', 'a b'],
  ['text', '   ', null],
  ['text', 42, '42'],
  ['gstin', ' 33aaaca1234b1zp ', '33AAACA1234B1ZP'],
  ['phone', '98400 12345', '+919840012345'],
  ['phone', '0091-98400-12345', '+919840012345'],
  ['phone', '+1 (202) 555-0100', '+12025550100'],
  ['phone', '044-2435 4151', '+914424354151'],
  ['phone', 9840012345, '+919840012345'],
  ['duration', '1:30', 90],
  ['duration', '1h 5m', 65],
  ['duration', '45', 45],
  ['duration', 'long', /hours:minutes/],
  ['geo', '13.0827, 80.2707', { lat: 13.0827, lng: 80.2707 }],
  ['geo', '93, 80', /latitude/],
  ['tags', 'a, b,a', ['a', 'b']],
  ['tags', 'In app, phone, push, Fax', ['in_app', 'push', 'Fax'], { schema: channels }],
  ['json', '{"a":1}', { a: 1 }],
  ['json', '{', /not JSON/],
  ['ref', '17', 17],
  ['ref', 'Chennai', /"Chennai" is not known/],
  ['refs', '1, 2', [1, 2]],
  ['refs', '1, x', /not known/],
  ['rating', '4', 4],
  ['file', 'a.pdf', /cannot be typed/],
  ['rows', 'a', /cannot be typed/],
];

describe('parse', () => {
  for (const [type, input, expected, more] of parses)
    it(`${type}: ${input instanceof Date ? 'a date' : JSON.stringify(input)}`, () => {
      const parsed = fieldType(type).parse(input, field(type, more));
      if (expected instanceof RegExp) expect('error' in parsed ? parsed.error : parsed).toMatch(expected);
      else expect(parsed).toEqual({ value: expected });
    });
});

const formats: [string, unknown, string, Partial<Field>?][] = [
  ['money', '1234567.50', '12,34,567.50'],
  ['money', '-100000', '-1,00,000.00'],
  ['decimal', '1234.5', '1,234.5'],
  ['percent', '12.5', '12.5 %'],
  ['percent', '12.5', '12.50 %', { precision: 2 }],
  ['integer', 100000, '1,00,000'],
  ['date', '2025-03-31', '31-03-2025'],
  ['month', '2025-04', 'Apr 2025'],
  ['boolean', false, 'No'],
  ['enum', 'wip', 'In progress', { options }],
  ['enum', 'gone', 'gone', { options }],
  ['phone', '+919840012345', '+91 98400 12345'],
  ['phone', '+918012345678', '+91 80123 45678'],
  ['phone', '+914424354151', '+91 44 2435 4151'],
  ['phone', '+918025531700', '+91 80 2553 1700'],
  ['phone', '+914222574433', '+91 422 257 4433'],
  ['phone', '+12025550100', '+1 202 555 0100'],
  ['phone', '+6561234567', '+6561234567'],
  ['duration', 65, '1:05'],
  ['rating', 3, '★★★'],
  ['tags', ['a', 'b'], 'a, b'],
  ['tags', ['in_app', 'push', 'x_y'], 'In app, Phone, x_y', { schema: channels }],
  ['integer', 1965, '1965', { schema: { minimum: 1800, maximum: 2100 } }],
  ['integer', 1965, '1,965', { schema: { minimum: 0, maximum: 2100 } }],
  ['rich_text', '<p>a <b>b</b></p>', 'a b'],
  ['geo', { lat: 1, lng: 2 }, '1, 2'],
  ['rows', [{}], '1 row'],
  ['rows', [{}, {}], '2 rows'],
];

describe('format', () => {
  for (const [type, value, text, more] of formats)
    it(`${type}: ${text}`, () => expect(fieldType(type).format(value, field(type, more))).toBe(text));

  it('formats nothing as empty text, for every type', () => {
    for (const type of fieldTypes.values())
      for (const nothing of [null, undefined]) expect(type.format(nothing, field(type.name)), type.name).toBe('');
  });
});

describe('every field type', () => {
  it('of types.json is in the registry', () => {
    for (const [name, schema] of Object.entries(types.$defs as Record<string, { 'x-type': string }>))
      expect(fieldTypes.has(schema['x-type']), name).toBe(true);
  });

  it('has a file of its name, a column, a widget, and parses an empty value to nothing', () => {
    for (const type of fieldTypes.values()) {
      expect(type.sql(field(type.name))).not.toBe('');
      expect(type.widget).not.toBe('');
      if (!['file', 'image', 'signature', 'rows', 'answers'].includes(type.name)) {
        const parsed = type.parse('', field(type.name));
        expect([null, []], type.name).toContainEqual('value' in parsed ? parsed.value : parsed);
      }
    }
  });

  it('is unchanged after formatting and parsing', () => {
    const values: [string, unknown][] = [
      ['money', '123456.50'],
      ['integer', 123456],
      ['date', '2025-03-31'],
      ['boolean', true],
      ['month', '2025-04'],
      ['duration', 65],
      ['phone', '+919840012345'],
      ['percent', '12.5'],
      ['time', '09:30'],
      ['geo', { lat: 1.5, lng: 2 }],
    ];
    for (const [name, value] of values)
      expect(fieldType(name).parse(fieldType(name).format(value, field(name)), field(name))).toEqual({ value });
  });
});

describe('clean', () => {
  it('normalises input', () => {
    const cases: [string, unknown, unknown, Partial<Field>?][] = [
      ['text', ' a  b ', 'a b'],
      ['text', '\u200bA\u00a0\u2009b\ufeff\u202e', 'A b'],
      ['text', 'ക്\u200dഷ', 'ക്\u200dഷ'],
      ['code', 'A\u200b1', 'A1'],
      ['pan', 'abcde 1234f', 'ABCDE1234F'],
      ['email', ' Asha@Acme.IN ', 'asha@acme.in'],
      ['money', 5, '5.00'],
      ['money', '5.129', '5.129'],
      ['decimal', '0005.10', '5.1'],
      ['colour', ' #0F6CBD ', '#0f6cbd'],
      ['pincode', '600 001', '600001'],
      ['long_text', 'a\r\nb ', 'a\nb'],
      ['tags', ['a', ' a ', ''], ['a']],
    ];
    for (const [type, value, expected, more] of cases)
      expect(fieldType(type).clean!(value, field(type, more)), type).toEqual(expected);
  });
});

describe('GSTIN', () => {
  it('has the check character of the published scheme', () => {
    // Published examples of live registrations.
    for (const gstin of ['27AAPFU0939F1ZV', '29AAGCB7383J1Z4', '37AADCS0472N1Z1', '24AAACC1206D1ZM']) {
      expect(gstinCheckCharacter(gstin.slice(0, 14))).toBe(gstin[14]);
      expect(gstinError(gstin)).toBeNull();
    }
    // The examples of the design of field service (C22).
    const examples = ['27AAPFU0939F1ZV', '33AAFCM4821Q1Z6', '29AAFCM4821Q1ZV', '32AAFCM4821Q1Z8'];
    expect(examples.map((gstin) => gstinError(gstin))).toEqual([null, null, null, null]);
    expect(gstinError('33AAFCM4821Q1Z5')).toMatch(/last character/);
  });

  it('explains errors', () => {
    expect(gstinError('27AAPFU0939F1Z')).toBe('GSTIN has 15 characters; this has 14.');
    expect(gstinError('27AAPFU0939F1ZW')).toMatch(/last character/);
    expect(gstinError('27AAPFU0993F1ZV')).toMatch(/last character/);
    expect(gstinError('AAAAPFU0939F1ZV')).toMatch(/reads like/);
  });
});

it('formats any value as text', () => {
  expect([null, undefined, 'a', 1, true, { a: 1 }, new Date('x'), new Date(0)].map(written)).toEqual([
    '',
    '',
    'a',
    '1',
    'true',
    '{"a":1}',
    '',
    '1970-01-01T00:00:00.000Z',
  ]);
});

describe('exact amounts', () => {
  /** As many digits before and after the point. */
  const amounts = Array.from({ length: 2_000 }, (_, at) => {
    const digits = (count: number, seed: number) =>
      Array.from({ length: count }, (__, digit) => (at * 7_919 + seed * 31 + digit * digit * 13) % 10).join('');
    const whole = digits(at % 15, 1).replace(/^0+(?=\d)/, '') || '0';
    const fraction = digits(at % 5, 2);
    return `${at % 7 === 0 ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
  });

  it.each([
    ['money', 2],
    ['quantity', 3],
    ['money', 0],
    ['money', 4],
  ] as const)('%s with %d decimals match exact arithmetic', (type, places) => {
    const one = field(type, { precision: places });
    for (const text of amounts) {
      const exact = new Decimal(text);
      const fits = exact.decimalPlaces() <= places;
      expect(fieldType(type).parse(text, one), text).toEqual(
        fits ? { value: exact.toFixed(places) } : { error: `At most ${places} decimals.` },
      );
      expect(fieldType(type).clean!(text, one), text).toBe(fits ? exact.toFixed(places) : exact.toFixed());
      expect(fieldType(type).clean!(Number(text), one)).toBe(
        new Decimal(Number(text)).decimalPlaces() <= places
          ? new Decimal(Number(text)).toFixed(places)
          : new Decimal(Number(text)).toFixed(),
      );
    }
  });
});
