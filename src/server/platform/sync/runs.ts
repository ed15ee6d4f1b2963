import { setTimeout as wait } from 'node:timers/promises';
import type { WireRecord } from '../../../descriptor/types.ts';
import { openedFields } from '../../../descriptor/opened_fields.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Queryable } from '../../db/database.ts';
import type { Directory } from '../../db/directory.ts';
import { openTenant } from '../../db/directory.ts';
import { childTable, tableName } from '../../db/names.ts';
import type { Vault } from '../../db/vault.ts';
import { AppError, notFound } from '../../db/errors.ts';
import { systemSession } from '../../engine/events/system_session.ts';
import type { Unit } from '../../engine/records/unit.ts';
import type { Jobs } from '../../services/jobs/jobs.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import { changedSince, greatest } from './changed_rows.ts';
import { startDueJobs, warnOfLateJobs } from './due_jobs.ts';
import { refuseWhileGoing } from './going_run.ts';
import type { Counts, Difference, Mapped, SyncJob } from './job.ts';
import { writingSession } from './job.ts';
import { keepRejects, writeCells } from './rejects.ts';
import { Guarded, checkLimits, limitsOf } from './run_limits.ts';
import { openSource } from './source.ts';
import type { OpenSource, RawRow, SourceDeps, SourceRow } from './source_kind.ts';
import { sourceMessage } from './source_messages.ts';
import type { TargetDeps } from './target.ts';
import { targetOf } from './target.ts';

export interface SyncRunsDeps extends SourceDeps, TargetDeps {
  jobs: Jobs;
  directory: Directory;
  notifications: Notifications;
  vault: Vault;
  /** Publishes to open browsers. */
  changed: (tenant: Tenant, type: string, id: number) => void;
}

export type Trigger = 'schedule' | 'manual' | 'api' | 'dry';

interface RunRow {
  id: number;
  name: string;
  job_id: number;
  trigger: Trigger;
  started_by: number | null;
  approved_by: number | null;
  rejected: number;
  deactivated: number;
}

/** The transitions that end a run. */
const ENDS = {
  succeeded: 'succeed',
  succeeded_with_rejects: 'succeed_with_rejects',
  failed: 'fail',
  stopped_by_guard: 'stop',
};
const MAX_LOGGED_ERRORS = 10;
/** How often a reading run checks whether it was cancelled. */
const LOOK_MS = 1_000;
const NO_COUNTS: Counts = { read: 0, inserted: 0, updated: 0, unchanged: 0, rejected: 0, deactivated: 0 };

class Cancelled extends Error {}

/**
 * Import jobs: started, run in the job queue, monitored, cancelled, and their rejected rows retried (platform_admin.md
 * §4.6, §5.10, §5.11).
 */
export class SyncRuns {
  readonly #deps: SyncRunsDeps;

  constructor(deps: SyncRunsDeps) {
    this.#deps = deps;
    deps.jobs.define({
      name: 'sync_run',
      title: 'Import from an external source',
      leaseSeconds: 180,
      run: ({ tenant, payload, signal }) => this.#execute(tenant!, Number(payload.run_id), signal),
    });
  }

  /**
   * Adds a run, which is then queued; without a person if scheduled. @throws AppError 409 while another one of the job
   * is active
   */
  async start(tenant: Tenant, jobId: number, trigger: Trigger, by: number | null): Promise<number> {
    const { engine, screensOf, ensure } = this.#deps;
    const actor = systemSession(tenant, null, by);
    const screens = await screensOf(actor);
    await ensure(tenant, ['sync_run', 'sync_reject']);
    const run = { job_id: jobId, trigger, started_by: by };
    return engine.transaction(actor, async ({ session }) => {
      const { code } = await engine.read(session, screens.get('sync_job')!, jobId);
      const { id } = await engine.create(session, screens.get('sync_run')!, { ...run, name: code }, 'action');
      return id;
    });
  }

