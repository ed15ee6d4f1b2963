import { useSyncExternalStore } from 'react';
import { createStore } from './store.ts';

export type ThemeChoice = 'light' | 'dark' | 'system';
export type Density = 'comfortable' | 'compact';

/**
 * Display preferences of this device. Stored in cookies, not in local storage: signing out clears local storage, and a
 * dark screen should not turn white at the sign-in page.
 */
export function readCookie(name: string): string | undefined {
  return document.cookie
    .split('; ')
    .find((part) => part.startsWith(`${name}=`))
    ?.slice(name.length + 1);
}

/** Keeps a display preference on this device. */
export function writeCookie(name: string, value: string): void {
  document.cookie = `${name}=${value}; path=/; max-age=31536000; samesite=lax`;
}

const savedTheme = readCookie('theme');
export const themeChoice = createStore<ThemeChoice>(
  savedTheme === 'light' || savedTheme === 'dark' ? savedTheme : 'system',
);
export const density = createStore<Density>(readCookie('density') === 'compact' ? 'compact' : 'comfortable');
export const menuPinned = createStore<boolean>(readCookie('menu') === 'pinned');

themeChoice.subscribe(() => writeCookie('theme', themeChoice.get()));
density.subscribe(() => writeCookie('density', density.get()));
menuPinned.subscribe(() => writeCookie('menu', menuPinned.get() ? 'pinned' : 'mini'));

const darkQuery = '(prefers-color-scheme: dark)';

/** The active theme: the person's choice, or the system's. */
export function useDark(): boolean {
  const choice = themeChoice.use();
  const system = useSyncExternalStore(
    (listener) => {
      if (typeof matchMedia !== 'function') return () => undefined;
      const media = matchMedia(darkQuery);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    () => typeof matchMedia === 'function' && matchMedia(darkQuery).matches,
    () => false,
  );
  return choice === 'system' ? system : choice === 'dark';
}
