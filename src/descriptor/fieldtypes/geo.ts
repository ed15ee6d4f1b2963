import { WITH_PARTS } from './can.ts';
import type { FieldType } from './field_type.ts';
import { written } from './written.ts';

/** A place: latitude |x| ≤ 90, longitude |x| ≤ 180. */
export const geo: FieldType = {
  name: 'geo',
  sql: () => 'jsonb',
  filter: 'none',
  widget: 'geo',
  can: { ...WITH_PARTS, excel: true },
  parse: (input) => {
    const text = written(input).trim();
    if (text === '') return { value: null };
    const [lat, lng] = text.split(/[,; ]+/).map(Number);
    if (lat === undefined || lng === undefined || !(Math.abs(lat) <= 90) || !(Math.abs(lng) <= 180))
      return { error: 'Enter a place as latitude, longitude: 13.0827, 80.2707.' };
    return { value: { lat, lng } };
  },
  format: (value) => {
    const place = value as { lat?: number; lng?: number } | null | undefined;
    return place?.lat === undefined || place.lng === undefined ? '' : `${place.lat}, ${place.lng}`;
  },
};
