import { useEffect, useRef } from 'react';
import useSWR from 'swr';
import type { HomeAnswer } from '../../../domain/home.ts';
import { api } from '../../api/http.ts';
import { onLive } from '../../api/live.ts';
import { useSession } from '../session.ts';

/** What changes is fetched again at most this often. */
const REST_MS = 10_000;

/** What a person's page shows, in one call; changes of records and new notices fetch it again. */
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
        // What cannot be fetched stays as it is; the next change tries again.
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
