import type { FastifyInstance } from 'fastify';
import { AppError } from '../../db/errors.ts';

/**
 * Graceful shutdown: idle connections end at once, new requests are answered with 503, and every response closes its
 * connection.
 */
export function addStopping(app: FastifyInstance): { begin(): void } {
  let stopping = false;
  app.addHook('onRequest', (_request, reply, done) => {
    if (!stopping) {
      done();
      return;
    }
    reply.header('connection', 'close');
    done(new AppError(503, 'unavailable', 'The server is being stopped. Please try again in a moment.'));
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (stopping && !reply.hasHeader('connection')) reply.header('connection', 'close');
    done();
  });
  return {
    begin() {
      if (stopping) return;
      stopping = true;
      app.server.closeIdleConnections();
    },
  };
}
