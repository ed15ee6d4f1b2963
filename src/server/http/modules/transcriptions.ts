import type { FastifyInstance, FastifyRequest } from 'fastify';
import { dayFirst } from '../../../descriptor/fieldtypes/written.ts';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import { ensureTables } from '../../db/tenants.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { ActionItem } from '../../platform/transcription/tasks.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { authorize, authorizeAny } from '../../access/rights/authorize.ts';
import type { TranscriptFile } from '../../platform/transcription/export.ts';
import type { Printing } from '../../services/print/printing.ts';
import { EXPORTS, asMinutes } from '../../platform/transcription/export.ts';
import { NO_ENGINE, transcriptionSettings } from '../../platform/transcription/settings.ts';
import { TYPE, correctText, linesOf } from '../../platform/transcription/text.ts';

export interface TranscriptionRouteDeps {
  screens: (session: Session) => ReadonlyMap<string, Screen>;
  product: () => ReadonlyMap<string, Screen>;
  engine: Engine;
  printing: Printing;
  announceChange(tenant: Tenant, id: number, entityId: number | null): void;
}

const SEGMENTS = {
  type: 'object',
  required: ['version', 'segments'],
  properties: {
    version: { type: 'integer' },
    segments: {
      type: 'array',
      maxItems: 20_000,
      items: {
        type: 'object',
        required: ['id'],
        additionalProperties: false,
        properties: {
          id: { type: 'integer' },
          text: { type: 'string', minLength: 1, maxLength: 4000 },
          speaker: { type: ['string', 'null'], maxLength: 40 },
        },
      },
    },
    rename: {
      type: 'object',
      maxProperties: 30,
      additionalProperties: { type: 'string', minLength: 1, maxLength: 40 },
    },
  },
};

const DONE = { type: 'object', required: ['done'], properties: { done: { type: 'boolean' } } };

/** Recordings and their text: editing with versions, and downloads (platform_admin.md §12). */
export async function transcriptionRoutes(
  app: FastifyInstance,
  { screens, product, engine, printing, announceChange }: TranscriptionRouteDeps,
): Promise<void> {
  async function recordOf(request: FastifyRequest, write: boolean): Promise<{ session: Session; record: WireRecord }> {
    const { session } = request;
    const screen = screens(session).get(TYPE);
    if (!screen || session.tenant.schema === 'public') throw notFound();
    if (write) authorize(session, screen, 'edit_screen', screen.access.action);
    else authorizeAny(session, screen, ['view_screen', 'edit_screen']);
    await ensureTables(session.tenant, product(), [TYPE]);
    const { id } = request.params as { id: string };
    if (!/^\d{1,15}$/.test(id)) throw notFound();
    return { session, record: await engine.read(session, screen, Number(id)) };
  }
  const again = async ({ session, record }: { session: Session; record: WireRecord }) => ({
    data: await engine.read(session, screens(session).get(TYPE)!, record.id),
  });

  for (const prefix of ['/tapi', '/api']) {
    // Whether there is an engine, for the page that explains what to do without one.
    app.get(`${prefix}/${TYPE}/engine`, async ({ session }) => {
      const screen = screens(session).get(TYPE);
      if (!screen || session.tenant.schema === 'public') throw notFound();
      authorizeAny(session, screen, ['landing', 'add_screen', 'view_screen', 'edit_screen']);
      const { url } = await transcriptionSettings(session.tenant);
      return { data: { configured: url !== null, message: url === null ? NO_ENGINE : null } };
    });

    // The person responsible marks an item as done, even with read-only access to the recording.
    app.put<{ Params: { id: string; item: string } }>(
      `${prefix}/${TYPE}/:id/action_items/:item`,
      { schema: { body: DONE } },
      async (request) => {
        const asked = await recordOf(request, false);
        const { session, record } = asked;
        const screen = screens(session).get(TYPE)!;
        const items = (record.action_items as ActionItem[] | null) ?? [];
        const item = items.find(({ id }) => String(id) === request.params.item);
        if (!item) throw notFound();
        const own = session.employeeId !== null && item.owner_id === session.employeeId;
        if (!own) authorize(session, screen, 'edit_screen', screen.access.action);
        const { done } = request.body as { done: boolean };
        return {
          data: await engine.update(
            session,
            screen,
            record.id,
            { version: record.version, action_items: items.map((one) => (one === item ? { ...one, done } : one)) },
            'action',
          ),
        };
      },
    );

    app.get(`${prefix}/${TYPE}/:id/segments`, async (request) => {
      const { session, record } = await recordOf(request, false);
      return { data: await linesOf(session.tenant, record.id), version: record.version };
    });

    // The corrections, line by line, and named speakers.
    app.put(`${prefix}/${TYPE}/:id/segments`, { schema: { body: SEGMENTS } }, async (request) => {
      const asked = await recordOf(request, true);
      const { session, record } = asked;
      const { tenant } = session;
      const {
        version,
        segments,
        rename = {},
      } = request.body as {
        version: number;
        segments: { id: number; text?: string; speaker?: string | null }[];
        rename?: Record<string, string>;
      };
      if (record.state !== 'done')
        throw new AppError(
          409,
          'bad_state',
          record.state === 'reviewed'
            ? 'The text is reviewed and locked. Unlock it first.'
            : `The text cannot be changed while the transcription is ${String(record.state)}.`,
        );
      await correctText(session, record, { version, segments, rename });
      announceChange(tenant, record.id, record.entity_id as number);
      return again(asked);
    });

    app.get(`${prefix}/${TYPE}/:id/minutes`, async (request) => {
      const { session, record } = await recordOf(request, false);
      const present = (record.participants__label as string[] | null) ?? [];
      return { data: { text: asMinutes(await contentsOf(session, record), present) } };
    });

    app.get<{ Params: { id: string; format: string } }>(
      `${prefix}/${TYPE}/:id/export.:format`,
      async (request, reply) => {
        const { session, record } = await recordOf(request, false);
        const format = EXPORTS.get(request.params.format);
        if (!format) throw notFound();
        const content = await format.write(await contentsOf(session, record), (content) =>
          printing.pdf(session.tenant, content),
        );
        const name = `${String(record.title)
          .replace(/[\\/:*?"<>|]/g, ' ')
          .trim()}.${request.params.format}`;
        return reply
          .type(format.type)
          .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
          .send(content);
      },
    );
  }

  /** @throws AppError 409 before there is a text */
  async function contentsOf(session: Session, record: WireRecord): Promise<TranscriptFile> {
    const lines = await linesOf(session.tenant, record.id);
    if (lines.length === 0) throw new AppError(409, 'bad_state', 'There is no text yet.');
    const speakers = [...new Set(lines.flatMap(({ speaker }) => (speaker ? [speaker] : [])))];
    const day = record.recorded_on ? dayFirst(record.recorded_on) : '';
    return {
      title: String(record.title),
      at: String(record.updated_at),
      about: [day, speakers.join(', ')].filter((part) => part !== '').join(' · '),
      summary: (record.summary as string | null) ?? null,
      lines: lines.map((line) => ({
        startMs: line.start_ms,
        endMs: line.end_ms,
        speaker: line.speaker,
        text: line.text,
      })),
      actionItems: (record.action_items as TranscriptFile['actionItems'] | null) ?? [],
    };
  }
}
