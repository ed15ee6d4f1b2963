import type { ComponentType } from 'react';
import { createStore } from '../store.ts';

export interface PageStarProps {
  title: string;
  /** Default: the page that is open. */
  path?: string;
}

/** The star of page headers. It comes after the frame, so that no page waits for it; null = not there (yet). */
export const pageStar = createStore<ComponentType<PageStarProps> | null>(null);
