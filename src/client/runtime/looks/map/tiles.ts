import type { Sight } from './places.ts';
import { TILE, toPixels } from './places.ts';

/** The tile source of a map, and its attribution. */
export interface TileSource {
  address: string;
  attribution: string;
}

/** A map tile, in pixels of the frame. */
export interface Tile {
  src: string;
  left: number;
  top: number;
  size: number;
}

/** The maximum zoom level of nearly all tile servers. */
const CLOSEST = 19;

/** The tiles that cover the visible area: those of the nearest whole zoom level, scaled. */
export function tilesOf(sight: Sight, width: number, height: number, address: string): Tile[] {
  const zoom = Math.max(0, Math.min(CLOSEST, Math.round(sight.zoom)));
  const scale = 2 ** (sight.zoom - zoom);
  const size = TILE * scale;
  const middle = toPixels(sight, sight.zoom);
  const [left, top] = [middle.x - width / 2, middle.y - height / 2];
  const count = 2 ** zoom;
  const range = (from: number, length: number): number[] => {
    const first = Math.max(0, Math.floor(from / size));
    const last = Math.min(count - 1, Math.floor((from + length) / size));
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
  };
  return range(top, height).flatMap((y) =>
    range(left, width).map((x): Tile => ({
      src: address.replaceAll('{z}', String(zoom)).replaceAll('{x}', String(x)).replaceAll('{y}', String(y)),
      left: x * size - left,
      top: y * size - top,
      size,
    })),
  );
}
