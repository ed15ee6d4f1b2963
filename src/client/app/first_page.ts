import { menu, refetchMenu } from '../api/screens.ts';
import { matchPath, matchScreen } from './screen_routes.ts';

/** Pages the shell itself serves to everybody. */
const own = ['/show_list', '/welcome_page'];

/**
 * The requested first page if this user may open it, otherwise Home: a redirect by the guard would mention a page that
 * nobody requested.
 */
export async function firstPage(target: string): Promise<string> {
  await refetchMenu();
  return orHome(target);
}

/** The page if this user may open it, otherwise Home; according to the last loaded menu. */
export function orHome(target: string): string {
  const path = target.split(/[?#]/)[0] ?? target;
  if (own.includes(path)) return target;
  const { screens, pages } = menu.get();
  if (pages.some((pattern) => matchPath(pattern, path) !== null)) return target;
  const match = matchScreen(screens, path);
  return match && match.ref.rights[match.page] ? target : '/show_list';
}
