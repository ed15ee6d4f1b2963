import type { FastifyInstance } from 'fastify';
import type { Screen } from '../../../descriptor/types.ts';
import type { Environment, Menu } from '../../platform/menu/menu.ts';
import type { Session } from '../../access/context.ts';
import { ensureTables } from '../../db/tenants.ts';
import type { ScreenStore } from '../../engine/descriptors/screen_store.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { parseListQuery } from '../../engine/records/list_query.ts';
import { zoneOf } from '../../platform/menu/menu.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';

/** Beyond it a count is told as "99+". */
const MAX_COUNTED = 99;

export interface MyZoneDeps {
  environment: Environment;
  menu: () => Menu;
  store: ScreenStore;
  engine: Engine;
}

/** Shortcuts to one's own work, each with how much of it there is. */
export async function myZoneRoutes(
  app: FastifyInstance,
  { environment, menu, store, engine }: MyZoneDeps,
): Promise<void> {
  async function countOwn(session: Session, screen: Screen): Promise<{ count: number; more: boolean }> {
    await ensureTables(session.tenant, store.screens(), [screen.name]);
    const { count } = await engine.count(session, screen, parseListQuery({ mine: '1' }, screen));
    return { count: Math.min(count, MAX_COUNTED), more: count > MAX_COUNTED };
  }

  for (const prefix of ['/tapi', '/api']) {
    app.get(`${prefix}/my_zone`, async (request) => {
      const session = request.session as LiveSession;
      const entries = zoneOf(menu(), { session, environment, menuVariant: 'standard' });
      return {
        data: await Promise.all(
          entries.map(async ({ screen, ...entry }) => ({
            ...entry,
            ...(screen ? await countOwn(session, screen) : { count: null, more: false }),
          })),
        ),
      };
    });
  }
}
