import useSWR from 'swr';
import { api } from '../../api/http.ts';
import { useSession } from '../../app/session.ts';
import type { ShownAct } from './ActVersions.tsx';

/** A refused action of another person, as far as the user may see it. */
export interface OthersAct extends ShownAct {
  key: string;
  title: string;
  message: string;
  theirs: Record<string, unknown>;
  done_at: string;
  by: number;
  by__label: string;
}

/** Refused offline work of others that is undecided: all that the user can see, or that on one type or record. */
export function useOthersRefused(of: { type?: string; id?: string }) {
  const { userId, entityId } = useSession();
  const asked = new URLSearchParams(of).toString();
  const { data, error, mutate } = useSWR([`/tapi/offline/refused${asked && `?${asked}`}`, entityId], ([path]) =>
    api.get<{ data: OthersAct[] }>(path, undefined, { quiet: true }),
  );
  const acts = data?.data.filter(({ by }) => by !== userId);
  return { acts, error: error as unknown, retry: () => void mutate() };
}
