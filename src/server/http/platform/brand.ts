import type { FastifyInstance } from 'fastify';
import { notFound } from '../../db/errors.ts';
import type { FileStore } from '../../services/files/store.ts';
import type { Brands } from '../../platform/brand/brand.ts';
import { hostHeader } from '../../access/sessions/guard.ts';

export interface BrandRouteDeps {
  brands: Brands;
  files: FileStore;
}

/** The parts of a host's brand available before signing in: its pictures, and the manifest of an installed page. */
export async function brandRoutes(app: FastifyInstance, { brands, files }: BrandRouteDeps): Promise<void> {
  app.get<{ Params: { name: string } }>(
    '/brand_picture/:name',
    { config: { public: true } },
    async (request, reply) => {
      const found = await brands.picture(hostHeader(request), request.tenantHost, request.params.name);
      if (!found) throw notFound();
      const { file, stream } = await files.open(found.tenant, found.file);
      return reply
        .type(file.type)
        .header('content-length', file.size)
        .header('cache-control', 'public, max-age=31536000, immutable')
        .send(stream());
    },
  );

  app.get('/manifest.webmanifest', { config: { public: true } }, async (request, reply) => {
    const { title, primary, favicon } = await brands.of(hostHeader(request), request.tenantHost);
    reply.type('application/manifest+json; charset=utf-8').header('cache-control', 'no-cache');
    return {
      name: title,
      short_name: title,
      start_url: '/',
      display: 'standalone',
      background_color: '#ffffff',
      theme_color: primary ?? PRODUCT_COLOUR,
      icons: [
        favicon
          ? { src: favicon, sizes: 'any', type: 'image/png', purpose: 'any' }
          : { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
      ],
    };
  });
}

/** The frame colour of a brand without its own. */
const PRODUCT_COLOUR = '#1d2f7a';
