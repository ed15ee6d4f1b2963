import type { PageType, Screen, ScreenRef } from '../../descriptor/types.ts';

/** The properties that the router passes to every page of the runtime. */
export interface PageProps {
  screen: Screen;
  /** The screen's menu entry: routes and the user's rights. */
  access: ScreenRef;
  page: PageType;
  /** The record's id, from the path or from `?id=`. */
  id?: string;
  query: URLSearchParams;
}
