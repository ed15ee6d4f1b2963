import { alertDialog } from './feedback.ts';

const key = 'bundle_version';
const reloadedKey = 'reloaded_for_bundle';
const every = 15 * 60_000;

let onNewVersion: (() => Promise<void>) | null = null;

/** The callback after a new version was announced. */
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

/** The bundle of this page, as written into it by the server; another tab may have noted a newer one. */
const ownVersion = () =>
  document.querySelector<HTMLMetaElement>('meta[name="app-version"]')?.content || localStorage.getItem(key);

/**
 * An old page that requests files of a replaced bundle: reloading helps. Once per new version, so that a file missing
 * for another reason causes no loop.
 */
export async function reloadForNewVersion(reload = () => location.reload()): Promise<void> {
  const served = await servedVersion();
  const own = ownVersion();
  if (served === null || own === null || served === own || sessionStorage.getItem(reloadedKey) === served) return;
  sessionStorage.setItem(reloadedKey, served);
  reload();
}

/** Stores the served version; a change is announced once. Health-check pages are for outsiders and show nothing. */
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

/** Checks now, on focus and every quarter of an hour. Returns the function that stops it. */
export function watchVersion(): () => void {
  let last = 0;
  const check = () => {
    // Switching between windows does not check each time.
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
