import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { dayIn, zoneOf } from '../../../descriptor/place.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import type { Tenant } from '../../db/tenant.ts';
import { AppError, notFound } from '../../db/errors.ts';
import { wholeFinancialYear } from '../../../descriptor/financial_year.ts';
import { readAccount, storePassword } from '../../access/people/accounts.ts';
import type { Audit } from '../../services/audit/audit.ts';
import { clientSettings } from '../../services/settings/client_settings.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import { DEVICE_COOKIE, DEVICE_DAYS } from '../../access/sessions/devices.ts';
import { PLAIN_SESSION_COOKIE, SESSION_COOKIE } from '../../access/sessions/guard.ts';
import { readPrefix } from '../../access/sessions/host.ts';
import { checkNewPassword, hashPassword, isPassword } from '../../access/sessions/password.ts';
import type { SecurityNotice } from '../../access/sessions/security_notices.ts';
import { notifySecurity } from '../../access/sessions/security_notices.ts';
import type { SessionServices } from '../../access/sessions/services.ts';
import { isSecure, setSessionCookies } from '../../access/sessions/session_cookies.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import type { SignedIn, SignInAnswer } from '../../access/sessions/sign_in.ts';
import { chooseCompany, liftScope } from '../../access/sessions/session_changes.ts';
import { openSessions, readCompany } from '../../access/sessions/session_rows.ts';
import { endSessions, signIn, signInByCode, WRONG_CREDENTIALS } from '../../access/sessions/sign_in.ts';
import { attemptOf, claimAttempt, succeeded } from '../../access/sessions/attempts.ts';
import { lockedMessage } from '../../access/sessions/lockout.ts';
import { mount } from '../server/mount.ts';

export interface SessionRouteDeps {
  services: SessionServices;
  notifications: Notifications;
  audit: Audit;
}

const loginBody = {
  type: 'object',
  required: ['email', 'password'],
  properties: {
    email: { type: 'string', maxLength: 320 },
    password: { type: 'string', maxLength: 1000 },
    prefix: { type: 'string', maxLength: 60, nullable: true },
  },
} as const;

