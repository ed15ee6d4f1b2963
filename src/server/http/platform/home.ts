import type { FastifyInstance } from 'fastify';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import type { HomeDeps } from '../../platform/home/home_page.ts';
import { homeOf } from '../../platform/home/home_page.ts';

/** A person's page: items waiting for them, their own lists, notices, announcements and figures, in one answer. */
export async function homeRoutes(app: FastifyInstance, deps: HomeDeps): Promise<void> {
  for (const prefix of ['/tapi', '/api'])
    app.get(`${prefix}/home`, async ({ session }) => ({ data: await homeOf(deps, session as LiveSession) }));
}
