import { formatNumber } from '../../descriptor/format.ts';
import { WebhookTypes } from '../services/live/webhook_events.ts';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { decisionsOf, waitsForDecision } from '../../descriptor/workflow.ts';
import type { Screen, WireRecord } from '../../descriptor/types.ts';
import type { Directory } from '../db/directory.ts';
import { openTenant } from '../db/directory.ts';
import { AppError, notFound } from '../db/errors.ts';
import { quoted, tableName } from '../db/names.ts';
import type { ServerPresence } from '../db/server_presence.ts';
import { ensureTables } from '../db/tenants.ts';
import { maySeeFile } from '../engine/records/file_sight.ts';
import { FileStore } from '../services/files/store.ts';
import { UploadParts } from '../services/files/upload_parts.ts';
import type { Thumbnails } from '../services/files/thumbnails.ts';
import { announceChange, decidesSessions, decidesWebhooks, isAnnounced } from '../services/live/announced_changes.ts';
import { PARKED, notifyFailure } from '../services/jobs/failure_notices.ts';
import type { Jobs } from '../services/jobs/jobs.ts';
import type { Menu } from '../platform/menu/menu.ts';
import { changeErrors } from '../platform/menu/menu_variant.ts';
import type { Bus } from '../services/live/bus.ts';
import type { LiveHub } from '../services/live/hub.ts';
import { unitOf } from '../engine/records/unit_of_work.ts';
import type { LiveSession } from '../access/sessions/session_store.ts';
import type { Session } from '../access/context.ts';
import type { Tenant } from '../db/tenant.ts';
import type { ScreenStore } from '../engine/descriptors/screen_store.ts';
import type { TenantScreens } from '../engine/descriptors/tenant_screens.ts';
import type { Engine } from '../engine/records/engine.ts';
import type { RecordAudit } from '../engine/records/record_change.ts';
import { createEngine } from '../engine/records/engine.ts';
import { endRunsOfGoneServers } from '../engine/excel/interrupted_runs.ts';
import { ExcelRuns } from '../engine/excel/runs.ts';
import { isAddedByActs } from '../engine/excel/added_by_acts.ts';
import type { PlannedWrites } from '../engine/excel/added_by_acts.ts';
import { openRecords, openingErrors } from '../engine/excel/open_records.ts';
import type { CheckedRow, RowToCheck } from '../engine/excel/worker_task.ts';
import { HOURS_TYPES, businessHours } from '../access/people/business_hours.ts';
import { neededTypes } from '../engine/records/needed_types.ts';
import type { Deliveries } from '../engine/events/deliveries.ts';
import { stepsAfter } from '../engine/workflow/steps_after.ts';
import type { DueWork } from './due_work.ts';
import { dueWork } from './due_work.ts';
import { createDeliveries } from '../engine/events/deliveries.ts';
import { DomainEvents } from '../engine/events/domain_events.ts';
import { describedJobs } from '../engine/jobs/described_jobs.ts';
import type { Module } from '../engine/modules.ts';
import type { Services } from '../engine/modules.ts';
import { NamedFunctions } from '../engine/modules.ts';
import { loadModules } from '../engine/load_modules.ts';
import { sweepApprovals } from '../modules/act/approval_sweep.ts';
import { mailDueReports } from '../platform/reports/mail_reports.ts';
import type { Printing } from '../services/print/printing.ts';
import { oneFigure } from '../engine/dashboards/one_figure.ts';
import { TileMemory } from '../engine/dashboards/tile_memory.ts';
import { reportSources } from './report_sources.ts';
import type { CollectionReader } from '../platform/analytics/collection_reader.ts';
import { createApprovals } from '../modules/act/approvals.ts';
import { loadHooks } from '../engine/records/hooks.ts';
import { seenByAll } from '../engine/records/visible.ts';
import type { PublicLinks, PublicScreen } from '../engine/public/public_links.ts';
import type { Notifications } from '../services/notifications/notify.ts';
import { notifyApprovers, notifyRequesters } from '../engine/approval/approval_notices.ts';
import { HOLIDAY, notifyPastHolidays } from '../platform/calendar/holiday_notices.ts';
import { commentRoutes } from '../http/records/comments.ts';
import { excelRoutes } from '../http/records/excel.ts';
import { fileRoutes } from '../http/records/files.ts';
import { openApiRoutes } from '../http/records/openapi.ts';
import type { RegisteredRoute } from '../http/records/own_calls.ts';
import { recordRoutes } from '../http/records/records.ts';
import type { Audit } from '../services/audit/audit.ts';
import { auditedAction } from '../platform/audit/audited_changes.ts';
import { clientSettings } from '../services/settings/client_settings.ts';
import { mayApproveOwn } from '../access/rights/own_work.ts';
import { notifyEmailChanged } from '../access/sessions/security_notices.ts';
import type { SessionServices } from '../access/sessions/services.ts';

