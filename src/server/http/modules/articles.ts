import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Screen } from '../../../descriptor/types.ts';
import { ARTICLE_POLICY, articlePage, listPage, missingPage } from '../../platform/blog/article_page.ts';
import {
  A_PAGE,
  articlesToRead,
  dueArticles,
  movedTo,
  publishedArticle,
  sectionsToRead,
  storedArticle,
} from '../../platform/blog/articles.ts';
import { previewTicket, readPreviewTicket } from '../../platform/blog/preview_ticket.ts';
import type { Tenant } from '../../db/tenant.ts';
import { systemSession } from '../../engine/events/system_session.ts';
import type { Directory } from '../../db/directory.ts';
import { ensureTables } from '../../db/tenants.ts';
import { notFound } from '../../db/errors.ts';
import type { FileStore } from '../../services/files/store.ts';
import type { Jobs } from '../../services/jobs/jobs.ts';
import { PUBLISH_JOB } from '../../modules/admin/effects/publish_later.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { authorizeAny } from '../../access/rights/authorize.ts';
import type { Brands } from '../../platform/brand/brand.ts';
import { hostHeader } from '../../access/sessions/guard.ts';

export interface ArticleRouteDeps {
  directory: Directory;
  screens: () => ReadonlyMap<string, Screen>;
  engine: Engine;
  jobs: Jobs;
  files: FileStore;
  brands: Brands;
  platform: () => Promise<Tenant>;
  key: Buffer;
}

const TYPE = 'blog';
/** How long browsers and intermediate caches may cache a page, in seconds. */
const FRESH_SECONDS = 300;
/**
 * The blog: published articles for anybody, drafts with a signed address, and scheduled publication (platform_admin.md
 * §4.9).
 */
