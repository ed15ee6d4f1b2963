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

/** Takes the newer version now; what is typed is asked about, and what waits to be sent stays on this device. */
export async function takeVersion(): Promise<void> {
  const ready = readyVersion.get();
  if (!ready || !(await confirmLeaving())) return;
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
  ready.postMessage('take');
}
