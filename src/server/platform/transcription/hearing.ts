import type { Screen } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import { AppError } from '../../db/errors.ts';
import { quoted } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Vault } from '../../db/vault.ts';
import { systemSession } from '../../engine/events/system_session.ts';
import type { Engine } from '../../engine/records/engine.ts';
import type { Unit } from '../../engine/records/unit.ts';
import type { FileStore } from '../../services/files/store.ts';
import type { Jobs } from '../../services/jobs/jobs.ts';
import { EngineError, transcribe } from './engine.ts';
import type { Step } from './progress.ts';
import { STEPS } from './progress.ts';
import { NO_ENGINE, engineOf, transcriptionSettings } from './settings.ts';
import { TYPE, endWithout, storeHeard } from './text.ts';

export interface HearingDeps {
  jobs: Jobs;
  files: FileStore;
  engine: Engine;
  /** The screens as the session's client has them; read anew if they may be old. */
  screensOf: (session: Session) => Promise<ReadonlyMap<string, Screen>>;
  vault: Vault;
  /** Notifies open pages that a record changed. */
  announceChange(tenant: Tenant, id: number, entityId: number | null): void;
}

interface Row {
  id: number;
  entity_id: number;
  file: number | null;
  state: string;
  language: string;
  owner_id: number;
}

const COLUMNS = 'id, entity_id, file, state, language, owner_id';
const JOB = 'transcribe';
/** The maximum length of a recording, in seconds. */
const MAX_SECONDS = 4 * 3600;
/** The interval of checks for cancellation while an engine is running. In ms. */
const LOOK_MS = 2_000;
/** The delay of a further recording while another is being transcribed in this process, in ms. */
const WAIT_MS = 20_000;

/** The jobs that transcribe recordings, and that delete expired ones (platform_admin.md §4.5, §5.9). */
export function defineHearingJobs({ jobs, files, engine, screensOf, vault, announceChange }: HearingDeps): void {
  // One recording at a time per application, so that other jobs are not held up.
  let busy = false;

  async function rowOf(tenant: Tenant, id: number): Promise<Row | undefined> {
    const [row] = await tenant.db.query<Row>(
      `select ${COLUMNS} from ${quoted(tenant.schema)}.transcription where id = $1 and active`,
      [id],
    );
    return row;
  }

  /** The product's changes to a recording, in one transaction; as its owner, who alone may see it. */
  async function inUnit<T>(tenant: Tenant, row: Row, work: (unit: Unit) => Promise<T>): Promise<T> {
    const actor = systemSession(tenant, row.entity_id, row.owner_id);
    await screensOf(actor);
    return engine.transaction(
      actor,
      async (own) => {
        const unit = engine.unit(own);
        await unit.lock([{ type: TYPE, id: row.id }]);
        return work(unit);
      },
      { cause: 'job' },
    );
  }

  /**
   * Stores the progress of a running transcription without a new version, so that people with the record open are not
   * affected.
   */
  function reporter(tenant: Tenant, { id, entity_id: entityId }: Row): (step: Step, progress: number) => Promise<void> {
    let before = Promise.resolve();
    return (step, progress) =>
      (before = before
        .then(async () => {
          const rows = await tenant.db.query(
            `update ${quoted(tenant.schema)}.transcription set step = $2, progress = $3 where id = $1 and state = 'running' returning id`,
            [id, step, progress],
          );
          if (rows.length > 0) announceChange(tenant, id, entityId);
        })
        .catch(() => undefined));
  }

  /** Converts the fraction sent of a recording to its progress, percent by percent. */
  function sending(report: ReturnType<typeof reporter>): (part: number) => void {
    let last: number = STEPS.sending;
    return (part) => {
      const now = Math.floor(STEPS.sending + part * (STEPS.recognising - STEPS.sending));
      if (now === last) return;
      last = now;
      void report(now < STEPS.recognising ? 'sending' : 'recognising', now);
    };
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
      // One recording at a time per process, so that other jobs are not held up.
      if (busy) {
        await jobs.enqueue(tenant.schema, JOB, { id }, { key: `later ${id}`, runAt: new Date(Date.now() + WAIT_MS) });
        return 'Another recording is being transcribed; this one is waiting.';
      }
      busy = true;
      const report = reporter(tenant, row);
      const stop = new AbortController();
      let looking: NodeJS.Timeout | undefined;
      try {
        const settings = await engineOf(tenant, vault);
        if (settings === null) throw new EngineError(NO_ENGINE);
        const note = attempt > 1 ? `Try ${attempt}.` : null;
        if (!(await inUnit(tenant, row, (unit) => unit.takeAuto(TYPE, id, 'begin', { note }))))
          return 'It was cancelled.';
        // Only now: until the transition is stored, the record does not show that it is running.
        looking = setInterval(() => {
          void rowOf(tenant, id).then(
            (now) => now?.state === 'running' || stop.abort(new EngineError('It was cancelled.')),
            () => undefined,
          );
        }, LOOK_MS);
        const { file, path } = await files.open(tenant, row.file!);
        const { heard, durationS } = await transcribe(
          settings,
          { path, name: file.name, type: file.type, language: row.language },
          AbortSignal.any([signal, stop.signal]),
          sending(report),
        );
        await report('storing', STEPS.storing);
        if ((durationS ?? 0) > MAX_SECONDS)
          throw new EngineError('The recording is longer than 4 hours. Split it into parts.');
        const model = settings.model ? ` ${settings.model}` : '';
        const by = { engine: `${new URL(settings.url).hostname}${model}`.slice(0, 60), durationS };
        await inUnit(tenant, row, async (unit) => storeHeard(unit, await unit.read(TYPE, id), heard, by));
        return `Recording ${id} was transcribed.`;
      } catch (error) {
        const now = await rowOf(tenant, id);
        if (now?.state !== 'running' && now?.state !== 'queued') return 'It was cancelled.';
        // The server is stopping: another process, or this one after the restart, resumes the run.
        if (signal.aborted) throw error;
        const message =
          error instanceof EngineError || error instanceof AppError
            ? error.message
            : 'The transcription failed for an unknown reason. Try again, or ask your administrator.';
        if (error instanceof EngineError && error.transient && attempt <= 2) {
          await report('waiting', STEPS.waiting);
          throw error;
        }
        await inUnit(tenant, row, async (unit) => endWithout(unit, await unit.read(TYPE, id), message));
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
    title: 'Delete recordings after their retention period',
    cron: '20 3 * * *',
    run: async ({ tenant }) => {
      if (!tenant) return undefined;
      const [made] = await tenant.db.query<{ there: boolean }>(`select to_regclass($1) is not null as there`, [
        `${quoted(tenant.schema)}.transcription`,
      ]);
      if (!made?.there) return 'No recordings.';
      const { keepText } = await transcriptionSettings(tenant);
      const rows = await tenant.db.query<Row>(
        `select ${COLUMNS} from ${quoted(tenant.schema)}.transcription where state in ('done', 'reviewed', 'failed', 'cancelled') and retention_until < (now() at time zone $1)::date`,
        [tenant.timezone],
      );
      for (const row of rows) {
        const note = keepText
          ? 'The recording was deleted; its text stays.'
          : 'The recording and its text were deleted.';
        await inUnit(tenant, row, async (unit) => {
          if ((await unit.takeAuto(TYPE, row.id, 'expire', { note })) && !keepText)
            await unit.query('delete from {transcription.segments} where parent_id = $1', [row.id]);
        });
        if (row.file !== null) await files.remove(tenant, row.file);
      }
      return `${rows.length} recordings deleted.`;
    },
  });
}
