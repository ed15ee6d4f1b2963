import { readFile } from 'node:fs/promises';
import { cleanUp, speechSeconds } from '../../../domain/transcript/clean_up.ts';
import type { Heard, Segment } from '../../../domain/transcript/segment.ts';
import { readSubtitles, SubtitleError } from '../../../domain/transcript/subtitles.ts';
import type { Screen } from '../../../descriptor/types.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Queryable } from '../../db/database.ts';
import { childTable, quoted } from '../../db/names.ts';
import { ensureTables } from '../../db/tenants.ts';
import type { Vault } from '../../db/vault.ts';
import { AppError } from '../../db/errors.ts';
import type { FileStore } from '../../services/files/store.ts';
import type { Jobs } from '../../services/jobs/jobs.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import type { EngineSettings } from './engine.ts';
import { EngineError, transcribe } from './engine.ts';

export type TranscriptionState =
  | 'uploaded'
  | 'queued'
  | 'running'
  | 'done'
  | 'reviewed'
  | 'failed'
  | 'cancelled'
  | 'expired';

/** How far each step has come when it begins, in percent of the whole: an engine answers once, so that these are steps, not time. */
const STEPS = { waiting: 0, sending: 5, recognising: 40, storing: 90 };
type Step = keyof typeof STEPS;

export interface TranscriptionDeps {
  jobs: Jobs;
  files: FileStore;
  notifications: Notifications;
  screens: () => ReadonlyMap<string, Screen>;
  vault: Vault;
  /** Open pages hear that a record changed. */
  told(tenant: Tenant, id: number, entityId: number | null): void;
}

interface Row {
  id: number;
  version: number;
  entity_id: number;
  title: string;
  file: number | null;
  state: TranscriptionState;
  language: string;
  owner_id: number;
}

export const TYPE = 'transcription';
const JOB = 'transcribe';
const SPEECH = /^(audio|video)\//;
/** Longest recording, in seconds. */
const MOST_SECONDS = 4 * 3600;
const MOST_TEXT_BYTES = 5 * 1024 * 1024;
/** How often a running engine is asked for in the record: it may have been cancelled. In ms. */
const LOOK_MS = 2_000;
/** While another recording is heard in this process, a further one waits so long, in ms. */
const WAIT_MS = 20_000;
export const NO_ENGINE =
  'No transcription engine is configured. Upload a transcript (.vtt, .srt, .txt) or ask your administrator. (Settings, Transcription engine.)';

/** Nothing is done any more. How far one has come is no change of it: the history leaves both out. */
export const ENDED = { step: null, progress: null };

type Queue = (job: string, args: Record<string, unknown>, key: string) => unknown;

export interface Transcriptions {
  /**
   * What becomes of a recording that is being stored: a transcript is read at once, speech waits for the engine. `queue`
   * has a job run when it is stored.
   */
  intake(tenant: Tenant, id: number, userId: number, queue: Queue): Promise<void>;
  /** @throws AppError 409 without an engine, or in another state */
  start(tenant: Tenant, id: number, userId: number, from: TranscriptionState[]): Promise<void>;
  /** Moves a record from one of the states. @throws AppError 409 when it is in another */
  move(
    tenant: Tenant,
    id: number,
    from: TranscriptionState[],
    set: Record<string, unknown>,
    by: { userId: number | null; what: string },
  ): Promise<number>;
  engineOf(
    tenant: Tenant,
  ): Promise<
    | (EngineSettings & { retentionDays: number; keepText: boolean })
    | { url: null; retentionDays: number; keepText: boolean }
  >;
}

