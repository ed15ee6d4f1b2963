import type { JsonSchema } from '../../../descriptor/types.ts';

/** A route as it was registered, with what it says of its body and query. */
export interface RegisteredRoute {
  method: string;
  url: string;
  /** Served to anybody. */
  public: boolean;
  body?: JsonSchema;
  query?: JsonSchema;
}

type Json = Record<string, unknown>;

const PREFIX = /^\/(?:tapi|api)(?=\/)/;
const TAKES_BODY = new Set(['POST', 'PUT', 'PATCH']);

/**
 * The calls outside the generic ones, as OpenAPI paths: generated from the routes, so that none is missing. `known` are
 * the paths already written; their descriptions take precedence.
 */
export function ownCalls(routes: readonly RegisteredRoute[], known: Json, tagOf: (segment: string) => string): Json {
  const paths: Json = {};
  const written = new Set(
    Object.entries(known).flatMap(([path, calls]) => Object.keys(calls as Json).map((method) => `${method} ${path}`)),
  );
  const prefixed = new Set(routes.filter(({ url }) => PREFIX.test(url)).map(({ url }) => url.replace(PREFIX, '')));
  for (const { method, url, public: open, body, query } of routes) {
    const bare = url.replace(PREFIX, '');
    const path = bare.replace(/:(\w+)(?:\([^)]*\))?/g, '{$1}');
    const word = method.toLowerCase();
    if (method === 'HEAD' || method === 'OPTIONS' || bare === '/*') continue;
    if (isWritten(written, word, bare) || (paths[path] as Json | undefined)?.[word]) continue;
    const parameters = [...bare.matchAll(/:(\w+)/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    }));
    const call: Json = {
      tags: [tagOf(bare.split('/')[1] ?? '')],
      operationId: `${word}${bare.replace(/\W+/g, '_')}`,
      summary: `${method} ${path}`,
      ...(open && { security: [] }),
      ...(query && { parameters: queryParameters(query) }),
      ...(TAKES_BODY.has(method) && {
        requestBody: { content: { 'application/json': { schema: body ?? { type: 'object' } } } },
      }),
      responses: {
        default: {
          description: 'An answer as docs/http.md describes it; a refusal says why.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      },
    };
    const own = (paths[path] ?? {
      ...(parameters.length > 0 && { parameters }),
      // Routes without a prefix are at the root of the host.
      ...(!prefixed.has(bare) && { servers: [{ url: '/' }] }),
    }) as Json;
    own[word] = call;
    paths[path] = own;
  }
  return paths;
}

/** A generic route is written where the same call of some type is. */
function isWritten(written: ReadonlySet<string>, method: string, url: string): boolean {
  if (written.has(`${method} ${url.replace(/:(\w+)/g, '{$1}')}`)) return true;
  if (!url.startsWith('/:type')) return false;
  const pattern = new RegExp(
    `^${method} /[a-z0-9_]+${url
      .slice('/:type'.length)
      .replace(/[.]/g, '\\.')
      .replace(/:(\w+)/g, '\\{$1\\}')}$`,
  );
  for (const one of written) if (pattern.test(one)) return true;
  return false;
}

function queryParameters(schema: JsonSchema): Json[] {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, one]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: one,
  }));
}
