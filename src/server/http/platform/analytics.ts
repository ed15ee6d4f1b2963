import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import { descriptorOfScreen } from '../../platform/analytics/catalogue_screen.ts';
import type { CollectionReader } from '../../platform/analytics/collection_reader.ts';
import { collectionById } from '../../platform/analytics/collection_reader.ts';
import type { Collections } from '../../platform/analytics/collections.ts';
import type { Definitions } from '../../platform/analytics/definitions.ts';
import {
  analyticsTokenCounts,
  analyticsUserOf,
  issueAnalyticsToken,
  noteAnalyticsToken,
  readAnalyticsToken,
  signedInEmail,
} from '../../access/sessions/analytics_token.ts';
import type { Session } from '../../access/context.ts';
import type { Database } from '../../db/database.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { parseListQuery } from '../../engine/records/list_query.ts';
import type { Audit } from '../../services/audit/audit.ts';
import { authorize, authorizeAction } from '../../access/rights/authorize.ts';
import type { Secrets } from '../../access/sessions/secrets.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { mount } from '../server/mount.ts';

export interface AnalyticsRouteDeps {
  engine: Engine;
  collections: Collections;
  reader: CollectionReader;
  definitions: Definitions;
  secrets: Secrets;
  /** The platform's own database, which holds the catalogue of screens. */
  main: Database;
  screens: (session: Session) => ReadonlyMap<string, Screen>;
  audit: Audit;
}

const MAX_ROWS = 5_000;

function invalid(field: string, message: string): AppError {
  return new AppError(422, 'invalid', message, { field, details: [{ field, message }] });
}

function pagination(page: number, size: number, count: number): object {
  const last = Math.max(1, Math.ceil(count / size));
  const more = page < last;
  return {
    count,
    first: 1,
    has_next: more,
    has_prev: page > 1,
    last,
    next_page: more ? page + 1 : null,
    page,
    prev_page: page > 1 ? page - 1 : null,
    total_pages: last,
    more,
  };
}

