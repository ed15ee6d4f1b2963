import type { FieldRight } from '../../../domain/field_access.ts';

/**
 * The matrix of a role's rights without its display: changes, head checkboxes, and merging the changes of two people.
 */

export const PAGES = [
  'landing',
  'add_screen',
  'edit_screen',
  'view_screen',
  'approval_screen',
  'transfer_screen',
] as const;
export type PageName = (typeof PAGES)[number];
export const PAGE_TITLES: Record<PageName, string> = {
  landing: 'List',
  add_screen: 'Add',
  edit_screen: 'Edit',
  view_screen: 'View',
  approval_screen: 'Approve',
  transfer_screen: 'Transfer',
};
export const SCOPES = {
  own: 'Own',
  team: 'Team',
  branch: 'Branch',
  company: 'Company',
  all_companies: 'All companies',
} as const;
export type Scope = keyof typeof SCOPES;

/** The scopes that a screen tells apart, with their names. */
export const scopesOf = ({ unowned }: Pick<ScreenRow, 'unowned'>): [Scope, string][] =>
  (Object.entries(SCOPES) as [Scope, string][]).filter(
    ([scope]) => unowned !== true || (scope !== 'own' && scope !== 'team'),
  );

/** The scope of a right as it acts. */
export const actingScope = ({ unowned, data_scope: scope }: Pick<ScreenRow, 'unowned' | 'data_scope'>): Scope =>
  unowned === true && (scope === 'own' || scope === 'team') ? 'company' : scope;

export type ScreenRow = {
  screen_code: string;
  name: string;
  /** Further pages that the code opens. */
  also?: string[];
  route: string | null;
  modules: string[];
  products: string[];
  has: PageName[];
  available: boolean;
  /** The group of a master. */
  group?: string;
  /** Its records are nobody's own: a right to own or the team's records shows those of the company. */
  unowned?: true;
  /** False: not part of this release; the right can be prepared already. */
  released?: false;
  /** Added by a recent upgrade. */
  is_new?: boolean;
  data_scope: Scope;
} & Record<PageName, boolean>;

export interface ModuleRow {
  module_code: string;
  module_name: string;
  product: string | null;
  bought: boolean;
  active: boolean;
  hide_all: boolean;
  screens: number;
  ticked: number;
}

/** A restricted field of a role, with its label. */
export type FieldLine = FieldRight & { title: string };

export interface Matrix {
  role: {
    id: number;
    code: string;
    role_name: string;
    version: number;
    is_system: boolean;
    users?: number;
    template?: string | null;
  };
  modules: ModuleRow[];
  screens: ScreenRow[];
  actions: string[];
  action_codes: string[];
  warnings: string[];
  /** For roles, not for user types. */
  fields?: FieldLine[];
  record_types?: { name: string; plural: string; screens: string[] }[];
}

/** A row as sent to the server. */
export type ScreenRight = Pick<ScreenRow, 'screen_code' | 'data_scope' | PageName>;

function rightOf(row: ScreenRow): ScreenRight {
  const { screen_code, data_scope } = row;
  return {
    screen_code,
    data_scope,
    ...(Object.fromEntries(PAGES.map((page) => [page, row[page]])) as Record<PageName, boolean>),
  };
}

const same = (a: ScreenRow, b: ScreenRow) =>
  a.data_scope === b.data_scope && PAGES.every((page) => a[page] === b[page]);

export interface Change {
  screens: ScreenRight[];
  modules: Pick<ModuleRow, 'module_code' | 'active' | 'hide_all'>[];
  actions: string[] | null;
  fields: FieldRight[];
  /** The number of changed rights, scopes, modules, actions and fields. */
  count: number;
}

/** The difference from the stored state. */
export function changeOf(stored: Matrix, draft: Matrix): Change {
  const before = new Map(stored.screens.map((row) => [row.screen_code, row]));
  const screens = draft.screens.filter((row) => !same(row, before.get(row.screen_code) ?? row));
  const ticks = screens.reduce((sum, row) => {
    const old = before.get(row.screen_code)!;
    return sum + PAGES.filter((page) => row[page] !== old[page]).length + (row.data_scope === old.data_scope ? 0 : 1);
  }, 0);
  const modulesBefore = new Map(stored.modules.map((row) => [row.module_code, row]));
  const modules = draft.modules.filter(
    (row) =>
      row.active !== modulesBefore.get(row.module_code)?.active ||
      row.hide_all !== modulesBefore.get(row.module_code)?.hide_all,
  );
  const differ =
    draft.actions.filter((one) => !stored.actions.includes(one)).length +
    stored.actions.filter((one) => !draft.actions.includes(one)).length;
  const fields = changedFields(stored.fields ?? [], draft.fields ?? []);
  return {
    screens: screens.map(rightOf),
    modules: modules.map(({ module_code, active, hide_all }) => ({ module_code, active, hide_all })),
    actions: differ > 0 ? draft.actions : null,
    fields,
    count: ticks + modules.length + differ + fields.length,
  };
}

