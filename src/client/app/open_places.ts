import type { ScreenRef } from '../../descriptor/types.ts';
import type { RecentPlace } from './recent_places.ts';
import { matchScreen } from './screen_routes.ts';

/** A place that can still be opened, with its screen's icon. */
export interface OpenPlace extends Pick<RecentPlace, 'to' | 'title' | 'what'> {
  icon: string | undefined;
}

/** The recently opened places that this person can still open in the current company. */
export function openPlaces(places: readonly RecentPlace[], screens: ScreenRef[], entityId: number | null): OpenPlace[] {
  return places.flatMap(({ to, title, what, entity }) => {
    const [path = '', search = ''] = to.split(/(?=\?)/);
    const match = matchScreen(screens, path, search);
    if (!match?.ref.rights[match.page] || entity !== entityId) return [];
    return [{ to, title, ...(what !== undefined && { what }), icon: match.ref.icon }];
  });
}