/** Collections: refreshed from the product, and returned by the calls in the specification (platform.md §12.1). */
export async function analyticsRoutes(
  app: FastifyInstance,
  { engine, collections, reader, definitions, secrets, main, screens, audit }: AnalyticsRouteDeps,
): Promise<void> {
  const typeOf = (session: Session, type: string): Screen => {
    const screen = screens(session).get(type);
    if (!screen || session.tenant.schema === 'public') throw notFound();
    return screen;
  };
  function keeper(session: Session): void {
    const screen = typeOf(session, 'analytics_collection');
    authorize(session, screen, 'edit_screen', screen.access.action);
  }
  const note = ({ session, ip }: FastifyRequest, action: string, summary: string) =>
    audit(session.tenant, { actor: session.userId, action, sid: session.sid, ip, summary });
  const bodyOf = (request: FastifyRequest): Record<string, unknown> => {
    const { body } = request;
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Record<string, unknown>) : {};
  };

  for (const prefix of ['/tapi', '/api']) {
    app.post(`${prefix}/analytics_collection/run_all`, async (request, reply) => {
      keeper(request.session);
      const ids = await collections.startAll(request.session.tenant, request.session.userId);
      await note(request, 'analytics_run_all', `${ids.length} collections`);
      return reply.code(202).send({ run_ids: ids });
    });
    for (const call of ['run', 'cancel'] as const)
      // The record's id in the list, its code elsewhere.
      app.post(`${prefix}/analytics_collection/:id/${call}`, async (request, reply) => {
        const { tenant, userId } = request.session;
        keeper(request.session);
        const { id: named } = request.params as { id: string };
        const collection = /^\d{1,15}$/.test(named)
          ? await collectionById(tenant, Number(named))
          : await collections.byCode(tenant, named);
        await note(request, `analytics_${call}`, collection.code);
        if (call === 'run')
          return reply.code(202).send({ run_id: await collections.start(tenant, collection, 'manual', userId) });
        await collections.cancel(tenant, collection);
        return { data: { code: collection.code, state: 'idle' } };
      });
  }

  mount(app, {
    method: 'POST',
    url: '/analytics_token',
    handler: async (request) => {
      const { session } = request;
      await reader.screenOf(session);
      const known = await analyticsUserOf(session.tenant, session.userId);
      if (known && !known.active)
        throw new AppError(403, 'forbidden', 'Your access to analytics was switched off. Ask your administrator.', {
          reason: 'action',
        });
      if (known) await noteAnalyticsToken(session.tenant, known.id);
      const { token, expiresAt } = await issueAnalyticsToken(
        session.tenant,
        session.userId,
        session.sid,
        secrets.token,
      );
      return { token, expires_at: expiresAt.toISOString() };
    },
  });

  mount(app, {
    method: 'POST',
    url: '/analytics_verify_token',
    config: { analytics: true },
    handler: async (request) => {
      const { session } = request;
      await reader.screenOf(session);
      const { token } = bodyOf(request);
      if (typeof token !== 'string' || token === '') throw invalid('token', 'token is missing.');
      const claims = await readAnalyticsToken(token, secrets.token);
      // Tokens of other clients are treated like forged ones.
      if (!claims || claims.aud !== session.tenant.schema || !(await analyticsTokenCounts(session.tenant, claims)))
        return { valid: false };
      const email = await signedInEmail(session.tenant, claims);
      return email === null
        ? { valid: false }
        : { valid: true, email, expires_at: new Date(claims.exp * 1000).toISOString() };
    },
  });

  const userOf = ({ tenant }: Session, { id, email, product_code, active }: WireRecord) => ({
    id,
    email,
    product_code,
    sub_domain: tenant.subDomain,
    active,
  });
  mount(app, {
    method: 'GET',
    url: '/analytics_users',
    config: { analytics: true },
    handler: async ({ session, query }) => {
      const screen = typeOf(session, 'analytics_user');
      authorize(session, screen, 'landing');
      const { data, pagination } = await engine.list(
        session,
        screen,
        parseListQuery(
          { active: 'all', sort: 'email', size: '500', ...(query as Record<string, string>), columns: '*' },
          screen,
        ),
      );
      return { data: data.map((row) => userOf(session, row)), pagination };
    },
  });
  /** The values a caller may give for an analytics user; product and sub-domain must be the client's own. */
  function given(session: Session, body: Record<string, unknown>): Record<string, unknown> {
    const { email, product_code: product, sub_domain: domain, note: text, version } = body;
    if (domain !== undefined && domain !== session.tenant.subDomain)
      throw invalid('sub_domain', 'This is another client than the one signed in to.');
    return {
      ...(email !== undefined && { email }),
      ...(product !== undefined && { product_code: product }),
      ...(text !== undefined && { note: text }),
      ...(version !== undefined && { version }),
    };
  }
  mount(app, {
    method: 'POST',
    url: '/analytics_users_add',
    config: { analytics: true },
    handler: async (request, reply) => {
      const { session } = request;
      const screen = typeOf(session, 'analytics_user');
      authorize(session, screen, 'add_screen', screen.access.action);
      return reply
        .code(201)
        .send({ data: userOf(session, await engine.create(session, screen, given(session, bodyOf(request)), 'api')) });
    },
  });
  const numberOf = (request: FastifyRequest): number => {
    const { id } = request.params as { id: string };
    if (!/^\d{1,15}$/.test(id)) throw notFound();
    return Number(id);
  };
  mount(app, {
    method: 'PUT',
    url: '/analytics_users_edit/:id',
    config: { analytics: true },
    handler: async (request) => {
      const { session } = request;
      const screen = typeOf(session, 'analytics_user');
      authorize(session, screen, 'edit_screen', screen.access.action);
      const stored = await engine.read(session, screen, numberOf(request));
      return {
        data: userOf(
          session,
          await engine.update(
            session,
            screen,
            stored.id,
            { version: stored.version, ...given(session, bodyOf(request)) },
            'api',
          ),
        ),
      };
    },
  });
  mount(app, {
    method: 'PUT',
    url: '/analytics_users_soft_delete/:id',
    config: { analytics: true },
    handler: async (request) => {
      const { session } = request;
      const screen = typeOf(session, 'analytics_user');
      authorize(session, screen, 'edit_screen', screen.access.action);
      return { data: userOf(session, await engine.setActive(session, screen, numberOf(request), null, false)) };
    },
  });
  mount(app, {
    method: 'DELETE',
    url: '/analytics_users_delete/:id',
    config: { analytics: true },
    handler: async (request, reply) => {
      const { session } = request;
      const screen = typeOf(session, 'analytics_user');
      authorize(session, screen, 'edit_screen', screen.access.action);
      authorizeAction(session, 'DELETE_RECORDS');
      await engine.remove(session, screen, numberOf(request));
      return reply.code(204).send();
    },
  });

  mount(app, {
    method: 'POST',
    url: '/get_collection/data',
    config: { analytics: true },
    handler: async (request) => {
      const { session } = request;
      await reader.screenOf(session);
      const { collection, filter = {}, page = 1, size = 500 } = bodyOf(request);
      if (typeof collection !== 'string' || collection === '') throw invalid('collection', 'collection is missing.');
      if (typeof filter !== 'object' || filter === null || Array.isArray(filter))
        throw new AppError(400, 'bad_filter', 'filter must be fields and their values.', { field: 'filter' });
      if (!Number.isSafeInteger(page) || (page as number) < 1 || (page as number) > 1_000_000)
        throw invalid('page', 'page must be a whole number from 1.');
      if (!Number.isSafeInteger(size) || (size as number) < 1 || (size as number) > MAX_ROWS)
        throw invalid('size', `size must be a whole number from 1 to ${MAX_ROWS}.`);
      const { rows, count } = await reader.rows(
        session as LiveSession,
        await collections.byCode(session.tenant, collection),
        {
          filter: filter as Record<string, unknown>,
          page: page as number,
          size: size as number,
        },
      );
      return { data: rows, pagination: pagination(page as number, size as number, count) };
    },
  });

  mount(app, {
    method: 'POST',
    url: '/update_sync_datas',
    config: { analytics: true },
    handler: async (request, reply) => {
      const { session } = request;
      keeper(session);
      const codes = bodyOf(request).collections;
      if (
        !Array.isArray(codes) ||
        codes.length === 0 ||
        codes.length > 100 ||
        !codes.every((code) => typeof code === 'string')
      )
        throw invalid('collections', 'collections must be a list of up to 100 codes.');
      const ids: number[] = [];
      // All are looked up before the first is started: an invalid code starts nothing.
      const found = await Promise.all(
        [...new Set(codes as string[])].map((code) => collections.byCode(session.tenant, code)),
      );
      for (const one of found) ids.push(await collections.start(session.tenant, one, 'api', session.userId));
      await note(request, 'analytics_run', found.map(({ code }) => code).join(', '));
      return reply.code(202).send({ run_ids: ids });
    },
  });

  mount(app, {
    method: 'POST',
    url: '/form_master_sync_add',
    config: { analytics: true },
    handler: async (request, reply) => {
      const { session } = request;
      keeper(session);
      const form = bodyOf(request).form_id;
      if (!Number.isSafeInteger(form)) throw invalid('form_id', 'form_id must be the number of a form.');
      // A form is a screen of the catalogue; its records become a collection.
      const descriptor = await descriptorOfScreen(main, form as number);
      const screen = descriptor === null ? undefined : screens(session).get(descriptor);
      if (!screen || screen.scope === 'platform') throw notFound();
      authorize(session, screen, 'landing', 'EXPORT_DATA');
      const collection = await collections.ofList(session.tenant, screen, session.userId);
      return reply.code(202).send({
        run_id: await collections.start(session.tenant, collection, 'api', session.userId),
        collection: collection.code,
      });
    },
  });

  mount(app, {
    method: 'GET',
    url: '/show_kpi',
    config: { analytics: true },
    handler: async ({ session, query }) => {
      await reader.screenOf(session);
      const { kpi_id: id = '', from = '', to = '' } = query as { kpi_id?: string; from?: string; to?: string };
      for (const [field, day] of [
        ['from', from],
        ['to', to],
      ] as const)
        if (day !== '' && !/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(day))
          throw invalid(field, `${field} must be a date, YYYY-MM-DD.`);
      if (from !== '' && to !== '' && from > to) throw invalid('to', 'to cannot be before from.');
      const kpi = /^\d{1,9}$/.test(id) ? definitions.kpis.find((one) => one.id === Number(id)) : undefined;
      if (!kpi) throw notFound();
      return {
        data: {
          kpi_id: kpi.id,
          name: kpi.name,
          unit: kpi.unit,
          points: await reader.points(
            session as LiveSession,
            await collections.byCode(session.tenant, kpi.collection),
            kpi,
            from || null,
            to || null,
          ),
        },
      };
    },
  });
}
