import type { FastifyInstance } from 'fastify';
import { mapTiles } from '../../platform/maps/map_tiles.ts';

/** Where maps have their pictures from: for everybody who is signed in, at the client's own host, whose pages may load them. */
export async function mapTileRoutes(app: FastifyInstance): Promise<void> {
  app.get('/tapi/map_tiles', async ({ session, tenantHost }) => ({
    data: tenantHost.kind === 'tenant' ? await mapTiles(session.tenant) : null,
  }));
}
