import { alertDialog } from './feedback.ts';

const key = 'bundle_version';
const reloadedKey = 'reloaded_for_bundle';
const every = 15 * 60_000;

let onNewVersion: (() => Promise<void>) | null = null;

/** What follows once a new version was announced. */
export function afterNewVersion(then: typeof onNewVersion): void {
  onNewVersion = then;
}

async function servedVersion(): Promise<string | null> {
  try {
    const response = await fetch('/version.json', { cache: 'no-store' });
    if (!response.ok) return null;
    const { version } = (await response.json()) as { version?: unknown };
    return typeof version === 'string' ? version : null;
  } catch {
    return null;
  }
}

/** The bundle this page is of, as the server wrote it into the page; another tab may have noted a newer one meanwhile. */
const ownVersion = () =>
  document.querySelector<HTMLMetaElement>('meta[name="app-version"]')?.content || localStorage.getItem(key);

/**
 * An old page asking for files of a bundle that was replaced: loading again is the cure. Once for each new version, so that
 * a file that is lost for another reason leads to no loop.
 */
export async function reloadForNewVersion(reload = () => location.reload()): Promise<void> {
  const served = await servedVersion();
  const own = ownVersion();
  if (served === null || own === null || served === own || sessionStorage.getItem(reloadedKey) === served) return;
  sessionStorage.setItem(reloadedKey, served);
  reload();
}

/** Notes the served version; a change is announced once. Health-check pages are for outsiders and stay quiet. */
export async function checkVersion(path = location.pathname): Promise<void> {
  if (/^\/(health_check_|completion_screen_health_check|finance_health_questions|financial_health)/i.test(path)) return;
  const served = await servedVersion();
  if (served === null) return;
  const noted = localStorage.getItem(key);
  localStorage.setItem(key, served);
  if (noted !== null && noted !== served) {
    await alertDialog({
      type: 'warning',
      title: 'New version',
      text: 'New version is out! Please logout and re-login to continue.',
    });
    await onNewVersion?.();
  }
}

/** Checks now, on focus and every quarter of an hour. Returns how to stop. */
export function watchVersion(): () => void {
  let last = 0;
  const check = () => {
    // Going back and forth between windows does not ask each time.
    if (Date.now() - last < 60_000) return;
    last = Date.now();
    void checkVersion();
  };
  check();
  const timer = setInterval(check, every);
  addEventListener('focus', check);
  return () => {
    clearInterval(timer);
    removeEventListener('focus', check);
  };
}
