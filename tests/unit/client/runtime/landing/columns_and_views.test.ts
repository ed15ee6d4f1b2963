import { afterEach, describe, expect, it } from 'vitest';
import { cellText, recordLabel } from '../../../../../src/client/runtime/landing/cell_text.ts';
import { completeColumns, defaultColumns, loadColumns, resolveColumns, saveColumns } from '../../../../../src/client/runtime/landing/column_state.ts';
import { bulkFields, bulkValue } from '../../../../../src/client/runtime/landing/bulk_value.ts';
import { readAddress } from '../../../../../src/client/runtime/landing/list_address.ts';
import { differsFromView, ownViews, stateOfView, viewOfState } from '../../../../../src/client/runtime/landing/saved_views.ts';
import { contractRow, contractScreen } from '../contract_screen.ts';

const screen = contractScreen();
const shown = (columns: { field: string; hidden?: boolean }[]) => columns.filter((column) => !column.hidden).map((column) => column.field);
const field = (name: string) => screen.fields.find((one) => one.name === name)!;

afterEach(() => localStorage.clear());

describe('columns', () => {
  it('begin with the grid of the screen; everything else can be chosen', () => {
    const columns = defaultColumns(screen);
    expect(shown(columns)).toEqual(['name', 'code', 'status', 'value', 'starts_on', 'branch_id', 'renewed']);
    expect(columns.map((column) => column.field)).toEqual(expect.arrayContaining(['floors', 'words', 'created_at', 'updated_by', 'active']));
  });

  it('are at most eight at first', () => {
    const wide = contractScreen({ grid: ['name', 'code', 'status', 'value', 'floors', 'starts_on', 'branch_id', 'contract_id', 'renewed', 'words'] });
    expect(shown(defaultColumns(wide))).toHaveLength(8);
  });

  it('survive a change of the screen: gone fields fall out, new ones come hidden', () => {
    const columns = completeColumns([{ field: 'gone' }, { field: 'value', width: 90 }], screen);
    expect(shown(columns)).toEqual(['value']);
    expect(columns[0]).toEqual({ field: 'value', width: 90 });
    expect(shown(completeColumns([{ field: 'gone' }], screen))).toEqual(shown(defaultColumns(screen)));
  });

  it('pin the first one shown, which links to the record', () => {
    const columns = resolveColumns([{ field: 'code', hidden: true }, { field: 'value' }, { field: 'name' }], screen);
    expect(columns.map(({ field: { name }, pinned }) => [name, pinned])).toEqual([['code', false], ['value', true], ['name', false]]);
  });

  it('are kept for the person alone', () => {
    saveColumns(7, screen.name, [{ field: 'value' }]);
    expect(shown(loadColumns(7, screen) ?? [])).toEqual(['value']);
    expect(loadColumns(8, screen)).toBeNull();
    saveColumns(7, screen.name, null);
    expect(loadColumns(7, screen)).toBeNull();
    localStorage.setItem(`columns.7.${screen.name}`, '{"not":"a list"}');
    expect(loadColumns(7, screen)).toBeNull();
  });
});

describe('what a cell says', () => {
  it('is grouped, day first, and by label', () => {
    const record = contractRow(1);
    expect(cellText(field('value'), record)).toBe('1,25,000.00');
    expect(cellText(field('starts_on'), record)).toBe('01-04-2026');
    expect(cellText(field('status'), record)).toBe('Active');
    expect(cellText(field('branch_id'), record)).toBe('Chennai');
    expect(cellText(field('floors'), record)).toBe('');
  });

  it('names a record by the first label that is filled in', () => {
    expect(recordLabel(screen, contractRow(4))).toBe('Contract 4');
    expect(recordLabel(screen, contractRow(4, { name: null }))).toBe('C4');
    expect(recordLabel(screen, contractRow(4, { name: null, code: null }))).toBe('Contract 4');
  });
});

describe('views', () => {
  const [drafts] = ownViews(screen);

  it('of the screen set filter and order', () => {
    expect(drafts).toMatchObject({ id: 'own-0', name: 'Drafts', mine: false });
    expect(stateOfView(drafts!)).toMatchObject({ view: 'own-0', conditions: [['status', 'in', ['draft']]], sort: ['-starts_on'], active: 'true', q: '' });
  });

  it('say when the list no longer shows what they keep', () => {
    const state = { ...readAddress(new URLSearchParams()), ...stateOfView(drafts!) };
    expect(differsFromView(drafts!, state, null)).toBe(false);
    expect(differsFromView(drafts!, { ...state, q: 'lift' }, null)).toBe(true);
    expect(differsFromView(drafts!, state, [{ field: 'value' }])).toBe(true);
  });

  it('keep only what was chosen', () => {
    expect(viewOfState(readAddress(new URLSearchParams('active=all&sort=name')), null)).toEqual({ sort: ['name'], active: 'all' });
  });
});

describe('one value for many records', () => {
  it('is offered for fields that are not a key, computed or shown alone', () => {
    const keyed = contractScreen({ unique: [['code']] });
    const names = bulkFields(keyed).map(({ name }) => name);
    expect(names).toContain('status');
    expect(names).not.toContain('code');
  });

  it('is read as it is typed; empty clears what may be empty', () => {
    expect(bulkValue(field('floors'), '12')).toEqual({ value: 12 });
    expect(bulkValue(field('floors'), ' ')).toEqual({ value: null });
    expect(bulkValue(field('name'), '')).toHaveProperty('error');
  });
});
