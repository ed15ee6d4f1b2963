import type { Tile, TileAnswer } from './dashboard.ts';

/**
 * Why an item waits for a person: a decision by them, a late or due item, their next transition, a refused automatic
 * transition, or a record they started and have not submitted.
 */
export type WaitingKind = 'decide' | 'late' | 'refused' | 'due' | 'step' | 'draft';

/** The kinds in the order in which they are shown. */
export const WAITING_KINDS: readonly WaitingKind[] = ['late', 'decide', 'refused', 'due', 'step', 'draft'];

/** An item that waits for a person. */
export interface WaitingItem {
  kind: WaitingKind;
  /** The record's name. */
  label: string;
  /** Its title, and what must be done. */
  what: string;
  /** Its due day, YYYY-MM-DD. */
  day: string | null;
  route: string;
}

/** A list of one's own records, with their number. */
export interface ZoneCount {
  code: string;
  name: string;
  icon?: string;
  route: string;
  /** null = not counted. */
  count: number | null;
  more: boolean;
}

/** An unread notice. */
export interface UnreadNotice {
  id: number;
  title: string;
  link: string | null;
  created_at: string;
}

/** An announcement of the company. */
export interface Announced {
  id: number;
  title: string;
  to_read: boolean;
}

/** The content of a person's home page. */
export interface HomeAnswer {
  waiting: WaitingItem[];
  /** The number of items of each kind; `more`: at least this many. */
  counts: Partial<Record<WaitingKind, { count: number; more: boolean }>>;
  zone: ZoneCount[];
  notices: { unread: number; items: UnreadNotice[] };
  announcements: Announced[];
  /** Tiles of dashboards that stand on this page; those without anything to show are left out when they are read. */
  tiles: { dashboard: string; filters: string[]; tile: Tile }[];
  figures: { title: string; dashboard: string; route: string; tiles: Tile[]; answers: TileAnswer[] } | null;
}
