import { useCallback, useEffect, useSyncExternalStore } from 'react';
import type { MenuNode, PageType, Screen, ScreenRef } from '../../descriptor/types.ts';
import { createStore } from '../app/store.ts';
import { ApiError, api } from './http.ts';
import { onLive } from './live.ts';
import { onRightsChange } from './session_events.ts';

export { onLive } from './live.ts';

export interface MenuState {
  tree: MenuNode[];
  screens: ScreenRef[];
  /** Addresses of pages without a screen that this user may open. */
  pages: string[];
  /** Those served by a dashboard's descriptor. */
  dashboards?: string[];
  /** Addresses that the client has removed from its menu. */
  hidden: string[];
  /** Refused descriptor files; only for administrators. */
  problems: number;
  /** Notices about the client's subscription. */
  notices?: string[];
  /** The client is a restored copy that does not yet send or run anything. */
  held?: boolean;
  /** The hash of the menu's screens and rights; compared with the start of the live stream. */
  state?: string;
  /** False until the first answer. */
  loaded: boolean;
  error: ApiError | null;
}

const noMenu: MenuState = {
  tree: [],
  screens: [],
  pages: [],
  hidden: [],
  problems: 0,
  state: '',
  loaded: false,
  error: null,
};

export const menu = createStore<MenuState>(noMenu);

/** The screens this user may open, with rights. */
export const screenRefs = createStore<ScreenRef[]>([]);

let menuCall: Promise<void> | null = null;
let menuStale = false;
/** The hash from the stream, received before the menu was loaded. */
let heard: string | null = null;

/** Loads the menu; several callers share one call, and a change during it leads to another one. */
export function refetchMenu(): Promise<void> {
  if (menuCall) {
    menuStale = true;
    return menuCall;
  }
  menuCall = (async () => {
    do {
      menuStale = false;
      await fetchMenu();
    } while (menuStale);
  })().finally(() => {
    menuCall = null;
    compareState();
  });
  return menuCall;
}

/** Changes between the menu's response and the opening of the stream were missed: reload. */
function compareState(): void {
  const { state, loaded } = menu.get();
  if (heard === null || !loaded || menuCall) return;
  const stale = heard !== state;
  heard = null;
  if (!stale) return;
  refetchScreens([...entries.keys()]);
  void refetchMenu();
}

function refetchScreens(names: string[]): void {
  for (const name of names) if (entries.get(name)?.loaded) fetchScreen(name).catch(() => undefined);
}

async function fetchMenu(): Promise<void> {
  try {
    const { data } = await api.get<{
      data: {
        tree: MenuNode[];
        screens: ScreenRef[];
        pages?: string[];
        dashboards?: string[];
        hidden?: string[];
        problems?: number;
        notices?: string[];
        held?: boolean;
        state?: string;
      };
    }>('/tapi/menu', undefined, { quiet: true });
    menu.set({
      tree: data.tree,
      screens: data.screens,
      pages: data.pages ?? [],
      dashboards: data.dashboards ?? [],
      hidden: data.hidden ?? [],
      problems: data.problems ?? 0,
      state: data.state ?? '',
      ...(data.notices && { notices: data.notices }),
      ...(data.held && { held: true }),
      loaded: true,
      error: null,
    });
    screenRefs.set(data.screens);
  } catch (thrown) {
    const error = thrown instanceof ApiError ? thrown : new ApiError(0, 'no_response', 'Unable to contact server');
    menu.set((old) => ({ ...old, error }));
  }
}

/** Another person, another menu. */
export function forgetScreens(): void {
  menu.set(noMenu);
  heard = null;
  screenRefs.set([]);
  entries.clear();
}

/** {@link screenRef} inside a component. */
export function useScreenRef(name: string): ScreenRef | undefined {
  return screenRefs.use().find((ref) => ref.name === name);
}

