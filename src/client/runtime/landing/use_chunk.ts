import type { ComponentType } from 'react';
import { useEffect, useState } from 'react';

/** A component whose script starts loading when it is requested, not at its first render. */
export interface Chunk<P> {
  load: () => Promise<ComponentType<P>>;
  loaded: () => ComponentType<P> | null;
}

export function chunk<P>(importer: () => Promise<{ default: ComponentType<P> }>): Chunk<P> {
  let component: ComponentType<P> | null = null;
  let call: Promise<ComponentType<P>> | null = null;
  return {
    loaded: () => component,
    load: () => {
      call ??= importer().then(
        (module) => {
          component = module.default;
          return component;
        },
        (thrown: unknown) => {
          // The next attempt requests it again.
          call = null;
          throw thrown;
        },
      );
      return call;
    },
  };
}

/**
 * The chunk's component, null while it loads. React's own `lazy` would delay the page: a Suspense boundary waits until
 * 300 ms after the last fallback, and a list loads faster than that.
 */
export function useChunk<P>(part: Chunk<P>, wanted: boolean): { Part: ComponentType<P> | null; failed: unknown } {
  const [Part, setPart] = useState<ComponentType<P> | null>(part.loaded);
  const [failed, setFailed] = useState<unknown>(null);
  useEffect(() => {
    if (!wanted || part.loaded()) return;
    let gone = false;
    part.load().then(
      (component) => !gone && setPart(() => component),
      (thrown: unknown) => !gone && setFailed(thrown),
    );
    return () => {
      gone = true;
    };
  }, [part, wanted]);
  return { Part: Part ?? part.loaded(), failed };
}
