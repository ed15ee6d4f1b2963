/** Session information in any response of the server, so that the frame can react without the calls knowing it. */
import { createStore } from '../app/store.ts';

type Listener<T> = (value: T) => void;

function channel<T>() {
  const listeners = new Set<Listener<T>>();
  return {
    on(listener: Listener<T>): () => void {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    emit(value: T): void {
      for (const listener of listeners) listener(value);
    },
  };
}

const ended = channel<string | null>();
const refused = channel<SessionRefusal>();
const rights = channel<string>();
const app = channel<string>();
let rightsVersion: string | null = null;
let appVersion: string | null = null;

/** The token is no longer valid; `replaced` = a newer sign-in of the same person replaced it. */
export const onSessionEnd = ended.on;
export function endSession(reason: string | null = null): void {
  ended.emit(reason);
}

/**
 * How far the server's clock is ahead of this browser's, in ms. Responses have whole seconds, so a difference
 * below half a minute counts as zero.
 */
export const serverAhead = createStore(0);
export function noteServerTime(date: string | null, now = Date.now()): void {
  const ahead = Date.parse(date ?? '') - now;
  if (Number.isFinite(ahead) && Math.abs(ahead - serverAhead.get()) > 30_000)
    serverAhead.set(Math.abs(ahead) > 30_000 ? ahead : 0);
}

/**
 * The session itself is refused, whatever the request: the company was removed, the client deactivated, or a forged
 * request.
 */
export type SessionRefusal = 'entity_forbidden' | 'client_deactivated' | 'csrf';
export const onSessionRefused = refused.on;
export function announceRefusal(code: SessionRefusal): void {
  refused.emit(code);
}

/** The user's rights changed since the last response: the menu must be reloaded. */
export const onRightsChange = rights.on;
export function announceRightsVersion(version: string | null): void {
  if (version === null || version === rightsVersion) return;
  const first = rightsVersion === null;
  rightsVersion = version;
  if (!first) rights.emit(version);
}

/** The server runs another version than the one from which this page was loaded. */
export const onAppVersionChange = app.on;
export function announceAppVersion(version: string | null): void {
  if (version === null || version === appVersion) return;
  const first = appVersion === null;
  appVersion = version;
  if (!first) app.emit(version);
}
