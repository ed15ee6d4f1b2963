import { describe, expect, it } from 'vitest';
import type { FieldLine, Matrix, ScreenRow } from '../../../../src/client/modules/platform/rights_matrix.ts';
import { rightsWarnings } from '../../../../src/domain/rights_warnings.ts';
import {
  actingScope,
  boxOf,
  changeOf,
  mergeUpon,
  scopesOf,
  tick,
  withField,
} from '../../../../src/client/modules/platform/rights_matrix.ts';

const row = (code: string, more: Partial<ScreenRow> = {}): ScreenRow => ({
  screen_code: code,
  name: code,
  route: `/${code}`,
  modules: ['MASTERS'],
  products: [],
  has: ['landing', 'add_screen', 'edit_screen', 'view_screen'],
  available: true,
  data_scope: 'company',
  landing: false,
  add_screen: false,
  edit_screen: false,
  view_screen: false,
  approval_screen: false,
  transfer_screen: false,
  ...more,
});
const matrix = (screens: ScreenRow[], actions: string[] = [], active = true): Matrix => ({
  role: { id: 1, code: 'R', role_name: 'Role', version: 1, is_system: false },
  screens,
  actions,
  action_codes: ['A', 'B'],
  warnings: [],
  modules: [
    {
      module_code: 'MASTERS',
      module_name: 'Masters',
      product: null,
      bought: true,
      active,
      hide_all: false,
      screens: 1,
      ticked: 0,
    },
  ],
});

describe('changes', () => {
  it('counts rights, scopes, modules and actions, and sends only those rows', () => {
    const stored = matrix([row('A'), row('B', { landing: true })], ['A']);
    const draft = matrix([row('A'), row('B', { landing: true, add_screen: true, data_scope: 'own' })], ['B'], false);
    expect(changeOf(stored, draft)).toMatchObject({
      count: 5,
      screens: [{ screen_code: 'B', add_screen: true, data_scope: 'own' }],
      modules: [{ active: false }],
      actions: ['B'],
    });
    expect(changeOf(stored, stored)).toEqual({ screens: [], modules: [], actions: null, fields: [], count: 0 });
  });

  it('a checkbox for several rights shows on, off or mixed', () => {
    expect([boxOf([]), boxOf([false]), boxOf([true, false]), boxOf([true, true])]).toEqual([
      'off',
      'off',
      'mixed',
      'on',
    ]);
  });

  it('ticks only existing pages of a screen', () => {
    const [one] = tick([row('A')], new Set(['A']), ['landing', 'approval_screen'], true);
    expect(one).toMatchObject({ landing: true, approval_screen: false });
  });
});

it('warns while editing: of rights that the menu cannot reach, and of those in a closed module', () => {
  const { modules, screens } = matrix([row('A', { edit_screen: true }), row('B', { landing: true }), row('C')]);
  const told = (open: boolean) =>
    rightsWarnings(
      modules.map((module) => ({ ...module, active: open })),
      screens,
      new Map(screens.map((one) => [one.screen_code, one])),
      () => 'Masters',
    );
  expect(told(true)).toEqual(['A: without "List" it cannot be reached by the menu.']);
  expect(told(false)).toEqual([
    'A: without "List" it cannot be reached by the menu.',
    'B: its module Masters is not open in this role.',
  ]);
});

describe('fields', () => {
  const line = (field: string, access: FieldLine['access']): FieldLine => ({
    record_type: 'employee',
    field,
    access,
    title: field.toUpperCase(),
  });
  const withFields = (...fields: FieldLine[]): Matrix => ({ ...matrix([row('A')]), fields });

  it('with changed, new or removed restrictions are sent, each as one change', () => {
    const stored = withFields(line('pan', 'masked'), line('uan', 'read'), line('dob', 'hidden'));
    const draft = {
      ...stored,
      fields: [line('pan', 'write'), line('uan', 'hidden'), line('ifsc', 'read')].reduce(withField, stored.fields!),
    };
    expect(changeOf(stored, draft)).toMatchObject({
      count: 3,
      fields: expect.arrayContaining([
        { record_type: 'employee', field: 'pan', access: 'write' },
        { record_type: 'employee', field: 'uan', access: 'hidden' },
        { record_type: 'employee', field: 'ifsc', access: 'read' },
      ]) as unknown,
    });
    expect(draft.fields.map(({ field }) => field).sort()).toEqual(['dob', 'ifsc', 'uan']);
  });

  it('changed by two people merge; if both changed one, mine wins', () => {
    const base = withFields(line('pan', 'masked'), line('uan', 'read'));
    const { draft } = mergeUpon(
      base,
      withFields(line('pan', 'hidden')),
      withFields(line('pan', 'read'), line('uan', 'read'), line('dob', 'hidden')),
    );
    expect(Object.fromEntries(draft.fields!.map(({ field, access }) => [field, access]))).toEqual({
      dob: 'hidden',
      pan: 'hidden',
    });
  });
});

describe('merging two people’s changes', () => {
  it('merges rows changed on one side; in rows changed on both, mine win and are counted', () => {
    const base = matrix([row('A'), row('B'), row('C')], ['A']);
    const mine = matrix([row('A', { landing: true }), row('B'), row('C', { view_screen: true })], ['A', 'B']);
    const theirs = matrix([row('A'), row('B', { landing: true }), row('C', { edit_screen: true })], []);
    const { draft, both } = mergeUpon(base, mine, theirs);
    expect(draft.screens.map(({ landing, view_screen: view, edit_screen: edit }) => [landing, view, edit])).toEqual([
      [true, false, false],
      [true, false, false],
      [false, true, false],
    ]);
    expect(both).toBe(1);
    expect(draft.actions).toEqual(['B']);
  });
});

it('records that are nobody’s own are those of a company at least, and the other scopes are not offered', () => {
  expect(scopesOf({ unowned: true }).map(([scope]) => scope)).toEqual(['branch', 'company', 'all_companies']);
  expect(scopesOf({})).toHaveLength(5);
  expect(actingScope({ unowned: true, data_scope: 'own' })).toBe('company');
  expect(actingScope({ unowned: true, data_scope: 'branch' })).toBe('branch');
  expect(actingScope({ data_scope: 'own' })).toBe('own');
});
