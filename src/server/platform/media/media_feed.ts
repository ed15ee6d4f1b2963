import { zoneOf } from '../../../descriptor/place.ts';
import type { MediaItem, MediaLayout } from '../../../domain/media_feed.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { quoted } from '../../db/names.ts';
import { placeOf } from '../../services/clock/client_day.ts';

export const MEDIA_TYPES = ['media_item', 'media_page_config', 'media_ack'];

const ANNOUNCED = 4;
/** The maximum age of announcements on Home, unless they are pinned or mandatory. */
const ANNOUNCED_DAYS = 30;

/** A stored item: its picture is a file. */
export type StoredMedia = Omit<MediaItem, 'cover'> & { cover: number | null; body: string | null };

/** A section of the page, as configured by the company. */
export interface MediaSection {
  title: string;
  layout: MediaLayout;
  filter_tags: string[] | null;
  max_items: number | null;
}

/** The items for a person in a company, newest first, pinned before. `where`: on `m`, the item, and `t.day`, today. */
export async function mediaFor(
  session: LiveSession,
  entityId: number,
  where = 'true',
  values: unknown[] = [],
): Promise<StoredMedia[]> {
  const s = quoted(session.tenant.schema);
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

/** The items shown on Home: mandatory first, then pinned or new. */
export async function announcements(session: LiveSession, entityId: number): Promise<StoredMedia[]> {
  const found = await mediaFor(
    session,
    entityId,
    `m.pinned_until >= t.day or m.publish_from > t.day - ${ANNOUNCED_DAYS} or coalesce(m.must_acknowledge, false)`,
  );
  const toRead = (item: StoredMedia) => item.must_acknowledge && !item.acknowledged;
  return found
    .filter((item) => toRead(item) || !item.must_acknowledge || item.pinned)
    .toSorted((a, b) => Number(toRead(b)) - Number(toRead(a)))
    .slice(0, ANNOUNCED);
}

/** The sections that a company has set up for its page. */
export function mediaSections({ tenant }: LiveSession, entityId: number): Promise<MediaSection[]> {
  const s = quoted(tenant.schema);
  return tenant.db.query<MediaSection>(
    `select x.title, x.layout, x.filter_tags, x.max_items from ${s}.media_page_config__sections x join ${s}.media_page_config c on c.id = x.parent_id
     where c.active and c.entity_id = $1 order by x.seq, x.id`,
    [entityId],
  );
}

/** The files of an item. */
export function mediaFiles(
  { tenant }: LiveSession,
  item: number,
): Promise<{ file: number; name: string; caption: string | null }[]> {
  const s = quoted(tenant.schema);
  return tenant.db.query<{ file: number; name: string; caption: string | null }>(
    `select x.file, f.name, x.caption from ${s}.media_item__files x join ${s}.file f on f.id = x.file where x.parent_id = $1 order by x.id`,
    [item],
  );
}

/** Records that a person has read an item, once. */
export async function acknowledge({ tenant, userId, entityId }: LiveSession, item: number): Promise<void> {
  const s = quoted(tenant.schema);
  await tenant.db.query(
    `insert into ${s}.media_ack (media_item_id, user_id, entity_id, created_by, updated_by) select $1, $2, $3, $2, $2
     where not exists (select 1 from ${s}.media_ack where media_item_id = $1 and user_id = $2 and active) on conflict do nothing`,
    [item, userId, entityId],
  );
}
