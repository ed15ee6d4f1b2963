import { describe, expect, it } from 'vitest';
import { mergeRows } from '../../../../../src/client/runtime/form/merge_rows.ts';
import type { Field } from '../../../../../src/descriptor/types.ts';

const column = (name: string): Field => ({
  name,
  type: 'text',
  title: name,
  required: false,
  schema: {},
  secret: false,
  readOnly: false,
});
const columns = [column('what'), column('note')];
const base = [
  { id: 1, what: 'rope', note: null },
  { id: 2, what: 'car', note: null },
  { id: 3, what: 'door', note: null },
];
const [rope, car, door] = base as [object, object, object];
const merged = (mine: object[], theirs: object[]) =>
  mergeRows(columns, base, mine as Record<string, unknown>[], theirs as Record<string, unknown>[]);

describe('rows changed by two people', () => {
  it('are combined if each changed different ones', () => {
    expect(
      merged(
        [{ ...rope, note: 'mine' }, car, { what: 'my new', note: null }, door],
        [rope, { ...car, note: 'theirs' }, { id: 9, what: 'their new', note: null }],
      ),
    ).toEqual({
      rows: [
        { ...rope, note: 'mine' },
        { ...car, note: 'theirs' },
        { what: 'my new', note: null },
        { id: 9, what: 'their new', note: null },
      ],
      conflict: false,
    });
  });

  it('are merged cell by cell', () => {
    expect(merged([{ ...rope, note: 'mine' }, car, door], [{ ...rope, what: 'cable' }, car, door])).toEqual({
      rows: [{ id: 1, what: 'cable', note: 'mine' }, car, door],
      conflict: false,
    });
  });

  it('ask if both changed a cell, or one removed what the other changed', () => {
    expect(merged([{ ...rope, note: 'a' }, car, door], [{ ...rope, note: 'b' }, car, door])).toEqual({
      rows: [{ ...rope, note: 'a' }, car, door],
      conflict: true,
    });
    // What the others removed and I changed can only be kept as a new row.
    expect(merged([{ ...rope, note: 'a' }, car, door], [car, door])).toEqual({
      rows: [{ what: 'rope', note: 'a' }, car, door],
      conflict: true,
    });
    expect(merged([car, door], [{ ...rope, note: 'b' }, car, door]).conflict).toBe(true);
  });

  it('keep the order that one of them made', () => {
    expect(merged([door, rope, car], [rope, { ...car, note: 'x' }, door]).rows).toEqual([
      door,
      rope,
      { ...car, note: 'x' },
    ]);
  });
});
