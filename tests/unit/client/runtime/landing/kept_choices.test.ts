import { afterEach, describe, expect, it } from 'vitest';
import { loadColumns, saveColumns } from '../../../../../src/client/runtime/landing/column_state.ts';
import { bulkFields, bulkValue } from '../../../../../src/client/runtime/landing/bulk_value.ts';
import { readAddress } from '../../../../../src/client/runtime/landing/list_address.ts';
import {
  differsFromView,
  ownViews,
  stateOfView,
  viewOfState,
} from '../../../../../src/client/runtime/landing/saved_views.ts';
import { contractScreen } from '../contract_screen.ts';

const screen = contractScreen();
const shown = (columns: { field: string; hidden?: boolean }[]) =>
  columns.filter((column) => !column.hidden).map((column) => column.field);
const field = (name: string) => screen.fields.find((one) => one.name === name)!;

afterEach(() => localStorage.clear());

describe('columns', () => {
  it('are stored for the person only', () => {
    saveColumns(7, screen.name, [{ field: 'value' }]);
    expect(shown(loadColumns(7, screen) ?? [])).toEqual(['value']);
    expect(loadColumns(8, screen)).toBeNull();
    saveColumns(7, screen.name, null);
    expect(loadColumns(7, screen)).toBeNull();
    localStorage.setItem(`columns.7.${screen.name}`, '{"not":"a list"}');
    expect(loadColumns(7, screen)).toBeNull();
  });
});

describe('views', () => {
  const [drafts] = ownViews(screen);

  it('of the screen set filter and sort order', () => {
    expect(drafts).toMatchObject({ id: 'own-0', name: 'Drafts', mine: false });
    expect(stateOfView(drafts!)).toMatchObject({
      view: 'own-0',
      conditions: [['status', 'in', ['draft']]],
      sort: ['-starts_on'],
      active: 'true',
      q: '',
    });
  });

  it('report columns and filters that the list does not have any more', () => {
    const state = { ...readAddress(new URLSearchParams()), ...stateOfView(drafts!) };
    expect(differsFromView(drafts!, state, null)).toBe(false);
    expect(differsFromView(drafts!, { ...state, q: 'lift' }, null)).toBe(true);
    expect(differsFromView(drafts!, state, [{ field: 'value' }])).toBe(true);
  });

  it('of the screen may show one’s own rows, open ones first, and explain an empty list', () => {
    const [mine] = ownViews({
      ...screen,
      views: [{ name: 'Waiting for me', mine: true, first: true, empty: 'Nothing waits.' }],
    });
    expect(mine).toMatchObject({ first: true, empty: 'Nothing waits.', mine: false });
    const state = { ...readAddress(new URLSearchParams()), ...stateOfView(mine!) };
    expect(state.mine).toBe(true);
    expect([differsFromView(mine!, state, null), differsFromView(mine!, { ...state, mine: false }, null)]).toEqual([
      false,
      true,
    ]);
    expect(stateOfView(drafts!).mine).toBe(false);
  });

  it('store only changes', () => {
    expect(viewOfState(readAddress(new URLSearchParams('active=all&sort=name')), null)).toEqual({
      sort: ['name'],
      active: 'all',
    });
  });
});

describe('a bulk value', () => {
  it('is offered for fields that are neither key, computed nor read-only', () => {
    const keyed = contractScreen({ unique: [['code']] });
    const names = bulkFields(keyed).map(({ name }) => name);
    expect(names).toContain('status');
    expect(names).not.toContain('code');
  });

  it('is parsed while typing; empty clears an optional field', () => {
    expect(bulkValue(field('floors'), '12')).toEqual({ value: 12 });
    expect(bulkValue(field('floors'), ' ')).toEqual({ value: null });
    expect(bulkValue(field('name'), '')).toHaveProperty('error');
  });
});
