import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { fieldType } from '../../../descriptor/fieldtypes/registry.ts';
import type { Field, PageType, Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import { AppError, notFound } from '../../db/errors.ts';
import { shownInline } from '../../services/files/content_type.ts';
import { fieldNamed, maySeeFile } from '../../engine/records/file_sight.ts';
import { fileLink, readFileLink } from '../../services/files/signed_link.ts';
import type { Capture, FileStore, StoredFile } from '../../services/files/store.ts';
import type { Thumbnails } from '../../services/files/thumbnails.ts';
import type { UploadParts } from '../../services/files/upload_parts.ts';
import { PART_BYTES } from '../../services/files/upload_parts.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { maySendOwnPhoto } from '../../access/people/people.ts';
import { authorize } from '../../access/rights/authorize.ts';

export interface FileDeps {
  engine: Engine;
  /** Large files on their way. */
  parts: UploadParts;
  screens: (session: Session) => Map<string, Screen>;
  files: FileStore;
  thumbnails: Thumbnails;
  /** Key that signs file addresses. */
  key: Buffer;
  tenantOfSchema(schema: string): Promise<Tenant | null>;
}

/** Largest audio or video file, sent in parts. */
const MEDIA_MAX_BYTES = 500 * 1024 * 1024;

/** Whether a step of the type that people take asks for a field, `<type>.<field>`. */
function isAskedByStep({ workflow }: Screen, path: string): boolean {
  const field = path.split('.')[1];
  return workflow?.transitions.some(({ auto, ask }) => !auto && ask.some((one) => one.field === field)) ?? false;
}

/** What a device reports of a picture: `camera=1`, `place=13.0827,80.2707`. */
interface CaptureWords {
  camera?: string;
  place?: string;
}

function captureOf({ camera, place }: CaptureWords): Capture | null {
  if (camera !== '1') return null;
  const at = place === undefined ? null : fieldType('geo').parse(place, { name: 'place' } as Field);
  const value = at && 'value' in at ? (at.value as Capture['place'] | null) : null;
  return { camera: true, ...(value && { place: value }) };
}

/** Uploads for form fields, and the addresses, valid for 60 seconds, with which a browser loads a file. */
export async function fileRoutes(app: FastifyInstance, deps: FileDeps): Promise<void> {
  const { screens, files, thumbnails, parts, key } = deps;

  // Parts of large files are streamed; the size limit is enforced where they are written.
  if (!app.hasContentTypeParser('application/octet-stream'))
    app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload));

  /** The field of a file, if this person may fill it in. */
  function targetOf(session: Session, path = ''): NonNullable<ReturnType<typeof fieldNamed>> {
    const target = fieldNamed(screens(session), path);
    if (target === null)
      throw new AppError(400, 'bad_request', 'Say which field the file is for: for=<type>.<field>.', { field: 'for' });
    if (maySendOwnPhoto(session, path, screens(session))) return target;
    const may = (page: PageType) => session.rights.refuse(target.screen, page) === null;
    // Whoever takes a step that asks for the field, such as a signature, need not have the right to change records.
    const isRead = isAskedByStep(target.screen, path) && (may('view_screen') || may('approval_screen'));
    if (!isRead) authorize(session, target.screen, may('add_screen') ? 'add_screen' : 'edit_screen');
    return target;
  }

  async function mustBePicture({ tenant }: Session, { id, type }: StoredFile): Promise<void> {
    if (!type.startsWith('image/'))
      throw new AppError(415, 'unsupported', 'This is not a picture. Use PNG, JPEG, WebP or GIF.');
    await thumbnails.accept(tenant, id);
  }

  for (const prefix of ['/tapi', '/api']) {
    app.post<{ Querystring: { for?: string; camera?: string; place?: string } }>(
      `${prefix}/files`,
      async (request, reply) => {
        const { session } = request;
        const target = targetOf(session, request.query.for);
        const upload = await request.file();
        if (upload === undefined) throw new AppError(400, 'bad_request', 'Choose a file.', { field: 'file' });
        const capture = captureOf(request.query);
        const file = await files.save(session, upload.filename, upload.file, request.query.for!, { capture });
        if (target.image) await mustBePicture(session, file);
        return reply.code(201).send({ data: file });
      },
    );

    // A large file in parts: started, sent part by part, resumed after an interruption.
    app.post(
      `${prefix}/files/parts`,
      {
        schema: {
          body: {
            type: 'object',
            required: ['name', 'size', 'for'],
            properties: {
              name: { type: 'string', minLength: 1, maxLength: 500 },
              size: { type: 'integer', minimum: 1 },
              for: { type: 'string', maxLength: 200 },
              sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
              camera: { type: 'string', maxLength: 1 },
              place: { type: 'string', maxLength: 60 },
            },
          },
        },
      },
      async (request, reply) => {
        const { session, body } = request;
        const { name, size, for: path, sha256 } = body as { name: string; size: number; for: string; sha256?: string };
        const capture = captureOf(body as CaptureWords);
        const target = targetOf(session, path);
        if (size > MEDIA_MAX_BYTES)
          throw new AppError(413, 'too_large', `At most ${MEDIA_MAX_BYTES / 1024 / 1024} MB, of audio and video.`);
        const known = sha256 === undefined ? null : await files.known(session, path, sha256);
        if (known) {
          if (target.image) await mustBePicture(session, known);
          return { data: known };
        }
        const { upload, offset } = await parts.begin(session, {
          name,
          size,
          target: path,
          ...(sha256 && { sha256 }),
          ...(capture && { capture }),
        });
        return reply.code(201).send({ data: { upload_id: upload.id, offset, part: PART_BYTES } });
      },
    );
    app.get<{ Params: { upload_id: string } }>(`${prefix}/files/parts/:upload_id`, async (request) => {
      const { upload, offset } = await parts.find(request.session, request.params.upload_id);
      return { data: { upload_id: upload.id, name: upload.name, size: upload.size, offset, part: PART_BYTES } };
    });
    app.put<{ Params: { upload_id: string }; Querystring: { offset?: string } }>(
      `${prefix}/files/parts/:upload_id`,
      async (request, reply) => {
        const { session } = request;
        const { upload_id: id } = request.params;
        const { upload } = await parts.find(session, id);
        const target = targetOf(session, upload.target);
        // A last part whose response was lost is sent again as an empty one.
        const part = request.body ?? Readable.from([]);
        if (!isStream(part)) throw new AppError(415, 'unsupported', 'Send the part as application/octet-stream.');
        const offset = await parts.add(session, id, Number(request.query.offset ?? Number.NaN), part);
        if (offset < upload.size) return { data: { upload_id: id, offset } };
        try {
          const file = await files.save(session, upload.name, parts.content(session, id), upload.target, {
            mediaBytes: MEDIA_MAX_BYTES,
            wanted: upload.sha256,
            ...(upload.capture && { capture: upload.capture }),
          });
          if (target.image) await mustBePicture(session, file);
          return await reply.code(201).send({ data: file });
        } finally {
          await parts.remove(session, id);
        }
      },
    );
    app.delete<{ Params: { upload_id: string } }>(`${prefix}/files/parts/:upload_id`, async (request, reply) => {
      const { upload } = await parts.find(request.session, request.params.upload_id);
      await parts.remove(request.session, upload.id);
      return reply.code(204).send();
    });

    app.get<{ Params: { id: string }; Querystring: { size?: string } }>(`${prefix}/files/:id/link`, async (request) => {
      const { session } = request;
      const { size } = request.query;
      if (size !== undefined && size !== 'small')
        throw new AppError(400, 'bad_request', 'A picture is available in its original size, or with size=small.', {
          field: 'size',
        });
      const id = Number(request.params.id);
      if (!Number.isSafeInteger(id) || id < 1 || !(await maySeeFile(session, id, deps))) throw notFound();
      // Created now: a picture that cannot be reduced is reported here, where a page can continue without it.
      const small = size === 'small' && (await thumbnails.of(session.tenant, id)) !== null;
      return {
        url: fileLink({ schema: session.tenant.schema, file: id, sid: session.sid, ...(small && { small }) }, key),
      };
    });
  }

  app.get<{ Params: { address: string } }>('/files/:address', { config: { public: true } }, async (request, reply) => {
    const ticket = readFileLink(request.params.address, key);
    const tenant = ticket === null ? null : await deps.tenantOfSchema(ticket.schema);
    if (ticket === null || tenant === null || !tenant.active)
      throw new AppError(404, 'not_found', 'This address has expired. Open the file again from its record.');
    const { file, stream } = await files.open(tenant, ticket.file);
    const small = ticket.small ? await thumbnails.of(tenant, ticket.file) : null;
    if (small) return confine(reply, file.name, 'inline').type(small.type).send(Buffer.from(small.bytes));
    const place = shownInline(file.type) ? 'inline' : 'attachment';
    const part = partOf(request.headers.range, file.size);
    if (part === 'outside') return reply.code(416).header('content-range', `bytes */${file.size}`).send();
    confine(reply, file.name, place)
      .type(shownInline(file.type) ? file.type : 'application/octet-stream')
      .header('accept-ranges', 'bytes')
      .header('content-length', part === null ? file.size : part.end - part.start + 1);
    if (part !== null) reply.code(206).header('content-range', `bytes ${part.start}-${part.end}/${file.size}`);
    return reply.send(stream(part ?? undefined));
  });
}

