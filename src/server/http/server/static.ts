import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { ScreenStore } from '../../engine/descriptors/screen_store.ts';
import { escapedHtml } from '../../services/mail/mail_html.ts';
import type { Brand, Brands } from '../../platform/brand/brand.ts';
import { READABLE_CONTRAST, contrastWithWhite } from '../../../domain/contrast.ts';
import { hostHeader } from '../../access/sessions/guard.ts';
import type { TenantHost } from '../../access/sessions/host.ts';

export interface StaticRouteDeps {
  clientDir: string;
  config: { environment: string; firebase: object | undefined; baseDomains: string[] };
  store: ScreenStore;
  brands: Brands;
  /** The origins of map pictures for pages on a host, besides this server. */
  mapOrigin: (host: TenantHost) => Promise<string | null>;
  version: string;
}

/** Pages of the client without a descriptor. */
const SHELL_ROUTES = ['/', '/login', '/forgotpassword', '/forgotpassword_admin', '/show_list', '/welcome_page'];

const NOT_IN_USE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>This address is not in use</title></head>
<body><main><h1>This address is not in use</h1><p>Check the address for typing errors, or ask the person who gave it to you.</p></main></body></html>`;

/** A page for people without an account loads its own files and talks to this server; it cannot be framed. */
const PUBLIC_POLICY = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** It loads the cached application files from this server, and nothing from elsewhere. */
const SERVICE_WORKER = 'service-worker.js';
const WORKER_POLICY = `default-src 'none'; connect-src 'self'`;

const NOT_BUILT = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Mainstay</title></head>
<body><main><h1>The client is not built</h1><p>Run <code>npm run build</code>, then load this page again.</p></main></body></html>`;

/** The built client: hashed files cached forever, the page itself with a new nonce, its versions and settings. */
export async function staticRoutes(
  app: FastifyInstance,
  { clientDir, config, store, brands, mapOrigin, version }: StaticRouteDeps,
): Promise<void> {
  if (existsSync(clientDir)) {
    await app.register(fastifyStatic, {
      root: clientDir,
      serve: false,
      preCompressed: true,
      index: false,
      dotfiles: 'deny',
    });
  }
  const page = cachedFile(join(clientDir, 'index.html'));
  const publicPage = cachedFile(join(clientDir, 'public.html'));
  const clientVersion = cachedFile(join(clientDir, 'version.json'));
  const rootFiles = () => (existsSync(clientDir) ? new Set(readdirSync(clientDir)) : new Set<string>());
  let known = rootFiles();

  app.get('/version.json', { config: { public: true } }, async (_request, reply) => {
    reply.header('cache-control', 'no-store').type('application/json; charset=utf-8');
    return clientVersion() ?? JSON.stringify({ version });
  });

  app.get('/config.json', { config: { public: true } }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return {
      env: config.environment,
      api: '',
      analytics_api: '/api',
      firebase: config.firebase ?? null,
      base_domains: config.baseDomains,
      version,
    };
  });

  app.get('/*', { config: { public: true } }, async (request, reply) => {
    const path = request.url.split('?')[0] ?? '/';
    const isApi = /^\/t?api(\/|$)/.test(path);
    if (!isApi && /^\/assets\/[\w.@/-]+$/.test(path) && existsSync(clientDir) && existsSync(join(clientDir, path)))
      return reply.sendFile(path.slice(1), { maxAge: '365d', immutable: true });
    const file = path.slice(1);
    if (!isApi && /^[\w.-]+\.\w+$/.test(file) && file !== 'index.html') {
      if (!known.has(file)) known = rootFiles();
      if (known.has(file) && file === SERVICE_WORKER)
        return reply.header('content-security-policy', WORKER_POLICY).sendFile(file, { maxAge: 0 });
      if (known.has(file)) return reply.sendFile(file, { maxAge: '1h' });
    }
    const wantsPage = !isApi && /\btext\/html\b/.test(String(request.headers.accept ?? '')) && !/\.\w{2,5}$/.test(path);
    if (!wantsPage) return reply.callNotFound();
    reply.header('cache-control', 'no-store').type('text/html; charset=utf-8');
    if (request.tenantHost.kind === 'unknown') return reply.code(404).send(NOT_IN_USE);
    if (isPublicPage(path, store)) {
      const html = publicPage();
      if (html === null) return reply.code(503).send(NOT_BUILT);
      reply
        .header('content-security-policy', PUBLIC_POLICY)
        .header('referrer-policy', 'no-referrer')
        .header('x-robots-tag', 'noindex, nofollow');
      const brand = await brands.of(hostHeader(request), request.tenantHost);
      const readable = brand.primary && contrastWithWhite(brand.primary) >= READABLE_CONTRAST;
      return reply.send(branded(html, readable ? brand : { ...brand, primary: null }));
    }
    request.pictureOrigin = await mapOrigin(request.tenantHost);
    const html = page();
    if (html === null) return reply.code(503).send(NOT_BUILT);
    // The client shows it to people; the status is for programs.
    if (!isClientRoute(path, store)) reply.code(404);
    const brand = await brands.of(hostHeader(request), request.tenantHost);
    return reply.send(versioned(branded(html, brand), clientVersion()).replaceAll('__NONCE__', request.cspNonce));
  });
}

