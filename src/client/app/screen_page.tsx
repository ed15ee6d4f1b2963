import { Suspense, lazy, useEffect } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { loadScreen, menu, refetchMenu, useScreen } from '../api/screens.ts';
import type { LookName, PageType, ScreenRef } from '../../descriptor/types.ts';
import type { PageProps } from '../runtime/page_props.ts';
import type { LazyPage } from './lazy_page.ts';
import { lazyPage, loadInTime } from './lazy_page.ts';
import { NoAccess } from './no_access.tsx';
import { ErrorView, Page, PageBody, Skeleton } from './page.tsx';
import { noteRecentPlace } from './recent_places.ts';
import type { ScreenMatch } from './screen_routes.ts';
import { matchPath, matchScreen } from './screen_routes.ts';

const lookPages: Record<LookName, LazyPage<PageProps>> = {
  board: lazyPage(() => import('../runtime/looks/board/BoardPage.tsx')),
  calendar: lazyPage(() => import('../runtime/looks/calendar/CalendarPage.tsx')),
  timeline: lazyPage(() => import('../runtime/looks/timeline/TimelinePage.tsx')),
  thread: lazyPage(() => import('../runtime/looks/thread/ThreadPage.tsx')),
  map: lazyPage(() => import('../runtime/looks/map/MapPage.tsx')),
  steps: lazyPage(() => import('../runtime/looks/steps/StepsPage.tsx')),
  tree_preview: lazyPage(() => import('../runtime/looks/tree_preview/TreePreviewPage.tsx')),
};
const lookPage = ({ looks = [] }: ScreenRef, as: string | null): LazyPage<PageProps> | undefined => {
  const name = looks.find((look) => look === as);
  return name && lookPages[name];
};

const UnknownAddress = lazy(() => loadInTime(() => import('./unknown_address.tsx')));
const BespokePage = lazy(() => loadInTime(() => import('./bespoke_page.tsx')));
const landingPage = lazyPage<PageProps>(() => import('../runtime/landing/LandingPage.tsx'));
const treePage = lazyPage<PageProps>(() => import('../runtime/tree/TreePage.tsx'));
const hierarchyPage = lazyPage<PageProps>(() => import('../runtime/tree/HierarchyPage.tsx'));
const formPage = lazyPage<PageProps>(() => import('../runtime/form/FormPage.tsx'));
const builderPage = lazyPage<PageProps>(() => import('../runtime/questionnaire/builder/BuilderPage.tsx'));
const resultsPage = lazyPage<PageProps>(() => import('../runtime/questionnaire/results/ResultsPage.tsx'));
const settingsPage = lazyPage<PageProps>(() => import('../runtime/settings/SettingsPage.tsx'));

/** The page of most addresses, loaded in advance. */
export function preloadList(): Promise<void> {
  return landingPage.preload();
}

/** Preloads an address that is about to be opened: the descriptor and the script of its page. */
export async function preloadAddress(pathname: string, search: string): Promise<void> {
  const { screens, pages } = menu.get();
  const match = matchScreen(screens, pathname, search);
  if (!match || !match.ref.rights[match.page] || pages.some((one) => matchPath(one, pathname) !== null)) return;
  const { ref, page, hierarchy } = match;
  await Promise.all([
    loadScreen(ref.name),
    pageOf(ref, page, hierarchy === true, new URLSearchParams(search)).preload(),
  ]);
}

/** The kind of page that shows a screen at an address. */
function pageOf(ref: ScreenRef, page: PageType, hierarchy: boolean, query: URLSearchParams): LazyPage<PageProps> {
  if (ref.kind === 'settings') return settingsPage;
  if (page !== 'landing') return formPage;
  if (hierarchy) return hierarchyPage;
  if (ref.tree && query.get('view') === 'tree') return treePage;
  return lookPage(ref, query.get('as')) ?? landingPage;
}

/** Any address served by a descriptor: finds the screen, checks the guard, mounts the page of its kind. */
export default function ScreenPage() {
  const { pathname, search, hash } = useLocation();
  const { screens, pages, loaded, error } = menu.use();

  if (!loaded) {
    if (!error) return <Waiting />;
    return <ErrorView error={error} title="Your pages could not be loaded." retry={() => void refetchMenu()} />;
  }
  const match = matchScreen(screens, pathname, search);
  // A page of a descriptor may be coded: lists and links lead to it as to any other.
  const pattern = pages.find((one) => matchPath(one, pathname) !== null);
  if (!match || pattern !== undefined) {
    return (
      <Suspense fallback={<Waiting />}>
        {pattern === undefined ? (
          <UnknownAddress key={pathname} path={pathname} waiting={<Waiting />} />
        ) : (
          <BespokePage key={pathname} pattern={pattern} params={matchPath(pattern, pathname) ?? {}} />
        )}
      </Suspense>
    );
  }
  if (match.redirect !== undefined)
    return (
      <Navigate
        to={match.redirect + (match.redirect.includes('?') ? search.replace('?', '&') : search) + hash}
        replace
      />
    );
  if (!match.ref.rights[match.page]) return <NoAccess />;
  return (
    <Screen
      key={`${match.ref.name} ${match.page} ${match.params.id ?? new URLSearchParams(search).get('id') ?? ''}`}
      match={match}
    />
  );
}

function Screen({ match }: { match: ScreenMatch }) {
  const { ref, page, params, hierarchy } = match;
  const { search } = useLocation();
  const { screen, error, retry } = useScreen(ref.name);

  useEffect(() => {
    if (page === 'landing' && !hierarchy)
      noteRecentPlace({ to: ref.routes.landing, title: ref.kind === 'settings' ? ref.title : ref.plural });
  }, [ref, page, hierarchy]);

  if (error) return error.status === 403 ? <NoAccess /> : <ErrorView error={error} retry={retry} home />;
  const heading = hierarchy ? ref.hierarchy?.title : page === 'landing' ? ref.plural : ref.title;
  if (!screen) return <Waiting title={heading} />;

  const query = new URLSearchParams(search);
  const id = params.id ?? query.get('id') ?? undefined;
  const step = page === 'landing' && screen.workflow?.transitions.find(({ name }) => name === query.get('step'));
  if (step) {
    const filter = JSON.stringify([screen.workflow!.field, 'in', step.from]);
    return <Navigate to={`${ref.routes.landing}?filter=${encodeURIComponent(filter)}`} replace />;
  }
  const props: PageProps = { screen, access: ref, page, query, ...(id !== undefined && { id }) };
  const as = screen.questionnaire ? query.get('as') : null;
  const { Kind } =
    page === 'edit_screen' && as === 'questions'
      ? builderPage
      : page === 'view_screen' && as === 'results'
        ? resultsPage
        : pageOf(ref, page, hierarchy === true, query);
  return (
    <Suspense fallback={<Waiting title={heading} />}>
      <Kind {...props} />
    </Suspense>
  );
}

/** The frame of the coming page, with a skeleton. */
function Waiting({ title = '' }: { title?: string | undefined }) {
  return (
    <Page title={title} breadcrumbs={[]}>
      <PageBody>
        <Skeleton rows={10} />
      </PageBody>
    </Page>
  );
}