/** A page's address with the record's id filled in; null if the screen has no such page or the user no right. */
export function pageAddress(ref: ScreenRef, page: PageType, id?: string | number): string | null {
  const route =
    page === 'landing'
      ? ref.routes.landing
      : page === 'add_screen'
        ? ref.routes.add
        : page === 'edit_screen'
          ? ref.routes.edit
          : page === 'view_screen'
            ? ref.routes.view
            : null;
  if (route === null || !ref.rights[page]) return null;
  if (id === undefined) return route;
  return route.includes(':id') ? route.replace(':id', String(id)) : `${route}?id=${id}`;
}

export interface LoadedScreen {
  screen: Screen;
  /** Address of the precompiled validator module. */
  validatorUrl: string;
}

interface ScreenEntry {
  loaded: LoadedScreen | null;
  error: ApiError | null;
  call: Promise<LoadedScreen> | null;
}

/** A screen's descriptor is loaded when it is first opened and again when it changes. */
const entries = new Map<string, ScreenEntry>();
const listeners = new Set<() => void>();
const nothing: ScreenEntry = { loaded: null, error: null, call: null };

function setEntry(name: string, part: Partial<ScreenEntry>): void {
  entries.set(name, { ...(entries.get(name) ?? nothing), ...part });
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** The compiled descriptor, from the cache if it was loaded before. */
export function loadScreen(name: string): Promise<LoadedScreen> {
  const entry = entries.get(name);
  if (entry?.loaded) return Promise.resolve(entry.loaded);
  return entry?.call ?? fetchScreen(name);
}

function fetchScreen(name: string): Promise<LoadedScreen> {
  // An answer that comes after a newer call, or after somebody else has signed in, is not kept.
  const isCurrent = () => entries.get(name)?.call === call;
  const call: Promise<LoadedScreen> = api
    .get<{ data: { screen: Screen; validator: string } }>(`/tapi/screens/${name}`, undefined, { quiet: true })
    .then(({ data }) => {
      const loaded = { screen: data.screen, validatorUrl: data.validator };
      const before = entries.get(name)?.loaded;
      const same = before?.screen.hash === loaded.screen.hash && before.validatorUrl === loaded.validatorUrl;
      if (isCurrent()) setEntry(name, { loaded: same ? before : loaded, error: null, call: null });
      return same ? before : loaded;
    })
    .catch((thrown: unknown) => {
      const error = thrown instanceof ApiError ? thrown : new ApiError(0, 'no_response', 'Unable to contact server');
      if (isCurrent()) setEntry(name, { error, call: null });
      throw error;
    });
  setEntry(name, { call });
  return call;
}

/** The compiled descriptor inside a component; the old one stays while a changed one is loading. */
export function useScreen(name: string): {
  screen: Screen | null;
  validatorUrl: string | null;
  error: ApiError | null;
  loading: boolean;
  retry: () => void;
} {
  const entry = useSyncExternalStore(subscribe, () => entries.get(name) ?? nothing);
  useEffect(() => {
    // The entry has the error; no other caller needs it.
    loadScreen(name).catch(() => undefined);
  }, [name]);
  const retry = useCallback(() => {
    setEntry(name, { error: null });
    fetchScreen(name).catch(() => undefined);
  }, [name]);
  return {
    screen: entry.loaded?.screen ?? null,
    validatorUrl: entry.loaded?.validatorUrl ?? null,
    error: entry.loaded ? null : entry.error,
    loading: !entry.loaded && !entry.error,
    retry,
  };
}

onRightsChange(() => void refetchMenu());

onLive((live) => {
  if (live.event === 'screens') {
    refetchScreens(live.data.names);
    void refetchMenu();
  } else if (live.event === 'rights') {
    void refetchMenu();
  } else if (live.event === 'problems') {
    menu.set((old) => ({ ...old, problems: live.data.count }));
    // A response still under way may be older, and would overwrite it.
    if (menuCall) menuStale = true;
  } else if (live.event === 'state') {
    heard = live.data.state;
    compareState();
  }
});
