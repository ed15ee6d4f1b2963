import { createStore } from '../../app/store.ts';
import { confirmLeaving } from '../../app/unsaved_guard.ts';

/** A newer version of the program that is ready on this device; null = there is none. */
export const readyVersion = createStore<ServiceWorker | null>(null);

/** Keeps the program on this device, so that it starts without a network. Only as it is built, and where the browser can. */
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

/** So long the worker that is at work may take to finish before the page is loaded anew without it. */
const HAND_OVER_MS = 10_000;

/**
 * Takes the newest version now; what is typed is asked about, and what waits to be sent stays on this device. The page is
 * loaded anew in any case: also where another tab took the version since it was announced, and where the worker that is at
 * work has not finished in time (it hands over as soon as it has).
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
