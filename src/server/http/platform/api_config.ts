import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PageType, Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Vault } from '../../db/vault.ts';
import { AppError, invalid, notFound } from '../../db/errors.ts';
import type { Once } from '../../platform/integrations/credentials.ts';
import { firstCredential, renewCredential } from '../../platform/integrations/credentials.ts';
import { lastDeliveries } from '../../platform/integrations/last_deliveries.ts';
import type { Webhooks } from '../../platform/integrations/webhooks.ts';
import { accountErrors } from '../../modules/platform/api_config.ts';
import type { Engine } from '../../engine/records/engine.ts';
import type { Audit } from '../../services/audit/audit.ts';
import { authorize } from '../../access/rights/authorize.ts';

export interface ApiConfigDeps {
  engine: Engine;
  screens: (session: Session) => ReadonlyMap<string, Screen>;
  webhooks: Webhooks;
  vault: Vault;
  ensure(tenant: Tenant, types: string[]): Promise<unknown>;
  audit: Audit;
}

const TYPES = ['api_config', 'api_delivery', 'api_call_log', 'api_use'];

/** Keys and webhooks: generating their credentials, and actions on them. */
export async function apiConfigRoutes(
  app: FastifyInstance,
  { engine, screens, webhooks, vault, ensure, audit }: ApiConfigDeps,
): Promise<void> {
  async function subject(
    request: FastifyRequest,
    type: string,
    page: PageType,
  ): Promise<{ session: Session; screen: Screen }> {
    const { session } = request;
    const screen = screens(session).get(type);
    if (!screen || session.tenant.schema === 'public') throw notFound();
    authorize(session, screen, page, page === 'landing' ? null : screen.access.action);
    await ensure(session.tenant, TYPES);
    return { session, screen };
  }
  async function named(request: FastifyRequest, type: string, page: PageType = 'edit_screen') {
    const { session, screen } = await subject(request, type, page);
    const { id } = request.params as { id: string };
    if (!/^\d{1,15}$/.test(id)) throw notFound();
    return { session, screen, record: await engine.read(session, screen, Number(id)) };
  }
  const audited = (request: FastifyRequest, action: string, target: string) =>
    audit(request.session.tenant, {
      actor: request.session.userId,
      action,
      target,
      sid: request.session.sid,
      ip: request.ip,
    });

  const shown = (record: WireRecord, once: Once) => ({
    data: record,
    [record.direction === 'inbound' ? 'key' : 'secret']: once.value,
    once,
  });

  for (const prefix of ['/tapi', '/api']) {
    app.post(`${prefix}/api_config`, async (request, reply) => {
      const { session, screen } = await subject(request, 'api_config', 'add_screen');
      const body = request.body as Record<string, unknown> | null;
      if (body === null || typeof body !== 'object' || Array.isArray(body))
        throw new AppError(400, 'bad_request', 'Send the record as a JSON object.', { field: 'body' });
      const made = await engine.create(session, screen, body);
      const once = await firstCredential(session, vault, made);
      await audited(request, 'api_config_add', `api_config:${made.id}`);
      return reply.code(201).send(shown(await engine.read(session, screen, made.id), once));
    });
    app.post(`${prefix}/api_config/:id/rotate`, async (request) => {
      const { session, screen, record } = await named(request, 'api_config');
      if (!record.active) throw new AppError(409, 'bad_state', 'This is inactive. Activate it first.');
      if (
        record.direction === 'inbound' &&
        String(record.expires_on) < new Intl.DateTimeFormat('sv-SE', { timeZone: session.tenant.timezone }).format()
      )
        throw new AppError(409, 'bad_state', 'This key has expired. Enter a later "Valid until" first.');
      const beyond = await accountErrors(session, record.service_user_id as number | null, screens(session));
      if (beyond.length > 0) throw invalid(beyond);
      const once = await renewCredential(session, vault, record);
      await audited(request, 'api_config_rotate', `api_config:${record.id}`);
      return shown(await engine.read(session, screen, record.id), once);
    });
    app.post(`${prefix}/api_config/:id/test`, async (request) => {
      const { session, record } = await named(request, 'api_config');
      return { data: await webhooks.test(session.tenant, record.id, session.userId) };
    });
    app.get(`${prefix}/api_config/:id/deliveries`, async (request) => {
      const { session, record } = await named(request, 'api_config', 'landing');
      return { data: await lastDeliveries(session.tenant, record.id) };
    });
    app.post(`${prefix}/api_delivery/:id/resend`, async (request, reply) => {
      const { session, record } = await named(request, 'api_delivery');
      await webhooks.resend(session.tenant, record.id);
      return reply.code(202).send({ data: { id: record.id } });
    });
  }
}
