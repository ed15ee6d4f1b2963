import type { FastifyInstance, RouteOptions } from 'fastify';

/**
 * Mounts a call of the specification at its path, and under /api and /tapi: the client rewrites addresses depending on
 * its page, and always reaches the same handler.
 */
export function mount(app: FastifyInstance, route: RouteOptions): void {
  for (const prefix of ['', '/api', '/tapi']) app.route({ ...route, url: `${prefix}${route.url}` });
}
