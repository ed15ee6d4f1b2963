import type { FastifyInstance } from 'fastify';
import { isStorable } from '../../../descriptor/fieldtypes/column_range.ts';
import { AppError } from '../../db/errors.ts';

/** The maximum nesting depth; the product's own requests have about ten levels. */
const MAX_DEPTH = 40;

function bad(field: string, message: string): AppError {
  return new AppError(400, 'bad_request', message, { field });
}

const INTEGER_MAX = 2_147_483_647;

/** The version of a change is stored in an integer column, whatever the call. */
function checkVersion(version: unknown): void {
  const number = typeof version === 'string' && /^\d{1,10}$/.test(version) ? Number(version) : version;
  if (number === undefined || number === null) return;
  if (!Number.isInteger(number) || (number as number) < 0 || (number as number) > INTEGER_MAX)
    throw bad('version', 'version is the whole number that the record was read with.');
}

function checkText(text: string, field: string): void {
  if (isStorable(text)) return;
  const what = text.includes('\0') ? 'the character 0' : 'half of a character';
  throw bad(field, `${field} contains ${what}, which cannot be stored. Remove it.`);
}

/**
 * Values that no call can process, anywhere in JSON: texts and names that cannot be stored, numbers out of range,
 * excessive nesting. `path` is empty for the body itself. @throws AppError 400 with the path
 */
export function checkJson(value: unknown, path: string, depth = 1): void {
  if (typeof value === 'string') return checkText(value, path);
  if (typeof value === 'number' && !Number.isFinite(value)) throw bad(path, `${path} is too large a number.`);
  if (value === null || typeof value !== 'object') return;
  if (depth > MAX_DEPTH)
    throw bad(path.slice(0, 100), `The body has more than ${MAX_DEPTH} levels within one another.`);
  for (const name in value) {
    if (!isStorable(name))
      throw bad(path || 'body', `A name in ${path || 'the body'} contains a character that cannot be stored.`);
    const inner = path === '' ? name : `${path}.${name}`;
    checkJson((value as Record<string, unknown>)[name], inner, depth + 1);
  }
}

/** Checks every request before it reaches its handler: the path, the query and a JSON body. */
export function checkRequests(server: FastifyInstance): void {
  server.addHook('onRequest', (request, _reply, done) => {
    for (const [name, value] of Object.entries((request.params ?? {}) as Record<string, string>))
      if (name !== '*') checkText(value, name);
    for (const [name, value] of Object.entries((request.query ?? {}) as Record<string, unknown>)) {
      if (typeof value !== 'string') throw bad(name, `Give ${name} once.`);
      checkText(name, 'query');
      checkText(value, name);
    }
    done();
  });
  server.addHook('preValidation', (request, _reply, done) => {
    const { body } = request;
    if (body === undefined || !/^application\/json\b/i.test(request.headers['content-type'] ?? '')) return done();
    if (body === null || typeof body !== 'object' || Array.isArray(body)) throw bad('body', 'Send a JSON object.');
    checkJson(body, '');
    checkVersion((body as { version?: unknown }).version);
    done();
  });
}
