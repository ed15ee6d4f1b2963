import type { FastifyInstance } from 'fastify';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import type { ZoneDeps } from '../../platform/menu/my_zone.ts';
import { ownZone } from '../../platform/menu/my_zone.ts';

/** Shortcuts to one's own records, each with their number. */
export async function myZoneRoutes(app: FastifyInstance, deps: ZoneDeps): Promise<void> {
  for (const prefix of ['/tapi', '/api'])
    app.get(`${prefix}/my_zone`, async ({ session }) => ({ data: await ownZone(deps, session as LiveSession) }));
}
