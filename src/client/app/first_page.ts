import { menu, refetchMenu } from '../api/screens.ts';
import { matchPath, matchScreen } from './screen_routes.ts';

/** Pages the shell itself serves to everybody. */
const own = ['/show_list', '/welcome_page'];

/** The wanted first page if this user may open it, else Home: a redirect by the guard would tell of a page nobody asked for. */
export async function firstPage(target: string): Promise<string> {
  await refetchMenu();
  return orHome(target);
}

/** The page if this user may open it, else Home; by the menu as it was fetched last. */
export function orHome(target: string): string {
  const path = target.split(/[?#]/)[0] ?? target;
  if (own.includes(path)) return target;
  const { screens, pages } = menu.get();
  if (pages.some((pattern) => matchPath(pattern, path) !== null)) return target;
  const match = matchScreen(screens, path);
  return match && match.ref.rights[match.page] ? target : '/show_list';
}
