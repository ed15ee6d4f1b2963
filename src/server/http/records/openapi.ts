import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Screen } from '../../../descriptor/types.ts';
import { notFound } from '../../db/errors.ts';
import type { Session } from '../../access/context.ts';
import { openApiDocument } from './openapi_document.ts';
import type { RegisteredRoute } from './own_calls.ts';

export interface OpenApiDeps {
  screens: (session: Session) => Map<string, Screen>;
  version: string;
  /** Every route of the server. */
  routes: () => readonly RegisteredRoute[];
}

const VIEWER_FILES: ReadonlyMap<string, string> = new Map([
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['favicon-32x32.png', 'image/png'],
]);

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Mainstay interface</title><link rel="icon" href="/docs/favicon-32x32.png"><link rel="stylesheet" href="/docs/swagger-ui.css"></head>
<body><div id="viewer"></div><script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body></html>`;

// The page reads the document and tries calls with the current session; signed out, it says where to sign in.
const START = `// The client keeps one local storage key per fact of the session, each as JSON.
const token = JSON.parse(localStorage.getItem('token') || '""');
if (!token) {
  const text = document.createElement('p');
  text.append('Sign in first, then open this page again: ');
  const link = document.createElement('a');
  link.href = '/login?next=/docs';
  link.textContent = 'sign in';
  text.append(link);
  document.getElementById('viewer').append(text);
} else {
  SwaggerUIBundle({
    dom_id: '#viewer', url: '/tapi/openapi.json', deepLinking: true, docExpansion: 'none', filter: true, validatorUrl: null,
    requestInterceptor: (request) => { request.headers.Authorization = 'Bearer ' + token; return request; },
  });
}`;

/** `/docs`, the API reference, and `/tapi/openapi.json`: the types this session may open. */
export async function openApiRoutes(app: FastifyInstance, { screens, version, routes }: OpenApiDeps): Promise<void> {
  const viewer = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

  app.get('/docs', { config: { public: true } }, (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(PAGE),
  );
  app.get('/docs/start.js', { config: { public: true } }, (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(START),
  );
  app.get<{ Params: { file: string } }>('/docs/:file', { config: { public: true } }, async (request, reply) => {
    const type = VIEWER_FILES.get(request.params.file);
    if (type === undefined) throw notFound();
    return reply
      .type(type)
      .header('cache-control', 'public, max-age=86400')
      .send(await readFile(join(viewer, request.params.file)));
  });

  for (const prefix of ['/tapi', '/api'])
    app.get(`${prefix}/openapi.json`, (request) => {
      const { session } = request;
      const { rights } = session;
      const visible = [...screens(session).values()].filter((screen) => rights.refuse(screen, 'landing') === null);
      return openApiDocument(visible, version, routes());
    });
}
