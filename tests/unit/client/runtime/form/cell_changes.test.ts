import { describe, expect, it } from 'vitest';
import { applied, changesOf } from '../../../../../src/client/runtime/form/rows_apart/cell_changes.ts';
import type { Field } from '../../../../../src/descriptor/types.ts';

const column = (name: string, more: object = {}): Field => ({
  name,
  type: 'text',
  title: name,
  required: false,
  schema: {},
  secret: false,
  readOnly: false,
  ...more,
});
const columns = [column('what', { required: true }), column('a'), column('b'), column('sum', { readOnly: true })];
const base = [
  { id: 1, what: 'rope', a: '1', b: '1', sum: '2' },
  { id: 2, what: 'car', a: '1', b: '1', sum: '2' },
];
const [rope, car] = base as [object, object];
const none = new Set<string>();

describe('the sent changes', () => {
  it('are each changed cell with the value that the person saw, complete new rows, and removed rows', () => {
    const values = [{ ...rope, a: '5', sum: '6' }, { what: 'new', a: null }, { a: '9' }];
    expect(changesOf(columns, base, values as never, none)).toEqual({
      cells: [{ id: 1, set: { a: ['1', '5'] } }],
      insert: [{ what: 'new', a: null }],
      remove: [2],
    });
  });

  it('omit cells with an open conflict', () => {
    const values = [
      { ...rope, a: '5', b: '6' },
      { ...car, a: '7' },
    ];
    expect(changesOf(columns, base, values as never, new Set(['1.a', '2'])).cells).toEqual([
      { id: 1, set: { b: ['1', '6'] } },
    ]);
  });
});

describe('changes saved by others', () => {
  it('are merged; the person’s changed cells stay and are compared with the value that they saw', () => {
    const values = [{ ...rope, a: '5' }, car];
    const theirs = { id: 1, what: 'rope', a: '3', b: '4', sum: '7' };
    const next = applied(columns, base, values as never, {
      set: { 1: theirs },
      add: [{ id: 9, what: 'their new' }],
      remove: [2],
    });
    expect(next.values).toEqual([
      { ...theirs, a: '5' },
      { id: 9, what: 'their new' },
    ]);
    expect(next.base).toEqual([
      { ...theirs, a: '1' },
      { id: 9, what: 'their new' },
    ]);
    expect(changesOf(columns, next.base, next.values, none).cells).toEqual([{ id: 1, set: { a: ['1', '5'] } }]);
    expect(next.gone).toEqual([]);
    expect(applied(columns, base, [rope, { ...car, a: '2' }] as never, [rope] as never).gone).toMatchObject([
      { id: 2 },
    ]);
  });
});

describe('the answer to one’s own save', () => {
  const sent = {
    cells: [{ id: 1, set: { a: ['1', '5'] as [string, string] } }],
    insert: [{ _new: 'n1', what: 'x' }],
    remove: [],
  };

  it('is the new base of later changes, including input meanwhile', () => {
    const values = [{ ...rope, a: '6' }, car, { _new: 'n1', what: 'x', a: '2' }];
    const answer = { set: { 1: { ...rope, a: '5', sum: '6' } }, add: [{ id: 7, what: 'x', a: null }], remove: [] };
    const next = applied(columns, base, values as never, answer as never, sent as never);
    expect(changesOf(columns, next.base, next.values, none)).toEqual({
      cells: [
        { id: 1, set: { a: ['5', '6'] } },
        { id: 7, set: { a: [null, '2'] } },
      ],
      insert: [],
      remove: [],
    });
  });

  it('ignores cells that had the value already, and nothing is sent again', () => {
    const next = applied(
      columns,
      base,
      [{ ...rope, a: '5' }, car] as never,
      { set: {}, add: [], remove: [] },
      sent as never,
    );
    expect(changesOf(columns, next.base, next.values, none).cells).toEqual([]);
    const without = applied(columns, base, [rope] as never, { set: {}, add: [], remove: [] }, {
      ...sent,
      cells: [],
      remove: [2],
    } as never);
    expect(changesOf(columns, without.base, without.values, none).remove).toEqual([]);
  });
});