export const sameField = (a: FieldRight, b: FieldRight): boolean =>
  a.record_type === b.record_type && a.field === b.field;

/** The changed restrictions; a field that was removed becomes writable. */
function changedFields(before: FieldRight[], after: FieldRight[]): FieldRight[] {
  const said = after.filter((right) => before.find((one) => sameField(one, right))?.access !== right.access);
  const given = before
    .filter((right) => !after.some((one) => sameField(one, right)))
    .map((right) => ({ ...right, access: 'write' as const }));
  return [...said, ...given].map(({ record_type, field, access }) => ({ record_type, field, access }));
}

/** The restrictions with one field changed; `write` removes its restriction. */
export function withField(fields: FieldLine[], line: FieldLine): FieldLine[] {
  const others = fields.filter((one) => !sameField(one, line));
  return line.access === 'write' ? others : [...others, line];
}

/** A checkbox for several rights: all, none, or some. */
export function boxOf(values: boolean[]): 'on' | 'off' | 'mixed' {
  if (values.every((value) => !value)) return 'off';
  return values.every(Boolean) ? 'on' : 'mixed';
}

/**
 * Sets a page of the rows that have it; setting another page also sets the list, and clearing the list clears all
 * pages.
 */
export function tick(
  rows: ScreenRow[],
  codes: ReadonlySet<string>,
  pages: readonly PageName[],
  value: boolean,
): ScreenRow[] {
  return rows.map((row) => {
    if (!codes.has(row.screen_code)) return row;
    const next = { ...row };
    for (const page of pages) if (row.has.includes(page)) next[page] = value;
    return next;
  });
}

/**
 * Applies the user's changes to a state that somebody else stored meanwhile: rows changed on one side merge; in rows
 * changed on both, the user's change wins.
 * @returns the new draft and how many rows both changed
 */
export function mergeUpon(base: Matrix, mine: Matrix, theirs: Matrix): { draft: Matrix; both: number } {
  const find = (matrix: Matrix) => new Map(matrix.screens.map((row) => [row.screen_code, row]));
  const [before, own] = [find(base), find(mine)];
  let both = 0;
  const screens = theirs.screens.map((row) => {
    const old = before.get(row.screen_code);
    const kept = own.get(row.screen_code);
    if (!old || !kept || same(kept, old)) return row;
    if (!same(row, old) && !same(row, kept)) both++;
    return { ...row, ...rightOf(kept) };
  });
  const modules = theirs.modules.map((row) => {
    const old = base.modules.find((one) => one.module_code === row.module_code);
    const kept = mine.modules.find((one) => one.module_code === row.module_code);
    return old && kept && (kept.active !== old.active || kept.hide_all !== old.hide_all)
      ? { ...row, active: kept.active, hide_all: kept.hide_all }
      : row;
  });
  const added = mine.actions.filter((one) => !base.actions.includes(one));
  const removed = base.actions.filter((one) => !mine.actions.includes(one));
  const actions = [...new Set([...theirs.actions, ...added])].filter((one) => !removed.includes(one));
  const fields = changedFields(base.fields ?? [], mine.fields ?? []).reduce(
    (all, change) =>
      withField(all, {
        ...change,
        title:
          [...(mine.fields ?? []), ...(base.fields ?? [])].find((one) => sameField(one, change))?.title ?? change.field,
      }),
    theirs.fields ?? [],
  );
  return { draft: { ...theirs, screens, modules, actions, ...(theirs.fields && { fields }) }, both };
}

/** Rows by module and, for masters, by group. */
export function groupsOfRows(rows: ScreenRow[]): { code: string; group: string; rows: ScreenRow[] }[] {
  const groups = Map.groupBy(rows, ({ modules, group = '' }) => {
    const code = modules[0] ?? '';
    return `${code}/${code === 'MASTERS' ? group : ''}`;
  });
  return [...groups].map(([key, of]) => {
    const [code = '', group = ''] = key.split('/');
    return { code, group, rows: of };
  });
}
