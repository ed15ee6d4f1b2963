import { expect, test } from 'vitest';
import { databaseRefusal } from '../../../src/server/db/database_refusal.ts';

test.each([
  [
    {
      code: '23505',
      table: 'lift',
      constraint: 'lift_code_key',
      detail: 'Key (entity_id, lower(code))=(1, a-7) already exists.',
    },
    409,
    'code',
    'Another record has this Code already. Enter another one.',
  ],
  [
    { code: '23505', table: 'lift', detail: 'Key (lower(code), make_id)=(a, 1) already exists.' },
    409,
    'code',
    'Another record has this Code and Make already. Enter another one.',
  ],
  [
    {
      code: '23503',
      table: 'lift',
      constraint: 'lift_make_id_fkey',
      detail: 'Key (make_id, entity_id)=(9, 1) is not present in table "make".',
    },
    422,
    'make_id',
    'Choose Make again: the chosen one no longer exists.',
  ],
  [
    { code: '23503', table: 'lift', detail: 'Key (id)=(9) is still referenced from table "ticket".' },
    409,
    null,
    'Other records still refer to this one. Change those first.',
  ],
  [
    { code: '23514', table: 'lift', constraint: 'lift_speed_check' },
    422,
    'speed',
    'Speed is outside the allowed range.',
  ],
  [
    { code: '23514', table: 'lift', constraint: 'lift_speed_required_check' },
    422,
    'speed',
    'Speed is outside the allowed range.',
  ],
  [{ code: '23502', table: 'lift', column: 'name' }, 422, 'name', 'Name is required.'],
  [{ code: '22001' }, 422, null, 'A text is too long. Shorten it.'],
])('%o is described by its field, without database terms', (error, status, field, message) => {
  const refusal = databaseRefusal(Object.assign(new Error('violates constraint "x"'), error));
  expect(refusal).toMatchObject({ status, field, message });
  expect(refusal!.message).not.toMatch(/_key|_fkey|_check|constraint|violates/);
});

test('other errors are unchanged', () => {
  expect(databaseRefusal(new Error('x'))).toBeNull();
  expect(databaseRefusal(Object.assign(new Error('x'), { code: '42P01' }))).toBeNull();
});
