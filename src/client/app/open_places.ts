import type { ScreenRef } from '../../descriptor/types.ts';
import type { RecentPlace } from './recent_places.ts';
import { matchScreen } from './screen_routes.ts';

/** A place that may still be opened, with the icon of its screen. */
export interface OpenPlace extends Pick<RecentPlace, 'to' | 'title' | 'what'> {
  icon: string | undefined;
}

/** Those of the places opened last that this person may still open, in the company they work in. */
export function openPlaces(places: readonly RecentPlace[], screens: ScreenRef[], entityId: number | null): OpenPlace[] {
  return places.flatMap(({ to, title, what, entity }) => {
    const [path = '', search = ''] = to.split(/(?=\?)/);
    const match = matchScreen(screens, path, search);
    if (!match?.ref.rights[match.page] || entity !== entityId) return [];
    return [{ to, title, ...(what !== undefined && { what }), icon: match.ref.icon }];
  });
}
