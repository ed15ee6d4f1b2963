import type { Screen } from '../../../descriptor/types.ts';
import type { ZoneCount } from '../../../domain/home.ts';
import type { Session } from '../../access/context.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { ensureTables } from '../../db/tenants.ts';
import type { ScreenStore } from '../../engine/descriptors/screen_store.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { parseListQuery } from '../../engine/records/list_query.ts';
import type { Environment, Menu } from './menu.ts';
import { zoneOf } from './menu.ts';

/** Beyond this a count is shown as "99+". */
const MAX_COUNTED = 99;

export interface ZoneDeps {
  environment: Environment;
  menu: () => Menu;
  store: ScreenStore;
  engine: Pick<Engine, 'count'>;
}

/** Shortcuts to one's own records, each with their number. */
export function ownZone({ environment, menu, store, engine }: ZoneDeps, session: LiveSession): Promise<ZoneCount[]> {
  const countOwn = async (own: Session, screen: Screen): Promise<{ count: number; more: boolean }> => {
    await ensureTables(own.tenant, store.screens(), [screen.name]);
    const { count } = await engine.count(own, screen, parseListQuery({ mine: '1' }, screen));
    return { count: Math.min(count, MAX_COUNTED), more: count > MAX_COUNTED };
  };
  return Promise.all(
    zoneOf(menu(), { session, environment, menuVariant: 'standard' }).map(async ({ screen, ...entry }) => ({
      ...entry,
      ...(screen ? await countOwn(session, screen) : { count: null, more: false }),
    })),
  );
}