/** A file as a page shows it: a picture as thumbnail, anything else as a download. */
export async function sendFile(
  reply: FastifyReply,
  tenant: Tenant,
  id: number,
  { files, thumbnails }: Pick<FileDeps, 'files' | 'thumbnails'>,
): Promise<FastifyReply> {
  const { file, stream } = await files.open(tenant, id);
  const small = await thumbnails.of(tenant, id);
  if (small) return confine(reply, file.name, 'inline').type(small.type).send(Buffer.from(small.bytes));
  return confine(reply, file.name, 'attachment').type('application/octet-stream').send(stream());
}

/** The headers of every file response: nothing in it is executed, and no shared cache stores it. */
function confine(reply: FastifyReply, name: string, place: 'inline' | 'attachment'): FastifyReply {
  return reply
    .header('content-disposition', `${place}; filename*=UTF-8''${encodeURIComponent(name)}`)
    .header(
      'content-security-policy',
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self'",
    )
    .header('cache-control', 'private, max-age=60');
}

/** The byte range requested by a player (RFC 9110, a single range); null = the whole file. */
function partOf(header: string | undefined, size: number): { start: number; end: number } | null | 'outside' {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return null;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return start > end || start >= size ? 'outside' : { start, end };
}

function isStream(body: unknown): body is AsyncIterable<Buffer> {
  return body !== null && typeof body === 'object' && Symbol.asyncIterator in body;
}
