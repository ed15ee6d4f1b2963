import { describe, expect, it } from 'vitest';
import { changedRows, inForm, wholeRecord } from '../../../../../src/client/runtime/form/rows_part.ts';
import type { Field, Screen } from '../../../../../src/descriptor/types.ts';

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
const field = column('lines', { type: 'rows', rows: [column('what'), column('sum', { readOnly: true })] });
const screen = { name: 't', fields: [field] } as unknown as Screen;
const base = { id: 5, lines: Array.from({ length: 60 }, (_, at) => ({ id: at + 1, what: `w${at}`, sum: '1' })) };
const part = (lines: object[]) => changedRows(screen, field, { ...base, lines }, base);

describe('a long list of rows', () => {
  it('is sent as its changes', () => {
    const lines = base.lines.filter(({ id }) => id !== 7).map((row) => (row.id === 3 ? { ...row, what: 'new' } : row));
    expect(part([...lines, { what: 'last' }])).toEqual({
      set: { 3: { id: 3, what: 'new' } },
      add: [{ what: 'last' }],
      remove: [7],
    });
  });

  it('is sent completely if rows moved, were inserted between others, or are few', () => {
    expect(part(base.lines.toReversed())).toBeNull();
    expect(part([...base.lines.slice(0, 5), { what: 'between' }, ...base.lines.slice(5)])).toBeNull();
    expect(changedRows(screen, field, { lines: [] }, { lines: base.lines.slice(0, 5) })).toBeNull();
  });

  it('is updated from the answer, with findings at their positions in the form', () => {
    const answer = { version: 2, lines: { set: { 3: { id: 3, what: 'new' } }, add: [{ id: 99 }], remove: [7] } };
    const { lines } = wholeRecord(screen, answer as never, base);
    const rows = lines as { id: number }[];
    expect([rows.length, rows[2], rows.at(-1)]).toEqual([60, { id: 3, what: 'new' }, { id: 99 }]);
    expect(rows.some(({ id }) => id === 7)).toBe(false);
    const errors = ['lines.set.3.what', 'lines.add.1.what', 'lines.4.what', 'name'].map((name) => ({
      field: name,
      message: '',
    }));
    const values = { lines: [...base.lines, { what: 'a' }, { what: 'b' }] };
    expect(inForm(errors, values).map((error) => error.field)).toEqual([
      'lines.2.what',
      'lines.61.what',
      'lines.4.what',
      'name',
    ]);
  });
});
