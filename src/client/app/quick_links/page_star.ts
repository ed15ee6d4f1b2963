import type { ComponentType } from 'react';
import { createStore } from '../store.ts';

export interface PageStarProps {
  title: string;
  /** Default: the open page. */
  path?: string;
}

/** The star in page headers. Loaded after the frame, so that no page waits for it; null = not available (yet). */
export const pageStar = createStore<ComponentType<PageStarProps> | null>(null);
