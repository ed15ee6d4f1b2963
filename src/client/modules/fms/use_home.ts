import useSWR from 'swr';
import type { FieldHome } from '../../../domain/fms/home_measures.ts';
import { api } from '../../api/http.ts';

const REFRESH_MS = 60_000;

/** The user's tiles and phone menu, refreshed every minute. */
export function useHome() {
  return useSWR(
    '/tapi/fms/home',
    async (path) => (await api.get<{ data: FieldHome }>(path, undefined, { quiet: true })).data,
    { refreshInterval: REFRESH_MS },
  );
}
