import type { FastifyInstance, FastifyRequest } from 'fastify';
import { unauthenticated } from '../../access/sessions/session_ended.ts';
import { DateTime } from 'luxon';
import type { Screen } from '../../../descriptor/types.ts';
import { endAnalyticsTokens } from '../../access/sessions/analytics_token.ts';
import type { Session } from '../../access/context.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { Thumbnails } from '../../services/files/thumbnails.ts';
import { geography } from '../../platform/reference/geography.ts';
import { prolongSession } from '../../access/sessions/prolong.ts';
import { clientSettings } from '../../services/settings/client_settings.ts';
import { expiryDate } from '../../access/sessions/expiry.ts';
import type { DeviceBody } from '../../access/people/device_tokens.ts';
import { changeToken, keepToken, silenceToken, tokensOf } from '../../access/people/device_tokens.ts';
import { companyAnswer, deactivatedAnswer, featuresAnswer } from '../../platform/features/features.ts';
import { sessionOf } from '../../access/sessions/guard.ts';
import { PAGE_TYPES } from '../../access/rights/rights.ts';
import type { SessionServices } from '../../access/sessions/services.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { setSessionCookies } from '../../access/sessions/session_cookies.ts';
import { signToken } from '../../access/sessions/token.ts';
import { mount } from '../server/mount.ts';

export interface PlatformCallDeps {
  services: SessionServices;
  screens: () => Map<string, Screen>;
  thumbnails: Thumbnails;
}

/** An id in the address or the query that must be the session's own user. */
function ownUser(session: Session, given: unknown): void {
  if (Number(given) !== session.userId)
    throw new AppError(403, 'forbidden', 'This belongs to another user than the one signed in.');
}

function mustBe(condition: boolean, field: string, message: string): void {
  if (!condition) throw new AppError(422, 'invalid', message, { field, details: [{ field, message }] });
}

function isDate(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && DateTime.fromISO(value).isValid;
}

