import { defineHooks } from '../../records/hooks.ts';
import { changeProblems } from '../../sessions/menu_variant.ts';

/** Screens: the group they are put into must be one of the menu. */
export default defineHooks({
  check(_session, record) {
    const { route, menu_under: under, menu_position: position } = record as { route: string | null; menu_under: string | null; menu_position: number | null };
    if (!under && position === null) return [];
    if (!route) return [{ field: 'route', message: 'This is a code for several screens and stands nowhere in the menu. Change the place of the screens themselves.' }];
    return changeProblems({ change: 'move', entry: route, name: null, under, position }, () => true).map(({ field, message }) => ({ field: field === 'under' ? 'menu_under' : 'route', message }));
  },
});
