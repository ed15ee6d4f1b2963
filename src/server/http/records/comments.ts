import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { peopleTable } from '../../db/names.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { FileStore } from '../../services/files/store.ts';
import { mentionable, tellOfComment } from '../../services/notifications/comment_notices.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
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

/** Comments and attachments of any record: whoever may see the record may read and add, each person removes their own. */
export async function commentRoutes(
  app: FastifyInstance,
  { engine, screens, files, notifications }: CommentDeps,
): Promise<void> {
  /** The record named in the address, once the session may see it. */
  async function subject(
    request: FastifyRequest<{ Params: RecordParams }>,
  ): Promise<{ session: Session; screen: Screen; id: number; record: WireRecord; table: (name: string) => string }> {
    const { session } = request;
    const screen = screens(session).get(request.params.type);
    const id = Number(request.params.id);
    if (screen === undefined || !Number.isSafeInteger(id) || id < 1) throw notFound();
    authorize(session, screen, 'view_screen');
    const record = await engine.read(session, screen, id);
    return { session, screen, id, record, table: (name) => `"${session.tenant.schema}"."${name}"` };
  }

  for (const prefix of ['/tapi', '/api']) {
    app.get<{ Params: RecordParams }>(`${prefix}/:type/:id/comments`, async (request) => {
      const { session, screen, id, table } = await subject(request);
      const data = await session.tenant.db.query(
        `select c.id, c.text, c.at, c.by, u.name as by__label, c.by = $3 as mine
         from ${table('comment')} c left join ${peopleTable(session.tenant.schema)} u on u.id = c.by
         where c.record_type = $1 and c.record_id = $2 and c.deleted_at is null order by c.at desc, c.id desc limit 500`,
        [screen.name, id, session.userId],
      );
      return { data };
    });

    app.post<{ Params: RecordParams; Body: { text?: unknown } }>(
      `${prefix}/:type/:id/comments`,
      async (request, reply) => {
        const { session, screen, id, record, table } = await subject(request);
        const text = typeof request.body?.text === 'string' ? request.body.text.trim() : '';
        if (text === '') throw new AppError(422, 'invalid', 'Write something first.', { field: 'text' });
        if (text.length > LONGEST_COMMENT)
          throw new AppError(422, 'invalid', `At most ${LONGEST_COMMENT} characters.`, { field: 'text' });
        const rows = await session.tenant.db.query<{ id: number; at: string }>(
          `insert into ${table('comment')} (record_type, record_id, text, by) values ($1, $2, $3, $4) returning id, at`,
          [screen.name, id, text, session.userId],
        );
        // The comment is there; whoever cannot be told of it still finds it.
        await tellOfComment(notifications, session, screen, record, text).catch((error: unknown) =>
          request.log.error({ err: error }, 'A comment could not be told.'),
        );
        return reply
          .code(201)
          .send({ data: { ...rows[0], text, by: session.userId, by__label: session.userName, mine: true } });
      },
    );

    // Whom a comment may name, while it is written.
    app.get<{ Params: RecordParams; Querystring: { q?: string } }>(`${prefix}/:type/:id/mentions`, async (request) => {
      const { session, record } = await subject(request);
      return { data: await mentionable(session, record, String(request.query.q ?? '').slice(0, 60)) };
    });

    app.delete<{ Params: PartParams }>(`${prefix}/:type/:id/comments/:part`, async (request, reply) => {
      const { session, screen, id, table } = await subject(request);
      const rows = await session.tenant.db.query(
        `update ${table('comment')} set deleted_at = now()
         where id = $1 and record_type = $2 and record_id = $3 and by = $4 and deleted_at is null returning id`,
        [partId(request.params.part), screen.name, id, session.userId],
      );
      if (rows.length === 0) throw notFound();
      return reply.code(204).send();
    });

    app.get<{ Params: RecordParams }>(`${prefix}/:type/:id/attachments`, async (request) => {
      const { session, screen, id, table } = await subject(request);
      const data = await session.tenant.db.query(
        `select a.id, a.file_id, f.name, f.size, f.type, a.at, a.by, u.name as by__label, a.by = $3 as mine
         from ${table('attachment')} a join ${table('file')} f on f.id = a.file_id left join ${peopleTable(session.tenant.schema)} u on u.id = a.by
         where a.record_type = $1 and a.record_id = $2 order by a.at desc, a.id desc limit 500`,
        [screen.name, id, session.userId],
      );
      return { data };
    });

    app.post<{ Params: RecordParams }>(`${prefix}/:type/:id/attachments`, async (request, reply) => {
      const { session, screen, id, table } = await subject(request);
      const upload = await request.file();
      if (upload === undefined) throw new AppError(400, 'bad_request', 'Choose a file to attach.', { field: 'file' });
      const file = await files.save(session, upload.filename, upload.file, null);
      const rows = await session.tenant.db.query<{ id: number; at: string }>(
        `insert into ${table('attachment')} (record_type, record_id, file_id, by) values ($1, $2, $3, $4) returning id, at`,
        [screen.name, id, file.id, session.userId],
      );
      const data = {
        ...rows[0],
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
      const { session, screen, id, table } = await subject(request);
      const rows = await session.tenant.db.query(
        `delete from ${table('attachment')} where id = $1 and record_type = $2 and record_id = $3 and (by = $4 or $5) returning id`,
        [
          partId(request.params.part),
          screen.name,
          id,
          session.userId,
          session.rights.refuse(screen, 'edit_screen') === null,
        ],
      );
      if (rows.length === 0) throw notFound();
      return reply.code(204).send();
    });
  }
}

function partId(text: string): number {
  const id = Number(text);
  if (!Number.isSafeInteger(id) || id < 1) throw notFound();
  return id;
}
