import type { WireRecord } from '../../../descriptor/types.ts';
import { cleanUp, speechSeconds } from '../../../domain/transcript/clean_up.ts';
import type { Heard, Segment, TextLine } from '../../../domain/transcript/segment.ts';
import type { Session } from '../../access/context.ts';
import type { Queryable } from '../../db/database.ts';
import { AppError } from '../../db/errors.ts';
import { childTable, quoted } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';
import { queueWebhooks } from '../../services/live/webhook_events.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { transcriptionSettings } from './settings.ts';

export const TYPE = 'transcription';

/** The lines of a recording's text, in their order. */
export async function linesOf({ db, schema }: Tenant, id: number): Promise<TextLine[]> {
  return db.query<TextLine>(
    `select id, start_ms, end_ms, speaker, text, confidence, flag from ${childTable(schema, TYPE, 'segments')} where parent_id = $1 order by "position", id`,
    [id],
  );
}

const NO_SPEECH = 'No speech was found in this recording.';

/**
 * Completes the transcription of a recording with its text, or without one if nobody speaks; the person who uploaded it
 * is notified.
 */
export async function storeHeard(
  unit: Unit,
  recording: WireRecord,
  heard: Heard[],
  { engine, durationS }: { engine: string; durationS: number | null },
): Promise<void> {
  const { tenant } = unit.session;
  const { segments, removed } = cleanUp(heard);
  if (segments.length === 0) {
    await endWithout(unit, recording, NO_SPEECH, { engine, removed, duration_s: durationS });
    return;
  }
  const { retentionDays } = await transcriptionSettings(tenant);
  const [day] = await unit.query<{ until: string }>(`select ((now() at time zone $1)::date + $2::int)::text as until`, [
    tenant.timezone,
    retentionDays,
  ]);
  const finished = await unit.takeAuto(TYPE, recording.id, 'finish', {
    engine,
    duration_s: durationS ?? Math.ceil(Math.max(...segments.map(({ endMs }) => endMs)) / 1000),
    speech_s: speechSeconds(segments),
    removed,
    retention_until: day!.until,
  });
  if (!finished) return;
  await writeText(tenant.db, tenant, recording.id, segments);
  const left = removed > 0 ? `, ${removed} left out` : '';
  await notifyOwner(unit, recording, 'transcription.done', `${segments.length} lines${left}.`);
}

/** Ends the transcription of a recording without a text; the person who uploaded it is notified. */
export async function endWithout(
  unit: Unit,
  recording: WireRecord,
  note: string,
  more: Record<string, unknown> = {},
): Promise<void> {
  if (await unit.takeAuto(TYPE, recording.id, 'fail', { note: note.slice(0, 500), ...more }))
    await notifyOwner(unit, recording, 'transcription.failed', note);
}

function notifyOwner(
  unit: Unit,
  { id, owner_id: owner, title, entity_id: entityId }: WireRecord,
  event: 'transcription.done' | 'transcription.failed',
  detail: string,
): Promise<void> {
  return unit.notify({
    event,
    to: [owner as number],
    values: { title: String(title), detail },
    entityId: entityId as number,
    record: { type: TYPE, id },
    link: event === 'transcription.done' ? `/AI_Transcription/play/${id}` : `/AI_Transcription/edit/${id}`,
  });
}

/** Corrections: lines by id, and named speakers. */
export interface Corrections {
  version: number;
  segments: { id: number; text?: string; speaker?: string | null }[];
  rename: Record<string, string>;
}