/** The page with its bundle version, with which an old page recognises that it is outdated. */
function versioned(page: string, file: string | null): string {
  const { version } = JSON.parse(file ?? '{}') as { version?: string };
  return page.replace(
    /(<meta name="app-version" content=")[^"]*/,
    (_, start: string) => start + escapedHtml(version ?? ''),
  );
}

/** The page with the brand's name, icon and colour, so that the tab has them before a script runs. */
function branded(html: string, { title, favicon, primary }: Brand): string {
  let page = html.replace(/<title>[^<]*<\/title>/, () => `<title>${escapedHtml(title)}</title>`);
  if (favicon)
    page = page.replace(
      /(<link rel="icon" )[^>]*>/,
      (_, start: string) => `${start}href="${escapedHtml(favicon)}" type="image/png" />`,
    );
  if (primary)
    page = page.replace(
      /(<meta name="theme-color" content=")[^"]*/,
      (_, start: string) => start + escapedHtml(primary),
    );
  return page;
}

/** True for an address served by a descriptor, a coded page, or the frame. */
function isClientRoute(path: string, store: ScreenStore): boolean {
  const clean = path.length > 1 ? path.replace(/\/+$/, '') : path;
  if (SHELL_ROUTES.includes(clean)) return true;
  for (const { routes, sameAs, hierarchy } of store.screens().values()) {
    for (const pattern of [
      routes.landing,
      routes.add,
      routes.edit,
      routes.view,
      hierarchy?.route,
      ...Object.keys(sameAs),
    ]) {
      if (typeof pattern === 'string' && matches(pattern, clean)) return true;
    }
  }
  for (const pattern of store.pages().keys()) if (matches(pattern, clean)) return true;
  return false;
}

/** Whether an address is that of a page for people without an account. */
function isPublicPage(path: string, store: ScreenStore): boolean {
  for (const { public: page } of store.screens().values()) if (page && matches(page.route, path)) return true;
  return false;
}

function matches(pattern: string, path: string): boolean {
  if (!pattern.includes(':')) return pattern === path;
  const wanted = pattern.split('/');
  const given = path.split('/');
  return (
    wanted.length === given.length &&
    wanted.every((segment, index) => (segment.startsWith(':') ? given[index] !== '' : segment === given[index]))
  );
}

/** A file's text, reloaded when it changes; null while it does not exist. */
function cachedFile(path: string): () => string | null {
  let text: string | null = null;
  let stamp = -1;
  return () => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) return null;
    if (stat.mtimeMs !== stamp) {
      text = readFileSync(path, 'utf8');
      stamp = stat.mtimeMs;
    }
    return text;
  };
}
