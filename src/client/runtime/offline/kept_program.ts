import { createStore } from '../../app/store.ts';
import { confirmLeaving } from '../../app/unsaved_guard.ts';

/** A newer version of the application that is ready on this device; null = none. */
export const readyVersion = createStore<ServiceWorker | null>(null);

/**
 * Caches the application on this device, so that it starts without a network. Only in production builds, and if the
 * browser supports it.
 */
export async function keepProgram(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const registration = await navigator.serviceWorker.register('/service-worker.js');
  const announce = () => {
    if (registration.waiting && navigator.serviceWorker.controller) readyVersion.set(registration.waiting);
  };
  announce();
  registration.addEventListener('updatefound', () =>
    registration.installing?.addEventListener('statechange', announce),
  );
}

/** The maximum time for the active worker to finish before the page is reloaded without it. */
const HAND_OVER_MS = 10_000;

/**
 * Switches to the newest version now; asks about unsaved values, and keeps waiting actions on this device. The page is
 * always reloaded: also if another tab switched since the announcement, or if the active worker did not finish in time
 * (it hands over as soon as it has).
 */
export async function takeVersion(): Promise<void> {
  if (!readyVersion.get() || !(await confirmLeaving())) return;
  const waiting = (await navigator.serviceWorker.getRegistration())?.waiting;
  if (!waiting) return location.reload();
  const late = setTimeout(() => location.reload(), HAND_OVER_MS);
  navigator.serviceWorker.addEventListener(
    'controllerchange',
    () => {
      clearTimeout(late);
      location.reload();
    },
    { once: true },
  );
  waiting.postMessage('take');
}
