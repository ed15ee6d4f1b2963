import type { RefObject } from 'react';
import { Suspense, lazy, useEffect, useRef } from 'react';
import { Navigate, Outlet, useLocation, useNavigate } from 'react-router-dom';
import { api } from '../../api/http.ts';
import { openLive } from '../../api/live.ts';
import { forgetScreens, menu, refetchMenu } from '../../api/screens.ts';
import { onAppVersionChange, onSessionEnd, onSessionRefused } from '../../api/session_events.ts';
import { host } from '../brand.ts';
import { chooseCompany } from '../company_choice.ts';
import { alertDialog, confirmDialog, focusKeeper, toast } from '../feedback.ts';
import { FirstLoad } from '../first_load.tsx';
import { currentSession, endStoredSession, forgetSession, usePhone, useSession } from '../session.ts';
import { hasUnsavedChanges } from '../unsaved_guard.ts';
import { checkVersion, watchVersion } from '../version_check.ts';
import { OfflineBanner } from './OfflineBanner.tsx';
import { SideMenu } from './SideMenu.tsx';
import { TopBar } from './TopBar.tsx';
import { pageStar } from '../quick_links/page_star.ts';
import { openPanel, panel } from './panels.ts';
import styles from './layout.module.css';

const CompanyDialog = lazy(() => import('../dialogs/company_dialog.tsx'));
const QuickAdd = lazy(() => import('../dialogs/quick_add.tsx'));
const SearchPalette = lazy(() => import('../dialogs/search_palette.tsx'));
const ProblemsDialog = lazy(() => import('../dialogs/problems_dialog.tsx'));
const NotificationPanel = lazy(() => import('./NotificationPanel.tsx'));
const CardMenu = lazy(() => import('./CardMenu.tsx'));
const OutboxBanner = lazy(() => import('../../runtime/offline/OutboxBanner.tsx'));
const BottomBar = lazy(() => import('./BottomBar.tsx'));
const Watches = lazy(() => import('./Watches.tsx'));

/** The frame of every page after sign-in, and the guard before it. */
export default function Layout() {
  const session = useSession();
  const location = useLocation();
  if (!session.signedIn) {
    const wanted = location.pathname + location.search;
    return <Navigate to={wanted === '/' ? '/login' : `/login?next=${encodeURIComponent(wanted)}`} replace />;
  }
  return <SignedIn />;
}

/** The stars are loaded after the page; the platform's own host has no quick links. */
function useStar(): void {
  const { userId, isPlatform } = useSession();
  useEffect(() => {
    if (isPlatform) return;
    void Promise.all([import('../quick_links/QuickLinkStar.tsx'), import('../quick_links/quick_links.ts')])
      .then(([{ default: Star }, { loadQuickLinks }]) => {
        loadQuickLinks();
        pageStar.set(() => Star);
      })
      .catch(() => undefined);
    return () => pageStar.set(null);
  }, [userId, isPlatform]);
}

/** Tells the page the height of the banners: messages are placed below them at any screen width. */
function useBannersHeight(banners: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = banners.current;
    if (!element || typeof ResizeObserver !== 'function') return;
    const { style } = document.documentElement;
    const watch = new ResizeObserver(() => style.setProperty('--banners', `${element.offsetHeight}px`));
    watch.observe(element);
    return () => {
      watch.disconnect();
      style.removeProperty('--banners');
    };
  }, [banners]);
}

