import type { JsonSchema } from '../../src/descriptor/types.ts';
import type { Target } from './target.ts';
import { BODIES } from './own_bodies.ts';

/** One call of the interface, as its OpenAPI document describes it. */
export interface Operation {
  method: string;
  /** With `{id}` where something is put in. */
  path: string;
  query: { name: string; schema: JsonSchema }[];
  body: JsonSchema | null;
  /** A file in a form. */
  form: boolean;
  /** Calls of the platform's own people. */
  platform: boolean;
  /** The fields that lists of the type filter and sort by. */
  fields: string[];
}

interface Described {
  parameters?: Json[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
}
type Json = Record<string, unknown>;
type Paths = Record<string, Json & { parameters?: Json[]; servers?: { url: string }[] }>;

/** Every operation of the documents of a client's administrator and of the platform's. */
export async function operationsOf(target: Target): Promise<Operation[]> {
  const found = new Map<string, Operation>();
  for (const caller of ['administrator', 'platform'] as const) {
    const answer = await target.inject({ url: '/tapi/openapi.json', headers: target.headers(caller) });
    const document = answer.json<{ paths: Paths; components: { schemas: Json; parameters: Json } }>();
    const follow = (one: Json): Json =>
      typeof one.$ref === 'string'
        ? ((document.components as unknown as Record<string, Json>)[one.$ref.split('/')[2]!]![
            one.$ref.split('/')[3]!
          ] as Json)
        : one;
    for (const [path, calls] of Object.entries(document.paths)) {
      const prefix = calls.servers?.[0]?.url === '/' ? '' : '/tapi';
      const type = path.split('/')[1]!;
      for (const [method, described] of Object.entries(calls)) {
        if (method === 'parameters' || method === 'servers') continue;
        const { parameters = [], requestBody } = described as Described;
        const name = `${method.toUpperCase()} ${prefix}${path}`;
        if (found.has(name)) continue;
        const content = requestBody?.content ?? {};
        const schema = content['application/json']?.schema;
        const record = (document.components.schemas[type] ?? {}) as { properties?: Json };
        found.set(name, {
          method: method.toUpperCase(),
          path: prefix + path,
          query: parameters
            .map(follow)
            .filter((one) => one.in === 'query')
            .map((one) => ({ name: one.name as string, schema: (one.schema ?? {}) as JsonSchema })),
          body: schema ? (BODIES[`${method.toUpperCase()} ${path}`] ?? (follow(schema as Json) as JsonSchema)) : null,
          form: 'multipart/form-data' in content,
          platform: caller === 'platform',
          fields: Object.keys(record.properties ?? {}),
        });
      }
    }
  }
  return [...found.values()].sort((a, b) => (a.path + a.method < b.path + b.method ? -1 : 1));
}

/** Routes of the server that no document describes. */
export function undescribed(target: Target, operations: readonly Operation[]): string[] {
  const described = operations.map(({ method, path }) => ({ method, parts: path.split('/') }));
  const missing = target.app.routes
    .filter(({ method, url }) => method !== 'HEAD' && method !== 'OPTIONS' && url !== '/*')
    .map(({ method, url }) => ({ method, url: url.replace(/^\/api(?=\/)/, '/tapi') }))
    .filter(({ method, url }) => {
      const parts = url.replace(/\([^)]*\)/g, '').split('/');
      return ![parts, ['', 'tapi', ...parts.slice(1)]].some((wanted) =>
        described.some(
          (one) =>
            one.method === method &&
            one.parts.length === wanted.length &&
            wanted.every((part, at) => part.startsWith(':') || part.replace(/:(\w+)/g, '{$1}') === one.parts[at]),
        ),
      );
    })
    .map(({ method, url }) => `${method} ${url}`);
  return [...new Set(missing)].sort();
}
