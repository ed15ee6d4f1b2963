import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { maskAddress } from '../../services/network/masked_address.ts';
import type { Session } from '../../access/context.ts';

/** Calls slower than this are logged even if nothing went wrong. */
const SLOW_MS = 1_000;

/** One line per call with its time, tenant and user; successful reads only at level debug. */
export function addRequestLog(server: FastifyInstance, version: string): void {
  server.addHook('onSend', (request, reply, _payload, done) => {
    reply.header('x-request-id', request.id).header('x-app-version', version);
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    const { statusCode, elapsedTime } = reply;
    const quiet = statusCode < 400 && request.method === 'GET' && elapsedTime < SLOW_MS;
    const level = statusCode >= 500 ? 'error' : quiet ? 'debug' : 'info';
    const log = request.log as FastifyBaseLogger & { isLevelEnabled?(name: string): boolean };
    if (log.isLevelEnabled?.(level) === false) return done();
    const session = request.session as Session | null;
    log[level](
      {
        method: request.method,
        url: maskAddress(request.url),
        status: statusCode,
        ms: Math.round(elapsedTime * 10) / 10,
        ...(session && { tenant: session.tenant.subDomain, user: session.userId }),
      },
      'request',
    );
    done();
  });
}
