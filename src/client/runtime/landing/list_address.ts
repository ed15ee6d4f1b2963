import { filterUnder, presentNames, sortUnder } from '../../../descriptor/renamed_paths.ts';
import type { Field, FilterExpression } from '../../../descriptor/types.ts';

/** A condition on one field, or a group from a link or a saved view. */
export type Condition = FilterExpression;
export type Activity = 'true' | 'false' | 'all';
export const pageSizes = [50, 100, 200];

/** The state of a landing page in its address, so that a link shows the same list. */
export interface ListState {
  q: string;
  /** All must hold. */
  conditions: Condition[];
  /** Fields, "-" first for descending; empty = the screen's own order. */
  sort: string[];
  active: Activity;
  /** Only one's own rows; a text: by these fields, comma-separated. */
  mine: boolean | string;
  /** A saved view's id, or `own-0` for the first predefined one; null = none. */
  view: string | null;
  /** The field by which rows are grouped; null = none. */
  group: string | null;
  /** Page number in pages mode, null in endless mode. */
  page: number | null;
  size: number;
  /** For a view: the parameters chosen above it, as `p.` and the parameter. */
  choice: Record<string, string>;
}

const emptyState: ListState = {
  q: '',
  conditions: [],
  sort: [],
  active: 'true',
  mine: false,
  view: null,
  group: null,
  page: null,
  size: 100,
  choice: {},
};

function isCondition(value: unknown): value is Condition {
  return Array.isArray(value) && typeof value[0] === 'string' && value.length >= 2;
}

export function isGroup(condition: Condition): boolean {
  return condition[0] === 'and' || condition[0] === 'or';
}

/** The conditions of a filter that are joined by and; invalid ones are ignored. */
export function conditionsOf(filter: unknown): Condition[] {
  if (!isCondition(filter)) return [];
  if (filter[0] !== 'and') return [filter];
  return filter.slice(1).filter(isCondition);
}

/** One filter expression of all conditions. */
export function filterOf(conditions: Condition[]): FilterExpression | null {
  const [first] = conditions;
  if (first === undefined) return null;
  return conditions.length === 1 ? first : ['and', ...conditions];
}

/** One's own records by the screen's own fields (`1`), or by the named ones. */
const mineOf = (given: string | null): boolean | string =>
  given === null || given === '' || given === '0' ? false : given === '1' ? true : given;

/** The state requested by an address. A bookmark with a field's former name (`"was"`) still works. */
export function readAddress(query: URLSearchParams, fields: readonly Field[] = []): ListState {
  const present = presentNames(fields);
  const active = query.get('active');
  const page = Number(query.get('page'));
  const size = Number(query.get('size'));
  const view = query.get('view');
  const group = query.get('group');
  let filter: unknown = null;
  try {
    filter = JSON.parse(query.get('filter') ?? 'null');
  } catch {
    // A link truncated in a mail: the list opens without the filter.
  }
  return {
    q: query.get('q') ?? '',
    conditions: conditionsOf(filter).map((condition) => filterUnder(condition, present)),
    sort: (query.get('sort') ?? '')
      .split(',')
      .filter(Boolean)
      .map((part) => sortUnder(part, present)),
    active: active === 'false' || active === 'all' ? active : 'true',
    mine: mineOf(query.get('mine')),
    view: view !== null && view !== 'tree' ? view : null,
    group: group === null || group === '' ? null : sortUnder(group, present),
    page: Number.isInteger(page) && page > 0 ? page : null,
    size: pageSizes.includes(size) ? size : emptyState.size,
    choice: Object.fromEntries([...query].filter(([name]) => name.startsWith('p.'))),
  };
}

const own = ['q', 'filter', 'sort', 'active', 'mine', 'view', 'group', 'page', 'size'];

/** The address of a state; other parameters are kept. */
export function writeAddress(state: ListState, before: URLSearchParams): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of before) if (!own.includes(name) && !name.startsWith('p.')) query.append(name, value);
  for (const [name, value] of Object.entries(state.choice)) query.set(name, value);
  const filter = filterOf(state.conditions);
  if (state.view !== null) query.set('view', state.view);
  if (state.q !== '') query.set('q', state.q);
  if (filter !== null) query.set('filter', JSON.stringify(filter));
  if (state.sort.length > 0) query.set('sort', state.sort.join(','));
  if (state.active !== 'true') query.set('active', state.active);
  if (state.mine !== false) query.set('mine', state.mine === true ? '1' : state.mine);
  if (state.group !== null) query.set('group', state.group);
  if (state.page !== null) {
    query.set('page', String(state.page));
    if (state.size !== emptyState.size) query.set('size', String(state.size));
  }
  return query;
}

/** True when anything hides rows. */
export function isNarrowed(state: ListState): boolean {
  return state.q !== '' || state.mine !== false || state.conditions.length > 0;
}

/** The next sort direction of a column: ascending, descending, none. `add` keeps the others (shift). */
export function nextSort(sort: string[], field: string, add: boolean): string[] {
  const others = add ? sort.filter((part) => part !== field && part !== `-${field}`) : [];
  if (sort.includes(field)) return [...others, `-${field}`];
  if (sort.includes(`-${field}`)) return others;
  return [...others, field];
}
