import type { ComponentType } from 'react';
import { Suspense, lazy, useEffect } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { menu, refetchMenu, useScreen } from '../api/screens.ts';
import type { LookName, ScreenRef } from '../../descriptor/types.ts';
import type { PageProps } from '../runtime/page_props.ts';
import { loadInTime } from './lazy_page.ts';
import { NoAccess } from './no_access.tsx';
import { ErrorView, Page, PageBody, Skeleton } from './page.tsx';
import { noteRecentPlace } from './recent_places.ts';
import type { ScreenMatch } from './screen_routes.ts';
import { matchPath, matchScreen } from './screen_routes.ts';

function pageKind(load: () => Promise<{ default: ComponentType<PageProps> }>) {
  return lazy(() => loadInTime(load));
}

const lookPages: Record<LookName, ComponentType<PageProps>> = {
  board: pageKind(() => import('../runtime/looks/board/BoardPage.tsx')),
  calendar: pageKind(() => import('../runtime/looks/calendar/CalendarPage.tsx')),
  timeline: pageKind(() => import('../runtime/looks/timeline/TimelinePage.tsx')),
  thread: pageKind(() => import('../runtime/looks/thread/ThreadPage.tsx')),
  map: pageKind(() => import('../runtime/looks/map/MapPage.tsx')),
  steps: pageKind(() => import('../runtime/looks/steps/StepsPage.tsx')),
  tree_preview: pageKind(() => import('../runtime/looks/tree_preview/TreePreviewPage.tsx')),
};
const lookPage = ({ looks = [] }: ScreenRef, as: string | null): ComponentType<PageProps> | undefined => {
  const name = looks.find((look) => look === as);
  return name && lookPages[name];
};

const UnknownAddress = lazy(() => loadInTime(() => import('./unknown_address.tsx')));
const BespokePage = lazy(() => loadInTime(() => import('./bespoke_page.tsx')));
const LandingPage = pageKind(() => import('../runtime/landing/LandingPage.tsx'));
const TreePage = pageKind(() => import('../runtime/tree/TreePage.tsx'));
const HierarchyPage = pageKind(() => import('../runtime/tree/HierarchyPage.tsx'));
const FormPage = pageKind(() => import('../runtime/form/FormPage.tsx'));
const BuilderPage = pageKind(() => import('../runtime/questionnaire/builder/BuilderPage.tsx'));
const ResultsPage = pageKind(() => import('../runtime/questionnaire/results/ResultsPage.tsx'));
const SettingsPage = pageKind(() => import('../runtime/settings/SettingsPage.tsx'));

/** Any address that a descriptor serves: finds the screen, asks the guard, mounts the page of its kind. */
export default function ScreenPage() {
  const { pathname, search, hash } = useLocation();
  const { screens, pages, loaded, error } = menu.use();

  if (!loaded) {
    if (!error) return <Waiting />;
    return <ErrorView error={error} title="Your pages could not be loaded." retry={() => void refetchMenu()} />;
  }
  const match = matchScreen(screens, pathname, search);
  // A page of a descriptor may be code: the list and the links lead to it as to any other.
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
  const Kind =
    screen.kind === 'settings'
      ? SettingsPage
      : page === 'edit_screen' && screen.questionnaire && query.get('as') === 'questions'
        ? BuilderPage
        : page === 'view_screen' && screen.questionnaire && query.get('as') === 'results'
          ? ResultsPage
          : page !== 'landing'
            ? FormPage
            : hierarchy
              ? HierarchyPage
              : ref.tree && query.get('view') === 'tree'
                ? TreePage
                : (lookPage(ref, query.get('as')) ?? LandingPage);
  return (
    <Suspense fallback={<Waiting title={heading} />}>
      <Kind {...props} />
    </Suspense>
  );
}

/** The frame of the page that is coming, with grey rows. */
function Waiting({ title = '' }: { title?: string | undefined }) {
  return (
    <Page title={title} breadcrumbs={[]}>
      <PageBody>
        <Skeleton rows={10} />
      </PageBody>
    </Page>
  );
}
