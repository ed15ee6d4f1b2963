import useSWR from 'swr';
import type { FieldHome } from '../../../domain/fms/home_measures.ts';
import { api } from '../../api/http.ts';

const REFRESH_MS = 60_000;

/** Tiles and phone menu of this person; kept up to date each minute. */
export function useHome() {
  return useSWR(
    '/tapi/fms/home',
    async (path) => (await api.get<{ data: FieldHome }>(path, undefined, { quiet: true })).data,
    { refreshInterval: REFRESH_MS },
  );
}