  /** Starts the scheduled runs that are due. @returns their number */
  startDue(tenant: Tenant, now: Date): Promise<number> {
    return startDueJobs(tenant, now, (jobId) => this.start(tenant, jobId, 'schedule', null));
  }

  /** Warns once a day about jobs without success for two periods. @returns the number of jobs */
  warnOfLate(tenant: Tenant, now: Date): Promise<number> {
    return warnOfLateJobs(tenant, now, this.#deps.notifications);
  }

  /** What the product does to runs, in one unit of work. */
  async #inUnit<T>(tenant: Tenant, work: (unit: Unit) => Promise<T>): Promise<T> {
    const { engine, screensOf } = this.#deps;
    const actor = systemSession(tenant, null, null);
    await screensOf(actor);
    return engine.transaction(actor, (unit) => work(engine.unit(unit)), { cause: 'job' });
  }

  /** Takes the transition of a run that follows from its work. @returns false if it was cancelled */
  async #step(unit: Unit, run: Pick<RunRow, 'id' | 'job_id'>, name: string): Promise<boolean> {
    await unit.lock([
      { type: 'sync_job', id: run.job_id },
      { type: 'sync_run', id: run.id },
    ]);
    return unit.takeAuto('sync_run', run.id, name);
  }

  /** Retries a corrected row. @throws AppError 422 with the remaining errors */
  async retry(tenant: Tenant, by: number, reject: WireRecord, payload: Record<string, unknown> | null): Promise<void> {
    if (reject.state !== 'open') throw new AppError(409, 'bad_state', 'This row has already been imported.');
    const cells =
      payload ??
      Object.fromEntries(
        (reject.cells as { column: string; value: string | null }[]).map(({ column, value }) => [column, value]),
      );
    const job = await this.#job(tenant, reject.job_id as number);
    await refuseWhileGoing(tenant.db, tenant.schema, job.id);
    const target = await targetOf(this.#deps, tenant, job, by);
    const [mapped] = await target.map([{ row: Number(reject.row_no ?? 1), cells }]);
    const alone: SyncJob = { ...job, mode: job.mode === 'full' ? 'incremental' : job.mode };
    const plan = mapped ? await target.plan(alone, [mapped]) : null;
    const key = (mapped?.key ?? String(reject.key)).slice(0, 250);
    const { engine, screensOf } = this.#deps;
    const actor = systemSession(tenant, null, by);
    const screen = (await screensOf(actor)).get('sync_reject')!;
    const problem = await engine.transaction(actor, async (work) => {
      const unit = engine.unit(work);
      const { db, schema } = work.session.tenant;
      const stored = await unit.read('sync_reject', reject.id, { lock: true });
      if (plan && plan.rejected().length === 0)
        await db.transaction((tx) => plan.write(tx, `sync ${String(reject.run_id)}`, () => Promise.resolve()));
      const wrong = plan?.rejected()[0]?.errors.join(' ') ?? null;
      if (payload) {
        await unit.query('delete from {sync_reject.cells} where parent_id = $1', [reject.id]);
        await writeCells(db, schema, [{ id: reject.id, cells }]);
      }
      if (wrong === null) {
        if (!(await unit.takeAuto('sync_reject', reject.id, 'take', { key })))
          throw new AppError(409, 'bad_state', 'This row has already been imported.');
      } else {
        const open = openedFields(screen, ['error', 'key']);
        const set = { version: stored.version, error: wrong.slice(0, 2000), key };
        await engine.update(work.session, open, reject.id, set, 'action');
      }
      return wrong;
    });
    if (problem !== null) throw new AppError(422, 'invalid', problem, { field: 'cells' });
  }

  /** A source with decrypted credentials, only for its connection. */
  async source(tenant: Tenant, id: number): Promise<SourceRow> {
    const [row] = await tenant.db.query<SourceRow>(
      `select id, name, kind, file, sample, host, port, database_name, username, password, ssl, private_key, host_key, folder, statement_timeout_s, private_network, url, rows_at, next_at,
         coalesce((select json_agg(json_build_object('name', h.name, 'value', h.value) order by h."position") from ${childTable(tenant.schema, 'sync_source', 'headers')} h where h.parent_id = s.id), '[]') as headers
       from ${tableName(tenant.schema, 'sync_source')} s where id = $1`,
      [id],
    );
    if (!row) throw notFound();
    const { vault } = this.#deps;
    return {
      ...row,
      password: vault.open(row.password, 'sync_source.password'),
      private_key: vault.open(row.private_key, 'sync_source.private_key'),
      headers: row.headers.map(({ name, value }) => ({ name, value: vault.open(value, 'sync_source.headers.value') })),
    };
  }

  /** Stores the short result of a test with its source. */
  async keepTest({ db, schema }: Tenant, id: number, result: string): Promise<void> {
    await db.query(
      `update ${tableName(schema, 'sync_source')} set last_test_at = now(), last_test_result = $2 where id = $1`,
      [id, result.slice(0, 250)],
    );
  }

  async #job(tenant: Tenant, id: number): Promise<SyncJob> {
    const session = writingSession(tenant, 0, null, []);
    const screens = await this.#deps.screensOf(session);
    return (await this.#deps.engine.read(session, screens.get('sync_job')!, id)) as unknown as SyncJob;
  }

  async #execute(tenant: Tenant, id: number, signal: AbortSignal): Promise<string> {
    const runs = tableName(tenant.schema, 'sync_run');
    const [run] = await tenant.db.query<RunRow>(
      `select id, name, job_id, trigger, started_by, approved_by, rejected, deactivated from ${runs} where id = $1`,
      [id],
    );
    if (!run || !(await this.#inUnit(tenant, (unit) => this.#step(unit, run, 'begin'))))
      return 'The run was cancelled.';
    const dry = run.trigger === 'dry';
    const from = performance.now();
    let job: SyncJob | null = null;
    let outcome: Outcome;
    try {
      job = await this.#job(tenant, run.job_id);
      outcome = await this.#work(tenant, job, run, dry, signal);
    } catch (error) {
      if (error instanceof Cancelled) return 'Cancelled.';
      // The server is stopping: the queue gives the run to the next process.
      if (signal.aborted) throw error;
      const guarded = error instanceof Guarded;
      outcome = {
        state: guarded ? 'stopped_by_guard' : 'failed',
        counts: { ...NO_COUNTS, ...(guarded && error.counts) },
        error: sourceMessage(error).slice(0, 4000),
        rejected: [],
        differences: [],
        cursorFrom: null,
        cursorTo: null,
        columns: null,
        notes: [],
      };
    }
    await this.#finish(tenant, run, job, outcome, Math.round(performance.now() - from));
    return `${run.name}: ${outcome.state}.`;
  }

  async #work(tenant: Tenant, job: SyncJob, run: RunRow, dry: boolean, signal: AbortSignal): Promise<Outcome> {
    const { db, schema } = tenant;
    const runs = tableName(schema, 'sync_run');
    const stillWanted = async (on: Queryable = db): Promise<void> => {
      signal.throwIfAborted();
      const [row] = await on.query<{ state: string }>(`select state from ${runs} where id = $1`, [run.id]);
      if (row?.state !== 'running') throw new Cancelled();
    };
    const source = await this.source(tenant, job.source_id);
    const incremental = job.mode === 'incremental' && job.cursor_column !== null;
    const from = incremental
      ? { column: job.cursor_column!, value: job.cursor_value, overlapMinutes: job.overlap_minutes ?? 10 }
      : null;
    const by = run.approved_by ?? run.started_by ?? 0;
    const target = await targetOf(this.#deps, tenant, job, by);
    const opened = await openSource(this.#deps, tenant, source, {
      query: job.query,
      filePattern: job.file_pattern,
      from,
    });
    const rows: RawRow[] = [];
    let notes: string[] = [];
    const watch = watching(stillWanted, opened);
    try {
      notes = [...(opened.notes ?? []), ...columnsFit(job, opened)];
      for await (const some of opened.rows()) {
        rows.push(...some);
        await db.query(`update ${runs} set read = $2 where id = $1`, [run.id, rows.length]);
      }
    } catch (error) {
      throw watch.reason() ?? error;
    } finally {
      watch.stop();
      await opened.close();
    }
    await stillWanted();
    const fresh = from && !opened.sifted ? changedSince(rows, from) : rows;
    const mapped = await target.map(fresh);
    const plan = await target.plan(job, mapped);
    const cursorTo = incremental ? (greatest(fresh, job.cursor_column!) ?? job.cursor_value) : null;
    const rejected = () => plan.rejected();
    const found = { read: fresh.length, rejected: rejected().length, deactivated: plan.missing };
    if (!dry) checkLimits(await limitsOf(tenant, job), run, found, plan.active);
    let written:
      | { counts: Pick<Counts, 'inserted' | 'updated' | 'unchanged' | 'deactivated'>; differences: Difference[] }
      | undefined;
    try {
      await db.transaction(async (tx) => {
        written = await plan.write(tx, dry && job.target === 'list' ? '' : `sync ${run.id}`, () => stillWanted());
        if (dry) throw new DryRun();
        // In the same lock order as a cancellation.
        await tx.query(`select 1 from ${tableName(schema, 'sync_job')} where id = $1 for update`, [job.id]);
        await tx.query(`select 1 from ${runs} where id = $1 for update`, [run.id]);
        await stillWanted(tx);
        // The cursor is updated together with the rows.
        await tx.query(
          `update ${tableName(schema, 'sync_job')} set cursor_value = coalesce($2, cursor_value), source_columns = $3 where id = $1`,
          [job.id, cursorTo, JSON.stringify(opened.empty ? job.source_columns : opened.columns)],
        );
      });
    } catch (error) {
      if (!(error instanceof DryRun)) throw error;
    }
    const counts = { ...NO_COUNTS, ...written!.counts, read: fresh.length, rejected: rejected().length };
    return {
      state: counts.rejected > 0 ? 'succeeded_with_rejects' : 'succeeded',
      counts,
      error: null,
      rejected: rejected(),
      differences: dry ? written!.differences : [],
      cursorFrom: from?.value ?? null,
      cursorTo,
      columns: opened.columns,
      notes,
      seen: mapped,
    };
  }

  /** Ends a run with its results; a cancelled one stays cancelled. */
  async #finish(tenant: Tenant, run: RunRow, job: SyncJob | null, outcome: Outcome, ms: number): Promise<void> {
    const { counts, state, error, rejected, seen = [] } = outcome;
    const log = [
      ...outcome.notes,
      ...rejected.slice(0, MAX_LOGGED_ERRORS).map(({ row, key, errors }) => `Row ${row} (${key}): ${errors.join(' ')}`),
    ]
      .join('\n')
      .slice(0, 4000);
    const { read, ...others } = counts;
    const done = await this.#inUnit(tenant, async (unit) => {
      if (!(await this.#step(unit, run, ENDS[state]))) return false;
      await unit.update('sync_run', run.id, {
        ended_at: unit.now.toISOString(),
        duration_ms: ms,
        ...others,
        // What failed has read what it says already.
        ...(state !== 'failed' && { read }),
        error,
        log: log || null,
        cursor_from: outcome.cursorFrom,
        cursor_to: outcome.cursorTo,
        differences: outcome.differences.map((one) => ({ ...one, key: one.key.slice(0, 250) })),
      });
      if (run.trigger === 'dry' || !job) return true;
      const good = state === 'succeeded' || state === 'succeeded_with_rejects';
      await unit.query(
        `update {sync_job} set runs = coalesce(runs, 0) + 1, rows_read = coalesce(rows_read, 0) + $2, rows_rejected = coalesce(rows_rejected, 0) + $3,
           average_ms = ((coalesce(average_ms, 0)::numeric * coalesce(runs, 0) + $4) / (coalesce(runs, 0) + 1))::int, last_run_at = now(), last_success_at = case when $5 then now() else last_success_at end where id = $1`,
        [job.id, read, counts.rejected, ms, good],
      );
      if (good) await keepRejects(unit, run, { rejected, seen });
      return true;
    });
    if (!done) return;
    this.#deps.changed(tenant, 'sync_job', run.job_id);
    if (run.trigger !== 'dry' && job && state !== 'succeeded') await this.#notify(tenant, run, job, outcome, log);
  }

  async #notify(
    tenant: Tenant,
    run: RunRow,
    job: SyncJob,
    { state, error, counts }: Outcome,
    log: string,
  ): Promise<void> {
    const event =
      state === 'failed' ? 'sync.failed' : state === 'stopped_by_guard' ? 'sync.stopped_by_guard' : 'sync.rejects';
    const to = [...new Set([...(job.notify ?? []), ...(run.started_by ? [run.started_by] : [])])];
    const values = { job: job.title, error: error ?? '', count: String(counts.rejected), errors: log };
    await tenant.db.transaction((tx) =>
      this.#deps.notifications.notify(tx, tenant, {
        event,
        to,
        values,
        link: `/sync_run/view/${run.id}`,
        record: { type: 'sync_run', id: run.id },
      }),
    );
  }

  /** Goes through the clients that have the product. For the platform's clock. */
  async forAll(work: (tenant: Tenant) => Promise<number>): Promise<number> {
    let count = 0;
    for (const row of await this.#deps.directory.tenants()) {
      if (!row.active || !row.products.some((code) => code.replace(/^MS_/, '') === 'ANALYTICS')) continue;
      const tenant = await openTenant(this.#deps.directory, row);
      const [there] = await tenant.db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
        tableName(tenant.schema, 'sync_job'),
      ]);
      if (there?.there) count += await work(tenant);
    }
    return count;
  }
}

