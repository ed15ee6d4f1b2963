import { targetPage } from '../../descriptor/address_target.ts';
import type { PageType, ScreenRef } from '../../descriptor/types.ts';

export interface ScreenMatch {
  ref: ScreenRef;
  page: PageType;
  /** Path parameters; including `id` if the page has one. */
  params: Record<string, string>;
  /** The hierarchy page whose top level the screen is. */
  hierarchy?: boolean;
  /** The redirect target of an older address: the current path, without the query. */
  redirect?: string;
}

/** Matches segments of a path against a pattern; null if they differ. Fixed segments compare exactly. */
export function matchPath(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const value = given[index] ?? '';
    if (segment.startsWith(':')) {
      if (value === '') return null;
      params[segment.slice(1)] = decodeURIComponent(value);
    } else if (segment !== value) {
      return null;
    }
  }
  return params;
}

function ownRoutes(ref: ScreenRef): [string, PageType][] {
  const { landing, add, edit, view } = ref.routes;
  const routes: [string | null, PageType][] = [
    [landing, 'landing'],
    [add, 'add_screen'],
    [edit, 'edit_screen'],
    [view, 'view_screen'],
  ];
  return routes.filter((route): route is [string, PageType] => route[0] !== null);
}

function routeOf(ref: ScreenRef, page: PageType): string | null {
  return ownRoutes(ref).find(([, type]) => type === page)?.[0] ?? null;
}

function fixedSegments(pattern: string): number {
  return pattern.split('/').filter((segment) => !segment.startsWith(':')).length;
}

/** The screen and page type of a path. The pattern with more fixed segments wins: /x/add before /x/:id. */
export function matchScreen(screens: ScreenRef[], pathname: string, search = ''): ScreenMatch | null {
  const path = pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname;
  let best: { match: ScreenMatch; weight: number } | null = null;
  const consider = (pattern: string, found: () => ScreenMatch | null) => {
    const weight = fixedSegments(pattern);
    if (best && best.weight >= weight) return;
    const match = found();
    if (match) best = { match, weight };
  };
  for (const ref of screens) {
    for (const [pattern, page] of ownRoutes(ref)) {
      consider(pattern, () => {
        const params = matchPath(pattern, path);
        // One address for adding and editing: the record's id is in the query.
        const edits = page === 'add_screen' && ref.routes.edit === pattern && new URLSearchParams(search).has('id');
        return params && { ref, page: edits ? 'edit_screen' : page, params };
      });
    }
    if (ref.hierarchy?.route === path) consider(path, () => ({ ref, page: 'landing', params: {}, hierarchy: true }));
    for (const [pattern, page] of Object.entries(ref.sameAs)) {
      consider(pattern, () => {
        const own = matchPath(pattern, path);
        const asked = page.startsWith('step:') && own?.id === undefined ? new URLSearchParams(search).get('id') : null;
        const params = own && (asked === null ? own : { ...own, id: asked });
        const { page: leads, query } = targetPage(page, params?.id);
        const target = params && routeOf(ref, leads);
        if (!params || !target) return null;
        // If the page takes the record's id in the query, it is added there.
        const inQuery =
          leads !== 'landing' && leads !== 'add_screen' && params.id !== undefined && !target.includes(':id');
        const ofRecord = inQuery ? `?id=${encodeURIComponent(params.id!)}` : '';
        const further = ofRecord === '' ? query : ofRecord + query.replace('?', '&');
        if (further !== '') return { ref, page: leads, params, redirect: fillPath(target, params) + further };
        if (page === 'landing' && ref.kind !== 'settings' && Object.keys(params).length > 0)
          return { ref, page: leads, params, redirect: `${target}?filter=${encodeURIComponent(filterOf(params))}` };
        return { ref, page: leads, params, redirect: fillPath(target, params) };
      });
    }
  }
  return (best as { match: ScreenMatch } | null)?.match ?? null;
}

/** The parameters of an address, which are fields, as a list filter. 0 means records without a value. */
function filterOf(params: Record<string, string>): string {
  const conditions = Object.entries(params).map(([field, value]) =>
    value === '0' ? [field, 'empty'] : [field, 'eq', /^\d+$/.test(value) ? Number(value) : value],
  );
  return JSON.stringify(conditions.length === 1 ? conditions[0] : ['and', ...conditions]);
}

/** A pattern with its parameters filled in. */
function fillPath(pattern: string, params: Record<string, string>): string {
  return pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}
