import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { fieldType } from '../../../src/descriptor/fieldtypes/registry.ts';
import { formatValue } from '../../../src/descriptor/format.ts';
import type { Field, FieldError, Screen } from '../../../src/descriptor/types.ts';
import {
  checkRules,
  cleanRecord,
  fieldErrors,
  hasFormulas,
  holds,
  isShown,
  recompute,
  scopeOf,
  semanticErrors,
  valueMessage,
} from '../../../src/descriptor/validate.ts';
import { screenOf } from './fixtures/compile_sample.ts';
import type { Sample } from './fixtures/compile_sample.ts';

const formats = addFormats as unknown as (ajv: Ajv2020) => void;

function errorsOf(screen: Screen, record: Sample): FieldError[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats(ajv);
  const validate = ajv.compile(screen.schema);
  validate(record);
  return fieldErrors(screen, validate.errors);
}

const rows = (properties: Sample, required: string[] = []) => ({
  type: 'array',
  items: { type: 'object', required, properties },
});
const money = { $ref: 'types#money' };

describe('errors of JSON Schema, in readable words', () => {
  const screen = screenOf(
    {},
    {
      short: { $ref: 'types#text', maxLength: 3 },
      email: { $ref: 'types#email' },
      phone: { $ref: 'types#phone' },
      pan: { $ref: 'types#pan' },
      price: money,
      months: { $ref: 'types#integer', minimum: 1, maximum: 12 },
      state: { enum: ['open', 'in_work'] },
      on: { $ref: 'types#date' },
      lines: rows({ item: { $ref: 'types#text' }, qty: { $ref: 'types#integer', minimum: 1 } }, ['item']),
      tags: { $ref: 'types#tags' },
      site: { $ref: 'types#url' },
      geo: { $ref: 'types#geo' },
    },
  );
  const right = { code: 'A', name: 'B' };
  const cases: [string, Sample, string, string][] = [
    ['a missing field', { code: 'A' }, 'name', 'Name is required.'],
    ['an empty one', { ...right, name: '' }, 'name', 'Name is required.'],
    ['null where something is required', { ...right, name: null }, 'name', 'Name is required.'],
    ['too long a text', { ...right, short: 'abcd' }, 'short', 'Short takes at most 3 characters.'],
    ['a wrong e-mail', { ...right, email: 'asha' }, 'email', 'E-mail must be valid, such as asha@acme.in.'],
    [
      'a wrong phone',
      { ...right, phone: '12' },
      'phone',
      'Enter a phone number with its dial code, such as +91 98400 12345.',
    ],
    [
      'an address that runs a program',
      { ...right, site: 'javascript:alert(1)' },
      'site',
      'Enter a web address that begins with https://.',
    ],
    ['a wrong PAN', { ...right, pan: 'ABC' }, 'pan', 'Enter a PAN such as ABCDE1234F.'],
    ['too many decimals', { ...right, price: '1.234' }, 'price', 'Enter an amount with at most 2 decimals.'],
    ['a float', { ...right, price: 1.5 }, 'price', 'Enter an amount with at most 2 decimals.'],
    ['too small a number', { ...right, months: 0 }, 'months', 'Months must be at least 1.'],
    ['too large a number', { ...right, months: 13 }, 'months', 'Months must be at most 12.'],
    ['a fraction', { ...right, months: 1.5 }, 'months', 'Enter a whole number.'],
    ['a value not of the list', { ...right, state: 'closed' }, 'state', 'State is one of Open, In work.'],
    ['a wrong date', { ...right, on: '31-03-2025' }, 'on', 'Enter a date as DD-MM-YYYY.'],
    ['a wrong address', { ...right, site: 'acme' }, 'site', 'Enter a web address that begins with https://.'],
    ['a row without its item', { ...right, lines: [{ item: 'a' }, { qty: 1 }] }, 'lines.1.item', 'Item is required.'],
    ['a wrong value in a row', { ...right, lines: [{ item: 'a', qty: 0 }] }, 'lines.0.qty', 'Qty must be at least 1.'],
  ];
  for (const [what, record, field, message] of cases)
    it(what, () => expect(errorsOf(screen, record)).toEqual([{ field, message }]));

  it('nothing for a valid record, with null for empty values', () =>
    expect(
      errorsOf(screen, {
        ...right,
        short: null,
        price: '10.00',
        state: null,
        on: '2025-03-31',
        lines: [{ item: 'a', qty: null, id: 4 }],
        geo: null,
      }),
    ).toEqual([]));
  it('all at once, one per field', () =>
    expect(
      errorsOf(screen, { months: 0, price: 'x' })
        .map((error) => error.field)
        .sort(),
    ).toEqual(['code', 'months', 'name', 'price']));
  it('of conditions', () => {
    // Parsed, because the linter takes an object with "then" for a promise.
    const conditions = JSON.parse(
      '{ "if": { "properties": { "code": { "const": "X" } }, "required": ["code"] }, "then": { "required": ["name"] }, "dependentRequired": { "name": ["code"] } }',
    ) as Sample;
    const conditional = screenOf({
      schema: { properties: { code: { $ref: 'types#code' }, name: { $ref: 'types#name' } }, ...conditions },
    });
    expect(errorsOf(conditional, { code: 'X' })).toEqual([{ field: 'name', message: 'Name is required.' }]);
    expect(errorsOf(conditional, { name: 'X' })).toEqual([{ field: 'code', message: 'Code is required.' }]);
    expect(errorsOf(conditional, { code: 'Y' })).toEqual([]);
  });
});

