import { AppError } from '../../db/errors.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { CHAPTER, MANUAL } from './manual.ts';

interface Draft {
  id: number;
  batch_value: string;
}

/** The draft of a manual's next version, with all chapters; an existing draft is reused. */
export async function draftOf(unit: Unit, manualId: number): Promise<Draft> {
  const manual = await unit.read(MANUAL, manualId, { lock: true });
  const [open] = await unit.query<Draft>(
    `select id, batch_value from {user_manual} where active and manual_no = $1 and language = $2 and state in ('draft', 'review') order by version_no desc limit 1`,
    [manual.manual_no, manual.language],
  );
  if (open) return open;
  const [last] = await unit.query<{ version: number }>(
    'select max(version_no)::int as version from {user_manual} where manual_no = $1',
    [manual.manual_no],
  );
  const kept = ['manual_no', 'title', 'product', 'language', 'audience', 'summary'];
  const made = await unit.create(MANUAL, {
    ...Object.fromEntries(kept.map((name) => [name, manual[name]])),
    version_no: (last?.version ?? 0) + 1,
  });
  const chapters = await unit.query<Record<string, unknown>>(
    'select sequence_no, heading, screen_code, body, video from {user_manual_chapter} where manual_id = $1 and active order by sequence_no, id',
    [manualId],
  );
  for (const chapter of chapters) await unit.create(CHAPTER, { ...chapter, manual_id: made.id });
  return { id: made.id, batch_value: String(made.batch_value) };
}

/**
 * The chapter to edit when somebody edits a published one: its copy in the draft of the next version. @throws AppError
 * 409
 */
export async function chapterOfDraft(
  unit: Unit,
  manualId: number,
  chapterId: number,
): Promise<{ chapter_id: number; batch_value: string }> {
  const draft = await draftOf(unit, manualId);
  const [twin] = await unit.query<{ id: number }>(
    `select d.id from {user_manual_chapter} d join {user_manual_chapter} c on c.id = $2 where d.manual_id = $1 and d.active and (lower(d.heading) = lower(c.heading) or d.sequence_no = c.sequence_no)
     order by (lower(d.heading) = lower(c.heading)) desc limit 1`,
    [draft.id, chapterId],
  );
  if (!twin)
    throw new AppError(
      409,
      'bad_state',
      `The draft ${draft.batch_value} no longer has this chapter. Add it there, or publish the draft first.`,
    );
  return { chapter_id: twin.id, batch_value: draft.batch_value };
}
