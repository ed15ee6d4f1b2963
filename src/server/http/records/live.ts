import type { FastifyInstance } from 'fastify';
import type { LiveHub } from '../../services/live/hub.ts';
import { sessionOf } from '../../access/sessions/guard.ts';
import type { SessionServices } from '../../access/sessions/services.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';

/** The stream of live changes. Read with fetch, because the token is in a header. */
export async function liveRoutes(
  app: FastifyInstance,
  { hub, services }: { hub: LiveHub<LiveSession>; services: SessionServices },
): Promise<void> {
  for (const prefix of ['/tapi', '/api']) {
    app.get(`${prefix}/live`, (request, reply) => {
      hub.open(reply, request.session as LiveSession, (entityId) => sessionOf(request, services, entityId));
    });
  }
}
