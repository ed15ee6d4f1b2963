import type { PageType, Screen, ScreenRef } from '../../descriptor/types.ts';

/** What the router hands to every page of the runtime. */
export interface PageProps {
  screen: Screen;
  /** The screen's menu entry: routes and what this user may do. */
  access: ScreenRef;
  page: PageType;
  /** The record's id, from the path or from `?id=`. */
  id?: string;
  query: URLSearchParams;
}
