import { describe, expect, test } from 'vitest';
import { FIELD_ACCESSES, fieldAccessOf, joinedAccess, widerAccess } from '../../../src/domain/field_access.ts';
import type { FieldAccess } from '../../../src/domain/field_access.ts';

const says = (role: number, field: string, access: FieldAccess) => ({ record_type: 'employee', role, field, access });
const of = (rights: ReturnType<typeof says>[], ...grantors: number[]) =>
  Object.fromEntries(fieldAccessOf(rights, new Set(grantors)));

describe('a person’s access to a field', () => {
  test('follows the role, and is unrestricted if the role says nothing', () => {
    expect(of([says(1, 'pan', 'masked'), says(1, 'bank_account', 'hidden')], 1)).toEqual({
      pan: 'masked',
      bank_account: 'hidden',
    });
    expect(of([], 1)).toEqual({});
    expect(of([says(1, 'pan', 'write')], 1)).toEqual({});
  });

  test('is the most permissive of the roles that give the screen', () => {
    expect(of([says(1, 'pan', 'hidden'), says(2, 'pan', 'read')], 1, 2)).toEqual({ pan: 'read' });
    expect(of([says(1, 'pan', 'hidden')], 1, 2)).toEqual({});
  });

  test('is not extended by a role that does not give the screen', () => {
    expect(of([says(1, 'pan', 'hidden')], 1)).toEqual({ pan: 'hidden' });
    expect(of([says(1, 'pan', 'hidden'), says(2, 'pan', 'masked')], 1)).toEqual({ pan: 'hidden' });
  });

  test('applies if no role gives the screen, for people who see it in other ways', () => {
    expect(of([says(1, 'pan', 'hidden'), says(2, 'pan', 'masked'), says(2, 'uan', 'read')])).toEqual({
      pan: 'masked',
      uan: 'read',
    });
  });

  test('never grows by adding a restriction, nor shrinks by adding a role that gives the screen', () => {
    for (const one of FIELD_ACCESSES)
      for (const other of FIELD_ACCESSES) {
        const alone = of([says(1, 'pan', one)], 1).pan ?? 'write';
        const both = of([says(1, 'pan', one), says(2, 'pan', other)], 1, 2).pan ?? 'write';
        expect(alone).toBe(one);
        expect(both).toBe(widerAccess(one, other));
        expect(FIELD_ACCESSES.indexOf(both)).toBeGreaterThanOrEqual(FIELD_ACCESSES.indexOf(alone));
      }
  });
});

test('is the wider one of two people’s combined rights', () => {
  expect(
    Object.fromEntries(
      joinedAccess(
        new Map([
          ['pan', 'hidden'],
          ['uan', 'read'],
          ['ifsc', 'masked'],
        ] as const),
        new Map([
          ['pan', 'masked'],
          ['ifsc', 'hidden'],
        ] as const),
      ),
    ),
  ).toEqual({ pan: 'masked', ifsc: 'masked' });
});
