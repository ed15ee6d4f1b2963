import { zoneOf } from '../../../descriptor/place.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import type { FastifyInstance } from 'fastify';
import type { Screen } from '../../../descriptor/types.ts';
import type { MediaFeed, MediaItem, MediaLayout, MediaText } from '../../../domain/media_feed.ts';
import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import { quoted } from '../../db/names.ts';
import { AppError, notFound } from '../../db/errors.ts';
import { fileLink } from '../../services/files/signed_link.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';

export interface MediaRouteDeps {
  screens: (session: Session) => Map<string, Screen>;
  ensure(tenant: Tenant, types: string[]): Promise<unknown>;
  /** Key that signs file addresses. */
  fileKey: Buffer;
}

/** An item as it is stored: its picture is a file. */
type Item = Omit<MediaItem, 'cover'> & { cover: number | null; body: string | null };

interface Section {
  title: string;
  layout: MediaLayout;
  filter_tags: string[] | null;
  max_items: number | null;
}

const TYPES = ['media_item', 'media_page_config', 'media_ack'];
/** Where nobody has set up sections. */
const PLAIN: Section[] = [{ title: 'News', layout: 'cards', filter_tags: null, max_items: 24 }];
const ANNOUNCED = 4;
/** Announcements on Home are not older than this unless they are pinned or must be read. */
const ANNOUNCED_DAYS = 30;