/** The calls named in section 7 of the specification, except signing in. */
export async function platformCalls(
  app: FastifyInstance,
  { services, screens, thumbnails }: PlatformCallDeps,
): Promise<void> {
  const { store, secrets } = services;
  const live = (request: FastifyRequest): LiveSession => request.session as LiveSession;

  mount(app, {
    method: 'GET',
    url: '/get_features_by_role/:user_id',
    config: { limited: true },
    handler: async (request) => {
      const session = live(request);
      ownUser(session, (request.params as { user_id: string }).user_id);
      if (!session.tenant.active || session.scope === 'features_only') return deactivatedAnswer();
      if (session.tenant.schema === 'public')
        throw new AppError(403, 'forbidden', 'Platform administrators have no companies.');
      return featuresAnswer(session, screens(), thumbnails);
    },
  });

  for (const url of ['/get_screen_and_user_data_by_role', '/get_screen_and_user_data_by_role/']) {
    mount(app, {
      method: 'GET',
      url,
      config: { limited: true },
      handler: async (request: FastifyRequest) => {
        const session = live(request);
        ownUser(session, (request.query as { user_id?: string }).user_id);
        if (session.tenant.schema !== 'public')
          throw new AppError(403, 'forbidden', 'Only platform administrators have common rights.');
        return {
          data: {
            user_type_code: session.userTypeCode,
            user_name: session.userName,
            common_screen_dataset: [...session.rights.screens()].map(([screen_code, { pages }]) => ({
              screen_code,
              ...Object.fromEntries(PAGE_TYPES.map((page) => [page, pages.has(page)])),
            })),
          },
        };
      },
    });
  }

  mount(app, {
    method: 'PUT',
    url: '/update_user_logged_data/:user_id/:schema',
    config: { limited: true },
    handler: async (request) => {
      const session = live(request);
      const { user_id: userId, schema } = request.params as { user_id: string; schema: string };
      ownUser(session, userId);
      if (schema !== session.tenant.schema)
        throw new AppError(403, 'forbidden', 'This belongs to another company than the one signed in to.');
      const given = (request.body as { user_dataset?: { logged_date?: unknown; expiry_date?: unknown } } | undefined)
        ?.user_dataset;
      mustBe(typeof given === 'object' && given !== null, 'user_dataset', 'user_dataset is missing.');
      for (const field of ['logged_date', 'expiry_date'] as const)
        mustBe(
          given?.[field] === undefined || given[field] === '' || isDate(given[field]),
          field,
          `${field} must be a date, YYYY-MM-DD.`,
        );
      const { timezone } = session.tenant;
      // The browser's data is only informational: the session row decides.
      return {
        data: {
          user_id: session.userId,
          logged_date: expiryDate(session.authAt, timezone),
          expiry_date: expiryDate(session.expiresAt, timezone),
        },
      };
    },
  });

  mount(app, {
    method: 'POST',
    url: '/update_refresh_token/:token',
    config: { limited: true },
    handler: async (request, reply) => {
      const { token } = request.params as { token: string };
      const session = live(request);
      // A token in the address must belong to this session.
      if (token !== '~' && (await services.readToken(token))?.sid !== session.sid) throw unauthenticated();
      if (token !== '~' && !(await clientSettings(session.tenant)).refresh_token_in_url)
        throw new AppError(
          400,
          'bad_request',
          'Send ~ in the address; the token belongs in the Authorization header.',
          { field: 'token' },
        );
      const { sid, expiresAt, ...answer } = await refresh(session);
      if (session.transport !== 'cookie') return answer;
      // If scripts cannot read the session, they do not receive it here either.
      setSessionCookies(reply, services, { token: answer.new_token, sid, expires: expiresAt });
      return { ...answer, new_token: '' };
    },
  });

  async function refresh(
    session: LiveSession,
  ): Promise<{ new_token: string; expiry_date: string; sid: string; expiresAt: Date }> {
    const { tenant, sid } = session;
    const { session_absolute_days: days } = await clientSettings(tenant);
    const now = new Date();
    const iat = Math.floor(now.getTime() / 1000);
    const expiresAt = await prolongSession(tenant, sid, now, days);
    store.forget(tenant.schema, sid);
    const token = await signToken(
      {
        iss: 'mainstay',
        aud: tenant.schema,
        sub: String(session.userId),
        sid,
        iat,
        exp: Math.floor(expiresAt.getTime() / 1000),
      },
      secrets.token,
    );
    return { new_token: token, expiry_date: expiryDate(expiresAt, tenant.timezone), sid, expiresAt };
  }

  mount(app, {
    method: 'GET',
    url: '/get_users_device/:user_id',
    handler: async (request) => {
      const { session } = request;
      ownUser(session, (request.params as { user_id: string }).user_id);
      tenantsOnly(session);
      return { data: await tokensOf(session) };
    },
  });

  mount(app, {
    method: 'PUT',
    url: '/update_users_device/:device_id',
    handler: async (request) => {
      const { session } = request;
      tenantsOnly(session);
      const id = Number((request.params as { device_id: string }).device_id);
      const body = (request.body ?? {}) as DeviceBody;
      checkDevice(session, body, false);
      if (!Number.isSafeInteger(id) || id < 1) throw notFound();
      if (!(await changeToken(session, id, body))) throw notFound();
      return { data: { id } };
    },
  });

  mount(app, {
    method: 'POST',
    url: '/notification_token',
    handler: async (request, reply) => {
      const session = live(request);
      tenantsOnly(session);
      const body = (request.body as { notification_token?: DeviceBody & { user_id?: unknown } } | undefined)
        ?.notification_token;
      mustBe(typeof body === 'object' && body !== null, 'notification_token', 'notification_token is missing.');
      if (body?.user_id !== undefined) ownUser(session, body.user_id);
      checkDevice(session, body ?? {}, true);
      const { id, made } = await keepToken(session, { ...body, device_token: body!.device_token! });
      return reply.code(made ? 201 : 200).send({ data: { id } });
    },
  });

  mount(app, {
    method: 'PUT',
    url: '/update_users_device_logout/:user_id',
    config: { limited: true },
    handler: async (request) => {
      const { session } = request;
      ownUser(session, (request.params as { user_id: string }).user_id);
      tenantsOnly(session);
      const token = (request.query as { device_token?: string }).device_token ?? '';
      return { data: { updated: await silenceToken(session, token) } };
    },
  });

  mount(app, {
    method: 'POST',
    url: '/analytics_token_update',
    config: { limited: true },
    handler: async (request) => {
      const { email } = (request.body ?? {}) as { email?: string | null };
      mustBe(email === undefined || email === null || typeof email === 'string', 'email', 'email is a text.');
      if (email !== undefined && email !== null && email.toLowerCase() !== live(request).email.toLowerCase())
        throw new AppError(403, 'forbidden', 'This belongs to another user than the one signed in.');
      const { tenant, userId } = live(request);
      // The platform's own people have none.
      if (tenant.schema !== 'public') await endAnalyticsTokens(tenant, userId);
      return { result: 'success' };
    },
  });

  mount(app, {
    method: 'GET',
    url: '/get_email_by_entity',
    handler: async (request) => {
      const session = live(request);
      tenantsOnly(session);
      const query = request.query as { email?: string; entity_id?: string; user_id?: string };
      if (query.user_id !== undefined) ownUser(session, query.user_id);
      if (query.email !== undefined && query.email.toLowerCase() !== session.email.toLowerCase())
        throw new AppError(403, 'forbidden', 'This belongs to another user than the one signed in.');
      const entityId = Number(query.entity_id);
      mustBe(Number.isSafeInteger(entityId) && entityId > 0, 'entity_id', 'entity_id must be the number of a company.');
      if (!session.entityIds.includes(entityId))
        throw new AppError(403, 'entity_forbidden', 'You are not mapped to this company.');
      if (entityId === session.entityId) return companyAnswer(session, screens(), thumbnails);
      request.headers['x-entity-id'] = String(entityId);
      return companyAnswer(await sessionOf(request, services), screens(), thumbnails);
    },
  });

  mount(app, {
    method: 'GET',
    url: '/global_country_service',
    config: { public: true },
    handler: async (request, reply) => {
      const query = request.query as { flag?: string; country_code?: string; state_code?: string };
      const answer = geographyAnswer(query);
      reply.header('cache-control', 'public, max-age=86400');
      return answer;
    },
  });
}

