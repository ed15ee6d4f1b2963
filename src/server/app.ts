import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import rateLimit from '@fastify/rate-limit';
import Fastify, { LogController } from 'fastify';
import type { FastifyInstance, FastifyServerOptions } from 'fastify';
import type { JsonSchema, Problem, Screen } from '../descriptor/types.ts';
import type { Report } from '../domain/report.ts';
import { atPlace, placeOf } from './services/clock/client_day.ts';
import { archiveKey } from './platform/clients/archive_file.ts';
import { fillFirstLists } from './platform/clients/first_lists.ts';
import { defineSpareClient } from './platform/clients/spare_client.ts';
import { createLifecycle } from './platform/clients/lifecycle.ts';
import { defineValidityJob, tellOfClient } from './platform/clients/validity.ts';
import type { Config } from './config.ts';
import type { Session } from './access/context.ts';
import type { Tenant } from './db/tenant.ts';
import type { Directory } from './db/directory.ts';
import { createServerPresence } from './db/server_presence.ts';
import { ensureTables } from './db/tenants.ts';
import { addErrorAnswers, answerRouterError } from './http/server/error_answers.ts';
import { createDiskRoom, diskFull } from './services/files/disk_room.ts';
import { addBodyTimeout } from './http/server/slow_bodies.ts';
import { addStopping } from './http/server/stopping.ts';
import { createApiKeys } from './platform/integrations/api_keys.ts';
import { defineApiUseJob } from './platform/integrations/api_use.ts';
import { allowHosts } from './services/network/outside_address.ts';
import { createWebhookSight } from './platform/integrations/webhook_sight.ts';
import { createWebhooks } from './platform/integrations/webhooks.ts';
import { sweepEscalations } from './platform/escalation/sweep.ts';
import { idsInSight, seesWholeCompany } from './access/rights/sight.ts';
import { createMenus } from './platform/menu/menus.ts';
import { unitOf } from './engine/records/unit_of_work.ts';
import { createBus } from './services/live/bus.ts';
import type { LiveDescriptors } from './engine/descriptors/descriptors.ts';
import { createLiveDescriptors } from './engine/descriptors/descriptors.ts';
import type { LiveHub } from './services/live/hub.ts';
import type { LiveSession } from './access/sessions/session_store.ts';
import { createLiveHub } from './services/live/hub.ts';
import { createScreenState } from './engine/descriptors/screen_state.ts';
import type { Deliveries } from './engine/events/deliveries.ts';
import type { Module } from './engine/modules.ts';
import type { ScreenStore } from './engine/descriptors/screen_store.ts';
import { createScreenStore } from './engine/descriptors/screen_store.ts';
import { createTenantScreens } from './engine/descriptors/tenant_screens.ts';
import { createValidators } from './engine/descriptors/validators.ts';
import type { Maintenance } from './services/jobs/maintenance.ts';
import { createMaintenance } from './services/jobs/maintenance.ts';
import { checkRequests } from './http/server/request_check.ts';
import { addRequestLog } from './http/server/request_log.ts';
import { maskAddress } from './services/network/masked_address.ts';
import type { Jobs } from './services/jobs/jobs.ts';
import { tellFailure } from './services/jobs/failure_notices.ts';
import { createJobs } from './services/jobs/jobs.ts';
import { defineActivityCount } from './platform/upkeep/activity_days.ts';
import { defineHolidayRoll } from './platform/calendar/holiday_roll.ts';
import { definePlatformJobs } from './platform/upkeep/platform_jobs.ts';
import { addressOf } from './services/notifications/address.ts';
import type { Notifications } from './services/notifications/notify.ts';
import { createNotifications } from './services/notifications/notify.ts';
import type { Outbox } from './services/notifications/outbox.ts';
import { createOutbox } from './services/notifications/outbox.ts';
import { createPush } from './services/notifications/push.ts';
import { healthRoutes } from './http/server/health.ts';
import { apiConfigRoutes } from './http/platform/api_config.ts';
import { approvalRoutes } from './http/records/approvals.ts';
import { articleRoutes } from './http/modules/articles.ts';
import { enquiryRoutes } from './http/modules/enquiries.ts';
import { auditRoutes } from './http/platform/audit.ts';
import { brandRoutes } from './http/platform/brand.ts';
import { calendarAddressRoutes } from './http/platform/calendar_address.ts';
import { clientAddress } from './http/server/client_addresses.ts';
import { clientRoutes } from './http/platform/clients.ts';
import { delegationRoutes } from './http/access/delegations.ts';
import { dashboardRoutes } from './http/platform/dashboards.ts';
import { commonRightsRoutes } from './http/access/common_rights.ts';
import { commonUserRoutes } from './http/access/common_users.ts';
import { escalationRoutes } from './http/platform/escalation.ts';
import { jobRoutes } from './http/platform/jobs.ts';
import { leadRoutes } from './http/modules/leads.ts';
import { libraryRoutes } from './http/platform/library.ts';
import { liveRoutes } from './http/records/live.ts';
import { mailRoutes } from './http/platform/mail.ts';
import { manualRoutes } from './http/modules/manuals.ts';
import { mediaRoutes } from './http/modules/media.ts';
import { menuRoutes } from './http/platform/menu.ts';
import { myZoneRoutes } from './http/access/my_zone.ts';
import { notificationRoutes } from './http/platform/notifications.ts';
import { passwordRoutes } from './http/access/passwords.ts';
import { peopleRoutes } from './http/access/people.ts';
import { platformCalls } from './http/access/platform_calls.ts';
import { restoredCopyRoutes } from './http/platform/restored_copy.ts';
import { reportSources } from './app/report_sources.ts';
import { reportRoutes } from './http/records/reports.ts';
import { rightsRoutes } from './http/access/rights.ts';
import { recordParts } from './app/record_parts.ts';
import type { RegisteredRoute } from './http/records/own_calls.ts';
import { LimitedReading } from './engine/excel/limited_reading.ts';
import { employeeChangeRoutes } from './http/access/employee_changes.ts';
import { dataParts } from './app/data_parts.ts';
import { quickLinkRoutes } from './http/platform/quick_links.ts';
import { screenRoutes } from './http/records/screens.ts';
import { secondFactorRoutes } from './http/access/second_factor.ts';
import { sessionRoutes } from './http/access/sessions.ts';
import { staticRoutes } from './http/server/static.ts';
import { transcriptionRoutes } from './http/modules/transcriptions.ts';
import { invite, userActionRoutes } from './http/access/user_actions.ts';
import { workingDayRoutes } from './http/platform/working_days.ts';
import { addSecurityHeaders } from './http/server/security_headers.ts';
import { createAuditLog } from './services/audit/audit.ts';
import { createBrands } from './platform/brand/brand.ts';
import { addGuard } from './access/sessions/guard.ts';
import { isPublicRoute } from './access/sessions/public_routes.ts';
import './access/sessions/request.ts';
import { FileStore } from './services/files/store.ts';
import { createThumbnails } from './services/files/thumbnails.ts';
import type { SessionServices } from './access/sessions/services.ts';
import { createSessionServices } from './access/sessions/services.ts';
import { createTranscriptions, TYPE as TRANSCRIPTION } from './platform/transcription/work.ts';

