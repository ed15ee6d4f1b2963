import type { FastifyInstance } from 'fastify';
import { createClientFigureAccess } from '../../platform/analytics/client_access.ts';
import { createClientYears } from '../../platform/analytics/client_years.ts';
import type { Definitions } from '../../platform/analytics/definitions.ts';
import {
  ANSWER_WORDS,
  CONSENT_TYPE,
  answered,
  askForFigures,
  askingPerson,
  figureConsent,
} from '../../platform/analytics/figure_consent.ts';
import { endSignIn } from '../../platform/clients/support_sign_in.ts';
import type { Directory } from '../../db/directory.ts';
import { openTenant } from '../../db/directory.ts';
import { ensureTables } from '../../db/tenants.ts';
import type { ScreenStore } from '../../engine/descriptors/screen_store.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import { AppError, notFound } from '../../db/errors.ts';
import { readClientFiguresBy } from '../../modules/admin/client_access.ts';
import type { RecordEvents } from '../../services/live/hub.ts';
import type { Tenant } from '../../db/tenant.ts';
import { readClientYearsBy } from '../../modules/admin/benchmark_position_report.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { openedFields } from '../../../descriptor/opened_fields.ts';
import type { Audit } from '../../services/audit/audit.ts';
import { authorize } from '../../access/rights/authorize.ts';
import { SUPPORT_PURPOSE } from '../../access/people/support_account.ts';

export interface ClientDashboardDeps {
  directory: Directory;
  store: ScreenStore;
  engine: Engine;
  definitions: Definitions;
  notifications: Notifications;
  audit: Audit;
  hub: Pick<RecordEvents, 'changed'>;
}

const TYPE = CONSENT_TYPE;
const ASK = {
  type: 'object',
  required: ['client', 'reason'],
  additionalProperties: false,
  properties: {
    client: { type: 'string', maxLength: 63 },
    reason: { type: 'string', maxLength: 250 },
    minutes: { type: 'integer', minimum: 15, maximum: 10_080 },
  },
};

/** Figures of single clients for people of the platform, as far as the client allows it (platform_admin.md §2.4). */
export async function clientDashboardRoutes(
  app: FastifyInstance,
  { directory, store, engine, definitions, notifications, audit, hub }: ClientDashboardDeps,
): Promise<void> {
  readClientYearsBy(directory.main, createClientYears({ directory, store, definitions, audit }));

  const figures = createClientFigureAccess({ directory, store, definitions, audit });
  readClientFiguresBy(directory.main, figures);
  /** Pages of the platform that are open fetch their tiles again. */
  const notifyPlatform = () => hub.changed({ schema: 'public', db: directory.main } as Tenant, TYPE, 0, 'U', null);

  for (const prefix of ['/tapi', '/api']) {
    app.post(`${prefix}/client_dashboard/:code/ask`, { schema: { body: ASK } }, async (request, reply) => {
      const { session } = request;
      const dashboard = figures.dashboardOf(session, (request.params as { code: string }).code);
      const { client, reason, minutes = 60 } = request.body as { client: string; reason: string; minutes?: number };
      const row = (await figures.offered(session, dashboard)).find(({ subDomain }) => subDomain === client);
      if (!row) throw notFound();
      const words = reason.trim();
      if (words === '')
        throw new AppError(422, 'invalid', 'Say why, so that the client can decide.', {
          field: 'reason',
          details: [{ field: 'reason', message: 'Say why, so that the client can decide.' }],
        });
      const tenant = await openTenant(directory, row);
      await ensureTables(tenant, store.screens(), [TYPE]);
      const { rule, given } = await figureConsent(tenant, session.userId, dashboard.title);
      if (rule !== 'ask')
        throw new AppError(
          409,
          'bad_state',
          rule === 'off'
            ? `${row.name} lets nobody of the platform see its figures.`
            : `${row.name} shows its figures without being asked.`,
        );
      if (given?.state === 'asked' || given?.open)
        throw new AppError(
          409,
          'bad_state',
          given.open ? 'You already have access.' : 'You have already sent a request. Wait for the answer.',
        );
      const asking = await askingPerson(directory.main, session.userId, session.userName);
      await askForFigures(tenant, asking, { purpose: dashboard.title, reason: words, minutes }, notifications);
      await audit(tenant, {
        actor: null,
        action: 'support.ask',
        summary: `${session.userName} of the platform: ${dashboard.title}`,
        ip: request.ip,
      });
      notifyPlatform();
      return reply.code(202).send({ data: { state: 'asked' } });
    });

    for (const word of ANSWER_WORDS)
      app.post(`${prefix}/${TYPE}/:id/${word}`, async (request) => {
        const { session } = request;
        const screen = store.screens().get(TYPE);
        if (!screen || session.tenant.schema === 'public') throw notFound();
        authorize(session, screen, 'edit_screen', screen.access.action);
        await ensureTables(session.tenant, store.screens(), [TYPE]);
        const { id } = request.params as { id: string };
        if (!/^\d{1,15}$/.test(id)) throw notFound();
        const stored = await engine.read(session, screen, Number(id));
        const { version } = (request.body ?? {}) as { version?: number };
        const answer = answered(word, stored);
        const data = await engine.update(
          session,
          openedFields(screen, ['state', 'answered_by', 'ends_at']),
          stored.id,
          { version: version ?? stored.version, ...answer, answered_by: session.userId },
          'action',
        );
        if (answer.state === 'ended' && stored.purpose === SUPPORT_PURPOSE)
          await endSignIn(session.tenant, store.screens(), Number(stored.platform_user_id));
        await audit(session.tenant, {
          actor: session.userId,
          action: `support.${word}`,
          target: `${TYPE}:${stored.id}`,
          summary: String(stored.asked_by),
          sid: session.sid,
          ip: request.ip,
        });
        notifyPlatform();
        return { data };
      });
  }
}