describe('amounts of three decimals', () => {
  const { fields } = screenOf({}, { price: { ...money, 'x-precision': 3 }, fee: money });
  const [price, fee] = ['price', 'fee'].map((name) => fields.find((field) => field.name === name)!) as [Field, Field];
  it('are stored, checked and written with them, in Indian groups; others keep two', () => {
    expect([price, fee].map((field) => fieldType('money').sql(field))).toEqual(['numeric(18,3)', 'numeric(18,2)']);
    expect([price, fee].map((field) => formatValue(field, '1234567.5'))).toEqual(['12,34,567.500', '12,34,567.50']);
    expect([price, fee].map((field) => new RegExp(String(field.schema.pattern)).test('1234567.125'))).toEqual([
      true,
      false,
    ]);
    expect([price, fee].map((field) => valueMessage(field, 'x'))).toEqual([
      'Enter an amount with at most 3 decimals.',
      'Enter an amount with at most 2 decimals.',
    ]);
    expect([price, fee].map((field) => fieldType('money').excel!.format!(field).endsWith('0.000'))).toEqual([
      true,
      false,
    ]);
  });
});

describe('rules known only to the field type', () => {
  const screen = screenOf(
    {},
    {
      gstin: { $ref: 'types#gstin' },
      phone: { $ref: 'types#phone' },
      on: { $ref: 'types#date', formatMinimum: '2024-04-01', formatMaximum: '2025-03-31' },
      opens: { $ref: 'types#time', formatMinimum: '06:00' },
      seen: { $ref: 'types#datetime', formatMaximum: '2026-04-01T00:00:00+05:30' },
      price: { ...money, minimum: 10, maximum: 99999 },
      share: { $ref: 'types#percent', exclusiveMinimum: 0, exclusiveMaximum: 100 },
      why: { $ref: 'types#text', 'x-required-when': 'price > 50' },
      lines: rows({
        qty: { ...money, minimum: 1 },
        note: { $ref: 'types#text', 'x-required-when': "qty > 5 and name == 'B'" },
      }),
    },
  );
  const cases: [Sample, FieldError[]][] = [
    [{ gstin: '27AAPFU0939F1Z' }, [{ field: 'gstin', message: 'GSTIN has 15 characters; this has 14.' }]],
    [{ gstin: '27AAPFU0939F1ZV' }, []],
    [{ phone: '+919840012345' }, []],
    [{ phone: '+914424354151' }, []],
    [{ phone: '+91984001234' }, [{ field: 'phone', message: 'A number with +91 has 10 digits after it; this has 9.' }]],
    [
      { phone: '+97798400123456' },
      [{ field: 'phone', message: 'A number with +977 has 8 to 10 digits after it; this has 11.' }],
    ],
    [{ phone: '+6561234567' }, []],
    // Of other countries what E.164 allows.
    [{ phone: '+35312345678' }, []],
    [{ phone: '18004251234' }, []],
    [{ on: '2025-02-30' }, [{ field: 'on', message: 'Enter a date as DD-MM-YYYY.' }]],
    [{ on: '2024-04-01', opens: '06:00', seen: '2026-03-31T18:30:00.000Z' }, []],
    [{ on: '2024-03-31' }, [{ field: 'on', message: 'On cannot be before 01-04-2024.' }]],
    [{ on: '2025-04-01' }, [{ field: 'on', message: 'On cannot be after 31-03-2025.' }]],
    [{ opens: '05:59' }, [{ field: 'opens', message: 'Opens cannot be before 06:00.' }]],
    [
      { seen: '2026-03-31T18:30:01.000Z' },
      [{ field: 'seen', message: expect.stringContaining('Seen cannot be after') as string }],
    ],
    [{ price: '9.99' }, [{ field: 'price', message: 'Price must be at least 10.' }]],
    [{ price: '100000.00', why: 'x' }, [{ field: 'price', message: 'Price must be at most 99,999.' }]],
    [{ share: '0' }, [{ field: 'share', message: 'Share must be more than 0.' }]],
    [{ share: '100.0' }, [{ field: 'share', message: 'Share must be less than 100.' }]],
    [{ price: '50.01' }, [{ field: 'why', message: 'Why is required.' }]],
    [{ price: '50.00' }, []],
    [
      { name: 'B', lines: [{ qty: '0.50' }, { qty: '6.00' }] },
      [
        { field: 'lines.0.qty', message: 'Qty must be at least 1.' },
        { field: 'lines.1.note', message: 'Note is required.' },
      ],
    ],
  ];
  for (const [record, errors] of cases)
    it(JSON.stringify(record), () => expect(semanticErrors(screen, record)).toEqual(errors));
});

