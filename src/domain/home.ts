import type { Tile, TileAnswer } from './dashboard.ts';

/**
 * Why something waits for a person: they decide it, it is late or falls due, its next step is theirs, the product could
 * not take a step of it, or they began it and have not sent it on.
 */
export type WaitingKind = 'decide' | 'late' | 'refused' | 'due' | 'step' | 'draft';

/** The kinds in the order in which they are shown. */
export const WAITING_KINDS: readonly WaitingKind[] = ['late', 'decide', 'refused', 'due', 'step', 'draft'];

/** One thing that waits for a person. */
export interface WaitingItem {
  kind: WaitingKind;
  /** The record's name. */
  label: string;
  /** What it is, and what is to be done. */
  what: string;
  /** The day that it is due, YYYY-MM-DD. */
  day: string | null;
  route: string;
}

/** A list of one's own, with how much of it there is. */
export interface ZoneCount {
  code: string;
  name: string;
  icon?: string;
  route: string;
  /** null = not counted. */
  count: number | null;
  more: boolean;
}

/** A notice that was not read yet. */
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

/** What a person's page shows. */
export interface HomeAnswer {
  waiting: WaitingItem[];
  /** How many of each kind there are; `more`: at least so many. */
  counts: Partial<Record<WaitingKind, { count: number; more: boolean }>>;
  zone: ZoneCount[];
  notices: { unread: number; items: UnreadNotice[] };
  announcements: Announced[];
  figures: { title: string; dashboard: string; route: string; tiles: Tile[]; answers: TileAnswer[] } | null;
}
