import type { ComponentType } from 'react';
import { Suspense, lazy, useEffect, useState } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { CompassNorthwestRegular } from '@fluentui/react-icons';
import { ApiError, api } from '../api/http.ts';
import { menu, refetchMenu, useScreen } from '../api/screens.ts';
import type { PageProps } from '../runtime/page_props.ts';
import { loadInTime } from './lazy_page.ts';
import { NoAccess } from './no_access.tsx';
import { EmptyState, ErrorView, Page, PageBody, Skeleton } from './page.tsx';
import { noteRecentScreen } from './recent_screens.ts';
import type { ScreenMatch } from './screen_routes.ts';
import { matchPath, matchScreen } from './screen_routes.ts';

function pageKind(load: () => Promise<{ default: ComponentType<PageProps> }>) {
  return lazy(() => loadInTime(load));
}

const BespokePage = lazy(() => loadInTime(() => import('./bespoke_page.tsx')));
const LandingPage = pageKind(() => import('../runtime/landing/LandingPage.tsx'));
const TreePage = pageKind(() => import('../runtime/tree/TreePage.tsx'));
const KanbanPage = pageKind(() => import('../runtime/kanban/KanbanPage.tsx'));
const HierarchyPage = pageKind(() => import('../runtime/tree/HierarchyPage.tsx'));
const FormPage = pageKind(() => import('../runtime/form/FormPage.tsx'));
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
  if (!match) {
    const pattern = pages.find((one) => matchPath(one, pathname) !== null);
    if (pattern === undefined) return <UnknownAddress key={pathname} path={pathname} />;
    return (
      <Suspense fallback={<Waiting />}>
        <BespokePage key={pathname} pattern={pattern} params={matchPath(pattern, pathname) ?? {}} />
      </Suspense>
    );
  }
  if (match.redirect !== undefined) return <Navigate to={match.redirect + (match.redirect.includes('?') ? search.replace('?', '&') : search) + hash} replace />;
  if (!match.ref.rights[match.page]) return <NoAccess />;
  return <Screen key={`${match.ref.name} ${match.page} ${match.params.id ?? new URLSearchParams(search).get('id') ?? ''}`} match={match} />;
}

function Screen({ match }: { match: ScreenMatch }) {
  const { ref, page, params, hierarchy } = match;
  const { search } = useLocation();
  const { screen, error, retry } = useScreen(ref.name);

  useEffect(() => {
    if (!hierarchy) noteRecentScreen(ref.name);
  }, [ref.name, hierarchy]);

  if (error) return error.status === 403 ? <NoAccess /> : <ErrorView error={error} retry={retry} home />;
  const heading = hierarchy ? ref.hierarchy?.title : page === 'landing' ? ref.plural : ref.title;
  if (!screen) return <Waiting title={heading} />;

  const query = new URLSearchParams(search);
  const id = params.id ?? query.get('id') ?? undefined;
  const props: PageProps = { screen, access: ref, page, query, ...(id !== undefined && { id }) };
  const Kind =
    screen.kind === 'settings'
      ? SettingsPage
      : page !== 'landing'
        ? FormPage
        : hierarchy
          ? HierarchyPage
          : ref.tree && query.get('view') === 'tree'
            ? TreePage
            : ref.kanban && query.has('board')
              ? KanbanPage
              : LandingPage;
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

/** Not in this user's list: a screen without the right, or an address that nobody serves. The server knows. */
function UnknownAddress({ path }: { path: string }) {
  const [forbidden, setForbidden] = useState<boolean | null>(null);
  const name = path.split('/')[1] ?? '';

  useEffect(() => {
    let gone = false;
    void api
      .get(`/tapi/screens/${encodeURIComponent(name)}`, undefined, { quiet: true })
      .then(() => false)
      .catch((thrown: unknown) => thrown instanceof ApiError && thrown.status === 403)
      // A page that is code and not this user's is refused in the same words as a screen.
      .then(async (answer) => answer || Object.keys((await import('../modules/pages.ts')).bespokePages).some((one) => matchPath(one, path) !== null))
      .then((answer) => !gone && setForbidden(answer));
    return () => {
      gone = true;
    };
  }, [name, path]);

  if (forbidden === null) return <Waiting />;
  if (forbidden) return <NoAccess />;
  return (
    <Page title="Page not found" breadcrumbs={[]}>
      <EmptyState
        icon={<CompassNorthwestRegular />}
        title="There is no page at this address"
        text={`${path} may have been renamed, or the link is incomplete.`}
        actions={[{ label: 'Go home', to: '/show_list' }, { label: 'Go back', onClick: () => history.back() }]}
      />
    </Page>
  );
}