describe('choices that depend on other values', () => {
  const kinds = {
    enum: ['cake', 'lamp', 'note'],
    'x-offered': { "name == 'birthday'": ['cake', 'lamp'], 'price > 5': ['lamp'] },
  };
  const screen = screenOf({}, { price: money, gift: kinds, gifts: rows({ gift: kinds, price: money }) });
  const of = (record: Sample) => semanticErrors(screen, record).map(({ field, message }) => `${field}: ${message}`);
  const refused = 'Gift: Cake cannot be chosen here. Choose another.';

  it('are refused where none of their conditions is true', () => {
    expect(of({ name: 'birthday', gift: 'cake' })).toEqual([]);
    expect(of({ name: 'work', gift: 'cake' })).toEqual([`gift: ${refused}`]);
    expect(of({ name: 'work', gift: 'note' })).toEqual([]);
    expect(of({ name: 'work', price: '6.00', gift: 'lamp' })).toEqual([]);
    expect(of({ name: 'work', price: '5.00', gift: 'lamp' })).toHaveLength(1);
  });

  it('in rows look at the row and at the record, also when only the record has changed', () => {
    const gifts = [{ gift: 'cake' }, { gift: 'lamp', price: '6.00' }];
    expect(of({ name: 'work', gifts })).toEqual([`gifts.0.gift: ${refused}`]);
    expect(semanticErrors(screen, { name: 'work', gifts }, { name: 'birthday', gifts })).toHaveLength(1);
    expect(of({ name: 'birthday', gifts })).toEqual([]);
  });
});

describe('duplicate rows', () => {
  const levels = screenOf(
    {},
    { levels: { 'x-unique': ['level'], ...rows({ level: { $ref: 'types#text' }, label: { $ref: 'types#text' } }) } },
  );
  const of = (...list: unknown[]) => semanticErrors(levels, { levels: list.map((level) => ({ level })) });

  it('are reported at the later row', () =>
    expect(of('a', 'b', 'a', 'a')).toEqual(
      [2, 3].map((row) => ({ field: `levels.${row}.level`, message: 'Level: row 1 has the same.' })),
    ));
  it('whatever their case', () => expect(of('Ab', ' aB')).toHaveLength(1));
  it('but not if they are empty', () => expect(of(null, null, '', '', undefined)).toEqual([]));
  it('nor if numbers and texts only look alike', () => expect(of(1, '1')).toEqual([]));

  it('by several columns together', () => {
    const screen = screenOf(
      {},
      {
        lines: {
          'x-unique': ['item', 'on'],
          ...rows({ item: { $ref: 'types#text' }, on: { $ref: 'types#date', title: 'Day' } }),
        },
      },
    );
    expect(
      semanticErrors(screen, {
        lines: [
          { item: 'a', on: '2025-04-01' },
          { item: 'a', on: '2025-04-02' },
          { item: 'a', on: null },
          { item: 'A', on: '2025-04-01' },
        ],
      }),
    ).toEqual([{ field: 'lines.3.item', message: 'Item and Day: row 1 has the same.' }]);
  });
  it('nor without rows', () =>
    expect([
      semanticErrors(levels, {}),
      semanticErrors(levels, { levels: null }),
      semanticErrors(levels, { levels: [null, 5] }),
    ]).toEqual([[], [], []]));
});

