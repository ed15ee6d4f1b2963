import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../db/errors.ts';
import { databaseRefusal } from '../../db/database_refusal.ts';
import { diskFull, isDiskFull } from '../../services/files/disk_room.ts';

/** Fastify's own errors in our words; by error code. */
const WORDS: Record<string, [status: number, code: string, message: string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'too_large', 'This is too large.'],
  FST_REQ_FILE_TOO_LARGE: [413, 'too_large', 'The file is too large.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'unsupported', 'Send JSON, or a form with a file where the call takes one.'],
  FST_INVALID_MULTIPART_CONTENT_TYPE: [415, 'unsupported', 'Send a form with a file.'],
  FST_ERR_CTP_INVALID_JSON_BODY: [400, 'bad_request', 'The body is not valid JSON.'],
  FST_ERR_BAD_URL: [400, 'bad_request', 'The address contains a % that is not followed by the code of a character.'],
  FST_ERR_MAX_PARAM_LENGTH: [414, 'too_large', 'A part of the address is too long.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: [400, 'bad_request', 'The body is empty. Send a JSON object.'],
};

/** Errors of the form parser for truncated or invalid forms, which have no code. */
const BROKEN_FORM =
  /^(?:Unexpected end of (?:form|multipart data|file)|Malformed part header|Multipart: |Malformed content type|.* terminated early due to unexpected end of multipart)/;

/** Converts any error to one that the person may read. */
function asAppError(error: unknown): AppError {
  if (isDiskFull(error)) return diskFull();
  if (error instanceof AppError) return error;
  const refusal = databaseRefusal(error);
  if (refusal) return refusal;
  const { code, statusCode, validation, message } = error as Partial<FastifyError>;
  const known = code === undefined ? undefined : WORDS[code];
  if (known) return new AppError(known[0], known[1], known[2]);
  if (validation) {
    const finding = validation[0];
    const missing = typeof finding?.params.missingProperty === 'string' ? finding.params.missingProperty : '';
    const field = [finding?.instancePath.replace(/^\//, '').replaceAll('/', '.'), missing].filter(Boolean).join('.');
    return new AppError(
      400,
      'bad_request',
      field === ''
        ? 'The request is not valid.'
        : `${field} ${missing ? 'is missing' : (finding?.message ?? 'is not valid')}.`,
      { ...(field !== '' && { field }) },
    );
  }
  if (message !== undefined && BROKEN_FORM.test(message))
    return new AppError(400, 'bad_request', 'The form is not complete. Send it again, with the file.', {
      field: 'file',
    });
  if (statusCode === 413) return new AppError(413, 'too_large', 'This is too large.');
  if (statusCode === 429) return new AppError(429, 'too_many', 'Too many requests. Wait a moment and try again.');
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new AppError(statusCode, 'bad_request', message ?? 'The request is not valid.');
  if (statusCode === 503) return new AppError(503, 'unavailable', 'The server is busy. Please try again in a moment.');
  return new AppError(500, 'internal', 'Server Error');
}

/** The body of every error. */
function errorBody(error: AppError, requestId: string): object {
  const { code, message, field, reason, details, extra } = error;
  return { error: { ...extra, code, message, field, reason, details, request_id: requestId } };
}

/** Answers requests that the router refuses before a route is found, in the common error format. */
export function answerRouterError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const known = asAppError(error);
  void reply
    .code(known.status)
    .header('cache-control', 'no-store')
    .send(errorBody(new AppError(known.status, known.code, known.message, { field: 'path' }), request.id));
}

/**
 * The common error format; internal details stay in the log. `onDiskFull` is called for writes that failed because the
 * disk is full.
 */
export function addErrorAnswers(app: FastifyInstance, onDiskFull: () => void = () => undefined): void {
  const routes: { method: string; pattern: RegExp }[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    if (url === '/*' || url === '*') return;
    const pattern = new RegExp(
      `^${url
        .split(/(:\w+)/)
        .map((part) => (part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
        .join('')}$`,
    );
    for (const one of Array.isArray(method) ? method : [method]) routes.push({ method: one, pattern });
  });

  app.setErrorHandler((thrown, request: FastifyRequest, reply: FastifyReply) => {
    const error = asAppError(thrown);
    if (isDiskFull(thrown)) onDiskFull();
    if (error.status >= 500)
      request.log.error({ err: thrown, ...(error.cause !== undefined && { cause: error.cause }) }, 'Request failed.');
    const wait = error.extra.retry_after_s;
    if (typeof wait === 'number') reply.header('retry-after', wait);
    else if (error.status === 429 && !reply.hasHeader('retry-after')) reply.header('retry-after', 60);
    else if (error.status === 503) reply.header('retry-after', 1);
    return reply
      .code(error.status)
      .type('application/json; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(errorBody(error, request.id));
  });

  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const methods = [...new Set(routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))];
    const error =
      methods.length > 0
        ? new AppError(405, 'method_not_allowed', `This address takes ${methods.join(', ')}.`)
        : new AppError(404, 'not_found', 'There is no page at this address.');
    if (error.status === 405) reply.header('allow', methods.join(', '));
    return reply.code(error.status).header('cache-control', 'no-store').send(errorBody(error, request.id));
  });
}
