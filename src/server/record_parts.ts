import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import type { Directory } from './db/directory.ts';
import { ensureTables } from './db/tenants.ts';
import { FileStore } from './files/store.ts';
import { UploadParts } from './files/upload_parts.ts';
import type { LiveHub } from './live/hub.ts';
import type { Session, Tenant } from './context.ts';
import type { ScreenStore } from './live/screen_store.ts';
import type { TenantScreens } from './live/tenant_screens.ts';
import type { Engine } from './records/engine.ts';
import { createEngine } from './records/engine.ts';
import { ExcelRuns } from './records/excel/runs.ts';
import { loadHooks } from './records/hooks.ts';
import type { Notifications } from './notifications/notify.ts';
import { commentRoutes } from './routes/comments.ts';
import { excelRoutes } from './routes/excel.ts';
import { fileRoutes } from './routes/files.ts';
import { openApiRoutes } from './routes/openapi.ts';
import { recordRoutes } from './routes/records.ts';
import { clientSettings } from './sessions/client_settings.ts';
import type { SessionServices } from './sessions/services.ts';

export interface RecordPartDeps {
  config: Config;
  services: SessionServices;
  store: ScreenStore;
  tenantScreens: TenantScreens;
  hub: LiveHub;
  directory: Directory;
  notifications: Notifications;
  version: string;
  /** Records of a type were stored, by whatever way. */
  stored(tenant: Tenant, type: string): void;
}

/** The generic engine with its calls: records, Excel, files, comments, and the description of them all. */
export async function recordParts(server: FastifyInstance, { config, services, store, tenantScreens, hub, version, notifications, stored }: RecordPartDeps): Promise<Engine> {
  const screens = (session: Session) => tenantScreens.of(session);
  const changed = (tenant: Tenant, type: string) => {
    if (tenantScreens.isSetting(type)) tenantScreens.changed(tenant);
    stored(tenant, type);
  };
  const modulesDir = join(import.meta.dirname, 'modules');
  const engine = createEngine({ screens, hooks: await loadHooks(modulesDir), vault: services.vault, onChange: (tenant, { type, id, op, entityId }) => {
    changed(tenant, type);
    hub.changed(tenant, type, id, op, entityId);
  } });
  const files = new FileStore(config.dataDir, config.uploadMaxMb * 1024 * 1024);
  const imported = ({ tenant }: Session, type: string) => changed(tenant, type);
  const maxRows = async ({ tenant }: Session) => {
    const { import_max_rows: most, export_max_rows: out } = await clientSettings(tenant);
    return { import: most, export: out };
  };
  const runs = new ExcelRuns({ screens, imported, files, dataDir: config.dataDir, modulesDir, maxRows, log: server.log });
  const key = services.secrets.files;
  server.addHook('onClose', () => runs.close());

  await excelRoutes(server, { engine, screens, files, runs, key });
  await fileRoutes(server, { engine, screens, files, parts: new UploadParts(config.dataDir), key, tenantOfSchema: (schema) => services.tenants.bySchema(schema) });
  await commentRoutes(server, { engine, screens, files, notifications });
  await openApiRoutes(server, { screens, version });
  await recordRoutes(server, { engine, product: store.screens, screens, ensure: (tenant, types) => ensureTables(tenant, store.screens(), types) });
  return engine;
}