describe('rules', () => {
  const screen = screenOf(
    {
      rules: [
        { assert: 'to_on >= from_on', message: 'Ends before it begins.', field: 'to_on' },
        { assert: 'sum(lines.amount) <= limit', message: 'Over the limit.' },
        { assert: 'amount < limit / 2', message: 'Too much.', rows: 'lines', field: 'amount' },
      ],
    },
    { from_on: { $ref: 'types#date' }, to_on: { $ref: 'types#date' }, limit: money, lines: rows({ amount: money }) },
  );
  it('report what is violated, and where', () => {
    expect(
      checkRules(screen, {
        from_on: '2025-02-01',
        to_on: '2025-01-31',
        limit: '10.00',
        lines: [{ amount: '4.99' }, { amount: '5.02' }],
      }),
    ).toEqual([
      { field: 'to_on', message: 'Ends before it begins.' },
      { field: '', message: 'Over the limit.' },
      { field: 'lines.1.amount', message: 'Too much.' },
    ]);
  });
  it('include the values in their message', () => {
    const counted = screenOf(
      {
        rules: [
          { assert: 'limit <= 10', message: '{limit} is above 10.00.' },
          {
            assert: 'amount < limit / 2',
            message: '{amount} of {limit} is too much; {name} too.',
            rows: 'lines',
            field: 'amount',
          },
        ],
      },
      { limit: money, lines: rows({ amount: money }) },
    );
    expect(
      checkRules(counted, { limit: '12345.5', lines: [{ amount: '7000' }] }).map(({ message }) => message),
    ).toEqual(['12,345.50 is above 10.00.', '7,000.00 of 12,345.50 is too much; – too.']);
  });
  it('are exact at the limit', () =>
    expect(
      checkRules(screen, { limit: '0.30', lines: [{ amount: '0.10' }, { amount: '0.10' }, { amount: '0.10' }] }),
    ).toEqual([]));
  it('pass for empty values', () =>
    expect(checkRules(screen, { from_on: '2025-02-01', lines: [{}, { amount: null }] })).toEqual([]));
  it('fail for values that cannot be compared', () =>
    expect(checkRules({ ...screen, rules: [{ assert: 'name > 5', message: 'No.' }] }, { name: 'x' })).toEqual([
      { field: '', message: 'No.' },
    ]));
});

describe('shown conditionally', () => {
  const screen = screenOf(
    {},
    {
      why: { $ref: 'types#text', 'x-when': "code == 'x'" },
      lines: rows({ a: { $ref: 'types#text' }, b: { $ref: 'types#text', 'x-when': "a == 'y' and code == 'x'" } }),
    },
  );
  const [, , why, lines] = screen.fields as [unknown, unknown, Screen['fields'][0], Screen['fields'][0]];
  it('of a field', () =>
    expect([{ code: 'x' }, { code: 'y' }, {}].map((record) => isShown(screen, why, record))).toEqual([
      true,
      false,
      false,
    ]));
  it('of a column', () =>
    expect(
      [{ a: 'y' }, { a: 'z' }].map((row) =>
        isShown(screen, lines.rows![1]!, { code: 'x' }, { fields: lines.rows!, row }),
      ),
    ).toEqual([true, false]));
  it('for callers with their own scope', () =>
    expect(holds("code == 'x' and count(lines) == 1", scopeOf(screen.fields, { code: 'x', lines: [{}] }))).toBe(true));
});