/** Recordings on their way to text (platform_admin.md §4.5, §5.9). */
export function createTranscriptions({
  jobs,
  files,
  notifications,
  screens,
  vault,
  told,
}: TranscriptionDeps): Transcriptions {
  let busy = false;

  async function rowOf(tenant: Tenant, id: number): Promise<Row | undefined> {
    const [row] = await tenant.db.query<Row>(
      `select id, version, entity_id, title, file, state, language, owner_id from ${quoted(tenant.schema)}.transcription where id = $1 and active`,
      [id],
    );
    return row;
  }

  async function engineOf(tenant: Tenant) {
    await ensureTables(tenant, screens(), ['transcription_setting', TYPE]);
    const [row] = await tenant.db.query<{
      url: string | null;
      format: EngineSettings['format'];
      api_key: string | null;
      model: string | null;
      timeout_minutes: number;
      retention_days: number;
      keep_text: boolean;
    }>(
      `select url, format, api_key, model, timeout_minutes, retention_days, keep_text from ${quoted(tenant.schema)}.transcription_setting where active order by id limit 1`,
    );
    const keeping = { retentionDays: row?.retention_days ?? 365, keepText: row?.keep_text ?? true };
    return row?.url
      ? {
          ...keeping,
          url: row.url,
          format: row.format,
          apiKey: vault.open(row.api_key, 'transcription_setting.api_key'),
          model: row.model,
          timeoutMinutes: row.timeout_minutes,
        }
      : { ...keeping, url: null };
  }

  /** Sets fields in one statement, with the history; the children are written in the same transaction. */
  async function move(
    tenant: Tenant,
    id: number,
    from: TranscriptionState[],
    set: Record<string, unknown>,
    by: { userId: number | null; what: string },
    inside?: (tx: Queryable) => Promise<void>,
  ): Promise<number> {
    const s = quoted(tenant.schema);
    const names = Object.keys(set);
    const done = await tenant.db.transaction(async (tx) => {
      const [old] = await tx.query<Record<string, unknown> & { version: number; entity_id: number }>(
        `select * from ${s}.transcription where id = $1 and active for update`,
        [id],
      );
      if (!old) throw new AppError(404, 'not_found', 'This recording is not there any more.');
      if (!from.includes(old.state as TranscriptionState))
        throw new AppError(
          409,
          'bad_state',
          `This transcription is ${String(old.state)}; that is possible only while it is ${from.join(' or ')}.`,
        );
      await inside?.(tx);
      const [row] = await tx.query<{ version: number }>(
        `update ${s}.transcription set ${names.map((name, at) => `${quoted(name)} = $${at + 3}`).join(', ')}, version = version + 1, updated_at = now(), updated_by = coalesce($2, updated_by) where id = $1 returning version`,
        [id, by.userId, ...names.map((name) => set[name])],
      );
      const change = Object.fromEntries(
        names
          .filter((name) => !(name in ENDED) && old[name] !== set[name])
          .map((name) => [name, [old[name] ?? null, set[name] ?? null]]),
      );
      await tx.query(
        `insert into ${s}.history (record_type, record_id, entity_id, version, op, by, what, change) values ($1, $2, $3, $4, 'U', $5, $6, $7)`,
        [TYPE, id, old.entity_id, row!.version, by.userId, by.what, JSON.stringify(change)],
      );
      return { version: row!.version, entityId: old.entity_id };
    });
    told(tenant, id, done.entityId);
    return done.version;
  }

  /** Says how far a running one has come, beside the record: whoever has it open goes on with the version they have. */
  function reporter(tenant: Tenant, { id, entity_id: entityId }: Row): (step: Step, progress: number) => Promise<void> {
    let before = Promise.resolve();
    return (step, progress) =>
      (before = before
        .then(async () => {
          const rows = await tenant.db.query(
            `update ${quoted(tenant.schema)}.transcription set step = $2, progress = $3 where id = $1 and state = 'running' returning id`,
            [id, step, progress],
          );
          if (rows.length > 0) told(tenant, id, entityId);
        })
        .catch(() => undefined));
  }

  /** Turns what was sent of a recording into what its record says, percent by percent. */
  function sending(report: ReturnType<typeof reporter>): (part: number) => void {
    let last: number = STEPS.sending;
    return (part) => {
      const now = Math.floor(STEPS.sending + part * (STEPS.recognising - STEPS.sending));
      if (now === last) return;
      last = now;
      void report(now < STEPS.recognising ? 'sending' : 'recognising', now);
    };
  }

  /** Writes the text, once it is there. */
  async function finish(
    tenant: Tenant,
    row: Row,
    heard: Heard[],
    from: TranscriptionState[],
    more: { engine: string; durationS: number | null; language?: string | null },
    by: { userId: number | null; what: string },
  ): Promise<void> {
    const { segments, removed } = cleanUp(heard);
    if (segments.length === 0) {
      await move(
        tenant,
        row.id,
        from,
        {
          ...ENDED,
          state: 'failed',
          note: 'No speech was found in this recording.',
          engine: more.engine,
          removed,
          duration_s: more.durationS,
        },
        by,
      );
      await tell(tenant, row, false, 'No speech was found in this recording.');
      return;
    }
    const last = Math.ceil(Math.max(...segments.map(({ endMs }) => endMs)) / 1000);
    const { retentionDays } = await engineOf(tenant);
    const [day] = await tenant.db.query<{ until: string }>(
      `select ((now() at time zone $1)::date + $2::int)::text as until`,
      [tenant.timezone, retentionDays],
    );
    await move(
      tenant,
      row.id,
      from,
      {
        ...ENDED,
        state: 'done',
        note: null,
        progress: 100,
        engine: more.engine,
        duration_s: more.durationS ?? last,
        speech_s: speechSeconds(segments),
        removed,
        retention_until: day!.until,
      },
      by,
      (tx) => writeText(tx, tenant, row.id, segments),
    );
    await tell(tenant, row, true, `${segments.length} lines${removed > 0 ? `, ${removed} left out` : ''}.`);
  }

  async function tell(tenant: Tenant, row: Row, done: boolean, detail: string): Promise<void> {
    await tenant.db.transaction((tx) =>
      notifications.notify(tx, tenant, {
        event: done ? 'transcription.done' : 'transcription.failed',
        to: [row.owner_id],
        values: { title: row.title, detail },
        entityId: row.entity_id,
        record: { type: TYPE, id: row.id },
        link: done ? `/AI_Transcription/play/${row.id}` : `/AI_Transcription/edit/${row.id}`,
      }),
    );
  }

  /** A transcript instead of speech: read at once. @returns false for a recording */
  async function readTranscript(tenant: Tenant, row: Row, userId: number): Promise<boolean> {
    const { file, path } = await files.open(tenant, row.file!);
    if (SPEECH.test(file.type)) return false;
    const by = { userId, what: 'transcript' };
    try {
      if (!file.type.startsWith('text/'))
        throw new SubtitleError(
          'This is neither a recording nor a transcript. Choose an mp3, m4a, wav, ogg, webm or mp4 file, or a .srt, .vtt or .txt file.',
        );
      if (file.size > MOST_TEXT_BYTES) throw new SubtitleError('A transcript has at most 5 MB.');
      const heard = readSubtitles(await readFile(path, 'utf8'), file.name);
      await finish(
        tenant,
        row,
        heard,
        ['uploaded', 'failed', 'cancelled'],
        { engine: `file ${file.name}`.slice(0, 60), durationS: null },
        by,
      );
    } catch (error) {
      if (!(error instanceof SubtitleError)) throw error;
      await move(tenant, row.id, ['uploaded', 'failed', 'cancelled'], { state: 'failed', note: error.message }, by);
    }
    return true;
  }

  jobs.define({
    name: JOB,
    title: 'Turn recordings into text',
    retrySeconds: [30, 120],
    leaseSeconds: 300,
    run: async ({ tenant, payload, attempt, signal }) => {
      const id = Number(payload.id);
      const row = tenant && (await rowOf(tenant, id));
      if (!tenant || !row || !['queued', 'running'].includes(row.state))
        return 'Nothing to do: it was cancelled, or is done.';
      // One recording at a time in a process, so that other jobs are not held up.
      if (busy) {
        await jobs.enqueue(tenant.schema, JOB, { id }, { key: `later ${id}`, runAt: new Date(Date.now() + WAIT_MS) });
        return 'Another recording is being heard; this one waits.';
      }
      busy = true;
      const report = reporter(tenant, row);
      const stop = new AbortController();
      const looking = setInterval(() => {
        void rowOf(tenant, id).then(
          (now) => now?.state === 'running' || stop.abort(new EngineError('It was cancelled.')),
          () => undefined,
        );
      }, LOOK_MS);
      try {
        const engine = await engineOf(tenant);
        if (engine.url === null) throw new EngineError(NO_ENGINE);
        await move(
          tenant,
          id,
          ['queued', 'running'],
          { state: 'running', note: attempt > 1 ? `Try ${attempt}.` : null, step: 'sending', progress: STEPS.sending },
          { userId: null, what: 'job' },
        );
        const { file, path } = await files.open(tenant, row.file!);
        const { heard, durationS } = await transcribe(
          engine,
          { path, name: file.name, type: file.type, language: row.language },
          AbortSignal.any([signal, stop.signal]),
          sending(report),
        );
        await report('storing', STEPS.storing);
        if ((durationS ?? 0) > MOST_SECONDS)
          throw new EngineError('The recording is longer than 4 hours. Cut it into parts.');
        await finish(
          tenant,
          row,
          heard,
          ['running'],
          {
            engine: `${new URL(engine.url).hostname}${engine.model ? ` ${engine.model}` : ''}`.slice(0, 60),
            durationS,
          },
          { userId: null, what: 'job' },
        );
        return `Recording ${id} has its text.`;
      } catch (error) {
        const now = await rowOf(tenant, id);
        if (now?.state !== 'running' && now?.state !== 'queued') return 'It was cancelled.';
        // The server stops: the run is taken up by another process, or by this one when it is back.
        if (signal.aborted) throw error;
        const message =
          error instanceof EngineError || error instanceof AppError
            ? error.message
            : 'The transcription failed for an unknown reason. Try again, or ask your administrator.';
        if (error instanceof EngineError && error.transient && attempt <= 2) {
          await report('waiting', STEPS.waiting);
          throw error;
        }
        await move(
          tenant,
          id,
          ['queued', 'running'],
          { ...ENDED, state: 'failed', note: message.slice(0, 500) },
          { userId: null, what: 'job' },
        );
        await tell(tenant, row, false, message);
        if (error instanceof EngineError || error instanceof AppError) return message;
        throw error;
      } finally {
        clearInterval(looking);
        busy = false;
      }
    },
  });

  jobs.define({
    name: 'transcription_retention',
    title: 'Delete recordings whose time is over',
    cron: '20 3 * * *',
    run: async ({ tenant }) => {
      if (!tenant) return undefined;
      const [made] = await tenant.db.query<{ there: boolean }>(`select to_regclass($1) is not null as there`, [
        `${quoted(tenant.schema)}.transcription`,
      ]);
      if (!made?.there) return 'No recordings.';
      const { keepText } = await engineOf(tenant);
      const rows = await tenant.db.query<Row>(
        `select id, version, entity_id, title, file, state, language, owner_id from ${quoted(tenant.schema)}.transcription where state in ('done', 'reviewed') and retention_until < (now() at time zone $1)::date`,
        [tenant.timezone],
      );
      for (const row of rows) {
        await move(
          tenant,
          row.id,
          ['done', 'reviewed'],
          {
            state: 'expired',
            file: null,
            note: keepText ? 'The recording was deleted; its text stays.' : 'The recording and its text were deleted.',
          },
          { userId: null, what: 'job' },
          async (tx) => {
            if (!keepText)
              await tx.query(`delete from ${childTable(tenant.schema, TYPE, 'segments')} where parent_id = $1`, [
                row.id,
              ]);
          },
        );
        if (row.file !== null) await files.remove(tenant, row.file);
      }
      return `${rows.length} recordings deleted.`;
    },
  });

  async function begin(
    tenant: Tenant,
    id: number,
    userId: number,
    from: TranscriptionState[],
    queue: Queue,
  ): Promise<void> {
    const row = await rowOf(tenant, id);
    if (!row) throw new AppError(404, 'not_found', 'This recording is not there any more.');
    if (row.file === null) throw new AppError(422, 'invalid', 'Upload the recording first.', { field: 'file' });
    if (from.includes(row.state) && (await readTranscript(tenant, row, userId))) return;
    const { url } = await engineOf(tenant);
    if (url === null) throw new AppError(409, 'bad_state', NO_ENGINE);
    await move(
      tenant,
      id,
      from,
      { state: 'queued', note: null, step: 'waiting', progress: STEPS.waiting },
      { userId, what: 'action' },
    );
    await queue(JOB, { id }, String(id));
  }

  return {
    engineOf,
    move,
    start: (tenant, id, userId, from) =>
      begin(tenant, id, userId, from, (job, args, key) => jobs.enqueue(tenant.schema, job, args, { key, by: userId })),
    async intake(tenant, id, userId, queue) {
      const row = await rowOf(tenant, id);
      if (!row || row.state !== 'uploaded' || row.file === null) return;
      if (await readTranscript(tenant, row, userId)) return;
      const { url } = await engineOf(tenant);
      if (url === null) {
        // Said beside the record, not a change of it: whoever has just added it goes on with the version they have.
        await tenant.db.query(
          `update ${quoted(tenant.schema)}.transcription set note = $2 where id = $1 and state = 'uploaded'`,
          [id, NO_ENGINE],
        );
        return;
      }
      await begin(tenant, id, userId, ['uploaded'], queue);
    },
  };
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
