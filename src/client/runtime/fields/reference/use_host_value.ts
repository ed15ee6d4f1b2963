import { useCallback, useSyncExternalStore } from 'react';
import type { FieldHost } from '../widget.ts';

const never = () => () => undefined;

/** A value of the surrounding form, updated as it changes. */
export function useHostValue(host: FieldHost | null, name: string): unknown {
  const read = useCallback(() => host?.values()[name], [host, name]);
  return useSyncExternalStore(host?.subscribe ?? never, read, read);
}
