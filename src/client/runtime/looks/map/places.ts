import { formatNumber } from '../../../../descriptor/format.ts';
import type { Screen, WireRecord } from '../../../../descriptor/types.ts';
import { cellText, fieldOf, recordLabel } from '../../landing/cell_text.ts';

export interface Point {
  lat: number;
  lng: number;
}

/** A record at its place. */
export interface Place extends Point {
  record: WireRecord;
  title: string;
  /** Its route; empty if there are none. */
  lane: string;
  /** Its position on the route, from 1. */
  number: number;
  /** Metres from the previous place; null for the first. */
  from: number | null;
}

/** The view: its centre, and the zoom level of web maps. */
export interface Sight extends Point {
  zoom: number;
}

/** The maximum and minimum zoom. */
export const ZOOMS = { min: 2, max: 19 };
/** Size of a web map tile in pixels. */
export const TILE = 256;
const EARTH = 6_371_008.8;
const MAX_LAT = 85.0511;

/** The distance between two places in metres. */
export function distance(a: Point, b: Point): number {
  const rad = Math.PI / 180;
  const h =
    Math.sin(((b.lat - a.lat) * rad) / 2) ** 2 +
    Math.cos(a.lat * rad) * Math.cos(b.lat * rad) * Math.sin(((b.lng - a.lng) * rad) / 2) ** 2;
  return 2 * EARTH * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** "850 m", "12.4 km", "340 km". */
export function distanceInWords(metres: number): string {
  if (metres < 1_000) return `${Math.round(metres / 10) * 10} m`;
  const km = metres / 1_000;
  return `${km < 100 ? km.toFixed(1).replace('.0', '') : formatNumber(Math.round(km))} km`;
}

/** A place in world pixels at a zoom level (Web Mercator). */
export function toPixels({ lat, lng }: Point, zoom: number): { x: number; y: number } {
  const size = TILE * 2 ** zoom;
  const sin = Math.sin((Math.max(-MAX_LAT, Math.min(MAX_LAT, lat)) * Math.PI) / 180);
  return { x: ((lng + 180) / 360) * size, y: (0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) * size };
}

export function fromPixels({ x, y }: { x: number; y: number }, zoom: number): Point {
  const size = TILE * 2 ** zoom;
  const n = Math.PI * (1 - (2 * y) / size);
  return { lat: (Math.atan(Math.sinh(n)) * 180) / Math.PI, lng: (x / size) * 360 - 180 };
}

/** Metres per pixel at the centre of the view. */
export function metresPerPixel({ lat, zoom }: Sight): number {
  return (Math.cos((lat * Math.PI) / 180) * 2 * Math.PI * EARTH) / (TILE * 2 ** zoom);
}

/** The rounded distance between grid lines: at least this many pixels. */
export function gridStep(sight: Sight, pixels = 90): number {
  const least = metresPerPixel(sight) * pixels;
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least)!;
}

/** A view that contains all places, with a margin. */
export function sightOf(points: readonly Point[], width: number, height: number): Sight {
  if (points.length === 0) return { lat: 20.6, lng: 79, zoom: 4 };
  const pixels = points.map((point) => toPixels(point, 0));
  const [xs, ys] = [pixels.map(({ x }) => x), pixels.map(({ y }) => y)];
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const room = Math.min(
    Math.log2((width * 0.8) / Math.max(right - left, 1e-9)),
    Math.log2((height * 0.8) / Math.max(bottom - top, 1e-9)),
  );
  const middle = fromPixels({ x: (left + right) / 2, y: (top + bottom) / 2 }, 0);
  return { ...middle, zoom: Math.max(ZOOMS.min, Math.min(15, room)) };
}

/** South, west, north and east of the visible area, as a list parameter. */
export function boxOf(sight: Sight, width: number, height: number): string {
  const { x, y } = toPixels(sight, sight.zoom);
  const northWest = fromPixels({ x: x - width / 2, y: y - height / 2 }, sight.zoom);
  const southEast = fromPixels({ x: x + width / 2, y: y + height / 2 }, sight.zoom);
  const side = (value: number, max: number) => Math.max(-max, Math.min(max, value)).toFixed(4);
  return [side(southEast.lat, 90), side(northWest.lng, 180), side(northWest.lat, 90), side(southEast.lng, 180)].join(
    ',',
  );
}

/** The records with a location, by route. Rows are sorted by route and position. */
export function placesOf(screen: Screen, rows: readonly WireRecord[]): Place[] {
  const { at, lane } = screen.looks!.map!;
  const by = lane === undefined ? undefined : fieldOf(screen, lane);
  const before = new Map<string, Place>();
  return rows.flatMap((record): Place[] => {
    const point = record[at] as Partial<Point> | null | undefined;
    if (typeof point?.lat !== 'number' || typeof point.lng !== 'number') return [];
    const way = by ? cellText(by, record) : '';
    const last = before.get(way);
    const place: Place = {
      record,
      lat: point.lat,
      lng: point.lng,
      title: recordLabel(screen, record),
      lane: way,
      number: (last?.number ?? 0) + 1,
      from: last ? distance(last, { lat: point.lat, lng: point.lng }) : null,
    };
    before.set(way, place);
    return [place];
  });
}
