import type { FastifyInstance } from 'fastify';
import { archiveKey } from '../platform/clients/archive_file.ts';
import { fillFirstLists } from '../platform/clients/first_lists.ts';
import { createLifecycle } from '../platform/clients/lifecycle.ts';
import { defineValidityJob, notifyOfClient } from '../platform/clients/validity.ts';
import { defineApiUseJob } from '../platform/integrations/api_use.ts';
import { createWebhookSight } from '../platform/integrations/webhook_sight.ts';
import { createWebhooks } from '../platform/integrations/webhooks.ts';
import { apiConfigRoutes } from '../http/platform/api_config.ts';
import { auditRoutes } from '../http/platform/audit.ts';
import { clientRoutes } from '../http/platform/clients.ts';
import { dashboardRoutes } from '../http/platform/dashboards.ts';
import { libraryRoutes } from '../http/platform/library.ts';
import { mapTileRoutes } from '../http/platform/map_tiles.ts';
import { menuRoutes } from '../http/platform/menu.ts';
import { restoredCopyRoutes } from '../http/platform/restored_copy.ts';
import { quickLinkRoutes } from '../http/platform/quick_links.ts';
import { invite } from '../access/people/invitations.ts';
import type { SharedServices } from './shared_services.ts';
import type { Engine } from '../engine/records/engine.ts';

/** The platform around the records: clients, menu, libraries, webhooks, settings. */
export async function platformAddresses(
  server: FastifyInstance,
  parts: SharedServices,
  { engine }: { engine: Engine },
): Promise<void> {
  const {
    config,
    directory,
    log,
    bus,
    services,
    store,
    menu,
    tenantScreens,
    screenState,
    audit,
    brands,
    linkTo,
    notifications,
    platform,
    jobs,
    screens,
    screensOf,
    ensure,
  } = parts;
  await server.register(menuRoutes, {
    environment: config.environment,
    menu,
    store,
    tenantScreens,
    screenState,
    brands,
    tenantOf: (subDomain) => services.tenants.bySubDomain(subDomain),
  });
  await server.register(restoredCopyRoutes, { directory, audit: (tenant, entry) => audit.add(tenant, entry) });
  const webhooks = createWebhooks({
    jobs,
    bus,
    notifications,
    sight: createWebhookSight({ store: services.store, engine, screensOf }),
    vault: services.vault,
    log,
  });
  defineApiUseJob(jobs, notifications);
  await server.register(apiConfigRoutes, {
    engine,
    screens,
    webhooks,
    vault: services.vault,
    ensure,
    audit: audit.add,
  });
  await server.register(auditRoutes, { audit: audit.add, screens });
  await server.register(quickLinkRoutes, { store, engine });
  await server.register(mapTileRoutes);
  await server.register(dashboardRoutes, { environment: config.environment, menu, store, directory });
  const libraryDeps = {
    engine,
    main: directory.main,
    screens,
    platform,
    ensure,
  };
  await server.register(libraryRoutes, libraryDeps);
  const validity = { directory, screens: store.screens, jobs, notifications, platform };
  defineValidityJob(validity);
  const lifecycle = createLifecycle({
    directory,
    jobs,
    screens: store.screens,
    dataDir: config.dataDir,
    key: archiveKey(services.secrets.files),
    platform,
  });
  await server.register(clientRoutes, {
    directory,
    screens: store.screens,
    pages: store.pages,
    engine,
    services,
    lifecycle,
    notifications,
    addressOf: linkTo,
    notifyClient: (id, event, reason) => notifyOfClient(validity, id, event, reason),
    audit: audit.add,
    invite: (tenant, user) => invite({ notifications, addressOf: linkTo }, tenant, user),
    firstLists: (tenant, lists) => fillFirstLists(libraryDeps, tenant, lists),
  });
}