export interface RecordServiceDeps {
  config: Config;
  services: SessionServices;
  thumbnails: Thumbnails;
  store: ScreenStore;
  tenantScreens: TenantScreens;
  hub: LiveHub<LiveSession>;
  directory: Directory;
  presence: ServerPresence;
  notifications: Notifications;
  printing: Printing;
  libraryRecords: Services['libraryRecords'];
  collectionReader: CollectionReader;
  publicLinks: PublicLinks;
  /** Address of a client's pages. */
  linkTo(tenant: Tenant): string;
  version: string;
  /** Every route of the server. */
  routes: () => readonly RegisteredRoute[];
  audit: Audit;
  bus: Bus;
  jobs: Jobs;
  platform: () => Promise<Tenant>;
  menu: () => Menu;
  /** When it is, for clocks; default: by the database. */
  now: (() => Date) | undefined;
  /** Modules beside the product's own. */
  modules: readonly Module[];
  /** Records of a type were stored, by whatever way. */
  stored(tenant: Tenant, type: string): void;
}

export interface RecordServices {
  engine: Engine;
  /** The functions of modules, by name. */
  functions: NamedFunctions;
  deliveries: Deliveries;
  due: DueWork;
  /** Takes the jobs that descriptors describe, as they are now. */
  describeJobs(): void;
  /** Ends imports and exports of servers that are gone, and notifies whose imports they were. @returns how many imports */
  endInterruptedRuns(): Promise<number>;
}

/** The type of the people who sign in. */
const ACCOUNTS = 'users';
/** Who waits before the dialog sees the end of an export within this time. */
const SEEN_WITHIN_MS = 4_000;