interface Outcome {
  state: keyof typeof ENDS;
  counts: Counts;
  error: string | null;
  rejected: Mapped[];
  differences: Difference[];
  cursorFrom: string | null;
  cursorTo: string | null;
  columns: OpenSource['columns'] | null;
  notes: string[];
  seen?: Mapped[];
}

/** Rolls back the transaction of a dry run. */
class DryRun extends Error {}

/** @returns notes for the log. @throws AppError if a column is missing or changed its type */
function columnsFit(job: SyncJob, { columns, empty = false }: OpenSource): string[] {
  if (empty) return [];
  const there = new Map(columns.map(({ name, type }) => [name, type]));
  const needed = new Set([
    ...job.mapping.map(({ source_column: name }) => name),
    ...(job.mode === 'incremental' && job.cursor_column ? [job.cursor_column] : []),
  ]);
  for (const name of needed)
    if (!there.has(name)) throw new AppError(422, 'invalid', `Column ${name} is missing in the source`);
  if (!job.source_columns) return [];
  const before = new Map(job.source_columns.map(({ name, type }) => [name, type]));
  if (job.on_schema_change !== 'ignore_new')
    for (const name of needed) {
      const [was, is] = [before.get(name), there.get(name)];
      if (was && is && was !== is)
        throw new AppError(
          422,
          'invalid',
          `Column ${name} is ${is} in the source now, it was ${was}. Check the mapping and save the job.`,
        );
    }
  return columns.filter(({ name }) => !before.has(name)).map(({ name }) => `New column ${name} in the source.`);
}

/** Checks periodically whether the run is still wanted while waiting for the source; if not, the source is closed. */
function watching(stillWanted: () => Promise<void>, source: OpenSource): { stop(): void; reason(): unknown } {
  const ended = new AbortController();
  let reason: unknown;
  void (async () => {
    for (;;) {
      await wait(LOOK_MS, undefined, { signal: ended.signal, ref: false });
      await stillWanted();
    }
  })().catch(async (error: unknown) => {
    if (ended.signal.aborted) return;
    reason = error;
    await source.close();
  });
  return { stop: () => ended.abort(), reason: () => reason };
}