/** Signing in and out, one's sign-ins, the current company, changing the password. */
export async function sessionRoutes(
  app: FastifyInstance,
  { services, notifications, audit }: SessionRouteDeps,
): Promise<void> {
  const { config, secrets, store, tenants } = services;
  const secure = isSecure(services);
  /** The stricter of the server's and the client's requirement. */
  const transportOf = async (tenant: Tenant): Promise<'bearer' | 'cookie'> =>
    config.sessionTransport === 'cookie' ? 'cookie' : (await clientSettings(tenant)).session_transport;

  mount(app, {
    method: 'POST',
    url: '/sessions/login',
    config: { public: true },
    schema: { body: loginBody },
    handler: async (request: FastifyRequest, reply) => {
      const body = request.body as { email: string; password: string; prefix?: string | null };
      if (body.email.trim() === '' || body.password.trim() === '')
        return { result: 'failure', message: WRONG_CREDENTIALS };
      const tenant = await tenantOf(request, body.prefix ?? '');
      // Signing in to an unknown company is reported like any other mistake.
      if (tenant === null) {
        await isPassword(body.password, null);
        return { result: 'failure', message: WRONG_CREDENTIALS };
      }
      const transport = await transportOf(tenant);
      const { answer, cookie, notice } = await signIn(
        {
          tenant,
          identifier: body.email,
          password: body.password,
          ip: request.ip,
          userAgent: request.headers['user-agent'],
          deviceCookie: request.cookies[DEVICE_COOKIE],
          transport,
        },
        secrets,
        (entry, on) => audit(tenant, entry, on),
      );
      sendNotice(tenant, notice);
      return remember(reply, answer, cookie, transport);
    },
  });

  mount(app, {
    method: 'POST',
    url: '/sessions/otp',
    config: { public: true },
    schema: {
      body: {
        type: 'object',
        required: ['challenge', 'code'],
        properties: {
          challenge: { type: 'string', maxLength: 100 },
          code: { type: 'string', maxLength: 40 },
          prefix: { type: 'string', maxLength: 60, nullable: true },
        },
      },
    },
    handler: async (request: FastifyRequest, reply) => {
      const { challenge, code, prefix } = request.body as { challenge: string; code: string; prefix?: string | null };
      const tenant = await tenantOf(request, prefix ?? '');
      if (tenant === null) return { result: 'expired', message: 'Please sign in again.' };
      const transport = await transportOf(tenant);
      const { answer, cookie, notice } = await signInByCode(
        {
          tenant,
          challenge,
          code,
          ip: request.ip,
          userAgent: request.headers['user-agent'],
          deviceCookie: request.cookies[DEVICE_COOKIE],
          transport,
        },
        secrets,
        (entry, on) => audit(tenant, entry, on),
      );
      sendNotice(tenant, notice);
      return remember(reply, answer, cookie, transport);
    },
  });

  /** The notice of a sign-in is not awaited. */
  function sendNotice(tenant: Tenant, notice: SecurityNotice | undefined): void {
    if (notice)
      notifySecurity(notifications, tenant, notice).catch((error: unknown) =>
        app.log.error({ err: error }, 'The notification of a sign-in failed.'),
      );
  }

  /** The browser's stored data of a sign-in, and what its scripts receive. */
  function remember(
    reply: FastifyReply,
    answer: SignInAnswer,
    cookie: SignedIn['cookie'],
    transport: 'bearer' | 'cookie',
  ): SignInAnswer {
    if (answer.result !== 'success' || !cookie) return answer;
    if (cookie.deviceCookie !== null)
      reply.setCookie(DEVICE_COOKIE, cookie.deviceCookie, {
        path: '/',
        httpOnly: true,
        sameSite: 'lax',
        secure,
        maxAge: DEVICE_DAYS * 86_400,
      });
    if (transport !== 'cookie') return answer;
    setSessionCookies(reply, services, { token: answer.token, sid: cookie.sid, expires: cookie.expiresAt });
    return { ...answer, token: '' };
  }

  /** Host and prefix must not name two tenants; without a usable host the prefix decides. */
  async function tenantOf(request: FastifyRequest, prefix: string): Promise<Tenant | null> {
    const host = request.tenantHost;
    if (host.kind === 'unknown') throw new AppError(404, 'not_found', 'This address is not in use.');
    const given = readPrefix(prefix);
    if (host.kind === 'none') {
      if (given === '')
        throw new AppError(400, 'bad_request', 'Enter the sub-domain of your company.', { field: 'prefix' });
      return given === null ? null : tenants.bySubDomain(given);
    }
    const named = host.kind === 'admin' ? 'admin' : host.subDomain;
    if (given !== '' && given !== named)
      throw new AppError(400, 'tenant_mismatch', 'This address belongs to another company.', { field: 'prefix' });
    return tenants.bySubDomain(named);
  }

  mount(app, {
    method: 'POST',
    url: '/sessions/logout',
    config: { limited: true },
    handler: async (request, reply) => {
      const { session } = request;
      const { tenant, userId, sid } = session;
      await tenant.db.transaction(async (tx) => {
        await endSessions(tx, tenant.schema, userId, { sid }, 'logout');
        await audit(tenant, { actor: userId, action: 'logout', sid, ip: request.ip }, tx);
      });
      store.forget(tenant.schema, sid);
      for (const name of [SESSION_COOKIE, PLAIN_SESSION_COOKIE, 'csrf_token']) {
        if (request.cookies[name] !== undefined) reply.clearCookie(name, { path: '/', secure });
      }
      return reply.code(204).send();
    },
  });

  mount(app, {
    method: 'GET',
    url: '/sessions',
    handler: async (request) => {
      const { session } = request;
      const rows = await openSessions(session.tenant, session.userId);
      return { data: rows.map((row) => ({ ...row, current: row.sid === session.sid })) };
    },
  });

  mount(app, {
    method: 'DELETE',
    url: '/sessions',
    handler: async (request: FastifyRequest, reply) => {
      if ((request.query as { others?: string }).others !== 'true')
        throw new AppError(400, 'bad_request', 'Say others=true to end your other sign-ins.', { field: 'others' });
      await endOthers(request);
      return reply.code(204).send();
    },
  });

  mount(app, {
    method: 'DELETE',
    url: '/sessions/:sid',
    schema: { params: { type: 'object', properties: { sid: { type: 'string' } } } },
    handler: async (request: FastifyRequest, reply) => {
      const { session } = request;
      const { sid } = request.params as { sid: string };
      if (!/^[0-9a-f-]{36}$/.test(sid)) throw notFound();
      const ended = await endSessions(session.tenant.db, session.tenant.schema, session.userId, { sid }, 'logout');
      if (ended === 0) throw notFound();
      store.forget(session.tenant.schema, sid);
      return reply.code(204).send();
    },
  });

  async function endOthers(request: FastifyRequest): Promise<void> {
    const { session } = request;
    await endSessions(session.tenant.db, session.tenant.schema, session.userId, { except: session.sid }, 'logout');
    store.forget(session.tenant.schema);
  }

  mount(app, {
    method: 'PUT',
    url: '/session/entity',
    schema: { body: { type: 'object', required: ['entity_id'], properties: { entity_id: { type: 'integer' } } } },
    handler: async (request) => {
      const session = request.session as LiveSession;
      const { tenant, sid } = session;
      const { entity_id: entityId } = request.body as { entity_id: number };
      const company = session.companies.find(({ entity_id }) => entity_id === entityId);
      if (!company) throw new AppError(403, 'entity_forbidden', 'You are not mapped to this company.');
      await tenant.db.transaction(async (tx) => {
        await chooseCompany(tx, tenant.schema, sid, company);
        await audit(
          tenant,
          { actor: session.userId, action: 'company_switch', target: `entity:${entityId}`, sid, entityId },
          tx,
        );
      });
      store.forget(tenant.schema, sid);
      const entity = await readCompany(tenant, entityId);
      return {
        entity_id: entityId,
        entity_name: entity?.name ?? '',
        financial_year: entity
          ? wholeFinancialYear(dayIn(zoneOf({ entityId }, placeOf(session).zones)), entity.start)
          : null,
        rights_version: session.rights.version,
      };
    },
  });

  mount(app, {
    method: 'POST',
    url: '/password/change',
    config: { limited: true },
    schema: {
      body: {
        type: 'object',
        required: ['current', 'password'],
        properties: {
          current: { type: 'string', maxLength: 1000 },
          password: { type: 'string', maxLength: 1000 },
          sign_out_others: { type: 'boolean' },
        },
      },
    },
    handler: async (request, reply) => {
      const session = request.session as LiveSession;
      const { tenant, userId, sid } = session;
      const body = request.body as { current: string; password: string; sign_out_others?: boolean };
      if (!tenant.active) throw new AppError(403, 'client_deactivated', 'Client is Deactivated');
      // The current password could be guessed here as at sign-in, so the same limits apply.
      const attempt = attemptOf('change', userId, request.ip, secrets.identifiers);
      const permission = await claimAttempt(tenant, attempt, true);
      if (permission.kind !== 'go')
        throw new AppError(429, 'too_many', lockedMessage(permission.seconds), {
          extra: { retry_after_s: permission.seconds },
        });
      const account = await readAccount(tenant, userId);
      const rules = await clientSettings(tenant);
      if (account === null || !(await isPassword(body.current, account.phc, rules.trim_password)))
        throw new AppError(403, 'forbidden', 'The current password is incorrect.', {
          field: 'current',
          details: [{ field: 'current', message: 'The current password is incorrect.' }],
        });
      await succeeded(tenant, attempt);
      const names = [account.name, account.username, account.email, tenant.name, tenant.subDomain, 'mainstay'];
      await checkNewPassword(
        body.password,
        names,
        [...(account.phc === null ? [] : [account.phc]), ...account.previous],
        rules,
      );
      const phc = await hashPassword(body.password, undefined, rules.trim_password);
      await tenant.db.transaction(async (tx) => {
        await storePassword(tx, tenant.schema, userId, phc);
        await liftScope(tx, tenant.schema, sid, 'password_change', 'full');
        if (body.sign_out_others !== false) await endSessions(tx, tenant.schema, userId, { except: sid }, 'password');
        await audit(
          tenant,
          { actor: userId, action: 'password_change', target: `user:${userId}`, sid, ip: request.ip },
          tx,
        );
      });
      store.forget(tenant.schema);
      return reply.code(204).send();
    },
  });
}
