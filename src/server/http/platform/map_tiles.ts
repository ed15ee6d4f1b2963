import type { FastifyInstance } from 'fastify';
import { mapTiles } from '../../platform/maps/map_tiles.ts';

/** The tile source of maps: for all signed-in people, at the client's own host, whose pages may load them. */
export async function mapTileRoutes(app: FastifyInstance): Promise<void> {
  app.get('/tapi/map_tiles', async ({ session, tenantHost }) => ({
    data: tenantHost.kind === 'tenant' ? await mapTiles(session.tenant) : null,
  }));
}