/** The generic engine with its calls: records, Excel, files, comments, and the description of them all. */
export async function recordServices(
  server: FastifyInstance,
  {
    config,
    services,
    thumbnails,
    store,
    tenantScreens,
    hub,
    directory,
    presence,
    version,
    routes,
    notifications,
    printing,
    libraryRecords,
    collectionReader,
    publicLinks,
    linkTo,
    audit,
    bus,
    jobs,
    platform,
    menu,
    modules: more,
    now,
    stored,
  }: RecordServiceDeps,
): Promise<RecordServices> {
  const screens = (session: Session) => tenantScreens.of(session);
  const webhooks = new WebhookTypes(bus);
  const changed = (tenant: Tenant, type: string) => {
    if (tenantScreens.isSetting(type)) tenantScreens.changed(tenant);
    // The next call here does not wait for the announcement to come back.
    if (decidesSessions(type)) services.store.forget(tenant.schema);
    if (decidesWebhooks(type)) webhooks.forget(tenant.schema);
    stored(tenant, type);
  };
  const modulesDir = join(import.meta.dirname, '../modules');
  const files = new FileStore(config.dataDir, config.uploadMaxMb * 1024 * 1024);
  const recordAudit: RecordAudit = {
    keeps: (screen, op) => auditedAction(screen, op) !== null || isAnnounced(screen),
    async store(tx, { tenant, userId, sid, entityId }, screen, { id, op, change, decision }) {
      await announceChange(tx, tenant.schema, screen);
      const by = { actor: userId, sid, entityId, target: `${screen.name}:${id}` };
      const action = auditedAction(screen, op);
      if (action !== null)
        await audit(
          tenant,
          {
            ...by,
            action,
            summary: change ? Object.keys(change).join(', ') : screen.title,
            ...(change && { diff: seenByAll(screen, change) }),
          },
          tx,
        );
      if (decision)
        await audit(
          tenant,
          {
            ...by,
            action: 'approval',
            summary: `${String(decision.from)} → ${String(decision.to)}${decision.for === null ? '' : ` for ${decision.for}`}`,
          },
          tx,
        );
    },
  };
  const modules = [...(await loadModules(modulesDir)), ...more];
  const events = new DomainEvents(modules, (name) => jobs.has(name), store.screens);
  // An installation may leave out record types; what subscribes to their events then never runs.
  const unknown = events.unknown(store.screens()).filter((event) => store.screens().has(event.split('.')[0]!));
  if (unknown.length > 0) throw new Error(`Modules subscribe to what never happens: ${unknown.join(', ')}.`);
  const moduleServices: Services = {
    files,
    notifications,
    serverDecisions: {
      upload_max_mb: { by: 'UPLOAD_MAX_MB', max: config.uploadMaxMb },
      ...(config.sessionTransport === 'cookie' && {
        session_transport: { by: 'SESSION_TRANSPORT', value: 'cookie' },
      }),
    },
    baseDomains: config.baseDomains,
    recordFigures: new Map(modules.flatMap(({ figures = {} }) => Object.entries(figures))),
    screens: store.screens,
    libraryRecords,
    addressOf: linkTo,
    openSecret: (stored, place) => services.vault.open(stored, place),
    pdf: (tenant, content) => printing.pdf(tenant, content),
    mailDueReports: (tenant, run) =>
      mailDueReports(
        {
          reports: store.reports,
          reportScreens: { product: store.screens, own: screens },
          sources: reportSources,
          seconds: config.reportSeconds,
          screens,
          ensure: (of, types) => ensureTables(of, store.screens(), types),
          printing,
          sessions: services.store,
          prepare: (of) => tenantScreens.prepare(of),
          notifications,
          addressOf: linkTo,
          log: server.log,
        },
        tenant,
        run,
      ),
    async figure(session, of) {
      // The act's own transaction keeps writing; figures are read beside it, as they are stored.
      const tenant = await services.tenants.bySchema(session.tenant.schema);
      if (!tenant) return null;
      await tenantScreens.prepare(tenant);
      return oneFigure(
        {
          dashboards: store.dashboards,
          engine,
          memory: new TileMemory(),
          screens,
          ensure: (one, types) => ensureTables(one, store.screens(), types),
          sources: functions.sources,
          recordFigures: moduleServices.recordFigures,
          collections: moduleServices,
          holdsRole,
          log: server.log,
        },
        { ...(session as LiveSession), tenant },
        of,
      );
    },
    async collectionFigures(session, id, question, count) {
      // Read beside the transaction, as it is stored: a refusal does not end the bot's own work.
      const tenant = await services.tenants.bySchema(session.tenant.schema);
      return tenant ? collectionReader.figures({ ...(session as LiveSession), tenant }, id, question, count) : [];
    },
    async collectionParts(session, id, question, count) {
      const tenant = await services.tenants.bySchema(session.tenant.schema);
      return tenant ? collectionReader.parts({ ...(session as LiveSession), tenant }, id, question, count) : [];
    },
    menuProblems(change, isPage) {
      const known = menu();
      return changeErrors(known, change, (address) => isPage(address) || known.pages.has(address));
    },
  };
  const hooks = await loadHooks(modulesDir, moduleServices, modules);
  const approvalDeps = { engine: () => engine, screens, notifications };
  jobs.define({
    name: 'approvals',
    title: 'Remind of approvals and ask further people after the time limit',
    cron: '*/5 * * * *',
    run: async ({ tenant }) => {
      if (!tenant) return undefined;
      await tenantScreens.prepare(tenant);
      const { reminded, escalated } = await sweepApprovals(approvalDeps, tenant);
      return `${reminded} reminded, ${escalated} past their time limit.`;
    },
  });
  const functions = new NamedFunctions(modules, moduleServices);
  const engine: Engine = createEngine({
    screens,
    hooks,
    approvals: createApprovals(approvalDeps),
    functions,
    async hours(tenant, place, asked) {
      await ensureTables(tenant, store.screens(), HOURS_TYPES);
      return businessHours(tenant, place, asked);
    },
    ...(now && { now }),
    events,
    notifications,
    holdsRole,
    async publicLink(session, screen, id, of = screen.name) {
      if (!screen.public) throw notFound();
      const { path } = await publicLinks.link(session, screen as PublicScreen, id, of);
      return `${linkTo(session.tenant)}${path}`;
    },
    async personSession(session, userId) {
      const tenant = unitOf(session)?.tenant ?? session.tenant;
      try {
        return await services.store.ofPerson(tenant, userId, `rule/${userId}`, session.entityId);
      } catch (error) {
        if (error instanceof AppError && error.status < 500) return null;
        throw error;
      }
    },
    vault: services.vault,
    webhooks,
    ownWork: mayApproveOwn,
    audit: recordAudit,
    mayOpenFile: (session, id) => maySeeFile(session, id, { engine, screens }),
    onChange: (tenant, { type, id, op, entityId }) => {
      changed(tenant, type);
      hub.changed(tenant, type, id, op, entityId);
    },
    onRecordEvent: (session, screen, { id, op, change, decision }) => {
      const [from, to] =
        screen.name === ACCOUNTS && Array.isArray(change?.email)
          ? (change.email as [string | null, string | null])
          : [];
      if (from !== undefined)
        notifyEmailChanged(notifications, session.tenant, id, from ?? '', to ?? '').catch((error: unknown) =>
          server.log.error({ err: error }, 'The address change could not be published.'),
        );
      const stepped =
        decisionsOf(screen).length > 0 && (op === 'I' || (change !== undefined && screen.workflow!.field in change));
      if (stepped)
        ofRecord(session, screen.name, id, async (known, record) => {
          if (decision) await notifyRequesters(notifications, session, known, record, decision);
          // A step that was taken since announces what waits then.
          const { field } = screen.workflow!;
          const first = screen.fields.find(({ name }) => name === field)!.default;
          const became = op === 'I' ? first : (change![field] as unknown[])[1];
          if (record[field] === became && waitsForDecision(known, record))
            await notifyApprovers(notifications, session, screens(session), known, record);
        });
    },
  });
  /** Nobody waits for what is announced of a record, and the record is not undone because it failed. */
  const ofRecord = (
    session: Session,
    type: string,
    id: number,
    notify: (screen: Screen, record: WireRecord) => Promise<void>,
  ) => {
    const screen = screens(session).get(type);
    if (!screen || session.tenant.schema === 'public') return;
    const everything: Session = { ...session, rights: { ...session.rights, isAdmin: true } };
    engine
      .read(everything, screen, id)
      .then((record) => notify(screen, record))
      .catch((error: unknown) => server.log.error({ err: error }, 'The notification of a decision failed.'));
  };
  /** One message for an import, however many rows it had. */
  const notifyOfImport = async (
    { tenant, userId, entityId }: Session,
    screen: Screen,
    runId: number,
  ): Promise<void> => {
    const [run] = await tenant.db.query<{
      state: string;
      counts: { insert?: number; update?: number; unchanged?: number } | null;
      message: string | null;
    }>(`select state, counts, message from ${quoted(tenant.schema)}.import_run where id = $1`, [runId]);
    if (run?.state !== 'imported' && run?.state !== 'failed') return;
    const { insert = 0, update = 0, unchanged = 0 } = run.counts ?? {};
    const result =
      run.state === 'failed'
        ? 'failed'
        : [
            `${formatNumber(insert)} added`,
            `${formatNumber(update)} changed`,
            ...(unchanged > 0 ? [`${formatNumber(unchanged)} as they were`] : []),
          ].join(', ');
    await tenant.db.transaction((tx) =>
      notifications.notify(tx, tenant, {
        event: 'import.done',
        to: [userId],
        values: { list: screen.plural, result, detail: run.message ?? '' },
        link: screen.routes.landing,
        entityId,
      }),
    );
  };
  const imported = (session: Session, type: string, runId: number) => {
    changed(session.tenant, type);
    const screen = screens(session).get(type);
    if (type === HOLIDAY)
      notifyPastHolidays(notifications, session.tenant, session.userId, { run: runId }).catch((error: unknown) =>
        server.log.error({ err: error }, 'The notification of past holidays failed.'),
      );
    if (screen)
      notifyOfImport(session, screen, runId).catch((error: unknown) =>
        server.log.error({ err: error }, 'The notification of a finished import failed.'),
      );
  };
  const endInterruptedRunsOf = async (tenant: Tenant): Promise<number> => {
    let ended = 0;
    for (const { type, by, entityId } of await endRunsOfGoneServers(tenant, await presence.running())) {
      ended++;
      const screen = store.screens().get(type);
      await tenant.db.transaction((tx) =>
        notifications.notify(tx, tenant, {
          event: 'import.done',
          to: [by],
          values: {
            list: screen?.plural ?? type,
            result: 'was interrupted',
            detail: 'The server stopped. Nothing was stored. Import the file again.',
          },
          ...(screen && { link: screen.routes.landing }),
          entityId,
          severity: 'warning' as const,
        }),
      );
    }
    return ended;
  };
  const endInterruptedRuns = async (): Promise<number> => {
    const ofPlatform = { db: directory.main, schema: 'public' };
    let ended = (await endRunsOfGoneServers(ofPlatform, await presence.running())).length;
    for (const row of await directory.tenants()) {
      try {
        ended += await endInterruptedRunsOf(await openTenant(directory, row));
      } catch (error) {
        // A client whose database is away keeps nobody else waiting.
        server.log.error(
          { err: error, client: row.subDomain },
          'The interrupted imports of a client stay as they are.',
        );
      }
    }
    return ended;
  };
  const closing = new AbortController();
  /** Who did not wait for an export to end is notified, with the address that saves the file. */
  const notifyExport = async (session: Session, screen: Screen, runId: number): Promise<void> => {
    await pause(SEEN_WITHIN_MS, undefined, { ref: false, signal: closing.signal });
    const run = await runs.exports.unseen(session, runId);
    if (!run) return;
    const failed = run.state === 'failed';
    const { tenant, userId, entityId } = session;
    await tenant.db.transaction((tx) =>
      notifications.notify(tx, tenant, {
        event: 'export.ready',
        to: [userId],
        entityId,
        link: failed ? screen.routes.landing : `${screen.routes.landing}?export=${runId}`,
        values: {
          list: screen.plural,
          result: failed ? 'failed' : 'is ready',
          detail: failed
            ? (run.message ?? '')
            : `${formatNumber(run.done)} ${run.done === 1 ? 'row' : 'rows'}. Open this to save the file.`,
        },
        ...(failed && { severity: 'error' as const }),
      }),
    );
  };
  const exported = (session: Session, screen: Screen, runId: number): void => {
    notifyExport(session, screen, runId).catch(
      (error: unknown) =>
        closing.signal.aborted || server.log.error({ err: error }, 'The notification of a finished export failed.'),
    );
  };
  const maxRows = async ({ tenant, entityId }: Session) => {
    const { import_max_rows: max, export_max_rows: out } = await clientSettings(tenant, entityId);
    return { import: max, export: out };
  };
  const checkRows = async (session: Session, type: string, rows: RowToCheck[]) => {
    const screen = screens(session).get(type);
    if (!screen) return null;
    if (!isAddedByActs(screen)) return engine.checkMany(session, screen, rows);
    const stored = rows.filter(({ id }) => id !== null);
    const known = stored.length > 0 ? await engine.checkMany(session, screen, stored) : [];
    const answers: CheckedRow[] = [];
    for (const row of rows)
      answers.push(
        row.id === null
          ? { errors: await openingErrors(engine, session, screen, row), fill: {} }
          : (known?.shift() ?? { errors: [], fill: {} }),
      );
    return answers;
  };
  const addRecords = async (session: Session, type: string, runId: number, writes: PlannedWrites) => {
    const screen = screens(session).get(type);
    if (!screen) throw notFound();
    await openRecords(engine, session, screen, runId, writes);
  };
  const runs = new ExcelRuns({
    screens,
    imported,
    checkRows,
    openRecords: addRecords,
    follows: (screen) => ({
      module: hooks.followsImports?.(screen) === true || screen.clocks !== undefined,
      subscriptions: events.subscriptions(screen.name),
    }),
    exported,
    files,
    presence,
    dataDir: config.dataDir,
    maxRows,
    log: server.log,
  });
  const key = services.secrets.files;
  server.addHook('onClose', () => {
    closing.abort();
    presence.close();
    return runs.close();
  });

  await excelRoutes(server, {
    engine,
    screens,
    files,
    runs,
    ensure: (tenant, screen) => ensureTables(tenant, store.screens(), neededTypes(store.screens(), screen)),
    key,
  });
  await fileRoutes(server, {
    engine,
    screens,
    files,
    thumbnails,
    parts: new UploadParts(config.dataDir),
    key,
    tenantOfSchema: (schema) => services.tenants.bySchema(schema),
  });
  await commentRoutes(server, { engine, screens, files, notifications });
  await openApiRoutes(server, { screens, version, routes });
  await recordRoutes(server, {
    engine,
    product: store.screens,
    screens,
    ensure: (tenant, types) => ensureTables(tenant, store.screens(), types),
  });
  const deliveries = createDeliveries({
    events,
    directory,
    bus,
    jobs,
    platform,
    prepare: (tenant) => tenantScreens.prepare(tenant),
    unit: (unit) => engine.unit(unit),
    onParked: (schema, title, error) =>
      notifyFailure(
        notifications,
        { schema: schema === 'public' ? null : schema, definition: { name: PARKED, title }, error },
        platform,
        (of) => services.tenants.bySchema(of),
      ),
    async saved(session, type, ids) {
      const screen = screens(session).get(type);
      if (screen) await engine.saved(session, screen, ids);
    },
    stepsAfter: (session, event) => stepsAfter(session, screens(session), events, event),
    async takeStep(session, type, id, transition) {
      const screen = screens(session).get(type);
      if (!screen) return;
      const company = screen.scope === 'entity' ? await companyOf(session.tenant, type, id) : null;
      const as = company === null ? session : { ...session, entityId: company, entityIds: [company] };
      // Gone, or moved on since: then there is nothing to take.
      await engine.takeAuto(as, screen, id, transition, 'event').catch((error: unknown) => {
        if (!(error instanceof AppError && error.status === 404)) throw error;
      });
    },
    log: server.log,
  });
  const due = dueWork({
    engine,
    product: store.screens,
    screens,
    prepare: (tenant) => tenantScreens.prepare(tenant),
    notifications,
    directory,
    jobs,
    log: server.log,
  });
  const describeJobs = () =>
    jobs.describe(
      describedJobs(store.jobs(), {
        functions,
        prepare: (tenant) => tenantScreens.prepare(tenant),
        unit: (unit, limits) => engine.unit(unit, limits),
      }),
    );
  return { engine, functions, deliveries, due, describeJobs, endInterruptedRuns };
}

/** Whether a person has a role, by its code. */
export async function holdsRole({ tenant, roleIds = [] }: Session, code: string): Promise<boolean> {
  const rows = await tenant.db.query(
    `select 1 from ${quoted(tenant.schema)}.role where code = $1 and id = any($2) and active`,
    [code, roleIds],
  );
  return rows.length > 0;
}

/** The company of a record; null = it is gone. */
async function companyOf({ db, schema }: Tenant, type: string, id: number): Promise<number | null> {
  const [row] = await db.query<{ entity_id: number }>(
    `select entity_id from ${tableName(schema, type)} where id = $1`,
    [id],
  );
  return row?.entity_id ?? null;
}
