import type { FastifyInstance } from 'fastify';
import { AppError } from '../../db/errors.ts';

/**
 * How a server stops taking calls without cutting anybody off: connections without a call end at once, what comes on
 * others or anew is answered 503, and every answer says that its connection ends with it.
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
