import fc from 'fast-check';
import type { JsonSchema } from '../../src/descriptor/types.ts';

type Arbitrary = fc.Arbitrary<unknown>;

/** Written into JSON as it stands: numbers and names that no JavaScript value holds. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Deeper than anything that a call takes. */
export const DEEP_JSON = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;

const WRONG_TEXTS = [
  '',
  ' ',
  'x',
  '\0',
  'a\0b',
  '\ud800',
  '\\u0000',
  'x'.repeat(300),
  'x'.repeat(20_000),
  '-1',
  '0',
  '1.5',
  '1e999',
  '9'.repeat(40),
  '9223372036854775808',
  '0x10',
  'NaN',
  'Infinity',
  'null',
  'true',
  '2025-02-30',
  '0000-00-00',
  '0001-01-01',
  '9999-12-31',
  '99999-01-01',
  '+275760-09-13',
  '2025-01-01T00:00:00+99:99',
  '2025-01-01T25:61:61Z',
  '2025-01-01T10:00:00',
  '2025-06-30T23:59:60Z',
  '25:61',
  '2025-13',
  '2025-2099',
  '__proto__',
  'constructor',
  "' or 1=1 --",
  '"; drop table x',
  '%',
  '%00',
  '%E0%A4%A',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '${7*7}{{7*7}}',
  '=1+1',
  '🛗',
  '\u202e',
  '\u0001',
  'file:///etc/passwd',
  'http://127.0.0.1:1/',
];

/** Values that hardly any field takes. */
const WRONG_VALUES: unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  -2_147_483_649,
  2_147_483_648,
  9_007_199_254_740_991,
  1e21,
  1e308,
  new RawJson('1e999'),
  new RawJson('9223372036854775808'),
  new RawJson('-0'),
  [],
  [''],
  [null],
  ['a\0b'],
  [[[['x']]]],
  [-1, 1.5, 'x', null, {}],
  {},
  { x: 1 },
  { length: -1 },
  { toString: 'x', valueOf: 1 },
  { 'a\0b': 1 },
  new RawJson('{"__proto__":{"isAdmin":true}}'),
  new RawJson('{"constructor":{"prototype":{"x":1}}}'),
  new RawJson(DEEP_JSON),
];

export const wrongText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...WRONG_TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
);

export const wrongValue: Arbitrary = fc.oneof(
  { weight: 3, arbitrary: wrongText as Arbitrary },
  { weight: 4, arbitrary: fc.constantFrom(...WRONG_VALUES) },
  { weight: 1, arbitrary: fc.anything({ maxDepth: 2, withNullPrototype: false }).filter(isJson) },
);

function isJson(value: unknown): boolean {
  return value !== undefined && typeof value !== 'bigint' && typeof value !== 'symbol';
}

/** Ids that a small list has, mostly. */
const anId = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 12 }) },
  { weight: 1, arbitrary: fc.integer({ min: 13, max: 2_147_483_647 }) },
);
const day = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2030-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());
const word = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'),
  minLength: 3,
  maxLength: 12,
});

/** Values as a JSON Schema describes them. */
export function validValue(schema: JsonSchema): Arbitrary {
  const given = schema as Record<string, unknown>;
  if (Array.isArray(given.enum)) return fc.constantFrom(...(given.enum as unknown[]));
  if ('const' in given) return fc.constant(given.const);
  for (const choice of ['anyOf', 'oneOf'] as const)
    if (Array.isArray(given[choice])) return fc.oneof(...(given[choice] as JsonSchema[]).map(validValue));
  const type = Array.isArray(given.type) ? (given.type as string[])[0] : given.type;
  switch (type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number': {
      const { minimum: min, maximum: max } = given as { minimum?: number; maximum?: number };
      return max === undefined ? anId : fc.integer({ min: Math.ceil(min ?? 0), max: Math.floor(max) });
    }
    case 'array':
      return fc.array(validValue((given.items ?? {}) as JsonSchema), {
        minLength: Math.min(Number(given.minItems ?? 0), 3),
        maxLength: Math.max(Number(given.minItems ?? 0), Math.min(Number(given.maxItems ?? 2), 2)),
      });
    case 'string':
      return validText(given);
    case 'object':
      return validObject(schema);
    default:
      return word;
  }
}

function validText({ format, pattern, minLength, maxLength }: Record<string, unknown>): Arbitrary {
  if (format === 'date') return day.map((text) => text.slice(0, 10));
  if (format === 'date-time') return day;
  if (format === 'email') return word.map((text) => `${text}@example.in`);
  if (format === 'uri' || format === 'url') return word.map((text) => `https://${text}.example.in/`);
  const fits = (text: string) =>
    text.length >= Number(minLength ?? 0) && (maxLength === undefined || text.length <= Number(maxLength));
  if (typeof pattern === 'string') {
    try {
      return fc.stringMatching(new RegExp(pattern, 'u'), { size: 'small' }).map((text) => text);
    } catch {
      // What looks ahead cannot be made from the pattern.
      return word;
    }
  }
  return word.map((text) =>
    fits(text) ? text : text.padEnd(Number(minLength ?? 0), 'x').slice(0, Number(maxLength ?? 99)),
  );
}

/** Objects with all that they must have and some of what they may. */
export function validObject(schema: JsonSchema): fc.Arbitrary<Record<string, unknown>> {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, JsonSchema & { readOnly?: boolean }>;
    required?: string[];
  };
  const names = Object.keys(properties).filter((name) => properties[name]!.readOnly !== true);
  if (names.length === 0) return fc.constant({});
  const must = new Set(required);
  return fc
    .tuple(fc.subarray(names.filter((name) => !must.has(name))), fc.double({ min: 0, max: 1, noNaN: true }))
    .chain(([some, share]) => {
      const kept = some.slice(0, Math.ceil(some.length * share * share));
      return fc.record(
        Object.fromEntries(
          [...names.filter((name) => must.has(name)), ...kept].map((name) => [name, validValue(properties[name]!)]),
        ),
        { noNullPrototype: true },
      );
    });
}

/** JSON text of a value that may hold {@link RawJson}. */
export function jsonOf(value: unknown): string {
  const raw: string[] = [];
  const text = JSON.stringify(value, (_name, item: unknown) => {
    if (item instanceof RawJson) return `\uE000${raw.push(item.text) - 1}\uE000`;
    return typeof item === 'bigint' ? String(item) : item;
  });
  return (text ?? 'null').replace(/"\uE000(\d+)\uE000"/g, (_, at: string) => raw[Number(at)]!);
}
