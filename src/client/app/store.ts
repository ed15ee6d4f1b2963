import { useSyncExternalStore } from 'react';

/**
 * A value shared between components and plain code that reads and sets it: the HTTP client, the session. jotai would do
 * the same with 3.7 kB more on the first page that everybody loads.
 */
export interface Store<T> {
  get(): T;
  set(next: T | ((old: T) => T)): void;
  subscribe(listener: () => void): () => void;
  /** The value inside a component, which renders again when it changes. */
  use(): T;
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  const get = () => value;
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  };
  return {
    get,
    subscribe,
    set(next) {
      const changed = typeof next === 'function' ? (next as (old: T) => T)(value) : next;
      if (Object.is(changed, value)) return;
      value = changed;
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, get, get),
  };
}
