import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { healthRoutes } from '../http/server/health.ts';
import { brandRoutes } from '../http/platform/brand.ts';
import { staticRoutes } from '../http/server/static.ts';
import { mapTiles, tileOrigin } from '../platform/maps/map_tiles.ts';
import type { SharedServices } from './shared_services.ts';
import type { DiskRoom } from '../services/files/disk_room.ts';

/** What browsers and machines fetch without records: the client itself, brands, health. */
export async function surfaceAddresses(
  server: FastifyInstance,
  parts: SharedServices,
  { disk }: { disk: DiskRoom },
  given: string | undefined,
): Promise<void> {
  const { config, directory, version, store, hub, brands, files, services } = parts;
  const clientDir = given ?? join(import.meta.dirname, '../../../dist/client');
  await healthRoutes(server, { config, directory, store, hub, disk });
  await server.register(brandRoutes, {
    brands,
    files,
  });
  await server.register(staticRoutes, {
    clientDir,
    config,
    store,
    brands,
    version,
    mapOrigin: async (host) => {
      const tenant = host.kind === 'tenant' ? await services.tenants.bySubDomain(host.subDomain) : null;
      const tiles = tenant && (await mapTiles(tenant));
      return tiles && tileOrigin(tiles.address);
    },
  });
}
