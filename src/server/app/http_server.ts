import { randomBytes } from 'node:crypto';
import Fastify, { LogController } from 'fastify';
import type { FastifyInstance, FastifyServerOptions } from 'fastify';
import type { Config } from '../config.ts';
import { answerRouterError } from '../http/server/error_answers.ts';
import { maskAddress } from '../services/network/masked_address.ts';
import { clientAddress } from '../http/server/client_addresses.ts';

/** Headers must be there in this time: connections that send none hold nothing. */
const HEADERS_MS = 20_000;

/** The HTTP server as the settings want it, without any address yet. */
export function createServer(config: Config, logger?: FastifyServerOptions['logger']): FastifyInstance {
  const callId = callIds();
  return Fastify({
    logger: logger ?? {
      level: config.logLevel,
      redact: ['req.headers.authorization', 'req.headers.cookie', '*.password', '*.token'],
      serializers: { req: ({ method, url }: { method: string; url: string }) => ({ method, url: maskAddress(url) }) },
    },
    // One line a call, ours (request_log.ts).
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    bodyLimit: config.bodyMaxMb * 1024 * 1024,
    rewriteUrl: ({ url = '/' }) => clientAddress(url),
    frameworkErrors: answerRouterError,
    requestIdHeader: false,
    genReqId: ({ headers }) => {
      const given = headers['x-request-id'];
      return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : callId();
    },
    forceCloseConnections: 'idle',
    keepAliveTimeout: 65_000,
    requestTimeout: config.requestSeconds * 1000,
    http: { headersTimeout: HEADERS_MS, connectionsCheckingInterval: 5_000 },
    routerOptions: { maxParamLength: 1200, ignoreTrailingSlash: false },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
  });
}

/** Names of calls: of this process, and counted. */
function callIds(): () => string {
  const start = `r-${randomBytes(4).toString('hex')}`;
  let count = 0;
  return () => `${start}${(++count).toString(16).padStart(6, '0')}`;
}
