import { createStore } from './store.ts';

const key = 'recent_screens';

function read(): string[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
  } catch {
    return [];
  }
}

/** Names of the screens opened last, newest first. */
export const recentScreens = createStore<string[]>(read());

export function noteRecentScreen(name: string): void {
  const next = [name, ...read().filter((other) => other !== name)].slice(0, 12);
  localStorage.setItem(key, JSON.stringify(next));
  recentScreens.set(next);
}
