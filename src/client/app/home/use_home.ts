import { useEffect, useRef } from 'react';
import useSWR from 'swr';
import type { HomeAnswer } from '../../../domain/home.ts';
import { api } from '../../api/http.ts';
import { onLive } from '../../api/live.ts';
import { useSession } from '../session.ts';

/** The minimum interval between reloads. */
const REST_MS = 10_000;

/** The content of a person's page, in one call; changed records and new notices reload it. */
export function useHome() {
  const { entityId, userId } = useSession();
  const fetched = useSWR(['/tapi/home', entityId, userId] as const, async ([path]) => {
    return (await api.get<{ data: HomeAnswer }>(path, undefined, { quiet: true })).data;
  });
  const { mutate } = fetched;
  const latest = useRef(mutate);
  useEffect(() => {
    latest.current = mutate;
  });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onLive(({ event }) => {
      if (event !== 'record' && event !== 'notification' && event !== 'resumed') return;
      timer ??= setTimeout(() => {
        timer = undefined;
        // If reloading fails, the current content stays; the next change retries.
        latest.current().catch(() => undefined);
      }, REST_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, []);
  return fetched;
}
