import { useEffect, useState } from 'react';
import { ApiError, api } from '../../../api/http.ts';
import type { TileSource } from './tiles.ts';

/** The client's tile source; null = none, or not known yet: places are shown on a plain grid. */
export function useTiles(): TileSource | null {
  const [tiles, setTiles] = useState<TileSource | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    api
      .get<{ data: TileSource | null }>('/tapi/map_tiles', undefined, { quiet: true, signal: stop.signal })
      .then(({ data }) => setTiles(data))
      // The grid serves without.
      .catch((thrown: unknown) => {
        if (!(thrown instanceof ApiError) && !stop.signal.aborted) throw thrown;
      });
    return () => stop.abort();
  }, []);
  return tiles;
}
