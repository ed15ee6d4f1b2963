import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PageType, Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import { quoted } from '../../db/names.ts';
import type { Vault } from '../../db/vault.ts';
import { AppError, invalid, notFound } from '../../db/errors.ts';
import { OVERLAP_HOURS, newKey } from '../../platform/integrations/api_keys.ts';
import { changeConfiguration } from '../../platform/integrations/configuration.ts';
import type { Webhooks } from '../../platform/integrations/webhooks.ts';
import { newSecret, OLD_SECRET_PLACE, SECRET_PLACE } from '../../platform/integrations/webhooks.ts';
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

/** Something that is shown now and never again. */
interface Once {
  label: string;
  value: string;
  text: string;
}

const keyOnce = (value: string): Once => ({
  label: 'Key',
  value,
  text: 'Copy the key now and keep it safe: it is not shown again. Programs send it as "Authorization: Bearer …".',
});
const secretOnce = (value: string): Once => ({
  label: 'Signing secret',
  value,
  text: 'Copy the secret now and give it to the receiver: it is not shown again. The receiver checks webhook-signature with it.',
});

/** Keys and webhooks: what is made for them on the server, and what is done with them. */
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
  const told = (request: FastifyRequest, action: string, target: string) =>
    audit(request.session.tenant, {
      actor: request.session.userId,
      action,
      target,
      sid: request.session.sid,
      ip: request.ip,
    });

  /** A new configuration's first key or secret: part of adding it. */
  async function begin({ tenant }: Session, record: WireRecord): Promise<Once> {
    const table = `${quoted(tenant.schema)}.api_config`;
    if (record.direction === 'inbound') {
      const { key, prefix, hash } = newKey();
      await tenant.db.query(`update ${table} set key_prefix = $2, key_hash = $3 where id = $1`, [
        record.id,
        prefix,
        hash,
      ]);
      return keyOnce(key);
    }
    const secret = newSecret();
    await tenant.db.query(`update ${table} set secret = $2 where id = $1`, [
      record.id,
      vault.seal(secret, SECRET_PLACE),
    ]);
    return secretOnce(secret);
  }

  /** Gives a configuration its key or secret anew; what it had works on for a day. */
  async function renew(session: Session, record: WireRecord): Promise<Once> {
    const { tenant, userId } = session;
    const by = { userId, what: 'new key' };
    const until = new Date(Date.now() + OVERLAP_HOURS * 3_600_000);
    return tenant.db.transaction(async (tx) => {
      const [kept] = await tx.query<{ key_hash: string | null; secret: string | null; state: string }>(
        `select key_hash, secret, state from ${quoted(tenant.schema)}.api_config where id = $1 for update`,
        [record.id],
      );
      if (!kept) throw notFound();
      if (record.direction === 'inbound') {
        const usable = kept.key_hash !== null && (kept.state === 'active' || kept.state === 'rotated');
        const made = newKey(usable && typeof record.key_prefix === 'string' ? record.key_prefix : undefined);
        await changeConfiguration(
          tx,
          tenant,
          record.id,
          {
            key_prefix: made.prefix,
            key_hash: made.hash,
            old_key_hash: usable ? kept.key_hash : null,
            old_key_until: usable ? until : null,
            state: usable ? 'rotated' : 'active',
          },
          by,
        );
        return keyOnce(made.key);
      }
      const secret = newSecret();
      const before = vault.open(kept.secret, SECRET_PLACE);
      await changeConfiguration(
        tx,
        tenant,
        record.id,
        {
          secret: vault.seal(secret, SECRET_PLACE),
          old_secret: before && vault.seal(before, OLD_SECRET_PLACE),
          old_secret_until: before && until,
        },
        by,
      );
      return secretOnce(secret);
    });
  }
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
      const once = await begin(session, made);
      await told(request, 'api_config_add', `api_config:${made.id}`);
      return reply.code(201).send(shown(await engine.read(session, screen, made.id), once));
    });
    app.post(`${prefix}/api_config/:id/rotate`, async (request) => {
      const { session, screen, record } = await named(request, 'api_config');
      if (!record.active) throw new AppError(409, 'bad_state', 'This is inactive. Take it into use again first.');
      if (
        record.direction === 'inbound' &&
        String(record.expires_on) < new Intl.DateTimeFormat('sv-SE', { timeZone: session.tenant.timezone }).format()
      )
        throw new AppError(409, 'bad_state', 'This key has expired. Enter a later "Valid until" first.');
      const beyond = await accountErrors(session, record.service_user_id as number | null, screens(session));
      if (beyond.length > 0) throw invalid(beyond);
      const once = await renew(session, record);
      await told(request, 'api_config_rotate', `api_config:${record.id}`);
      return shown(await engine.read(session, screen, record.id), once);
    });
    app.post(`${prefix}/api_config/:id/test`, async (request) => {
      const { session, record } = await named(request, 'api_config');
      return { data: await webhooks.test(session.tenant, record.id, session.userId) };
    });
    app.get(`${prefix}/api_config/:id/deliveries`, async (request) => {
      const { session, record } = await named(request, 'api_config', 'landing');
      const rows = await session.tenant.db.query(
        `select id, event_id, event, state, attempt, next_at, status_code, duration_ms, response_excerpt, created_at from ${quoted(session.tenant.schema)}.api_delivery where api_config_id = $1 order by id desc limit 100`,
        [record.id],
      );
      return { data: rows };
    });
    app.post(`${prefix}/api_delivery/:id/resend`, async (request, reply) => {
      const { session, record } = await named(request, 'api_delivery');
      await webhooks.resend(session.tenant, record.id);
      return reply.code(202).send({ data: { id: record.id } });
    });
  }
}
