import type { FastifyInstance, FastifyServerOptions } from 'fastify';
import { allowHosts } from './services/network/outside_address.ts';
import type { LiveDescriptors } from './engine/descriptors/descriptors.ts';
import type { LiveHub } from './services/live/hub.ts';
import type { LiveSession } from './access/sessions/session_store.ts';
import type { DueWork } from './app/due_work.ts';
import type { Deliveries } from './engine/events/deliveries.ts';
import type { Module } from './engine/modules.ts';
import type { ScreenStore } from './engine/descriptors/screen_store.ts';
import type { Maintenance } from './services/jobs/maintenance.ts';
import type { Jobs } from './services/jobs/jobs.ts';
import type { Notifications } from './services/notifications/notify.ts';
import type { Outbox } from './services/notifications/outbox.ts';
import { recordServices } from './app/record_services.ts';
import { dataServices } from './app/data_services.ts';
import type { SessionServices } from './access/sessions/services.ts';
import { createServer } from './app/http_server.ts';
import type { SharedDeps } from './app/shared_services.ts';
import { sharedServices } from './app/shared_services.ts';
import { backgroundJobs } from './app/background_jobs.ts';
import type { ServedRoute } from './app/request_handling.ts';
import { requestHandling } from './app/request_handling.ts';
import { accessAddresses } from './app/access_addresses.ts';
import { recordAddresses } from './app/record_addresses.ts';
import { platformAddresses } from './app/platform_addresses.ts';
import { moduleAddresses } from './app/module_addresses.ts';
import { surfaceAddresses } from './app/surface_addresses.ts';

export interface AppDeps extends SharedDeps {
  logger?: FastifyServerOptions['logger'];
  /** The built client; default dist/client. */
  clientDir?: string;
  /** Modules beside the product's own. */
  modules?: readonly Module[];
  /** When it is, for clocks; default: by the database. */
  now?: () => Date;
}

/** The product's server with what its parts share, for main.ts and for tests. */
export interface App {
  server: FastifyInstance;
  services: SessionServices;
  store: ScreenStore;
  hub: LiveHub<LiveSession>;
  live: LiveDescriptors;
  maintenance: Maintenance;
  /** Ends imports and exports of servers that are gone. */
  endInterruptedRuns: () => Promise<number>;
  jobs: Jobs;
  outbox: Outbox;
  deliveries: Deliveries;
  due: DueWork;
  notifications: Notifications;
  /** Every route there is, for the interface's description and the tests that walk them. */
  routes: ServedRoute[];
  /** From now on calls are answered 503 and their connections end; those under way go on, idle connections end. */
  beginStopping(): void;
  /** Ends what the app started; databases are the caller's. */
  close(): Promise<void>;
}

/** Puts an application together: what is shared, what every call goes through, then the addresses of each floor. */
export async function buildApp(deps: AppDeps): Promise<App> {
  const server = createServer(deps.config, deps.logger);
  const parts = await sharedServices(deps, server.log);
  const { config, services, store, hub, live, maintenance, jobs, outbox, notifications, audit } = parts;
  allowHosts(config.insideHosts);
  backgroundJobs(parts);
  const { routes, stopping, disk } = await requestHandling(server, parts);
  const { engine, functions, deliveries, due, describeJobs, endInterruptedRuns } = await recordServices(server, {
    ...parts,
    audit: audit.add,
    routes: () => routes,
    modules: deps.modules ?? [],
    now: deps.now,
    stored: (tenant, type) => {
      parts.brands.stored(tenant, type);
      jobs.stored(tenant.schema, type);
    },
  });
  await accessAddresses(server, parts, { engine });
  await recordAddresses(server, parts, { engine, functions, deliveries });
  await platformAddresses(server, parts, { engine });
  await moduleAddresses(server, parts, { engine });
  await dataServices(server, { ...parts, audit: audit.add, engine });
  describeJobs();
  live.onChange(describeJobs);
  await surfaceAddresses(server, parts, { disk }, deps.clientDir);

  return {
    server,
    services,
    store,
    hub,
    live,
    maintenance,
    jobs,
    outbox,
    deliveries,
    due,
    notifications,
    routes,
    beginStopping: () => stopping.begin(),
    endInterruptedRuns,
    async close() {
      stopping.begin();
      await Promise.all([
        live.close(),
        maintenance.close(),
        jobs.close(),
        outbox.close(),
        deliveries.close(),
        due.close(),
      ]);
      await hub.close();
      await server.close();
      await audit.flush();
      await Promise.all([parts.validators.close(), parts.reading.close(), parts.printing.close()]);
      await parts.bus.close();
    },
  };
}
