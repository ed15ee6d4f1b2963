import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { LiveSession } from '../../access/sessions/session_store.ts';
import { AppError, notFound } from '../../db/errors.ts';
import { quoted } from '../../db/names.ts';

export const MANUAL = 'user_manual';
export const CHAPTER = 'user_manual_chapter';
export const FEEDBACK = 'manual_feedback';

/** A manual as readers get it. */
export interface Manual {
  id: number;
  batch_value: string;
  manual_no: number;
  version_no: number;
  title: string;
  full_title: string;
  summary: string | null;
  product: string | null;
  language: string;
  audience: number[] | null;
  state: string;
  published_on: string | null;
}

export const MANUAL_COLUMNS =
  'm.id, m.batch_value, m.manual_no, m.version_no, m.title, m.full_title, m.summary, m.product, m.language, m.audience, m.state, m.published_on::text';
/** The condition that everybody may read a manual; older versions only at their own address. */
const PUBLIC_STATES = new Set(['published', 'superseded']);

/** Authors of manuals read all; others the ones published for them. `screen`: that of manuals. */
export function mayRead(session: LiveSession, screen: Screen, manual: Manual): boolean {
  if (session.rights.refuse(screen, 'edit_screen') === null) return true;
  if (!PUBLIC_STATES.has(manual.state)) return false;
  if (manual.product !== null && !session.rights.holdsProduct([manual.product])) return false;
  const audience = manual.audience ?? [];
  return audience.length === 0 || audience.some((role) => session.roleIds.includes(role));
}

/** By number and version (`M12-v3`) or id. @throws AppError 404 also if it is not for this reader */
export async function manualOf(session: LiveSession, screen: Screen, given: string): Promise<Manual> {
  const { db, schema } = session.tenant;
  const [row] = await db.query<Manual>(
    `select ${MANUAL_COLUMNS} from ${quoted(schema)}.user_manual m where m.active and ${/^\d{1,15}$/.test(given) ? 'm.id = $1::bigint' : 'lower(m.batch_value) = lower($1)'}`,
    [given],
  );
  if (!row || !mayRead(session, screen, row))
    throw new AppError(
      404,
      'not_found',
      'There is no such manual, or it is not for your role. Choose another from the list of manuals.',
    );
  return row;
}

/** A chapter with its manual. @throws AppError 404 also if it is not for this reader */
export async function chapterOf(
  session: LiveSession,
  screen: Screen,
  id: string,
): Promise<{ id: number; body: string; manual: Manual }> {
  const { db, schema } = session.tenant;
  const [row] = /^\d{1,15}$/.test(id)
    ? await db.query<{ id: number; body: string; manual_id: number }>(
        `select id, body, manual_id from ${quoted(schema)}.user_manual_chapter where id = $1 and active`,
        [id],
      )
    : [];
  if (!row) throw notFound();
  return { id: row.id, body: row.body, manual: await manualOf(session, screen, String(row.manual_id)) };
}

async function languageOf({ tenant, userId }: Session): Promise<string> {
  const [row] = await tenant.db.query<{ language: string | null }>(
    `select language from ${quoted(tenant.schema)}.users where id = $1`,
    [userId],
  );
  return row?.language ?? 'en';
}

/**
 * The chapter behind "?" of a screen: the latest published one, preferably in the reader's language, otherwise in
 * English.
 */
export async function chapterForScreen(
  session: LiveSession,
  screen: Screen,
  codes: readonly string[],
): Promise<{ batch_value: string; chapter_id: number } | null> {
  const { db, schema } = session.tenant;
  const s = quoted(schema);
  const rows = await db.query<Manual & { chapter_id: number }>(
    `select ${MANUAL_COLUMNS}, c.id as chapter_id from ${s}.user_manual_chapter c join ${s}.user_manual m on m.id = c.manual_id
     where c.active and m.active and m.state = 'published' and c.screen_code = any($1)
     order by (m.language = $2) desc, (m.language = 'en') desc, array_position($1, c.screen_code), m.published_on desc nulls last, m.version_no desc, c.sequence_no, c.id limit 50`,
    [codes, await languageOf(session)],
  );
  const found = rows.find((row) => mayRead(session, screen, row));
  return found ? { batch_value: found.batch_value, chapter_id: found.chapter_id } : null;
}
