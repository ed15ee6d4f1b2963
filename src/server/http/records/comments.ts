import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { FileStore } from '../../services/files/store.ts';
import { mentionable, notifyOfComment } from '../../services/notifications/comment_notices.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import type { Ref } from '../../engine/events/ref.ts';
import {
  addComment,
  attachFile,
  attachmentsOf,
  commentsOf,
  removeAttachment,
  removeComment,
} from '../../engine/records/comments.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { authorize } from '../../access/rights/authorize.ts';

export interface CommentDeps {
  engine: Engine;
  screens: (session: Session) => Map<string, Screen>;
  files: FileStore;
  notifications: Notifications;
}

type RecordParams = { type: string; id: string };
type PartParams = RecordParams & { part: string };

const LONGEST_COMMENT = 5000;

/**
 * Comments and attachments of any record: people who may see the record may read and add them; they can remove their
 * own.
 */
export async function commentRoutes(
  app: FastifyInstance,
  { engine, screens, files, notifications }: CommentDeps,
): Promise<void> {
  /** The record in the address, if the session may see it. */
  async function subject(
    request: FastifyRequest<{ Params: RecordParams }>,
  ): Promise<{ session: Session; screen: Screen; of: Ref; record: WireRecord }> {
    const { session } = request;
    const screen = screens(session).get(request.params.type);
    const id = Number(request.params.id);
    if (screen === undefined || !Number.isSafeInteger(id) || id < 1) throw notFound();
    authorize(session, screen, 'view_screen');
    const record = await engine.read(session, screen, id);
    return { session, screen, of: { type: screen.name, id }, record };
  }

  for (const prefix of ['/tapi', '/api']) {
    app.get<{ Params: RecordParams }>(`${prefix}/:type/:id/comments`, async (request) => {
      const { session, of } = await subject(request);
      return { data: await commentsOf(session, of) };
    });

    app.post<{ Params: RecordParams; Body: { text?: unknown } }>(
      `${prefix}/:type/:id/comments`,
      async (request, reply) => {
        const { session, screen, of, record } = await subject(request);
        const text = typeof request.body?.text === 'string' ? request.body.text.trim() : '';
        if (text === '') throw new AppError(422, 'invalid', 'Write something first.', { field: 'text' });
        if (text.length > LONGEST_COMMENT)
          throw new AppError(422, 'invalid', `At most ${LONGEST_COMMENT} characters.`, { field: 'text' });
        const added = await addComment(session, of, text);
        // The comment is saved; a person who cannot be notified still finds it.
        await notifyOfComment(notifications, session, screen, record, text).catch((error: unknown) =>
          request.log.error({ err: error }, 'The notification of a comment failed.'),
        );
        return reply
          .code(201)
          .send({ data: { ...added, text, by: session.userId, by__label: session.userName, mine: true } });
      },
    );

    // People who can be mentioned, while typing a comment.
    app.get<{ Params: RecordParams; Querystring: { q?: string } }>(`${prefix}/:type/:id/mentions`, async (request) => {
      const { session, record } = await subject(request);
      return { data: await mentionable(session, record, String(request.query.q ?? '').slice(0, 60)) };
    });

    app.delete<{ Params: PartParams }>(`${prefix}/:type/:id/comments/:part`, async (request, reply) => {
      const { session, of } = await subject(request);
      await removeComment(session, of, partId(request.params.part));
      return reply.code(204).send();
    });

    app.get<{ Params: RecordParams }>(`${prefix}/:type/:id/attachments`, async (request) => {
      const { session, of } = await subject(request);
      return { data: await attachmentsOf(session, of) };
    });

    app.post<{ Params: RecordParams }>(`${prefix}/:type/:id/attachments`, async (request, reply) => {
      const { session, of } = await subject(request);
      const upload = await request.file();
      if (upload === undefined) throw new AppError(400, 'bad_request', 'Choose a file to attach.', { field: 'file' });
      const file = await files.save(session, upload.filename, upload.file, null);
      const attached = await attachFile(session, of, file.id);
      const data = {
        ...attached,
        file_id: file.id,
        name: file.name,
        size: file.size,
        type: file.type,
        by: session.userId,
        by__label: session.userName,
        mine: true,
      };
      return reply.code(201).send({ data });
    });

    app.delete<{ Params: PartParams }>(`${prefix}/:type/:id/attachments/:part`, async (request, reply) => {
      const { session, screen, of } = await subject(request);
      const mayEdit = session.rights.refuse(screen, 'edit_screen') === null;
      await removeAttachment(session, of, partId(request.params.part), mayEdit);
      return reply.code(204).send();
    });
  }
}

function partId(text: string): number {
  const id = Number(text);
  if (!Number.isSafeInteger(id) || id < 1) throw notFound();
  return id;
}
