import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { CHART_TYPES, VACANCIES, chartPeople, seesScores } from '../../access/people/chart_people.ts';
import { PEOPLE } from '../../access/people/people.ts';
import { ensureTables } from '../../db/tenants.ts';
import type { ScreenStore } from '../../engine/descriptors/screen_store.ts';
import type { TenantScreens } from '../../engine/descriptors/tenant_screens.ts';
import { AppError, notFound } from '../../db/errors.ts';

/** The whole chart of the company at once: who reports to whom, empty posts, and scores as far as the reader may see them. */
export async function orgChartRoutes(
  app: FastifyInstance,
  { store, tenantScreens }: { store: ScreenStore; tenantScreens: TenantScreens },
): Promise<void> {
  async function chart({ session: given }: FastifyRequest): Promise<object> {
    const session = given as LiveSession;
    const own = tenantScreens.of(session);
    const people = own.get(PEOPLE);
    if (!people || session.tenant.schema === 'public' || session.entityId === null) throw notFound();
    const { tenant, rights } = session;
    // Every member reads the chart; others need the right to it.
    const posts = own.get(VACANCIES);
    const refused = posts ? rights.refuse(posts, 'landing') : null;
    if (session.employeeId === null && (!posts || refused))
      throw new AppError(403, 'forbidden', 'Only members of the company see its organisation chart.', {
        reason: refused?.reason ?? 'product',
      });
    await ensureTables(tenant, store.screens(), CHART_TYPES);
    const isManager =
      rights.refuse(people, 'edit_screen') === null &&
      rights.refuseAction(people.access.action) === null &&
      rights.refuseAction('MANAGE_ORG') === null;
    return {
      data: {
        people: await chartPeople(session, session.entityId, own),
        me: session.employeeId,
        may_move: isManager,
        sees_scores: seesScores(session, own),
        opens_people: rights.refuse(people, 'view_screen') === null,
      },
    };
  }

  for (const prefix of ['/tapi', '/api']) app.get(`${prefix}/organisation_chart`, chart);
}
