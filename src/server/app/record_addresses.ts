import type { FastifyInstance } from 'fastify';
import type { Deliveries } from '../engine/events/deliveries.ts';
import { AnswerSheets } from '../engine/questionnaire/answers.ts';
import { QuestionnaireResults } from '../engine/questionnaire/results.ts';
import { maySeeFile } from '../engine/records/file_sight.ts';
import { questionnaireResultRoutes } from '../http/records/questionnaire_results.ts';
import { answerRoutes } from '../http/records/answers.ts';
import { approvalRoutes } from '../http/records/approvals.ts';
import { calendarAddressRoutes } from '../http/platform/calendar_address.ts';
import { escalationRoutes } from '../http/platform/escalation.ts';
import { homeRoutes } from '../http/platform/home.ts';
import { jobRoutes } from '../http/platform/jobs.ts';
import { liveRoutes } from '../http/records/live.ts';
import { mailRoutes } from '../http/platform/mail.ts';
import { notificationRoutes } from '../http/platform/notifications.ts';
import { printRoutes } from '../http/records/prints.ts';
import { dashboardFigureRoutes } from '../http/records/dashboards.ts';
import { TileMemory } from '../engine/dashboards/tile_memory.ts';
import { offlineRoutes } from '../http/records/offline.ts';
import { publicPageRoutes } from '../http/records/public_pages.ts';
import { PublicAnswers } from '../engine/public/public_answers.ts';
import { AddressLimits } from '../http/server/address_limits.ts';
import { createPublicPages } from '../engine/public/public_pages.ts';
import { neededTypes } from '../engine/records/needed_types.ts';
import { recordFilesRoutes } from '../http/records/record_files.ts';
import { reportSources } from './report_sources.ts';
import { reportRoutes } from '../http/records/reports.ts';
import { screenRoutes } from '../http/records/screens.ts';
import { workingDayRoutes } from '../http/platform/working_days.ts';
import { refusalsOf } from '../engine/workflow/refused_steps.ts';
import { holdsRole } from './record_services.ts';
import type { NamedFunctions } from '../engine/modules.ts';
import type { SharedServices } from './shared_services.ts';
import type { Engine } from '../engine/records/engine.ts';

/** What goes with records of any type: screens, approvals, reports, messages, jobs, calendars. */
export async function recordAddresses(
  server: FastifyInstance,
  parts: SharedServices,
  { engine, functions, deliveries }: { engine: Engine; functions: NamedFunctions; deliveries: Deliveries },
): Promise<void> {
  const {
    bus,
    services,
    store,
    tenantScreens,
    validators,
    hub,
    audit,
    linkTo,
    notifications,
    outbox,
    jobs,
    screens,
    screensOf,
    ensure,
    printing,
    prints,
    publicLinks,
    files,
    thumbnails,
  } = parts;
  await server.register(notificationRoutes, { bus });
  await server.register(screenRoutes, {
    store,
    tenantScreens,
    validators,
    tenantOf: (subDomain) => services.tenants.bySubDomain(subDomain),
  });
  await server.register(liveRoutes, { hub, services });
  await server.register(jobRoutes, {
    jobs,
    outbox,
    deliveries,
    refusals: async (session) => refusalsOf(session.tenant, await screensOf(session)),
    pages: store.pages,
    audit: audit.add,
  });
  await server.register(mailRoutes, {
    engine,
    vault: services.vault,
    screens: store.screens,
    addressOf: linkTo,
    audit: audit.add,
  });
  await server.register(escalationRoutes, { engine, notifications, screens: store.screens, addressOf: linkTo });
  await server.register(approvalRoutes, {
    engine,
    product: store.screens,
    screens,
    ensure,
  });
  const sheets = new AnswerSheets({
    engine,
    answering: functions.answering,
    screens,
    mayOpenFile: (session, id) => maySeeFile(session, id, { engine, screens }),
  });
  await server.register(recordFilesRoutes, {
    engine,
    screens,
    ensure: ({ tenant }, screen) => ensure(tenant, neededTypes(store.screens(), screen)),
    files,
    audit: ({ tenant, userId, sid, entityId }, entry) => audit.add(tenant, { actor: userId, sid, entityId, ...entry }),
  });
  await server.register(answerRoutes, { sheets, product: store.screens, screens, ensure });
  await server.register(questionnaireResultRoutes, {
    results: new QuestionnaireResults({
      engine,
      screens,
      ensure: ({ tenant }, screen) => ensure(tenant, neededTypes(store.screens(), screen)),
    }),
    product: store.screens,
    screens,
    ensure,
  });
  await server.register(printRoutes, { engine, prints, product: store.screens, screens, ensure });
  await server.register(offlineRoutes, {
    engine,
    sheets,
    screens,
    notifications,
    ensure: ({ tenant }, screen) => ensure(tenant, neededTypes(store.screens(), screen)),
  });
  await server.register(publicPageRoutes, {
    engine,
    pages: createPublicPages({
      engine,
      prints,
      answers: new PublicAnswers(files),
      links: publicLinks,
      screens,
      ensure: (tenant, screen) => ensure(tenant, neededTypes(store.screens(), screen)),
    }),
    links: publicLinks,
    limits: new AddressLimits(),
    files,
    thumbnails,
    printing,
    product: store.screens,
    screens,
    ensure,
    prepare: (tenant) => tenantScreens.prepare(tenant),
    tenantOf: (subDomain) => services.tenants.bySubDomain(subDomain),
    addressOf: linkTo,
  });
  await server.register(reportRoutes, {
    reports: store.reports,
    reportScreens: { product: store.screens, own: screens },
    seconds: parts.config.reportSeconds,
    printing,
    sources: reportSources,
    screens,
    ensure,
    audit: ({ tenant, userId, sid, entityId }, entry) => audit.add(tenant, { actor: userId, sid, entityId, ...entry }),
  });
  const memory = new TileMemory();
  hub.onRecords((schema, types) => memory.forget(schema, types));
  const figures = {
    dashboards: store.dashboards,
    engine,
    memory,
    screens,
    ensure,
    sources: functions.sources,
    recordFigures: functions.services!.recordFigures,
    collections: functions.services!,
    holdsRole,
    log: parts.log,
  };
  await server.register(dashboardFigureRoutes, {
    ...figures,
    audit: ({ tenant, userId, sid, entityId }, entry) => audit.add(tenant, { actor: userId, sid, entityId, ...entry }),
  });
  await server.register(homeRoutes, {
    ...figures,
    environment: parts.config.environment,
    menu: parts.menu,
    store,
    engine,
  });
  await server.register(workingDayRoutes, {
    screens,
    engine,
    ensure,
  });
  await server.register(calendarAddressRoutes, {
    store: services.store,
    screens,
    prepare: (tenant) => tenantScreens.prepare(tenant),
    ensure,
    tenantOf: (subDomain) => services.tenants.bySubDomain(subDomain),
    addressOf: linkTo,
    audit: audit.add,
  });
}