describe('recompute', () => {
  const screen = screenOf(
    {},
    {
      discount: { $ref: 'types#percent' },
      tax: { ...money, 'x-formula': 'round(net * 18 / 100, 2)' },
      net: { ...money, 'x-formula': 'sum(lines.amount)' },
      gross: { ...money, 'x-formula': 'net + tax' },
      average: { ...money, 'x-formula': 'net / count(lines)' },
      lines: rows({
        qty: { $ref: 'types#quantity' },
        rate: money,
        amount: { ...money, 'x-formula': 'qty * rate * (100 - coalesce(discount, 0)) / 100' },
      }),
    },
  );
  it('rows first, then dependent fields, exactly', () => {
    expect(
      recompute(screen, {
        discount: '10',
        lines: [
          { qty: '3', rate: '0.10' },
          { qty: '1.5', rate: '33.33' },
        ],
      }),
    ).toEqual({
      discount: '10',
      lines: [
        { qty: '3', rate: '0.10', amount: '0.27' },
        { qty: '1.5', rate: '33.33', amount: '45.00' },
      ],
      net: '45.27',
      tax: '8.15',
      gross: '53.42',
      average: '22.64',
    });
  });
  it('is empty if a value is missing or the divisor is zero, with the reason', () => {
    const failures: FieldError[] = [];
    expect(recompute(screen, { lines: [] }, { failures })).toMatchObject({ net: '0.00', gross: '0.00', average: null });
    expect(failures).toEqual([{ field: 'average', message: 'Average cannot be computed: division by zero.' }]);
    expect((recompute(screen, { lines: [{ qty: '1' }] }).lines as Sample[])[0]!.amount).toBeNull();
  });
  it('overwrites values that were sent', () =>
    expect(recompute(screen, { net: '9999.00', lines: [] }).net).toBe('0.00'));
  it('does not change its input', () => {
    const record = { lines: [{ qty: '1', rate: '2.00' }] };
    recompute(screen, record);
    expect(record).toEqual({ lines: [{ qty: '1', rate: '2.00' }] });
  });
  it('keeps large amounts exact', () =>
    expect(
      recompute(screenOf({}, { a: money, b: { $ref: 'types#decimal', 'x-formula': 'a * 3' } }), {
        a: '1234567890123456.78',
      }).b,
    ).toBe('3703703670370370.34'));
  it('does nothing without formulas', () => {
    const plain = screenOf();
    expect(hasFormulas(plain)).toBe(false);
    const record = { code: 'A' };
    expect(recompute(plain, record)).toBe(record);
  });

  it('with the previous values, gives the same result as from scratch', () => {
    const random = (() => {
      let seed = 7;
      return (limit: number) => {
        seed = (seed * 48271) % 2147483647;
        return seed % limit;
      };
    })();
    let state = recompute(screen, {
      discount: '0',
      lines: Array.from({ length: 20 }, (_, index) => ({ qty: `${index}`, rate: '1.10' })),
    });
    for (let turn = 0; turn < 200; turn++) {
      const lines = state.lines as Sample[];
      const at = random(lines.length || 1);
      const next: Sample = { ...state };
      const kind = random(5);
      if (kind === 0) next.discount = String(random(50));
      else if (kind === 1) next.lines = lines.filter((_, index) => index !== at);
      else if (kind === 2) next.lines = [...lines, { qty: String(random(9)), rate: '2.00' }];
      else if (lines.length > 0) next.lines = lines.with(at, { ...lines[at], qty: String(random(99)) });
      const told = recompute(screen, next, { before: state });
      expect(told).toEqual(recompute(screen, next));
      state = told;
    }
  });
  it('with the previous values, keeps unchanged rows', () => {
    const before = recompute(screen, {
      lines: [
        { qty: '1', rate: '2.00' },
        { qty: '2', rate: '2.00' },
      ],
    });
    const lines = before.lines as Sample[];
    const after = recompute(screen, { ...before, lines: lines.with(1, { ...lines[1], qty: '3' }) }, { before });
    expect((after.lines as Sample[])[0]).toBe(lines[0]);
    expect(after.net).toBe('8.00');
  });
});

describe('cleanRecord', () => {
  const screen = screenOf({}, { price: money, lines: rows({ item: { $ref: 'types#text' } }) });
  it('normalises values and omits server fields', () => {
    expect(
      cleanRecord(screen, {
        id: 4,
        version: 2,
        code: ' A ',
        name: '',
        price: 5,
        branch_id__label: 'x',
        lines: [{ id: 7, position: 1, item: ' a  b ' }, { item: 'c' }],
        created_at: 'x',
      }),
    ).toEqual({
      record: { code: 'A', name: null, price: '5.00', lines: [{ id: 7, item: 'a b' }, { item: 'c' }] },
      errors: [],
    });
  });
  it('names unknown fields', () => {
    expect(cleanRecord(screen, { nmae: 'x', lines: [{ itme: 'y' }] }).errors).toEqual([
      { field: 'nmae', message: 'There is no field "nmae".' },
      { field: 'lines.0.itme', message: 'There is no field "itme".' },
    ]);
  });
});
