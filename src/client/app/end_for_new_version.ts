import { currentSession, endStoredSession } from './session.ts';
import { bearer, csrfHeader } from './stored_session.ts';
import { afterNewVersion } from './version_check.ts';

/**
 * If the client wants it, an update ends the session after it was announced; drafts stay in this browser. Loaded with
 * the page, because the file may be missing on the server after the update.
 */
export function endForNewVersion(go = (address: string) => location.assign(address)): void {
  afterNewVersion(async () => {
    const { token, signedIn } = currentSession();
    if (!signedIn) return;
    await fetch('/api/sessions/logout', { method: 'POST', headers: { ...bearer(token), ...csrfHeader() } }).catch(
      () => undefined,
    );
    endStoredSession();
    go(`/login?ended&next=${encodeURIComponent(location.pathname + location.search)}`);
  });
}
