import { Transform } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../db/errors.ts';

/** The error for a body that is not complete in time. */
function tooSlow(seconds: number): AppError {
  return new AppError(
    408,
    'too_slow',
    `The body of the call did not arrive within ${seconds} seconds. Nothing was done.`,
  );
}

/**
 * A time-out for bodies: slow ones cannot hold resources for long. Forms with files have the longer time-out of whole
 * requests.
 */
export function addBodyTimeout(app: FastifyInstance, seconds: number): void {
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { 'content-type': type = '', 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    const hasBody = encoding !== undefined || Number(length ?? 0) > 0;
    if (!hasBody || /^multipart\//i.test(type)) {
      done(null, payload);
      return;
    }
    // The parser compares the received length with the announced one.
    const timed = Object.assign(new Transform({ transform: (chunk, _encoding, next) => next(null, chunk) }), {
      receivedEncodedLength: 0,
    });
    payload.on('data', (chunk: Buffer) => (timed.receivedEncodedLength += chunk.length));
    const timer = setTimeout(() => {
      reply.header('connection', 'close');
      payload.unpipe(timed);
      timed.destroy(tooSlow(seconds));
    }, seconds * 1000).unref();
    const inTime = () => clearTimeout(timer);
    // It is complete, or nobody waits for it any more.
    payload.once('end', inTime);
    payload.once('close', inTime);
    reply.raw.once('close', inTime);
    payload.once('error', (error) => timed.destroy(error));
    // If a call was answered before its body was complete, nobody else handles the event.
    timed.on('error', inTime);
    payload.pipe(timed);
    done(null, timed);
  });
}
