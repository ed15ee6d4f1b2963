import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { Collections } from '../platform/analytics/collections.ts';
import type { CollectionReader } from '../platform/analytics/collection_reader.ts';
import type { Definitions } from '../platform/analytics/definitions.ts';
import type { Config } from '../config.ts';
import type { Session } from '../access/context.ts';
import type { Tenant } from '../db/tenant.ts';
import type { Directory } from '../db/directory.ts';
import { quoted, tableName } from '../db/names.ts';
import { ensureTables } from '../db/tenants.ts';
import { FileStore } from '../services/files/store.ts';
import type { Jobs } from '../services/jobs/jobs.ts';
import type { LiveHub } from '../services/live/hub.ts';
import type { LiveSession } from '../access/sessions/session_store.ts';
import type { ScreenStore } from '../engine/descriptors/screen_store.ts';
import type { TenantScreens } from '../engine/descriptors/tenant_screens.ts';
import type { Notifications } from '../services/notifications/notify.ts';
import type { Engine } from '../engine/records/engine.ts';
import type { LimitedReading } from '../engine/excel/limited_reading.ts';
import { analyticsRoutes } from '../http/platform/analytics.ts';
import { clientDashboardRoutes } from '../http/platform/client_dashboards.ts';
import { syncRoutes } from '../http/platform/sync.ts';
import type { Audit } from '../services/audit/audit.ts';
import type { SessionServices } from '../access/sessions/services.ts';
import { SyncRuns } from '../platform/sync/runs.ts';

export interface DataServiceDeps {
  config: Config;
  services: SessionServices;
  store: ScreenStore;
  tenantScreens: TenantScreens;
  hub: LiveHub<LiveSession>;
  directory: Directory;
  jobs: Jobs;
  notifications: Notifications;
  engine: Engine;
  audit: Audit;
  reading: LimitedReading;
  definitions: Definitions;
  collectionReader: CollectionReader;
}

/** What comes in from outside and what is gathered for dashboards: import jobs and collections, with their clock. */
export async function dataServices(server: FastifyInstance, deps: DataServiceDeps): Promise<void> {
  const { config, services, store, tenantScreens, hub, directory, jobs, notifications, engine, reading, audit } = deps;
  const { definitions, collectionReader } = deps;
  const screens = (session: Session) => tenantScreens.of(session);
  const screensOf = async (session: Session) => {
    await tenantScreens.prepare(session.tenant);
    return tenantScreens.of(session);
  };
  const ensure = (tenant: Tenant, types: string[]) => ensureTables(tenant, store.screens(), types);
  const changed = (tenant: Tenant, type: string, id: number) => hub.changed(tenant, type, id, 'U', null);
  const source = {
    files: new FileStore(config.dataDir, config.uploadMaxMb * 1024 * 1024),
    samplesDir: join(import.meta.dirname, '../../../demo/samples'),
    thisMachine: config.syncLocalSources,
    privateNetworks: config.syncPrivateSources,
    reading,
    maxFileBytes: config.uploadMaxMb * 1024 * 1024,
  };
  const runs = new SyncRuns({
    ...source,
    jobs,
    directory,
    notifications,
    engine,
    vault: services.vault,
    ensure,
    changed,
    screensOf,
  });
  const collections = new Collections({
    jobs,
    definitions,
    screens: store.screens,
    screensOf,
    store: services.store,
    ensure,
    changed,
  });

  jobs.define({
    name: 'sync_schedule',
    title: 'Start import jobs and refreshes that are due',
    cron: '* * * * *',
    scope: 'platform',
    run: async () => {
      const now = new Date();
      const started = await runs.forAll(
        async (tenant) => (await runs.startDue(tenant, now)) + (await collections.startDue(tenant, now)),
      );
      return `${started} started.`;
    },
  });
  jobs.define({
    name: 'sync_watch',
    title: 'Warn of import jobs without fresh data',
    cron: '0 8 * * *',
    scope: 'platform',
    run: async () => {
      const warned = await runs.forAll(async (tenant) => {
        // What collections held that are no more.
        await tenant.db.query(
          `delete from ${quoted(tenant.schema)}.collection_row r where not exists (select 1 from ${tableName(tenant.schema, 'analytics_collection')} c where c.id = r.collection_id)`,
        );
        return runs.warnOfLate(tenant, new Date());
      });
      return `${warned} jobs are late.`;
    },
  });

  await syncRoutes(server, { engine, runs, source, screens, audit });
  await analyticsRoutes(server, {
    engine,
    collections,
    reader: collectionReader,
    definitions,
    secrets: services.secrets,
    main: directory.main,
    screens,
    audit,
  });
  await clientDashboardRoutes(server, { directory, store, engine, definitions, notifications, audit, hub });
}
