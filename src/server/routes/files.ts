import type { FastifyInstance } from 'fastify';
import { isMarkdown } from '../../descriptor/markdown.ts';
import type { Screen } from '../../descriptor/types.ts';
import type { Session, Tenant } from '../context.ts';
import { childTable, tableName } from '../db/tables.ts';
import { AppError, notFound } from '../errors.ts';
import { shownInline } from '../files/content_type.ts';
import { fileLink, readFileLink } from '../files/signed_link.ts';
import type { FileStore } from '../files/store.ts';
import type { Engine } from '../records/engine.ts';
import { isOwnOrBelow, maySendOwnPhoto, PEOPLE } from '../records/people.ts';
import { authorize } from '../sessions/authorize.ts';

export interface FileDeps {
  engine: Engine;
  screens: (session: Session) => Map<string, Screen>;
  files: FileStore;
  /** Key that signs file addresses. */
  key: Buffer;
  tenantOfSchema(schema: string): Promise<Tenant | null>;
}

const FILE_TYPES = new Set(['file', 'image', 'signature']);

/** A file named in a Markdown text: `![Lift](file:12)`. */
const IN_TEXT = (id: number) => `%](file:${id})%`;

/** Uploads for fields of a form, and the 60-second addresses by which a browser fetches a file. */
export async function fileRoutes(app: FastifyInstance, deps: FileDeps): Promise<void> {
  const { screens, files, key } = deps;

  for (const prefix of ['/tapi', '/api']) {
    app.post<{ Querystring: { for?: string } }>(`${prefix}/files`, async (request, reply) => {
      const target = fieldNamed(screens(request.session), request.query.for ?? '');
      if (target === null)
        throw new AppError(400, 'bad_request', 'Say which field the file is for: for=<type>.<field>.', { field: 'for' });
      const { session } = request;
      const page = session.rights.refuse(target.screen, 'add_screen') === null ? 'add_screen' : 'edit_screen';
      if (!maySendOwnPhoto(session, request.query.for!, screens(session))) authorize(session, target.screen, page);
      const upload = await request.file();
      if (upload === undefined) throw new AppError(400, 'bad_request', 'Choose a file.', { field: 'file' });
      const file = await files.save(session, upload.filename, upload.file, request.query.for!);
      if (target.image && !file.type.startsWith('image/'))
        throw new AppError(415, 'unsupported', 'This is not a picture. Use PNG, JPEG, WebP or GIF.');
      return reply.code(201).send({ data: file });
    });

    app.get<{ Params: { id: string } }>(`${prefix}/files/:id/link`, async (request) => {
      const { session } = request;
      const id = Number(request.params.id);
      if (!Number.isSafeInteger(id) || id < 1 || !(await maySee(session, id, deps))) throw notFound();
      return { url: fileLink({ schema: session.tenant.schema, file: id, sid: session.sid }, key) };
    });
  }

  app.get<{ Params: { address: string } }>('/files/:address', { config: { public: true } }, async (request, reply) => {
    const ticket = readFileLink(request.params.address, key);
    const tenant = ticket === null ? null : await deps.tenantOfSchema(ticket.schema);
    if (ticket === null || tenant === null || !tenant.active)
      throw new AppError(404, 'not_found', 'This address has expired. Open the file again from its record.');
    const { file, stream } = await files.open(tenant, ticket.file);
    const place = shownInline(file.type) ? 'inline' : 'attachment';
    return reply
      .type(shownInline(file.type) ? file.type : 'application/octet-stream')
      .header('content-length', file.size)
      .header('content-disposition', `${place}; filename*=UTF-8''${encodeURIComponent(file.name)}`)
      .header('content-security-policy', "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:")
      .header('cache-control', 'private, max-age=60')
      .send(stream());
  });
}

/** The screen and kind of `type.field` or `type.rows.field`. */
function fieldNamed(screens: Map<string, Screen>, path: string): { screen: Screen; rows: string | null; field: string; image: boolean; text: boolean } | null {
  const [type, first, second] = path.split('.');
  const screen = screens.get(type ?? '');
  const outer = screen?.fields.find((field) => field.name === first);
  const field = second === undefined ? outer : outer?.rows?.find((inner) => inner.name === second);
  if (screen === undefined || field === undefined) return null;
  const text = isMarkdown(field);
  if (!FILE_TYPES.has(field.type) && !text) return null;
  return { screen, rows: second === undefined ? null : first!, field: field.name, image: field.type !== 'file', text };
}

/**
 * A file is visible to whoever uploaded it and to those who may see a record that carries it,
 * by attachment or in a field.
 */
async function maySee(session: Session, id: number, { engine, screens }: FileDeps): Promise<boolean> {
  const { db, schema } = session.tenant;
  const [file] = await db.query<{ by: number; for_field: string | null }>(`select by, for_field from "${schema}"."file" where id = $1`, [id]);
  if (file === undefined) return false;
  if (file.by === session.userId) return true;
  const holders = await db.query<{ type: string; id: number }>(
    `select record_type as type, record_id as id from "${schema}"."attachment" where file_id = $1 limit 20`,
    [id],
  );
  const target = fieldNamed(screens(session), file.for_field ?? '');
  if (target !== null) {
    const { screen, rows, field, text } = target;
    const [table, column] = rows === null ? [tableName(schema, screen.name), 'id'] : [childTable(schema, screen.name, rows), 'parent_id'];
    const found = await db.query<{ id: number }>(`select ${column} as id from ${table} where "${field}" ${text ? 'like' : '='} $1 limit 20`, [text ? IN_TEXT(id) : id]);
    // Everybody sees the own picture and those of the own team, whatever the role says of members.
    if (screen.name === PEOPLE && rows === null && field === 'photo') for (const person of found) if (await isOwnOrBelow(session, person.id)) return true;
    holders.push(...found.map((row) => ({ type: screen.name, id: row.id })));
  }
  for (const holder of holders) {
    const screen = screens(session).get(holder.type);
    if (screen === undefined || session.rights.refuse(screen, 'view_screen') !== null) continue;
    const seen = await engine.read(session, screen, holder.id).then(
      () => true,
      () => false,
    );
    if (seen) return true;
  }
  return false;
}
