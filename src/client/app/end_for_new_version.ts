import { currentSession, endStoredSession } from './session.ts';
import { bearer, csrfHeader } from './stored_session.ts';
import { afterNewVersion } from './version_check.ts';

/**
 * Where the client wants that, an update ends the sign-in once it was announced; what was typed waits in this browser.
 * Loaded with the page: after the update this file may be gone from the server.
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
