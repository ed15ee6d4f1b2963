/**
 * What any answer of the server may tell about the session, so that the shell can act on it
 * without the calls knowing the shell.
 */
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

/** The token is no longer good; `replaced` = a newer sign-in of the same person took its place. */
export const onSessionEnd = ended.on;
export function endSession(reason: string | null = null): void {
  ended.emit(reason);
}

/** How far the server's clock is ahead of this browser's, in ms. Answers tell whole seconds, so less than half a minute is none. */
export const serverAhead = createStore(0);
export function noteServerTime(date: string | null, now = Date.now()): void {
  const ahead = Date.parse(date ?? '') - now;
  if (Number.isFinite(ahead) && Math.abs(ahead - serverAhead.get()) > 30_000)
    serverAhead.set(Math.abs(ahead) > 30_000 ? ahead : 0);
}

/** The session itself is refused, whatever was asked: the company was taken away, the client switched off, a forged request. */
export type SessionRefusal = 'entity_forbidden' | 'client_deactivated' | 'csrf';
export const onSessionRefused = refused.on;
export function announceRefusal(code: SessionRefusal): void {
  refused.emit(code);
}

/** The user's rights changed since the last answer: the menu is to be fetched again. */
export const onRightsChange = rights.on;
export function announceRightsVersion(version: string | null): void {
  if (version === null || version === rightsVersion) return;
  const first = rightsVersion === null;
  rightsVersion = version;
  if (!first) rights.emit(version);
}

/** The server runs another version than the one this page was loaded from. */
export const onAppVersionChange = app.on;
export function announceAppVersion(version: string | null): void {
  if (version === null || version === appVersion) return;
  const first = appVersion === null;
  appVersion = version;
  if (!first) app.emit(version);
}
