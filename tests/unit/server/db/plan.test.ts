import { describe, expect, test } from 'vitest';
import { normalised, storedType } from '../../../../src/server/db/catalogue.ts';
import { constraintName, literal, quoted, schemaName } from '../../../../src/server/db/names.ts';
import { widens } from '../../../../src/server/db/plan.ts';

describe('names', () => {
  test('are quoted, and constants cannot be broken out of', () => {
    expect(quoted('a"b')).toBe('"a""b"');
    expect(literal(`it's`)).toBe(`'it''s'`);
    expect(literal('a\\b')).toBe(`E'a\\\\b'`);
    expect(schemaName('north-star')).toBe('cmp_north_star');
  });
  test('that are too long stay distinct within 63 bytes', () => {
    const long = 'a_very_long_record_type_name_that_somebody_wrote';
    const one = constraintName(long, ['first_column', 'second_column'], 'key');
    const other = constraintName(long, ['first_column', 'third_column'], 'key');
    expect(Buffer.byteLength(one)).toBeLessThanOrEqual(63);
    expect(one).not.toBe(other);
    expect(constraintName('lift', ['code'], 'key')).toBe('lift_code_key');
  });
});

describe('types', () => {
  test.each([
    ['integer', 'bigint', true],
    ['integer', 'numeric(18,2)', true],
    ['bigint', 'numeric(18,2)', false],
    ['numeric(18,2)', 'numeric', true],
    ['numeric(18,2)', 'numeric(18,3)', false],
    ['numeric(18,3)', 'numeric(18,2)', false],
    ['numeric', 'integer', false],
    ['bigint', 'integer', false],
    ['date', 'text', false],
    ['text', 'date', false],
    ['bigint', 'bigint[]', false],
    ['bigint[]', 'bigint', false],
    ['boolean', 'integer', false],
  ])('%s → %s keeps the meaning of every value: %s', (from, to, keeps) => expect(widens(from, to)).toBe(keeps));
  test('are compared as PostgreSQL writes them', () => {
    expect(storedType('timestamptz')).toBe('timestamp with time zone');
    expect(storedType('numeric(18, 2)')).toBe('numeric(18,2)');
    expect(storedType('text[]')).toBe('text[]');
  });
});

test('rewritten SQL is recognised, and its texts are unchanged', () => {
  expect(normalised(`CHECK ((state = ANY (ARRAY['a'::text, 'B (x)'::text])))`)).toBe(
    normalised(`check ("state" = any (array['a', 'B (x)']))`),
  );
  expect(normalised(`CHECK (((n >= '-1'::integer) AND (n < 6)))`)).toBe(normalised(`check ("n" >= (-1) and "n" < 6)`));
  expect(normalised(`check (a = 'x')`)).not.toBe(normalised(`check (a = 'X')`));
});