export async function articleRoutes(
  app: FastifyInstance,
  { directory, screens, engine, jobs, files, brands, platform, key }: ArticleRouteDeps,
): Promise<void> {
  const { main } = directory;
  let ready: Promise<unknown> | null = null;
  const ensure = () =>
    (ready ??= ensureTables({ db: main, schema: 'public' }, screens(), [TYPE, 'blog_sect_categ', 'image']).catch(
      (error: unknown) => {
        ready = null;
        throw error;
      },
    ));

  jobs.define({
    name: PUBLISH_JOB,
    title: 'Publish scheduled articles',
    cron: '*/5 * * * *',
    scope: 'platform',
    run: async () => {
      await ensure();
      const screen = screens().get(TYPE)!;
      const due = await dueArticles(main);
      const session = systemSession(await platform(), null, null);
      for (const id of due) await engine.transition(session, screen, id, 'publish', {}, { cause: 'job' });
      return `${due.length} published.`;
    },
  });

  /** Clients' own hosts have no blog. */
  async function siteOf(request: FastifyRequest): Promise<{ site: string; address: string }> {
    const { kind } = request.tenantHost;
    if (kind !== 'admin' && kind !== 'none') throw notFound();
    await ensure();
    const host = hostHeader(request);
    return { site: (await brands.of(host, request.tenantHost)).title, address: `${request.protocol}://${host}` };
  }
  function send(request: FastifyRequest, reply: FastifyReply, html: string, cached: boolean) {
    reply.type('text/html; charset=utf-8').header('content-security-policy', ARTICLE_POLICY);
    if (!cached) return reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex').send(html);
    const mark = `"${createHash('sha256').update(html).digest('base64url').slice(0, 27)}"`;
    reply.header('cache-control', `public, max-age=${FRESH_SECONDS}`).header('etag', mark).header('vary', 'host');
    return request.headers['if-none-match'] === mark ? reply.code(304).send() : reply.send(html);
  }
  const published = (slug: string) => publishedArticle(main, slug);
  const draft = async (ticket: string) => {
    const id = readPreviewTicket(ticket, key);
    return id === null ? undefined : storedArticle(main, id);
  };
  async function cover(reply: FastifyReply, id: number | null | undefined, cached: boolean) {
    if (!id) throw notFound();
    const { file, stream } = await files.open(await platform(), id);
    if (!file.type.startsWith('image/')) throw notFound();
    return reply
      .type(file.type)
      .header('content-length', file.size)
      .header('cache-control', cached ? 'public, max-age=86400' : 'no-store')
      .send(stream());
  }

  app.get<{ Querystring: { section?: string; page?: string } }>(
    '/articles',
    { config: { public: true } },
    async (request, reply) => {
      const { site, address } = await siteOf(request);
      const { section: wanted, page: turn = '1' } = request.query;
      const page = Number(turn);
      const sections = await sectionsToRead(main);
      const section = wanted === undefined ? null : sections.find(({ id }) => String(id) === wanted);
      if (section === undefined || !Number.isInteger(page) || page < 1 || page > 10_000)
        return send(request, reply.code(404), missingPage(site), false);
      const rows = await articlesToRead(main, section?.id ?? null, page);
      return send(
        request,
        reply,
        listPage(
          site,
          { articles: rows.slice(0, A_PAGE), sections, section, page, more: rows.length > A_PAGE },
          address,
        ),
        true,
      );
    },
  );

  app.get<{ Params: { slug: string } }>('/articles/:slug', { config: { public: true } }, async (request, reply) => {
    const { site, address } = await siteOf(request);
    const { slug } = request.params;
    const article = await published(slug);
    if (article) {
      // The canonical address is in lower-case letters.
      if (article.slug !== slug) return reply.redirect(`/articles/${article.slug}`, 301);
      return send(request, reply, articlePage(site, article, { address }), true);
    }
    const moved = await movedTo(main, slug);
    if (moved !== undefined)
      return reply.header('cache-control', `public, max-age=${FRESH_SECONDS}`).redirect(`/articles/${moved}`, 301);
    return send(request, reply.code(404), missingPage(site), false);
  });
  app.get<{ Params: { slug: string } }>(
    '/articles/:slug/cover',
    { config: { public: true } },
    async (request, reply) => {
      await siteOf(request);
      return cover(reply, (await published(request.params.slug))?.cover, true);
    },
  );

  app.get<{ Params: { ticket: string } }>(
    '/articles/preview/:ticket',
    { config: { public: true } },
    async (request, reply) => {
      const { site, address } = await siteOf(request);
      const article = await draft(request.params.ticket);
      if (!article) return send(request, reply.code(404), missingPage(site), false);
      return send(
        request,
        reply,
        articlePage(site, article, { address, preview: `/articles/preview/${request.params.ticket}` }),
        false,
      );
    },
  );
  app.get<{ Params: { ticket: string } }>(
    '/articles/preview/:ticket/cover',
    { config: { public: true } },
    async (request, reply) => {
      await siteOf(request);
      return cover(reply, (await draft(request.params.ticket))?.cover, false);
    },
  );

  async function articleOf(request: FastifyRequest) {
    const { session } = request;
    const screen = screens().get(TYPE);
    if (!screen || session.tenant.schema !== 'public') throw notFound();
    authorizeAny(session, screen, ['view_screen', 'edit_screen']);
    await ensure();
    const { id } = request.params as { id: string };
    if (!/^\d{1,15}$/.test(id)) throw notFound();
    return engine.read(session, screen, Number(id));
  }
  for (const prefix of ['/tapi', '/api']) {
    app.post(`${prefix}/${TYPE}/:id/preview`, async (request) => {
      const article = await articleOf(request);
      const url = `${request.protocol}://${hostHeader(request)}/articles/preview/${previewTicket(article.id, key)}`;
      return {
        once: {
          label: 'Address of the preview',
          value: url,
          text: 'It shows the article as it is stored, to whoever has this address, for one hour.',
        },
      };
    });
  }
}
