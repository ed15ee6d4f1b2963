import { useCallback, useEffect, useRef, useState } from 'react';
import useSWR from 'swr';
import type { Dashboard, DashboardAnswer } from '../../../domain/dashboard.ts';
import { ApiError, api } from '../../api/http.ts';
import { onLive } from '../../api/live.ts';
import { useSession } from '../../app/session.ts';
import type { Chosen } from '../report/report_view.ts';

/** The shortest time between two fetches after changes of records. */
const REST_MS = 5_000;

/** The interval for tiles that no change of a record refreshes. */
const REFRESH_MS = 60_000;

const isRefused = (thrown: unknown): boolean => thrown instanceof ApiError && thrown.status === 403;

/**
 * What a dashboard shows, kept up to date: changes of records fetch the tiles that are made of them. `isRefused`: the
 * reader may not see it, or not any more.
 */
export function useDashboard(dashboard: Dashboard, chosen: Chosen) {
  const { entityId } = useSession();
  const path = `/tapi/dashboard/${dashboard.name}`;
  const fetched = useSWR(
    [path, chosen, entityId] as const,
    async ([address, filters]) =>
      (await api.post<{ data: DashboardAnswer }>(address, { filters }, { quiet: true })).data,
    {
      keepPreviousData: true,
      // These tiles have no records whose changes would refresh them.
      refreshInterval: dashboard.tiles.some(({ refresh }) => refresh.length === 0) ? REFRESH_MS : 0,
    },
  );
  const { mutate } = fetched;
  const [refusedAgain, setRefusedAgain] = useState(false);

  const again = useCallback(
    async (tiles: string[]) => {
      const { data } = await api
        .post<{ data: DashboardAnswer }>(path, { filters: chosen, tiles }, { quiet: true })
        .catch((thrown: unknown) => {
          setRefusedAgain(isRefused(thrown));
          throw thrown;
        });
      await mutate((before) => before && merged(before, data, tiles), { revalidate: false });
    },
    [path, chosen, mutate],
  );

  const latest = useRef(again);
  useEffect(() => {
    latest.current = again;
  });
  useEffect(() => {
    const waiting = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const send = () => {
      timer = undefined;
      if (waiting.size === 0) return;
      const names = [...waiting];
      waiting.clear();
      timer = setTimeout(send, REST_MS);
      // What cannot be fetched stays as it is; the next change tries again.
      latest.current(names).catch(() => undefined);
    };
    const stop = onLive(({ event, data }) => {
      if (event !== 'record' && event !== 'resumed') return;
      for (const { name, refresh } of dashboard.tiles)
        if (event === 'resumed' || refresh.includes(data.type)) waiting.add(name);
      if (timer === undefined) send();
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [dashboard]);

  return { ...fetched, again, isRefused: refusedAgain || isRefused(fetched.error) };
}

/** An answer with some of its tiles fetched anew; those that are not the reader's any more are gone. */
export function merged(before: DashboardAnswer, after: DashboardAnswer, tiles: readonly string[]): DashboardAnswer {
  const fresh = new Map(after.tiles.map((tile) => [tile.name, tile]));
  const kept = before.tiles.filter(({ name }) => !tiles.includes(name) || fresh.has(name));
  const known = new Set(kept.map(({ name }) => name));
  return {
    filters: after.filters,
    at: after.at,
    tiles: [...kept.map((tile) => fresh.get(tile.name) ?? tile), ...after.tiles.filter(({ name }) => !known.has(name))],
  };
}
