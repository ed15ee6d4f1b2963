import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Dashboard } from '../../../domain/dashboard.ts';
import { COMPANY_FILTER } from '../../../domain/dashboard.ts';
import { dashboardPage, mayOpen } from '../../access/rights/pages.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { AuditEntry } from '../../services/audit/audit.ts';
import type { DashboardDeps } from '../../engine/dashboards/run_dashboard.ts';
import { companyChoice } from '../../engine/dashboards/chosen_company.ts';
import { ofCompanies, ownTiles, runDashboard } from '../../engine/dashboards/run_dashboard.ts';
import { noteRefusal } from './note_refusal.ts';

export interface DashboardRouteDeps extends DashboardDeps {
  dashboards: () => ReadonlyMap<string, Dashboard>;
  audit(session: LiveSession, entry: Pick<AuditEntry, 'action' | 'target' | 'summary'>): Promise<void>;
}

const ASKED = {
  type: 'object',
  additionalProperties: false,
  properties: {
    filters: { type: 'object', maxProperties: 50, additionalProperties: { type: 'string', maxLength: 500 } },
    tiles: { type: 'array', maxItems: 40, items: { type: 'string', maxLength: 40 } },
  },
};

/** Dashboards that are data: what one is made of, and what its tiles show. */
export async function dashboardFigureRoutes(app: FastifyInstance, deps: DashboardRouteDeps): Promise<void> {
  const open = (session: LiveSession, dashboard: Dashboard | undefined): Dashboard => {
    // Whether there is a dashboard is no secret; what it says is.
    if (!dashboard) throw notFound();
    if (!mayOpen(session, dashboardPage(dashboard)))
      throw new AppError(403, 'forbidden', `Your role does not include "${dashboard.title}".`, { reason: 'screen' });
    return dashboard;
  };
  const named = ({ session, params }: FastifyRequest) =>
    open(session as LiveSession, deps.dashboards().get((params as { name: string }).name));
  const described = async (session: LiveSession, dashboard: Dashboard): Promise<{ data: Dashboard }> => {
    const company = await companyChoice(session, ofCompanies(dashboard));
    return {
      data: {
        ...dashboard,
        filters: [...(company ? [company] : []), ...dashboard.filters],
        tiles: (await ownTiles(deps, session, dashboard)).filter(({ home }) => !home),
      },
    };
  };
  const takes = (dashboard: Dashboard, name: string) =>
    (name === COMPANY_FILTER && dashboard.companies !== undefined) ||
    dashboard.filters.some((field) => field.name === name);

  for (const prefix of ['/tapi', '/api']) {
    app.get(`${prefix}/dashboard/at`, async (request) => {
      const { route } = request.query as { route?: string };
      const session = request.session as LiveSession;
      return described(
        session,
        open(
          session,
          [...deps.dashboards().values()].find((dashboard) => dashboard.route === route),
        ),
      );
    });

    app.get(`${prefix}/dashboard/:name`, async (request) => described(request.session as LiveSession, named(request)));

    app.post(`${prefix}/dashboard/:name`, { schema: { body: ASKED } }, async (request) => {
      const dashboard = named(request);
      const { name } = dashboard;
      const { filters = {}, tiles = null } = (request.body ?? {}) as {
        filters?: Record<string, string>;
        tiles?: string[];
      };
      const unknown = Object.keys(filters).find((name) => !takes(dashboard, name));
      if (unknown !== undefined)
        throw new AppError(400, 'bad_request', `There is no filter "${unknown}".`, { field: unknown });
      const session = request.session as LiveSession;
      try {
        return { data: await runDashboard(deps, session, dashboard, { filters, tiles }) };
      } catch (error) {
        await noteRefusal(deps, session, error, {
          target: `dashboard ${name}`,
          title: dashboard.title,
          asked: filters,
        });
        throw error;
      }
    });
  }
}
