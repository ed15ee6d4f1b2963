import { useCallback, useEffect, useState } from 'react';
import type { FilterExpression, Screen } from '../../../descriptor/types.ts';
import { api } from '../../api/http.ts';
import type { ColumnChoice } from './column_state.ts';
import { completeColumns } from './column_state.ts';
import type { Activity, ListState } from './list_address.ts';
import { conditionsOf, filterOf } from './list_address.ts';

/** The content of a view: filter, order and columns. */
export interface ViewState {
  q?: string;
  filter?: FilterExpression | null;
  sort?: string[];
  active?: Activity;
  columns?: ColumnChoice[];
  /** One's own rows alone. */
  mine?: boolean | string;
  /** The field that makes groups. */
  group?: string;
  /** Opens with the list by default. */
  isDefault?: boolean;
}

export interface SavedView {
  /** `own-0` … for predefined views, which cannot be changed. */
  id: string;
  name: string;
  shared: boolean;
  mine: boolean;
  state: ViewState;
  /** Opens with the list if the person has no default of their own. */
  first?: boolean;
  /** Said where it shows nothing. */
  empty?: string;
  /** The type whose list it opens instead. */
  opens?: string;
}

interface ViewRow {
  id: number;
  name: string;
  shared: boolean;
  mine?: boolean;
  user_id?: number;
  state: ViewState;
}

/** Views that the screen's descriptor ships. */
export function ownViews(screen: Screen): SavedView[] {
  return screen.views.map((view, index) => ({
    id: `own-${index}`,
    name: view.name,
    shared: true,
    mine: false,
    ...(view.first && { first: true }),
    ...(view.empty !== undefined && { empty: view.empty }),
    ...(view.opens !== undefined && { opens: view.opens }),
    state: {
      ...(view.filter && { filter: view.filter }),
      ...(view.sort && { sort: view.sort }),
      ...(view.mine && { mine: view.mine === true ? true : view.mine.join(',') }),
      ...(view.columns && {
        columns: completeColumns(
          view.columns.map((field) => ({ field })),
          screen,
        ),
      }),
    },
  }));
}

/** The list's state under a view. */
export function stateOfView(view: SavedView): Partial<ListState> {
  const { q, filter, sort, active, mine, group } = view.state;
  return {
    view: view.id,
    q: q ?? '',
    conditions: conditionsOf(filter),
    sort: sort ?? [],
    active: active ?? 'true',
    mine: mine ?? false,
    group: group ?? null,
  };
}

/** The content of a new view, from the current list. */
export function viewOfState(state: ListState, columns: ColumnChoice[] | null): ViewState {
  return {
    ...(state.q !== '' && { q: state.q }),
    ...(state.conditions.length > 0 && { filter: filterOf(state.conditions) }),
    ...(state.sort.length > 0 && { sort: state.sort }),
    ...(state.active !== 'true' && { active: state.active }),
    ...(state.mine !== false && { mine: state.mine }),
    ...(state.group !== null && { group: state.group }),
    ...(columns && { columns }),
  };
}

/** True if the list differs from the view. */
export function differsFromView(view: SavedView, state: ListState, columns: ColumnChoice[] | null): boolean {
  const kept = viewOfState({ ...state, ...stateOfView(view) }, view.state.columns ?? null);
  const now = viewOfState(state, columns ?? view.state.columns ?? null);
  return JSON.stringify(kept) !== JSON.stringify(now);
}

export interface Views {
  views: SavedView[];
  /** False until the person's own views are loaded. */
  loaded: boolean;
  create: (name: string, shared: boolean, state: ViewState) => Promise<SavedView>;
  update: (view: SavedView, part: { name?: string; shared?: boolean; state?: ViewState }) => Promise<void>;
  remove: (view: SavedView) => Promise<void>;
}

/** The views of a list: predefined, shared by others, and the person's own. */
export function useViews(screen: Screen, userId: number): Views {
  const [rows, setRows] = useState<ViewRow[] | null>(null);
  const path = `/tapi/${screen.name}/views`;

  useEffect(() => {
    let gone = false;
    api
      .get<{ data: ViewRow[] }>(path, undefined, { quiet: true })
      .then(({ data }) => !gone && setRows(data))
      // A list without its views is still a list.
      .catch(() => !gone && setRows([]));
    return () => {
      gone = true;
    };
  }, [path]);

  const toView = useCallback(
    (row: ViewRow): SavedView => ({
      id: String(row.id),
      name: row.name,
      shared: row.shared,
      mine: row.mine ?? row.user_id === userId,
      state: row.state,
    }),
    [userId],
  );
  return {
    views: [...ownViews(screen), ...(rows ?? []).map(toView)],
    loaded: rows !== null,
    create: async (name, shared, state) => {
      const { data } = await api.post<{ data: ViewRow }>(path, { name, shared, state });
      const row = { ...data, name, shared, state, mine: true };
      setRows((old) => [...(old ?? []), row]);
      return toView(row);
    },
    update: async (view, part) => {
      const next = { name: view.name, shared: view.shared, state: view.state, ...part };
      await api.put(`${path}/${view.id}`, next);
      setRows((old) =>
        (old ?? []).map((row) => {
          if (String(row.id) === view.id) return { ...row, ...next };
          // One default at most.
          return part.state?.isDefault && row.state.isDefault && toView(row).mine
            ? { ...row, state: { ...row.state, isDefault: false } }
            : row;
        }),
      );
    },
    remove: async (view) => {
      await api.delete(`${path}/${view.id}`);
      setRows((old) => (old ?? []).filter((row) => String(row.id) !== view.id));
    },
  };
}
