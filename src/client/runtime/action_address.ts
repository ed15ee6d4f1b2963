import { NAME_IN_ADDRESS, namesInAddress } from '../../descriptor/address_names.ts';
import type { PageType, RecordAction, Screen, ScreenRef, WireRecord } from '../../descriptor/types.ts';
import { menu } from '../api/screens.ts';
import { matchPath, matchScreen } from '../app/screen_routes.ts';

/** A view has only its list. */
export const pageToRead = ({ subject }: Screen): PageType => (subject ? 'landing' : 'view_screen');

/** Whether this user may open the address of an action: a button that would be refused is not offered. */
export function leadsSomewhere(to: string): boolean {
  const { screens, pages, loaded } = menu.get();
  const path = to.replaceAll(NAME_IN_ADDRESS, '1').split(/[?#]/)[0] ?? to;
  const found = matchScreen(screens, path);
  if (!loaded) return true;
  if (!found) return pages.some((pattern) => matchPath(pattern, path) !== null);
  const { rights } = found.ref;
  return found.page === 'add_screen' ? rights.add_screen && rights.write : true;
}

/** The address that an action opens; null = it calls the server, or a field in its address is empty. */
export function actionAddress({ to }: Pick<RecordAction, 'to'>, record: WireRecord): string | null {
  const values = record as Readonly<Record<string, unknown>>;
  if (to === undefined || namesInAddress(to).some((name) => (values[name] ?? '') === '')) return null;
  return to.replaceAll(NAME_IN_ADDRESS, (_, name: string) => encodeURIComponent(String(values[name])));
}

/** What a row offers beside its menu. */
export interface RowStep {
  title: string;
  to: string;
}

/** The action that a row shows; null: the list has none. */
export function rowStep(screen: Screen, { rights }: ScreenRef): ((record: WireRecord) => RowStep | null) | null {
  const offered = screen.actions.filter(
    ({ inRow, to, page = pageToRead(screen) }) => inRow && to !== undefined && rights[page] && leadsSomewhere(to),
  );
  if (offered.length === 0) return null;
  return (record) => {
    for (const action of offered) {
      const to = actionAddress(action, record);
      if (to !== null) return { title: action.title, to };
    }
    return null;
  };
}