/** Stores corrections of a text, with their history. @throws AppError 409 if somebody else changed it meanwhile, 422 */
export async function correctText(
  { tenant, userId }: Session,
  record: WireRecord,
  { version, segments, rename }: Corrections,
): Promise<void> {
  const s = quoted(tenant.schema);
  const table = childTable(tenant.schema, TYPE, 'segments');
  await tenant.db.transaction(async (tx) => {
    const [row] = await tx.query<{ version: number }>(
      `update ${s}.transcription set version = version + 1, updated_at = now(), updated_by = $3 where id = $1 and version = $2 returning version`,
      [record.id, version, userId],
    );
    if (!row)
      throw new AppError(
        409,
        'stale_version',
        'Somebody else changed this transcription in the meantime. Load it again; until then your text stays on the page.',
      );
    const change: Record<string, [unknown, unknown]> = {};
    const before = new Map(
      (
        await tx.query<TextLine>(
          `select id, start_ms, end_ms, speaker, text, confidence, flag from ${table} where parent_id = $1 and id = any($2)`,
          [record.id, segments.map(({ id }) => id)],
        )
      ).map((line) => [line.id, line]),
    );
    for (const given of segments) {
      const line = before.get(given.id);
      if (!line)
        throw new AppError(422, 'invalid', 'A line no longer exists. Load the page again.', {
          field: 'segments',
        });
      const text = given.text?.replace(/\s+/g, ' ').trim() ?? line.text;
      if (text === '') throw new AppError(422, 'invalid', 'A line cannot be empty.', { field: 'segments' });
      const speaker = given.speaker === undefined ? line.speaker : given.speaker?.trim() || null;
      if (text === line.text && speaker === line.speaker) continue;
      await tx.query(
        `update ${table} set text = $2, speaker = $3, flag = case when text = $2 then flag else 'edited' end where id = $1`,
        [line.id, text, speaker],
      );
      change[`segments.${line.start_ms}`] = [`${line.speaker ?? ''}: ${line.text}`, `${speaker ?? ''}: ${text}`];
    }
    for (const [from, to] of Object.entries(rename)) {
      await tx.query(`update ${table} set speaker = $3 where parent_id = $1 and speaker = $2`, [
        record.id,
        from,
        to.trim(),
      ]);
      change[`speaker ${from}`] = [from, to.trim()];
    }
    const speakers = childTable(tenant.schema, TYPE, 'speakers');
    // Names remain linked to their member.
    for (const [from, to] of Object.entries(rename))
      await tx.query(
        `update ${speakers} p set label = $3 where parent_id = $1 and label = $2 and not exists (select 1 from ${speakers} o where o.parent_id = $1 and lower(o.label) = lower($3) and o.id <> p.id)`,
        [record.id, from, to.trim()],
      );
    await tx.query(
      `delete from ${speakers} where parent_id = $1 and employee_id is null and label not in (select speaker from ${table} where parent_id = $1 and speaker is not null)`,
      [record.id],
    );
    await tx.query(
      `insert into ${speakers} (parent_id, "position", label) select $1, 100 + (row_number() over (order by min(x.start_ms)))::int, x.speaker from ${table} x where x.parent_id = $1 and x.speaker is not null
         and not exists (select 1 from ${speakers} o where o.parent_id = $1 and lower(o.label) = lower(x.speaker)) group by x.speaker`,
      [record.id],
    );
    await tx.query(
      `insert into ${s}.history (record_type, record_id, entity_id, version, op, by, what, change) values ($1, $2, $3, $4, 'U', $5, 'text', $6)`,
      [TYPE, record.id, record.entity_id, row.version, userId, JSON.stringify(change)],
    );
    await queueWebhooks(tx, tenant.schema, [[TYPE, record.id]]);
  });
}

async function writeText(tx: Queryable, { schema }: Tenant, id: number, segments: Segment[]): Promise<void> {
  const table = childTable(schema, TYPE, 'segments');
  await tx.query(`delete from ${table} where parent_id = $1`, [id]);
  await tx.query(
    `insert into ${table} (parent_id, "position", start_ms, end_ms, speaker, text, confidence, flag)
     select $1, x."position", x.start_ms, x.end_ms, x.speaker, x.text, x.confidence, x.flag from jsonb_to_recordset($2::jsonb) x("position" int, start_ms int, end_ms int, speaker text, text text, confidence int, flag text)`,
    [
      id,
      JSON.stringify(
        segments.map((line, position) => ({
          position,
          start_ms: line.startMs,
          end_ms: line.endMs,
          speaker: line.speaker,
          text: line.text.slice(0, 4000),
          confidence: line.confidence === null ? null : Math.round(line.confidence * 100),
          flag: line.flag,
        })),
      ),
    ],
  );
  const names = [...new Set(segments.flatMap(({ speaker }) => (speaker ? [speaker] : [])))].slice(0, 30);
  const speakers = childTable(schema, TYPE, 'speakers');
  await tx.query(`delete from ${speakers} where parent_id = $1`, [id]);
  await tx.query(
    `insert into ${speakers} (parent_id, "position", label) select $1, (n - 1)::int, label from unnest($2::text[]) with ordinality as v(label, n)`,
    [id, names],
  );
}
