import { currentSession } from './session.ts';
import { createStore } from './store.ts';

/** A page or a record that was opened. */
export interface RecentPlace {
  to: string;
  title: string;
  /** Of a record: what it is. */
  what?: string;
  /** The company that it was opened in. */
  entity: number | null;
}

const KEY = 'recent_places';
const KEPT = 20;

function read(): RecentPlace[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(value)
      ? (value as RecentPlace[]).filter(({ to, title }) => typeof to === 'string' && typeof title === 'string')
      : [];
  } catch {
    return [];
  }
}

/** Recently opened pages and records, newest first. */
export const recentPlaces = createStore<RecentPlace[]>(read());

/** Stores in this browser that a page or record was opened. */
export function noteRecentPlace(place: Omit<RecentPlace, 'entity'>): void {
  const entity = currentSession().entityId;
  const next = [
    { ...place, entity },
    ...read().filter((other) => other.to !== place.to || other.entity !== entity),
  ].slice(0, KEPT);
  try {
    localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // If storage is full, only the list is lost.
  }
  recentPlaces.set(next);
}
