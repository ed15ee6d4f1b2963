import type { Config } from '../config.ts';
import type { Session } from '../access/context.ts';
import type { Tenant } from '../db/tenant.ts';
import type { Directory } from '../db/directory.ts';
import { createServerPresence } from '../db/server_presence.ts';
import { ensureTables } from '../db/tenants.ts';
import { idsInSight, seesWholeCompany } from '../access/rights/sight.ts';
import { CollectionReader } from '../platform/analytics/collection_reader.ts';
import { readDefinitions } from '../platform/analytics/definitions.ts';
import { createLibraryRecords } from '../platform/library/library_records.ts';
import { createMenus } from '../platform/menu/menus.ts';
import { unitOf } from '../engine/records/unit_of_work.ts';
import { createBus } from '../services/live/bus.ts';
import { createLiveDescriptors } from '../engine/descriptors/descriptors.ts';
import type { LiveSession } from '../access/sessions/session_store.ts';
import { createLiveHub } from '../services/live/hub.ts';
import { createScreenState } from '../engine/descriptors/screen_state.ts';
import type { InForce } from '../engine/descriptors/screen_store.ts';
import { createScreenStore } from '../engine/descriptors/screen_store.ts';
import { createTenantScreens } from '../engine/descriptors/tenant_screens.ts';
import { createValidators } from '../engine/descriptors/validators.ts';
import { createMaintenance } from '../services/jobs/maintenance.ts';
import { notifyFailure } from '../services/jobs/failure_notices.ts';
import { createJobs } from '../services/jobs/jobs.ts';
import { addressOf } from '../services/notifications/address.ts';
import { createNotifications } from '../services/notifications/notify.ts';
import { createOutbox } from '../services/notifications/outbox.ts';
import { createPush } from '../services/notifications/push.ts';
import { LimitedReading } from '../engine/excel/limited_reading.ts';
import { createAuditLog } from '../services/audit/audit.ts';
import { createBrands } from '../platform/brand/brand.ts';
import { FileStore } from '../services/files/store.ts';
import { createPrinting } from '../services/print/printing.ts';
import { createPrints } from '../engine/print/prints.ts';
import { createPublicLinks } from '../engine/public/public_links.ts';
import { createThumbnails } from '../services/files/thumbnails.ts';
import { createSessionServices } from '../access/sessions/services.ts';
import type { FastifyBaseLogger } from 'fastify';

export interface SharedDeps {
  config: Config;
  directory: Directory;
  /** What the descriptors say at the start. */
  loaded: InForce;
  version: string;
}

export type SharedServices = Awaited<ReturnType<typeof sharedServices>>;

/** What several addresses and jobs of one application share, each made once for it. */
export async function sharedServices({ config, directory, loaded, version }: SharedDeps, log: FastifyBaseLogger) {
  const files = new FileStore(config.dataDir, config.uploadMaxMb * 1024 * 1024);
  const bus = createBus(log);
  const services = await createSessionServices(config, directory, bus);
  const store = createScreenStore(config.schemasDir, services.secrets.screens, loaded);
  const menu = createMenus(store, config.schemasDir);
  const tenantScreens = createTenantScreens({ store, bus });
  const validators = createValidators();
  const thumbnails = createThumbnails(files);
  const screenState = createScreenState(store, tenantScreens);
  const hub = createLiveHub<LiveSession>(
    bus,
    store.screens,
    {
      wholeCompany: (session, screen) => seesWholeCompany(session, screen, store.screens()),
      ids: (session, screen, ids) => idsInSight(session, screen, store.screens(), ids),
      stateOf: screenState,
    },
    log,
  );
  const live = createLiveDescriptors({ schemasDir: config.schemasDir, directory, store, bus, log });
  const maintenance = createMaintenance({ directory, screens: store.screens, log });
  live.onChange((names, problems) => hub.screensChanged(names, problems));
  tenantScreens.onChange((schema, names) => hub.tenantScreensChanged(schema, names));
  const audit = createAuditLog(
    (error) => log.error({ err: error }, 'The audit log could not be written.'),
    (tenant, work) => {
      const unit = unitOf({ tenant });
      if (unit) unit.afterCommit(() => work(unit.tenant));
      else work(tenant);
    },
  );
  const brands = createBrands(services, store.screens);
  const linkTo = (tenant: Tenant) => addressOf(config, tenant);
  const notifications = createNotifications({
    bus,
    addressOf: linkTo,
    headOf: (on, tenant) => brands.headOf(on, tenant, linkTo(tenant)),
  });
  const platform = async () => (await services.tenants.bySubDomain('admin'))!;
  const push = createPush(config);
  const printing = createPrinting(files);
  const prints = createPrints({
    screens: (session) => tenantScreens.of(session),
    printing,
    files,
    dataDir: config.dataDir,
  });
  const outbox = createOutbox({
    config,
    directory,
    bus,
    log,
    platform,
    vault: services.vault,
    issued: (tenant, ids) => prints.attachments(tenant, ids),
    ...(push && { push }),
  });
  const publicLinks = createPublicLinks(services.secrets.publicLinks);
  const presence = createServerPresence(directory.main);
  const jobs = createJobs({
    directory,
    presence,
    bus,
    log,
    onFailed: (failure) =>
      notifyFailure(notifications, failure, platform, (schema) => services.tenants.bySchema(schema)),
  });
  const reading = new LimitedReading();
  const screens = (session: Session) => tenantScreens.of(session);
  const screensOf = async (session: Session) => {
    await tenantScreens.prepare(session.tenant);
    return screens(session);
  };
  const definitions = readDefinitions(config.schemasDir);
  const collectionReader = new CollectionReader(definitions, screensOf);
  const ensure = (tenant: Tenant, types: string[]) => ensureTables(tenant, store.screens(), types);
  const libraryRecords = createLibraryRecords({ main: directory.main, screens: store.screens, platform, ensure });
  return {
    config,
    directory,
    version,
    log,
    bus,
    services,
    store,
    menu,
    tenantScreens,
    validators,
    thumbnails,
    screenState,
    hub,
    live,
    maintenance,
    audit,
    brands,
    linkTo,
    notifications,
    platform,
    outbox,
    presence,
    jobs,
    files,
    printing,
    prints,
    publicLinks,
    reading,
    screens,
    screensOf,
    ensure,
    libraryRecords,
    definitions,
    collectionReader,
  };
}