/** The company's media as its people read them: what is published, today, for them. No right is needed to read. */
export async function mediaRoutes(app: FastifyInstance, { screens, ensure, fileKey }: MediaRouteDeps): Promise<void> {
  async function prepared(session: Session): Promise<{ s: string; entityId: number }> {
    if (session.tenant.schema === 'public' || !screens(session).has('media_item')) throw notFound();
    if (session.entityId === null)
      throw new AppError(400, 'bad_request', 'Choose a company first.', { field: 'entity_id' });
    await ensure(session.tenant, TYPES);
    return { s: quoted(session.tenant.schema), entityId: session.entityId };
  }

  const link = (session: Session, file: number) =>
    fileLink({ schema: session.tenant.schema, file, sid: session.sid }, fileKey);
  const picture = (session: Session, file: number | null) => (file === null ? null : link(session, file));

  /** What the person is to see, newest first, pinned before. */
  async function items(session: LiveSession, where = 'true', values: unknown[] = []): Promise<Item[]> {
    const { s, entityId } = await prepared(session);
    return session.tenant.db.query(
      `with today as (select (now() at time zone $5)::date as day), me as (select department_id from ${s}.employee where id = $6)
       select m.id, m.kind, m.title, m.body, left(btrim(regexp_replace(regexp_replace(coalesce(m.body, ''), '<[^>]*>', ' ', 'g'), '\\s+', ' ', 'g')), 200) as excerpt,
         m.cover, m.url, coalesce(m.tags, '{}') as tags, m.publish_from::text, coalesce(m.pinned_until >= t.day, false) as pinned, coalesce(m.must_acknowledge, false) as must_acknowledge,
         exists (select 1 from ${s}.media_ack a where a.media_item_id = m.id and a.user_id = $2 and a.active) as acknowledged
       from ${s}.media_item m, today t
       where m.active and m.entity_id = $1 and m.state = 'published' and m.publish_from <= t.day and coalesce(m.publish_to, t.day) >= t.day
         and (coalesce(cardinality(m.branch_ids), 0) = 0 or $3::bigint = any(m.branch_ids))
         and (coalesce(cardinality(m.role_ids), 0) = 0 or m.role_ids && $4::bigint[])
         and (coalesce(cardinality(m.department_ids), 0) = 0 or (select department_id from me) = any(m.department_ids))
         and (${where})
       order by coalesce(m.pinned_until >= t.day, false) desc, m.publish_from desc, m.id desc limit 300`,
      [
        entityId,
        session.userId,
        session.branchId,
        session.roleIds,
        zoneOf({ entityId }, placeOf(session).zones),
        session.employeeId,
        ...values,
      ],
    );
  }

  const told = (session: Session, { body: _body, cover, ...item }: Item): MediaItem => ({
    ...item,
    cover: picture(session, cover),
  });

  for (const prefix of ['/tapi', '/api']) {
    app.get(`${prefix}/media_feed`, async (request): Promise<{ data: MediaFeed }> => {
      const session = request.session as LiveSession;
      const { s, entityId } = await prepared(session);
      const all = await items(session);
      const own = await session.tenant.db.query<Section>(
        `select x.title, x.layout, x.filter_tags, x.max_items from ${s}.media_page_config__sections x join ${s}.media_page_config c on c.id = x.parent_id
         where c.active and c.entity_id = $1 order by x.seq, x.id`,
        [entityId],
      );
      const sections = (own.length > 0 ? own : PLAIN).map(({ title, layout, filter_tags: tags, max_items: most }) => ({
        title,
        layout,
        items: all
          .filter(
            (item) =>
              !tags ||
              tags.length === 0 ||
              item.tags.some((tag) => tags.some((wanted) => wanted.toLowerCase() === tag.toLowerCase())),
          )
          .slice(0, most ?? 6)
          .map((item) => told(session, item)),
      }));
      return {
        data: {
          sections: sections.filter((section) => section.items.length > 0),
          to_read: all.filter((item) => item.must_acknowledge && !item.acknowledged).map((item) => told(session, item)),
        },
      };
    });

    // What Home shows: to be read, pinned, or new.
    app.get(`${prefix}/media_feed/announcements`, async (request): Promise<{ data: MediaItem[] }> => {
      const session = request.session as LiveSession;
      if (session.tenant.schema === 'public' || session.entityId === null) return { data: [] };
      const found = await items(
        session,
        `m.pinned_until >= t.day or m.publish_from > t.day - ${ANNOUNCED_DAYS} or coalesce(m.must_acknowledge, false)`,
      );
      const toRead = (item: Item) => item.must_acknowledge && !item.acknowledged;
      const fresh = found.filter((item) => toRead(item) || !item.must_acknowledge || item.pinned);
      return {
        data: fresh
          .toSorted((a, b) => Number(toRead(b)) - Number(toRead(a)))
          .slice(0, ANNOUNCED)
          .map((item) => told(session, item)),
      };
    });

    app.get<{ Params: { id: string } }>(`${prefix}/media_feed/:id`, async (request): Promise<{ data: MediaText }> => {
      const session = request.session as LiveSession;
      const { item, s } = await one(session, request.params.id);
      const files = await session.tenant.db.query<{ file: number; name: string; caption: string | null }>(
        `select x.file, f.name, x.caption from ${s}.media_item__files x join ${s}.file f on f.id = x.file where x.parent_id = $1 order by x.id`,
        [item.id],
      );
      return {
        data: {
          ...told(session, item),
          body: item.body,
          files: files.map(({ file, name, caption }) => ({ name, caption, url: link(session, file) })),
        },
      };
    });

    app.post<{ Params: { id: string } }>(`${prefix}/media_feed/:id/acknowledge`, async (request, reply) => {
      const session = request.session as LiveSession;
      const { item, s } = await one(session, request.params.id);
      if (!item.must_acknowledge) throw new AppError(409, 'bad_state', 'This need not be confirmed.');
      await session.tenant.db.query(
        `insert into ${s}.media_ack (media_item_id, user_id, entity_id, created_by, updated_by) select $1, $2, $3, $2, $2
         where not exists (select 1 from ${s}.media_ack where media_item_id = $1 and user_id = $2 and active) on conflict do nothing`,
        [item.id, session.userId, session.entityId],
      );
      return reply.code(204).send();
    });
  }

  async function one(session: LiveSession, id: string): Promise<{ item: Item; s: string }> {
    const { s } = await prepared(session);
    if (!/^\d{1,15}$/.test(id)) throw notFound();
    const [item] = await items(session, 'm.id = $7', [Number(id)]);
    if (!item) throw notFound();
    return { item, s };
  }
}
