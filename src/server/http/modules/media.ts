import type { FastifyInstance } from 'fastify';
import type { Screen } from '../../../descriptor/types.ts';
import type { MediaFeed, MediaItem, MediaText } from '../../../domain/media_feed.ts';
import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { MediaSection, StoredMedia } from '../../platform/media/media_feed.ts';
import {
  MEDIA_TYPES,
  acknowledge,
  announcements,
  mediaFiles,
  mediaFor,
  mediaSections,
} from '../../platform/media/media_feed.ts';
import { fileLink } from '../../services/files/signed_link.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';

export interface MediaRouteDeps {
  screens: (session: Session) => Map<string, Screen>;
  ensure(tenant: Tenant, types: string[]): Promise<unknown>;
  /** Key that signs file addresses. */
  fileKey: Buffer;
}

/** The default sections. */
const PLAIN: MediaSection[] = [{ title: 'News', layout: 'cards', filter_tags: null, max_items: 24 }];

/** The company's media for its readers: the currently published items for this person. No right is needed to read. */
export async function mediaRoutes(app: FastifyInstance, { screens, ensure, fileKey }: MediaRouteDeps): Promise<void> {
  /** The company whose media the person reads. */
  async function companyOf(session: Session): Promise<number> {
    if (session.tenant.schema === 'public' || !screens(session).has('media_item')) throw notFound();
    if (session.entityId === null)
      throw new AppError(400, 'bad_request', 'Choose a company first.', { field: 'entity_id' });
    await ensure(session.tenant, MEDIA_TYPES);
    return session.entityId;
  }

  const link = (session: Session, file: number) =>
    fileLink({ schema: session.tenant.schema, file, sid: session.sid }, fileKey);
  const picture = (session: Session, file: number | null) => (file === null ? null : link(session, file));

  const items = async (session: LiveSession, where?: string, values?: unknown[]) =>
    mediaFor(session, await companyOf(session), where, values);

  const shown = (session: Session, { body: _body, cover, ...item }: StoredMedia): MediaItem => ({
    ...item,
    cover: picture(session, cover),
  });

  for (const prefix of ['/tapi', '/api']) {
    app.get(`${prefix}/media_feed`, async (request): Promise<{ data: MediaFeed }> => {
      const session = request.session as LiveSession;
      const all = await items(session);
      const own = await mediaSections(session, await companyOf(session));
      const sections = (own.length > 0 ? own : PLAIN).map(({ title, layout, filter_tags: tags, max_items: max }) => ({
        title,
        layout,
        items: all
          .filter(
            (item) =>
              !tags ||
              tags.length === 0 ||
              item.tags.some((tag) => tags.some((wanted) => wanted.toLowerCase() === tag.toLowerCase())),
          )
          .slice(0, max ?? 6)
          .map((item) => shown(session, item)),
      }));
      return {
        data: {
          sections: sections.filter((section) => section.items.length > 0),
          to_read: all
            .filter((item) => item.must_acknowledge && !item.acknowledged)
            .map((item) => shown(session, item)),
        },
      };
    });

    // The items on Home: mandatory, pinned, or new.
    app.get(`${prefix}/media_feed/announcements`, async (request): Promise<{ data: MediaItem[] }> => {
      const session = request.session as LiveSession;
      if (session.tenant.schema === 'public' || session.entityId === null) return { data: [] };
      const announced = await announcements(session, await companyOf(session));
      return { data: announced.map((item) => shown(session, item)) };
    });

    app.get<{ Params: { id: string } }>(`${prefix}/media_feed/:id`, async (request): Promise<{ data: MediaText }> => {
      const session = request.session as LiveSession;
      const item = await one(session, request.params.id);
      const files = await mediaFiles(session, item.id);
      return {
        data: {
          ...shown(session, item),
          body: item.body,
          files: files.map(({ file, name, caption }) => ({ name, caption, url: link(session, file) })),
        },
      };
    });

    app.post<{ Params: { id: string } }>(`${prefix}/media_feed/:id/acknowledge`, async (request, reply) => {
      const session = request.session as LiveSession;
      const item = await one(session, request.params.id);
      if (!item.must_acknowledge) throw new AppError(409, 'bad_state', 'This need not be confirmed.');
      await acknowledge(session, item.id);
      return reply.code(204).send();
    });
  }

  async function one(session: LiveSession, id: string): Promise<StoredMedia> {
    if (!/^\d{1,15}$/.test(id)) throw notFound();
    const [item] = await items(session, 'm.id = $7', [Number(id)]);
    if (!item) throw notFound();
    return item;
  }
}