function SignedIn() {
  const phone = usePhone();
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const banners = useRef<HTMLDivElement>(null);
  useBannersHeight(banners);
  useSessionEnd();
  useSessionRefusals();
  useCompanyOfOtherTabs();
  useEffect(watchVersion, []);
  useEffect(() => {
    if (host.get()?.endsOnUpdate)
      void import('../end_for_new_version.ts').then(({ endForNewVersion }) => endForNewVersion());
  }, []);
  useEffect(() => onAppVersionChange(() => void checkVersion()), []);
  useEffect(openLive, []);
  useEffect(() => {
    const listening = import('../../runtime/print/print_keys.ts').then(({ listenForPrint }) => listenForPrint());
    return () => void listening.then((stop) => stop());
  }, []);
  useEffect(() => {
    void refetchMenu();
  }, []);
  useEffect(() => {
    const preloading = import('../preload.ts').then(({ preloadNextPages }) => preloadNextPages()).catch(() => null);
    return () => void preloading.then((stop) => stop?.());
  }, []);
  useShortcuts();
  useStar();
  useFocusKeeper();

  useEffect(() => {
    main.current?.scrollTo({ top: 0 });
  }, [pathname]);

  return (
    <div className={styles.layout} data-phone={phone || undefined}>
      <a
        className={styles.skip}
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to content
      </a>
      <TopBar />
      <div ref={banners}>
        <OfflineBanner />
        <Suspense fallback={null}>
          <OutboxBanner />
        </Suspense>
        <ProblemsBanner />
        <CopyBanner />
        <NoticesBanner />
      </div>
      <div className={styles.frame}>
        {!phone && <SideMenu />}
        <main id="main" ref={main} className={styles.main} tabIndex={-1}>
          <Suspense fallback={<FirstLoad />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
      <Suspense fallback={null}>{phone && <BottomBar />}</Suspense>
      <Panels />
      <Suspense fallback={null}>
        <Watches />
      </Suspense>
    </div>
  );
}

/** The dialogs of the frame; each is loaded when it is first opened. */
function Panels() {
  const open = panel.use();
  const session = useSession();
  const navigate = useNavigate();
  const several = session.entities.length > 1;
  const none = session.entityId === null;

  useEffect(() => {
    if (!none || session.isPlatform) return;
    const only = session.entities.length === 1 ? session.entities[0] : undefined;
    if (only) {
      chooseCompany(only)
        .then(() => refetchMenu())
        .catch(() => toast.error('Server Error'));
    }
  }, [none, session.entities, session.isPlatform]);

  const close = () => openPanel(null);
  return (
    <Suspense fallback={null}>
      {(open === 'company' || (none && !session.isPlatform)) && several && (
        <CompanyDialog
          companies={session.entities}
          current={session.entityId}
          onClose={close}
          onApplied={() => {
            // A page of the other company would show its record; the list is the equivalent here.
            void navigate(0);
          }}
        />
      )}
      {open === 'add' && <QuickAdd onClose={close} />}
      {open === 'search' && <SearchPalette onClose={close} />}
      {open === 'problems' && <ProblemsDialog onClose={close} />}
      {open === 'notifications' && <NotificationPanel onClose={close} />}
      {open === 'menu' && <CardMenu onClose={close} />}
    </Suspense>
  );
}

/** A session may end while a dialog of the page is open; the dialog is removed with the frame. */
function useFocusKeeper(): void {
  useEffect(() => {
    void import('../dialogs/focus_keeper.tsx')
      .then(({ FocusKeeper }) => focusKeeper.set(() => FocusKeeper))
      .catch(() => undefined);
  }, []);
}

/** An invalid token leads to the sign-in page; drafts stay in the tab. */
function useSessionEnd(): void {
  const navigate = useNavigate();
  useEffect(
    () =>
      onSessionEnd((reason) => {
        if (!currentSession().signedIn) return;
        if (reason === 'replaced') toast.info('Signed in elsewhere');
        const wanted = location.pathname + location.search;
        endStoredSession();
        forgetScreens();
        void navigate(`/login?ended&next=${encodeURIComponent(wanted)}`, { replace: true });
      }),
    [navigate],
  );
}

const reloadedForCsrf = 'reloaded_for_csrf';

/** The user lost the company, the client was deactivated, or the page's CSRF token is outdated. */
function useSessionRefusals(): void {
  useEffect(
    () =>
      onSessionRefused((code) => {
        if (code === 'entity_forbidden') {
          toast.error('You are not mapped to this company.');
          void import('../lost_company.ts').then(({ lostCompany }) => lostCompany()).catch(() => openPanel('company'));
        } else if (code === 'client_deactivated') {
          void alertDialog({ type: 'error', text: 'Client is Deactivated' }).then(() => {
            forgetSession();
            location.assign('/login');
          });
        } else if (!sessionStorage.getItem(reloadedForCsrf)) {
          sessionStorage.setItem(reloadedForCsrf, '1');
          location.reload();
        }
      }),
    [],
  );
}

/** Another tab switched company or signed out. */
function useCompanyOfOtherTabs(): void {
  useEffect(() => {
    const heard = (event: StorageEvent) => {
      if (event.key === null || (event.key === 'token' && event.newValue === null)) {
        location.assign('/login');
      } else if (event.key === 'entity_id' && event.newValue !== String(currentSession().entityId)) {
        if (hasUnsavedChanges()) {
          void alertDialog({
            type: 'warning',
            title: 'Company changed',
            text: `Another tab switched company. What you have open here is still saved in ${currentSession().entityName}.`,
          });
        } else {
          location.reload();
        }
      }
    };
    addEventListener('storage', heard);
    return () => removeEventListener('storage', heard);
  }, []);
}

function useShortcuts(): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        openPanel('search');
      }
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
}

/** Administrators see at once that a changed screen was refused. */
function ProblemsBanner() {
  const { problems } = menu.use();
  const { isAdmin } = useSession();
  if (problems === 0 || !isAdmin) return null;
  return (
    <div className={styles.problems} role="status">
      <span>
        {problems === 1 ? 'One problem in a screen file' : `${problems} problems in screen files`}: the last good
        version stays in use.
      </span>
      <button type="button" onClick={() => openPanel('problems')}>
        Show problems
      </button>
    </div>
  );
}

/** Marks a restored copy; an administrator can enable sending and jobs. */
function CopyBanner() {
  const { held } = menu.use();
  const { isAdmin } = useSession();
  if (!held) return null;
  const switchOn = async () => {
    const sure = await confirmDialog({
      title: 'Switch this copy on?',
      text: 'It then sends mails and push messages, calls webhooks, and runs jobs and imports, like the original.',
      confirmLabel: 'Switch on',
    });
    if (!sure) return;
    await api.post('/tapi/restored_copy/switch_on', {});
    await refetchMenu();
    toast.success('The copy is switched on.');
  };
  return (
    <div className={styles.copy} role="status">
      <span>This is a restored copy. It sends no messages and runs no jobs.</span>
      {isAdmin && (
        <button type="button" onClick={() => void switchOn()}>
          Switch on
        </button>
      )}
    </div>
  );
}

/** Notices about parts of the client's subscription that end soon, or have ended. */
function NoticesBanner() {
  return menu.use().notices?.map((notice) => (
    <div key={notice} className={styles.notice} role="status">
      {notice}
    </div>
  ));
}
