import type { FastifyInstance } from 'fastify';
import type { Screen } from '../../../descriptor/types.ts';
import type { Config } from '../../config.ts';
import type { Session } from '../../access/context.ts';
import { ensureTables } from '../../db/tenants.ts';
import type { ScreenStore } from '../../engine/descriptors/screen_store.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { parseListQuery } from '../../engine/records/list_query.ts';
import { zoneOf } from '../../platform/menu/menu.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';

/** Beyond it a count is told as "99+". */
const MOST_COUNTED = 99;

export interface MyZoneDeps {
  config: Config;
  store: ScreenStore;
  engine: Engine;
}

/** Shortcuts to one's own work, each with how much of it there is. */
export async function myZoneRoutes(app: FastifyInstance, { config, store, engine }: MyZoneDeps): Promise<void> {
  async function countOwn(session: Session, screen: Screen): Promise<{ count: number; more: boolean }> {
    await ensureTables(session.tenant, store.screens(), [screen.name]);
    const { count } = await engine.count(session, screen, parseListQuery({ mine: '1' }, screen));
    return { count: Math.min(count, MOST_COUNTED), more: count > MOST_COUNTED };
  }

  for (const prefix of ['/tapi', '/api']) {
    app.get(`${prefix}/my_zone`, async (request) => {
      const session = request.session as LiveSession;
      const entries = zoneOf(store.menu(), { session, environment: config.environment, menuVariant: 'standard' });
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