export interface AppDeps {
  config: Config;
  directory: Directory;
  /** What the descriptors say at the start. */
  loaded: { screens: Map<string, Screen>; reports: ReadonlyMap<string, Report>; problems: Problem[] };
  version: string;
  logger?: FastifyServerOptions['logger'];
  /** The built client; default dist/client. */
  clientDir?: string;
  /** Modules beside the product's own. */
  modules?: readonly Module[];
}

/** Headers must be there in this time: connections that send none hold nothing. */
const HEADERS_MS = 20_000;

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
  notifications: Notifications;
  /** Every route there is, for the interface's description and the tests that walk them. */
  routes: (RegisteredRoute & { limited: boolean })[];
  /** From now on calls are answered 503 and told to go; those under way go on, idle connections end. */
  beginStopping(): void;
  /** Ends what the app started; databases are the caller's. */
  close(): Promise<void>;
}

export async function buildApp(deps: AppDeps): Promise<App> {
  const { config, directory, version } = deps;
  const callId = callIds();
  const server = Fastify({
    logger: deps.logger ?? {
      level: config.logLevel,
      redact: ['req.headers.authorization', 'req.headers.cookie', '*.password', '*.token'],
      serializers: { req: ({ method, url }: { method: string; url: string }) => ({ method, url: maskAddress(url) }) },
    },
    // One line a call, ours (request_log.ts).
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    bodyLimit: config.bodyMaxMb * 1024 * 1024,
    rewriteUrl: ({ url = '/' }) => clientAddress(url),
    frameworkErrors: answerRouterError,
    requestIdHeader: false,
    genReqId: ({ headers }) => {
      const given = headers['x-request-id'];
      return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : callId();
    },
    forceCloseConnections: 'idle',
    keepAliveTimeout: 65_000,
    requestTimeout: config.requestSeconds * 1000,
    http: { headersTimeout: HEADERS_MS, connectionsCheckingInterval: 5_000 },
    routerOptions: { maxParamLength: 1200, ignoreTrailingSlash: false },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
  });
  const log = server.log;
  const bus = createBus(log);
  const services = await createSessionServices(config, directory, bus);
  const store = createScreenStore(config.schemasDir, services.secrets.screens, deps.loaded);
  const menu = createMenus(store, config.schemasDir);
  const tenantScreens = createTenantScreens({ store, bus });
  const validators = createValidators();
  const thumbnails = createThumbnails(new FileStore(config.dataDir, config.uploadMaxMb * 1024 * 1024));
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
  const outbox = createOutbox({ config, directory, bus, log, platform, vault: services.vault, ...(push && { push }) });
  const presence = createServerPresence(directory.main);
  const jobs = createJobs({
    directory,
    presence,
    bus,
    log,
    onFailed: (failure) => tellFailure(notifications, failure, platform, (schema) => services.tenants.bySchema(schema)),
  });
  definePlatformJobs({ jobs, notifications, platform });
  defineHolidayRoll(jobs, notifications);
  defineActivityCount(jobs, store.screens);
  defineSpareClient(jobs, directory, store.screens);
  jobs.define({
    name: 'escalation',
    title: 'Send what the rules of Mail configuration say',
    cron: '*/15 * * * *',
    run: async ({ tenant }) =>
      tenant
        ? `${await sweepEscalations({ notifications, screens: store.screens, addressOf: linkTo }, tenant, new Date())} messages sent.`
        : undefined,
  });

  const routes: App['routes'] = [];
  server.addHook('onRoute', ({ method, url, config: marks, schema }) => {
    const { body, querystring: query } = (schema ?? {}) as { body?: JsonSchema; querystring?: JsonSchema };
    for (const one of Array.isArray(method) ? method : [method])
      routes.push({
        method: one,
        url,
        public: marks?.public === true || isPublicRoute(one, url),
        limited: marks?.limited === true,
        ...(body && { body }),
        ...(query && { query }),
      });
  });
  const disk = createDiskRoom(config.dataDir, () => config.diskReserveMb);
  addErrorAnswers(server, () => disk.wasFull());
  acceptEmptyJson(server);
  checkRequests(server);
  addRequestLog(server, version);
  const stopping = addStopping(server);
  addBodyTimeout(server, config.bodySeconds);
  server.addHook('preParsing', async ({ headers }) => {
    // Before a byte of it is taken.
    if (/^multipart\//i.test(headers['content-type'] ?? '') && !(await disk.hasRoom())) throw diskFull();
  });
  addSecurityHeaders(server, config);
  await server.register(cookie);
  await server.register(multipart, {
    limits: { fileSize: config.uploadMaxMb * 1024 * 1024, files: 1, fields: 20, fieldSize: 64 * 1024 },
  });
  if (config.rateLimit > 0) {
    await server.register(rateLimit, {
      max: config.rateLimit,
      timeWindow: 60_000,
      cache: 50_000,
      allowList: ({ ip }) => ip === '127.0.0.1' || ip === '::1' || ip === '::ffff:127.0.0.1',
    });
  }
  const keys = createApiKeys({ tenants: services.tenants, store: services.store, notifications, log });
  keys.watch(server);
  addGuard(server, services, keys);
  server.addHook('onRequest', async ({ session }) => {
    if ((session as Session | null) !== null) await tenantScreens.prepare(session.tenant);
  });
  server.addHook('preHandler', ({ session }, _reply, done) => {
    if ((session as Session | null) === null) done();
    else atPlace(placeOf(session), done);
  });

  await server.register(sessionRoutes, { services, notifications, audit: audit.add });
  await server.register(secondFactorRoutes, {
    services,
    notifications,
    audit: audit.add,
  });
  await server.register(passwordRoutes, {
    services,
    notifications,
    addressOf: linkTo,
    audit: audit.add,
  });
  await server.register(notificationRoutes, { bus });
  await server.register(platformCalls, { services, screens: store.screens, thumbnails });
  await server.register(menuRoutes, {
    environment: config.environment,
    menu,
    store,
    tenantScreens,
    screenState,
    brands,
    tenantOf: (subDomain) => services.tenants.bySubDomain(subDomain),
  });
  await server.register(screenRoutes, {
    store,
    tenantScreens,
    validators,
    tenantOf: (subDomain) => services.tenants.bySubDomain(subDomain),
  });
  await server.register(liveRoutes, { hub, services });
  allowHosts(config.insideHosts);
  const reading = new LimitedReading();
  const recordingTold = (tenant: Tenant, id: number, entityId: number | null) =>
    hub.changed(tenant, TRANSCRIPTION, id, 'U', entityId);
  const transcriptions = createTranscriptions({
    jobs,
    files: new FileStore(config.dataDir, config.uploadMaxMb * 1024 * 1024),
    notifications,
    screens: store.screens,
    vault: services.vault,
    told: recordingTold,
  });
  const { engine, deliveries, endInterruptedRuns } = await recordParts(server, {
    config,
    services,
    thumbnails,
    store,
    tenantScreens,
    hub,
    version,
    routes: () => routes,
    notifications,
    directory,
    presence,
    audit: audit.add,
    bus,
    jobs,
    platform,
    transcriptions,
    menu,
    modules: deps.modules ?? [],
    stored: (tenant, type) => {
      brands.stored(tenant, type);
      jobs.stored(tenant.schema, type);
    },
  });
  await server.register(jobRoutes, { jobs, outbox, deliveries, audit: audit.add });
  await server.register(restoredCopyRoutes, { directory, audit: (tenant, entry) => audit.add(tenant, entry) });
  await server.register(mailRoutes, {
    engine,
    vault: services.vault,
    screens: store.screens,
    addressOf: linkTo,
    audit: audit.add,
  });
  const screensOf = async (session: Session) => {
    await tenantScreens.prepare(session.tenant);
    return tenantScreens.of(session);
  };
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
    screens: (session) => tenantScreens.of(session),
    webhooks,
    vault: services.vault,
    ensure: (tenant, types) => ensureTables(tenant, store.screens(), types),
    audit: audit.add,
  });
  await server.register(escalationRoutes, { engine, notifications, screens: store.screens, addressOf: linkTo });
  await server.register(auditRoutes, { audit: audit.add });
  await server.register(peopleRoutes, { store, tenantScreens, engine });
  await server.register(delegationRoutes, { store, engine, jobs, notifications, hub });
  await server.register(employeeChangeRoutes, { store, tenantScreens, engine, jobs, notifications });
  await server.register(approvalRoutes, {
    engine,
    product: store.screens,
    screens: (session) => tenantScreens.of(session),
    ensure: (tenant, types) => ensureTables(tenant, store.screens(), types),
  });
  await server.register(quickLinkRoutes, { store, engine });
  await server.register(reportRoutes, {
    reports: store.reports,
    sources: reportSources,
    screens: (session) => tenantScreens.of(session),
    ensure: (tenant, types) => ensureTables(tenant, store.screens(), types),
    audit: ({ tenant, userId, sid, entityId }, entry) => audit.add(tenant, { actor: userId, sid, entityId, ...entry }),
  });
  await server.register(workingDayRoutes, {
    screens: (session) => tenantScreens.of(session),
    engine,
    ensure: (tenant, types) => ensureTables(tenant, store.screens(), types),
  });
  await server.register(calendarAddressRoutes, {
    store: services.store,
    screens: (session) => tenantScreens.of(session),
    prepare: (tenant) => tenantScreens.prepare(tenant),
    ensure: (tenant, types) => ensureTables(tenant, store.screens(), types),
    tenantOf: (subDomain) => services.tenants.bySubDomain(subDomain),
    addressOf: linkTo,
    audit: audit.add,
  });
  await server.register(mediaRoutes, {
    screens: (session) => tenantScreens.of(session),
    ensure: (tenant, types) => ensureTables(tenant, store.screens(), types),
    fileKey: services.secrets.files,
  });
  await server.register(myZoneRoutes, { environment: config.environment, menu, store, engine });
  await server.register(manualRoutes, { store, engine, notifications, fileKey: services.secrets.files });
  await server.register(transcriptionRoutes, {
    screens: (session) => tenantScreens.of(session),
    product: store.screens,
    engine,
    transcriptions,
    told: recordingTold,
  });
  await server.register(rightsRoutes, {
    store,
    menu,
    notifications,
    engine,
    screens: (session) => tenantScreens.of(session),
    ensure: (tenant, types) => ensureTables(tenant, store.screens(), types),
    audit: audit.add,
    reading,
    forget: (schema) => services.store.forget(schema),
  });
  await server.register(dashboardRoutes, { environment: config.environment, menu, store, directory });
  await server.register(enquiryRoutes, {
    directory,
    screens: store.screens,
    engine,
    notifications,
    brands,
    platform,
    key: services.secrets.files,
  });
  await server.register(articleRoutes, {
    directory,
    screens: store.screens,
    engine,
    jobs,
    files: new FileStore(config.dataDir, config.uploadMaxMb * 1024 * 1024),
    brands,
    platform,
    key: services.secrets.files,
  });
  const libraryDeps = {
    engine,
    main: directory.main,
    screens: (session: Session) => tenantScreens.of(session),
    platform,
    ensure: (tenant: Tenant, types: string[]) => ensureTables(tenant, store.screens(), types),
  };
  await server.register(libraryRoutes, libraryDeps);
  await server.register(leadRoutes, { engine, directory, screens: store.screens });
  await server.register(commonRightsRoutes, { store, audit: audit.add });
  const validity = { directory, jobs, notifications, platform };
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
    tell: (id, event, reason) => tellOfClient(validity, id, event, reason),
    audit: audit.add,
    invite: (tenant, user) => invite({ notifications, addressOf: linkTo }, tenant, user),
    firstLists: (tenant, lists) => fillFirstLists(libraryDeps, tenant, lists),
  });
  await server.register(commonUserRoutes, {
    engine,
    screens: store.screens,
    services,
    jobs,
    notifications,
    platform,
    addressOf: linkTo,
    audit: audit.add,
  });
  await server.register(userActionRoutes, {
    services,
    engine,
    screens: store.screens,
    notifications,
    jobs,
    addressOf: linkTo,
    audit: audit.add,
  });
  await dataParts(server, {
    config,
    services,
    store,
    tenantScreens,
    hub,
    directory,
    jobs,
    notifications,
    engine,
    audit: audit.add,
    reading,
  });
  const clientDir = deps.clientDir ?? join(import.meta.dirname, '../../dist/client');
  await healthRoutes(server, { config, directory, store, hub, disk });
  await server.register(brandRoutes, {
    brands,
    files: new FileStore(config.dataDir, config.uploadMaxMb * 1024 * 1024),
  });
  await server.register(staticRoutes, { clientDir, config, store, brands, version });

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
    notifications,
    routes,
    beginStopping: () => stopping.begin(),
    endInterruptedRuns,
    async close() {
      stopping.begin();
      await Promise.all([live.close(), maintenance.close(), jobs.close(), outbox.close(), deliveries.close()]);
      await hub.close();
      await server.close();
      await audit.flush();
      await Promise.all([validators.close(), reading.close()]);
      await bus.close();
    },
  };
}

/** Names of calls: of this process, and counted. */
function callIds(): () => string {
  const start = `r-${randomBytes(4).toString('hex')}`;
  let count = 0;
  return () => `${start}${(++count).toString(16).padStart(6, '0')}`;
}

/** A call without a body may say that its body is JSON. */
function acceptEmptyJson(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.removeContentTypeParser('application/json');
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
    if (body === '') done(null, undefined);
    else void parse(request, body, done);
  });
}
