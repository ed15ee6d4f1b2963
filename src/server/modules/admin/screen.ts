import type { FieldError } from '../../../descriptor/types.ts';
import { defineHooks } from '../../engine/records/hooks.ts';

interface ScreenRecord {
  screen_code: string;
  name: string | null;
  route: string | null;
  shipped_name: string | null;
  menu_under: string | null;
  menu_position: number | null;
}

const FIELD: Record<string, string> = { entry: 'route', under: 'menu_under', name: 'name' };

/**
 * Screens: shipped ones keep their code and address, new ones lead to an existing page, and the group must be in the
 * menu.
 */
export default defineHooks({
  check(_session, given, stored, screens, { menuProblems }) {
    const record = given as unknown as ScreenRecord;
    const { name, route, menu_under: under, menu_position: position } = record;
    const shipped = (stored?.shipped_name as string | null | undefined) ?? null;
    const errors: FieldError[] = [];
    if (stored && shipped !== null)
      for (const field of ['screen_code', 'route'] as const)
        if ((record[field] ?? null) !== (stored[field] ?? null))
          errors.push({
            field,
            message: 'This is shipped with the product and cannot be changed. Add your own screen instead.',
          });
    if (errors.length > 0 || (!under && position === null)) return errors;
    if (!route)
      return [
        {
          field: 'route',
          message:
            shipped === null
              ? 'Enter the address of the page that it leads to.'
              : 'This is a code for several screens and has no menu entry. Change the position of the screens themselves.',
        },
      ];
    const isPage = (address: string) =>
      [...screens.values()].some(
        ({ routes, sameAs, hierarchy }) =>
          routes.landing === address || hierarchy?.route === address || sameAs[address] === 'landing',
      );
    return menuProblems({ change: shipped === null ? 'add' : 'move', entry: route, name, under, position }, isPage).map(
      ({ field, message }) => ({ field: FIELD[field] ?? field, message }),
    );
  },
  leave: (_session, stored, how) =>
    how === 'delete' && stored.shipped_name
      ? 'What is shipped with the product can be deactivated but not deleted.'
      : null,
});
