import type {} from '@fastify/cookie';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Session } from '../context.ts';
import { analyticsTokenCounts, readAnalyticsToken } from './analytics_token.ts';
import { AppError } from '../../db/errors.ts';
import { clientSettings } from '../../services/settings/client_settings.ts';
import { isCsrfToken } from './csrf.ts';
import { bareHost } from './host.ts';
import { isPublicRoute } from './public_routes.ts';
import type { SessionServices } from './services.ts';
import type { LiveSession } from './session_store.ts';
import { unauthenticated } from './session_ended.ts';

export const SESSION_COOKIE = '__Host-session';
/** Browsers accept `__Host-` cookies only over https. */
export const PLAIN_SESSION_COOKIE = 'session';

const UNSAFE = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const LIMITED_MESSAGES = {
  features_only: ['client_deactivated', 'Client is Deactivated'],
  password_change: ['password_change', 'Choose a new password first.'],
  otp: ['forbidden', 'Finish signing in first.'],
} as const;

/** Authentication by API key. */
export interface KeySessions {
  /**
   * Refuses a call with a key in its address, and revokes that key, because addresses end up in logs. @throws AppError
   * 401
   */
  refuseInAddress(request: FastifyRequest): Promise<void>;
  /** The session of the call's key, null if it has none. @throws AppError 401, 403, 429 */
  session(request: FastifyRequest): Promise<LiveSession | null>;
}

/** Determines for every request the tenant from the host and, unless the route is public, the session. */
export function addGuard(app: FastifyInstance, services: SessionServices, keys: KeySessions): void {
  const nobody = null as unknown as Session;
  app.decorateRequest('session', nobody);
  app.decorateRequest('tenantHost');
  app.decorateRequest('cspNonce', '');
  app.decorateRequest('pictureOrigin', null);

  app.addHook('onRequest', async (request) => {
    request.tenantHost = await services.tenants.ofHost(hostHeader(request));
    const { config, url } = request.routeOptions;
    await keys.refuseInAddress(request);
    if (request.is404 || url === undefined || config.public || isPublicRoute(request.method, url)) return;
    const session = (await keys.session(request)) ?? (await sessionOf(request, services));
    if (config.limited !== true) {
      if (!session.tenant.active) throw new AppError(403, 'client_deactivated', 'Client is Deactivated');
      if (session.scope !== 'full') {
        const [code, message] = LIMITED_MESSAGES[session.scope];
        throw new AppError(403, code, message);
      }
    }
    request.session = session;
  });

  // Bodies are available only here. The session determines the author; a body with another one is a forgery or a
  // mistake.
  app.addHook('preValidation', async (request) => {
    const { session, body } = request;
    if ((session as Session | null) === null || typeof body !== 'object' || body === null || !('from_user' in body))
      return;
    if (Number(body.from_user) !== session.userId && (await clientSettings(session.tenant)).strict_from_user)
      throw new AppError(403, 'forbidden', 'from_user is another user than the one signed in.', { field: 'from_user' });
    delete body.from_user;
  });

  app.addHook('onSend', (request, reply, _payload, done) => {
    const session = request.session as Session | null;
    if (session) reply.header('x-rights-version', session.rights.version);
    done();
  });
}

/** The host as typed by the person. Fastify trusts X-Forwarded-Host only from trusted proxies. */
export function hostHeader(request: FastifyRequest): string {
  return request.host || (request.headers[':authority'] as string | undefined) || '';
}

/** The session of the request's token, in the requested company; throws AppError 401 or 403. */
export async function sessionOf(
  request: FastifyRequest,
  services: SessionServices,
  entityId: number | null = askedCompany(request),
): Promise<LiveSession> {
  const { token, cookie } = presentedToken(request);
  // Calls that return collections also accept a token limited to them.
  const narrow =
    token !== null && request.routeOptions.config.analytics === true
      ? await readAnalyticsToken(token, services.secrets.token)
      : null;
  const claims = narrow
    ? { ...narrow, iss: 'mainstay' as const, iat: Math.floor(Date.now() / 1000) }
    : token === null
      ? null
      : await services.readToken(token);
  if (claims === null) throw unauthenticated();
  const tenant = await services.tenants.bySchema(claims.aud);
  if (tenant === null) throw unauthenticated();
  const host = request.tenantHost;
  const agrees =
    host.kind === 'none' ||
    (host.kind === 'tenant' && host.subDomain === tenant.subDomain) ||
    (host.kind === 'admin' && tenant.schema === 'public');
  if (!agrees)
    throw new AppError(401, 'wrong_tenant', 'You are signed in to another company’s address. Please sign in here.');
  if (narrow && !(await analyticsTokenCounts(tenant, narrow))) throw unauthenticated();
  const session = await services.store.resolve(tenant, claims, entityId);
  if (!session.usableFrom(request.ip))
    throw new AppError(
      403,
      'forbidden',
      `Your account may not be used from ${request.ip}. Ask your administrator to allow that address.`,
      { reason: 'network' },
    );
  if (narrow) return session;
  // A token from a cookie session must not work as a bearer token, nor the other way round.
  if (cookie !== (session.transport === 'cookie')) throw unauthenticated();
  if (cookie) checkForgery(request, session.sid, services);
  return session;
}

function presentedToken(request: FastifyRequest): { token: string | null; cookie: boolean } {
  const header = request.headers.authorization;
  if (header !== undefined) return { token: /^Bearer ([\w.-]+)$/i.exec(header)?.[1] ?? null, cookie: false };
  const cookie = request.cookies[SESSION_COOKIE] ?? request.cookies[PLAIN_SESSION_COOKIE];
  return { token: cookie ?? null, cookie: cookie !== undefined };
}

function askedCompany(request: FastifyRequest): number | null {
  const header = request.headers['x-entity-id'];
  if (header === undefined || header === '') return null;
  const id = Number(header);
  if (!Number.isSafeInteger(id) || id < 1)
    throw new AppError(400, 'bad_request', 'X-Entity-Id must be the number of a company.');
  return id;
}

function checkForgery(request: FastifyRequest, sid: string, services: SessionServices): void {
  if (!UNSAFE.has(request.method)) return;
  const given = request.headers['x-csrf-token'];
  const site = request.headers['sec-fetch-site'];
  const origin = request.headers.origin;
  const sameOrigin = site === undefined ? origin !== undefined && sameHost(origin, request) : site === 'same-origin';
  if (typeof given === 'string' && isCsrfToken(given, sid, services.secrets.csrf) && sameOrigin) return;
  throw new AppError(403, 'csrf', 'This page is out of date. Load it again.');
}

function sameHost(origin: string, request: FastifyRequest): boolean {
  return URL.canParse(origin) && new URL(origin).host === hostHeader(request).toLowerCase() && bareHost(origin) !== '';
}
