import type { Screen } from '../../../descriptor/types.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { quoted } from '../../db/names.ts';
import { clientSettings } from '../../services/settings/client_settings.ts';
import { excerpt } from './excerpt.ts';
import type { Manual } from './manual.ts';
import { MANUAL_COLUMNS, mayRead } from './manual.ts';

/** The maximum number of chapters in search results. */
const MAX_FOUND = 50;

/** What a search of the manuals found. */
interface Found {
  chapter_id: number;
  heading: string;
  excerpt: string;
  batch_value: string;
  manual: string;
}

/** The published manuals for a reader, and the chapters that contain all search words. `screen`: that of manuals. */
export async function manualsToRead(
  session: LiveSession,
  screen: Screen,
  q: string,
): Promise<{ manuals: (Manual & { chapters: number })[]; found: Found[] }> {
  const { db, schema } = session.tenant;
  const s = quoted(schema);
  const manuals = (
    await db.query<Manual & { chapters: number }>(
      `select ${MANUAL_COLUMNS}, (select count(*)::int from ${s}.user_manual_chapter c where c.manual_id = m.id and c.active) as chapters
       from ${s}.user_manual m where m.active and m.state = 'published' order by m.manual_no, m.version_no desc`,
    )
  ).filter((row) => mayRead(session, screen, row));
  const words = q
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return { manuals, found: [] };
  const found = await db.query<{ id: number; heading: string; body: string; manual_id: number }>(
    `select c.id, c.heading, c.body, c.manual_id from ${s}.user_manual_chapter c
     where c.active and c.manual_id = any($1) and (select bool_and(c.heading || ' ' || c.body ilike pattern) from unnest($2::text[]) pattern)
     order by (select bool_or(c.heading ilike pattern) from unnest($2::text[]) pattern) desc, c.manual_id, c.sequence_no limit ${MAX_FOUND}`,
    [manuals.map(({ id }) => id), words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`)],
  );
  const byId = new Map(manuals.map((manual) => [manual.id, manual]));
  return {
    manuals,
    found: found.map(({ id, heading, body, manual_id: manual }) => ({
      chapter_id: id,
      heading,
      excerpt: excerpt(body, words),
      batch_value: byId.get(manual)!.batch_value,
      manual: byId.get(manual)!.title,
    })),
  };
}

/** A manual with its chapters and the reader's feedback, a newer version, and all visible versions. */
export async function contentsOf(session: LiveSession, screen: Screen, manual: Manual) {
  const { tenant } = session;
  const s = quoted(tenant.schema);
  const [chapters, newer, versions] = await Promise.all([
    tenant.db.query(
      `select c.id, c.sequence_no, c.heading, c.screen_code, c.body, c.video, c.updated_at, f.useful, f.remark from ${s}.user_manual_chapter c
       left join lateral (select useful, remark from ${s}.manual_feedback f where f.chapter_id = c.id and f.user_id = $2 and f.active limit 1) f on true
       where c.manual_id = $1 and c.active order by c.sequence_no, c.id`,
      [manual.id, session.userId],
    ),
    tenant.db.query<Manual>(
      `select ${MANUAL_COLUMNS} from ${s}.user_manual m where m.active and m.manual_no = $1 and m.language = $2 and m.state = 'published' and m.version_no > $3 limit 1`,
      [manual.manual_no, manual.language, manual.version_no],
    ),
    tenant.db.query<Manual>(
      `select ${MANUAL_COLUMNS} from ${s}.user_manual m where m.active and m.manual_no = $1 order by m.version_no desc`,
      [manual.manual_no],
    ),
  ]);
  return {
    manual,
    chapters,
    newer: newer.find((row) => mayRead(session, screen, row))?.batch_value ?? null,
    versions: versions
      .filter((row) => mayRead(session, screen, row))
      .map(({ batch_value: batch, version_no: version, state }) => ({
        batch_value: batch,
        version_no: version,
        state,
      })),
    asks_readers: (await clientSettings(tenant)).manual_feedback,
  };
}

/** Counts a reading of a chapter. It does not change the chapter's version, so editors are not affected. */
export async function countRead({ tenant }: LiveSession, chapter: number): Promise<void> {
  await tenant.db.query(
    `update ${quoted(tenant.schema)}.user_manual_chapter set reads = coalesce(reads, 0) + 1 where id = $1`,
    [chapter],
  );
}

/** The reader's existing feedback on a chapter. */
export async function ownFeedback(
  { tenant, userId }: LiveSession,
  chapter: number,
): Promise<{ id: number; version: number } | null> {
  const [own] = await tenant.db.query<{ id: number; version: number }>(
    `select id, version from ${quoted(tenant.schema)}.manual_feedback where chapter_id = $1 and user_id = $2`,
    [chapter, userId],
  );
  return own ?? null;
}
