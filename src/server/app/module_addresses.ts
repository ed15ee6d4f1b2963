import type { FastifyInstance } from 'fastify';
import { articleRoutes } from '../http/modules/articles.ts';
import { enquiryRoutes } from '../http/modules/enquiries.ts';
import { fieldHomeRoutes } from '../http/modules/field_home.ts';
import { leadRoutes } from '../http/modules/leads.ts';
import { liftCallRoutes } from '../http/modules/lift_calls.ts';
import { manualRoutes } from '../http/modules/manuals.ts';
import { mediaRoutes } from '../http/modules/media.ts';
import { transcriptionRoutes } from '../http/modules/transcriptions.ts';
import type { Tenant } from '../db/tenant.ts';
import { defineHearingJobs } from '../platform/transcription/hearing.ts';
import { TYPE as TRANSCRIPTION } from '../platform/transcription/text.ts';
import type { SharedServices } from './shared_services.ts';
import type { Engine } from '../engine/records/engine.ts';

/** What single modules serve: articles, manuals, media, recordings, leads. */
export async function moduleAddresses(
  server: FastifyInstance,
  parts: SharedServices,
  { engine }: { engine: Engine },
): Promise<void> {
  const {
    directory,
    services,
    store,
    brands,
    notifications,
    platform,
    jobs,
    files,
    hub,
    printing,
    screens,
    screensOf,
    ensure,
  } = parts;
  const announceRecording = (tenant: Tenant, id: number, entityId: number | null) =>
    hub.changed(tenant, TRANSCRIPTION, id, 'U', entityId);
  await server.register(mediaRoutes, {
    screens,
    ensure,
    fileKey: services.secrets.files,
  });
  await server.register(fieldHomeRoutes, { screens, ensure, engine, product: store.screens });
  await server.register(liftCallRoutes, { screens, ensure, engine });
  await server.register(manualRoutes, { store, engine, fileKey: services.secrets.files });
  await server.register(transcriptionRoutes, {
    screens,
    product: store.screens,
    engine,
    printing,
    announceChange: announceRecording,
  });
  defineHearingJobs({ jobs, files, engine, screensOf, vault: services.vault, announceChange: announceRecording });
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
    files,
    brands,
    platform,
    key: services.secrets.files,
  });
  await server.register(leadRoutes, { engine, directory, screens: store.screens });
}
