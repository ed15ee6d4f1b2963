import { describe, expect, it } from 'vitest';
import { badgeTone, cellText, recordLabel } from '../../../../../src/client/runtime/landing/cell_text.ts';
import {
  completeColumns,
  defaultColumns,
  resolveColumns,
} from '../../../../../src/client/runtime/landing/column_state.ts';
import { depotScreen, field } from '../screen_fixture.ts';

const screen = depotScreen();
const shown = (columns: { field: string; hidden?: boolean }[]) =>
  columns.filter((column) => !column.hidden).map((column) => column.field);

describe('columns', () => {
  it('start with the grid’s; secrets are no columns', () => {
    const columns = defaultColumns(screen);
    expect(shown(columns)).toEqual(['code', 'name', 'status', 'area', 'opened_on']);
    expect(columns.map((column) => column.field)).toContain('created_at');
    expect(columns.map((column) => column.field)).not.toContain('pin');
  });

  it('are at most eight by default', () => {
    const wide = depotScreen({ fields: Array.from({ length: 12 }, (_, index) => field(`f${index}`, 'text')) });
    wide.grid = wide.fields.map(({ name }) => ({ field: name, title: name, hidden: false, pinned: false }));
    expect(shown(defaultColumns(wide))).toHaveLength(8);
  });

  it('keep a saved choice when the screen changes', () => {
    const columns = completeColumns(
      [{ field: 'name', width: 300 }, { field: 'gone' }, { field: 'area', hidden: true }],
      screen,
    );
    expect(shown(columns)).toEqual(['name']);
    expect(columns[0]).toEqual({ field: 'name', width: 300 });
    expect(columns.length).toBe(defaultColumns(screen).length);
  });

  it('follow a renamed field', () => {
    const renamed = {
      ...screen,
      fields: screen.fields.map((one) => (one.name === 'name' ? { ...one, was: ['title'] } : one)),
    };
    expect(completeColumns([{ field: 'title', width: 300 }], renamed)[0]).toEqual({ field: 'name', width: 300 });
  });

  it('return to the default when no saved column exists any more', () => {
    expect(completeColumns([{ field: 'gone' }], screen)).toEqual(defaultColumns(screen));
  });

  it('pin the first one, which is the link', () => {
    const columns = resolveColumns([{ field: 'code', hidden: true }, { field: 'name' }, { field: 'area' }], screen);
    expect(columns.map((column) => column.pinned)).toEqual([false, true, false]);
  });
});

describe('cells', () => {
  const record = {
    id: 7,
    version: 1,
    active: true,
    name: 'North',
    area: '1234567.5',
    branch_id: 4,
    branch_id__label: 'Chennai',
    status: 'open',
    pin__set: true,
  };
  const named = (name: string) => screen.fields.find((one) => one.name === name) ?? field(name, 'text');

  it('show labels, grouped figures and no secrets', () => {
    expect(cellText(named('branch_id'), record)).toBe('Chennai');
    expect(cellText(named('area'), record)).toBe('12,34,567.5');
    expect(cellText(named('pin'), { ...record, pin: '1234' })).toBe('••••');
    expect(cellText(named('opened_on'), record)).toBe('');
  });

  it('colour options and yes or no', () => {
    expect(badgeTone(named('status'), 'open')).toBe('success');
    expect(badgeTone(named('leased'), false)).toBe('neutral');
    expect(badgeTone(named('name'), 'North')).toBeUndefined();
  });

  it('name a record even without its label', () => {
    expect(recordLabel(screen, record)).toBe('North');
    expect(recordLabel(screen, { id: 9, version: 1, active: true })).toBe('Depot 9');
  });
});
