import { distanceKm } from '../../../domain/fms/best_order.ts';
import type { Unit } from '../../engine/records/unit.ts';

interface Place {
  lat: number;
  lng: number;
}

interface Facts {
  from_camera: boolean;
  place: Place | null;
  /** Metres from the branch, if both places are known. */
  distance: number | null;
}

/** How and where the photos of evidence were taken, as the device reported it, by the ids of their files. */
export async function photoFacts(
  unit: Unit,
  evidence: readonly Readonly<Record<string, unknown>>[],
  branch: unknown,
): Promise<Map<number, Facts>> {
  const ids = evidence.flatMap(({ photo }) => (typeof photo === 'number' ? [photo] : []));
  if (ids.length === 0) return new Map();
  const files = await unit.query<{ id: number; capture: { camera?: boolean; place?: Place } | null }>(
    'select id, capture from {file} where id = any($1::bigint[])',
    [ids],
  );
  const [at] = await unit.query<{ geo: Place | null }>('select geo from {branch} where id = $1', [branch ?? null]);
  return new Map(
    files.map(({ id, capture }) => {
      const place = capture?.place ?? null;
      const distance = place && at?.geo ? Math.round(distanceKm(place, at.geo) * 1000) : null;
      return [id, { from_camera: capture?.camera === true, place, distance }];
    }),
  );
}