function checkDevice(session: Session, body: DeviceBody, needed: boolean): void {
  const { device_token: token, device_flag: flag, active, entity_id: entityId } = body;
  if (needed || token !== undefined)
    mustBe(
      typeof token === 'string' && token !== '' && token.length <= 4096,
      'device_token',
      'device_token must be a text of 1 to 4096 characters.',
    );
  mustBe(flag === undefined || typeof flag === 'boolean', 'device_flag', 'device_flag must be true or false.');
  mustBe(active === undefined || typeof active === 'boolean', 'active', 'active must be true or false.');
  if (entityId !== undefined && entityId !== null && !session.entityIds.includes(entityId))
    throw new AppError(403, 'entity_forbidden', 'You are not mapped to this company.');
}

function tenantsOnly(session: Session): void {
  if (session.tenant.schema === 'public')
    throw new AppError(403, 'forbidden', 'Platform administrators have no companies or devices.');
}

/** Countries, the states of a country, the cities of a state. */
function geographyAnswer({
  flag,
  country_code: country,
  state_code: state,
}: {
  flag?: string;
  country_code?: string;
  state_code?: string;
}): object {
  const { countries, states, cities } = geography();
  if (flag === 'country') return { data: countries.map(({ name, code, dial_code }) => ({ name, code, dial_code })) };
  mustBe(flag === 'state' || flag === 'city', 'flag', 'flag must be country, state or city.');
  mustBe(
    countries.some(({ code }) => code === country),
    'country_code',
    'There is no such country code.',
  );
  const ofCountry = states.filter((row) => row.country === country);
  if (flag === 'state') return { data: ofCountry.map(({ name, code, gst_code }) => ({ name, code, gst_code })) };
  mustBe(
    ofCountry.some(({ code }) => code === state),
    'state_code',
    'There is no such state code in this country.',
  );
  return {
    data: country === 'IN' ? cities.filter((row) => row.state === state).map(({ name, code }) => ({ name, code })) : [],
  };
}
