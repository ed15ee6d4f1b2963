import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import type { JsonSchema } from '../../descriptor/types.ts';
import { atPlace, placeOf } from '../services/clock/client_day.ts';
import type { Session } from '../access/context.ts';
import { addErrorAnswers } from '../http/server/error_answers.ts';
import { createDiskRoom, diskFull } from '../services/files/disk_room.ts';
import { addBodyTimeout } from '../http/server/slow_bodies.ts';
import { addStopping } from '../http/server/stopping.ts';
import { createApiKeys } from '../platform/integrations/api_keys.ts';
import { checkRequests } from '../http/server/request_check.ts';
import { addRequestLog } from '../http/server/request_log.ts';
import type { RegisteredRoute } from '../http/records/own_calls.ts';
import { addSecurityHeaders } from '../http/server/security_headers.ts';
import { addGuard } from '../access/sessions/guard.ts';
import { isPublicRoute } from '../access/sessions/public_routes.ts';
import '../access/sessions/request.ts';
import type { SharedServices } from './shared_services.ts';

/** A route, and whether a session that may do little yet may ask it. */
export type ServedRoute = RegisteredRoute & { limited: boolean };

/** What every call goes through before its own handler, and after. */
export async function requestHandling(server: FastifyInstance, parts: SharedServices) {
  const { config, version, log, services, tenantScreens, notifications } = parts;
  const routes: ServedRoute[] = [];
  server.addHook('onRoute', ({ method, url, config: marks, schema }) => {
    const { body, querystring: query } = (schema ?? {}) as { body?: JsonSchema; querystring?: JsonSchema };
    for (const one of Array.isArray(method) ? method : [method])
      routes.push({
        method: one,
        url,
        public: marks?.public === true || isPublicRoute(one, url),
        limited: marks?.limited === true,
        ...(body && { body }),
        ...(query && { query }),
      });
  });
  const disk = createDiskRoom(config.dataDir, () => config.diskReserveMb);
  addErrorAnswers(server, () => disk.wasFull());
  acceptEmptyJson(server);
  checkRequests(server);
  addRequestLog(server, version);
  const stopping = addStopping(server);
  addBodyTimeout(server, config.bodySeconds);
  server.addHook('preParsing', async ({ headers }) => {
    // Before a byte of it is taken.
    if (/^multipart\//i.test(headers['content-type'] ?? '') && !(await disk.hasRoom())) throw diskFull();
  });
  addSecurityHeaders(server, config);
  await server.register(cookie);
  await server.register(multipart, {
    limits: { fileSize: config.uploadMaxMb * 1024 * 1024, files: 1, fields: 20, fieldSize: 64 * 1024 },
  });
  if (config.rateLimit > 0) {
    await server.register(rateLimit, {
      max: config.rateLimit,
      timeWindow: 60_000,
      cache: 50_000,
      allowList: ({ ip }) => ip === '127.0.0.1' || ip === '::1' || ip === '::ffff:127.0.0.1',
    });
  }
  const keys = createApiKeys({ tenants: services.tenants, store: services.store, notifications, log });
  keys.watch(server);
  addGuard(server, services, keys);
  server.addHook('onRequest', async ({ session }) => {
    if ((session as Session | null) !== null) await tenantScreens.prepare(session.tenant);
  });
  server.addHook('preHandler', ({ session }, _reply, done) => {
    if ((session as Session | null) === null) done();
    else atPlace(placeOf(session), done);
  });
  return { routes, stopping, disk };
}

/** A call without a body may say that its body is JSON. */
function acceptEmptyJson(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.removeContentTypeParser('application/json');
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
    if (body === '') done(null, undefined);
    else void parse(request, body, done);
  });
}
