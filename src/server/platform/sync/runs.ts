import { setTimeout as wait } from 'node:timers/promises';
import { Cron } from 'croner';
import type { Screen, WireRecord } from '../../../descriptor/types.ts';
import type { Session } from '../../access/context.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Queryable } from '../../db/database.ts';
import type { Directory } from '../../db/directory.ts';
import { openTenant } from '../../db/directory.ts';
import { childTable, quoted, tableName } from '../../db/names.ts';
import type { Vault } from '../../db/vault.ts';
import { AppError, notFound } from '../../db/errors.ts';
import type { Jobs } from '../../services/jobs/jobs.ts';
import type { Notifications } from '../../services/notifications/notify.ts';
import type { Engine } from '../../engine/records/engine.ts';
import { neededTypes } from '../../engine/records/needed_types.ts';
import { clientSettings } from '../../services/settings/client_settings.ts';
import { planCollection, writeCollection } from './collection_target.ts';
import type { Counts, Difference, Mapped, SyncJob } from './job.ts';
import { SHOWN, mayReceive, writingSession } from './job.ts';
import { listDifferences, planList, writeList } from './list_target.ts';
import { mapToCollection, mapToList } from './mapping.ts';
import { openSource } from './source.ts';
import type { OpenSource, RawRow, SourceDeps, SourceRow } from './source_kind.ts';
import { sourceMessage } from './source_messages.ts';

export interface SyncRunsDeps extends SourceDeps {
  jobs: Jobs;
  directory: Directory;
  notifications: Notifications;
  engine: Engine;
  vault: Vault;
  /** The screens as the session's client has them; read anew if they may be old. */
  screensOf: (session: Session) => Promise<Map<string, Screen>>;
  /** Makes the tables of types that are used for the first time. */
  ensure: (tenant: Tenant, types: string[]) => Promise<unknown>;
  /** Tells open browsers. */
  changed: (tenant: Tenant, type: string, id: number) => void;
}

export type Trigger = 'schedule' | 'manual' | 'api' | 'dry';

interface RunRow {
  id: number;
  name: string;
  job_id: number;
  trigger: Trigger;
  state: string;
  started_by: number | null;
  approved_by: number | null;
  rejected: number;
  deactivated: number;
}

const OPEN = ['queued', 'running'];
/** Rejected rows of a run that are kept to be corrected. */
const KEPT_REJECTS = 1_000;
const TOLD_ERRORS = 10;
/** How often a run that reads looks whether somebody cancelled it. */
const LOOK_MS = 1_000;
const NO_COUNTS: Counts = { read: 0, inserted: 0, updated: 0, unchanged: 0, rejected: 0, deactivated: 0 };

class Cancelled extends Error {}
/** More would go, or more is faulty, than the job allows: somebody must say that it is right. */
class Guarded extends Error {
  readonly counts: Partial<Counts>;
  constructor(message: string, counts: Partial<Counts>) {
    super(message);
    this.counts = counts;
  }
}

/** Import jobs: started, run in the job queue, watched, stopped, and what they refused tried again (platform_admin.md §4.6, §5.10, §5.11). */
export class SyncRuns {
  readonly #deps: SyncRunsDeps;

  constructor(deps: SyncRunsDeps) {
    this.#deps = deps;
    deps.jobs.define({
      name: 'sync_run',
      title: 'Import from outside',
      leaseSeconds: 180,
      run: ({ tenant, payload, signal }) => this.#execute(tenant!, Number(payload.run_id), signal),
    });
  }

  /** Queues a run. @throws AppError 409 while another one of the job is going */
  async start(tenant: Tenant, jobId: number, trigger: Trigger, by: number | null): Promise<number> {
    const { schema, db } = tenant;
    const runs = tableName(schema, 'sync_run');
    const id = await db.transaction(async (tx) => {
      const [job] = await tx.query<{ code: string; active: boolean }>(
        `select code, active from ${tableName(schema, 'sync_job')} where id = $1 for update`,
        [jobId],
      );
      if (!job) throw notFound();
      if (!job.active) throw new AppError(409, 'bad_state', 'This job is switched off. Activate it first.');
      await noneGoing(tx, schema, jobId);
      const [row] = await tx.query<{ id: number }>(
        `insert into ${runs} (name, job_id, trigger, state, started_by, created_by, updated_by) values ('', $1, $2, 'queued', $3, $3, $3) returning id`,
        [jobId, trigger, by],
      );
      await tx.query(`update ${runs} set name = $2 where id = $1`, [row!.id, `${job.code}/${row!.id}`]);
      if (trigger !== 'dry')
        await tx.query(`update ${tableName(schema, 'sync_job')} set state = 'queued' where id = $1`, [jobId]);
      return row!.id;
    });
    await this.#queue(tenant, id, by);
    this.#deps.changed(tenant, 'sync_run', id);
    return id;
  }

  async #queue(tenant: Tenant, id: number, by: number | null): Promise<void> {
    await this.#deps.jobs.enqueue(
      tenant.schema,
      'sync_run',
      { run_id: id },
      { key: `run/${id}`, ...(by !== null && { by }), trigger: by === null ? 'queued' : 'person' },
    );
  }

  /** Stops a run that waits or works; nothing of it is kept. */
  async cancel(tenant: Tenant, id: number): Promise<void> {
    const rows = await tenant.db.query<{ job_id: number }>(
      `update ${tableName(tenant.schema, 'sync_run')} set state = 'cancelled', ended_at = now(), error = null where id = $1 and state = any($2) returning job_id`,
      [id, OPEN],
    );
    if (!rows[0]) throw new AppError(409, 'bad_state', 'This run has ended already.');
    await tenant.db.query(
      `update ${tableName(tenant.schema, 'sync_job')} set state = 'cancelled' where id = $1 and state = any($2)`,
      [rows[0].job_id, OPEN],
    );
    this.#deps.changed(tenant, 'sync_run', id);
  }

  /** Lets a run that was stopped go on, this once, for what it had found. */
  async approve(tenant: Tenant, id: number, by: number, reason: string): Promise<void> {
    const { schema, db } = tenant;
    await db.transaction(async (tx) => {
      const [run] = await tx.query<RunRow>(
        `select id, job_id, state from ${tableName(schema, 'sync_run')} where id = $1 for update`,
        [id],
      );
      if (!run) throw notFound();
      if (run.state !== 'stopped_by_guard')
        throw new AppError(409, 'bad_state', 'Only a run that was stopped can be let go on.');
      await tx.query(`select 1 from ${tableName(schema, 'sync_job')} where id = $1 for update`, [run.job_id]);
      await noneGoing(tx, schema, run.job_id);
      await tx.query(
        `update ${tableName(schema, 'sync_run')} set state = 'queued', approved_by = $2, approval_reason = $3, error = null, ended_at = null where id = $1`,
        [id, by, reason],
      );
      await tx.query(`update ${tableName(schema, 'sync_job')} set state = 'queued' where id = $1`, [run.job_id]);
    });
    await this.#queue(tenant, id, by);
    this.#deps.changed(tenant, 'sync_run', id);
  }

  /** Starts what is due by its schedule. A moment missed while the system was down is not made up for. @returns how many */
  async startDue(tenant: Tenant, now: Date): Promise<number> {
    const table = tableName(tenant.schema, 'sync_job');
    const due = await tenant.db.query<{ id: number; schedule: string; next_at: string | null }>(
      `select id, schedule, next_at from ${table} where active and scheduled and schedule is not null and (next_at is null or next_at <= $1)`,
      [now],
    );
    let started = 0;
    for (const { id, schedule, next_at: planned } of due) {
      const next = nextRun(schedule, tenant.timezone, now);
      const taken = await tenant.db.query(
        `update ${table} set next_at = $2 where id = $1 and next_at is not distinct from $3 returning 1`,
        [id, next, planned],
      );
      if (planned === null || taken.length === 0) continue;
      try {
        await this.start(tenant, id, 'schedule', null);
        started++;
      } catch (error) {
        // The last run still goes on: this turn is left out.
        if (!(error instanceof AppError) || error.status !== 409) throw error;
      }
    }
    return started;
  }

  /** Warns once a day of jobs without success for two periods. @returns how many */
  async warnOfLate(tenant: Tenant, now: Date): Promise<number> {
    const rows = await tenant.db.query<{
      id: number;
      title: string;
      schedule: string;
      last_success_at: string | null;
      notify: number[] | null;
      created_at: string;
    }>(
      `select id, title, schedule, last_success_at, notify, created_at from ${tableName(tenant.schema, 'sync_job')} where active and scheduled and schedule is not null`,
    );
    let warned = 0;
    for (const { id, title, schedule, last_success_at: last, notify, created_at: made } of rows) {
      const [first, second] = new Cron(schedule, { timezone: tenant.timezone }).nextRuns(2, now);
      if (!first || !second || now.getTime() - Date.parse(last ?? made) < 2 * (second.getTime() - first.getTime()))
        continue;
      const since = last === null ? 'never' : `not since ${day(last, tenant.timezone)}`;
      await tenant.db.transaction((tx) =>
        this.#deps.notifications.notify(tx, tenant, {
          event: 'sync.late',
          to: notify ?? [],
          values: { job: title, since },
          link: `/sync_run?filter=${encodeURIComponent(JSON.stringify(['job_id', 'eq', id]))}`,
          groupKey: `sync_late/${id}`,
        }),
      );
      warned++;
    }
    return warned;
  }

  /** Tries a corrected row again, in its place. @throws AppError 422 with what is still wrong */
  async retry(tenant: Tenant, by: number, reject: WireRecord, payload: Record<string, unknown> | null): Promise<void> {
    if (reject.state !== 'open') throw new AppError(409, 'bad_state', 'This row came right already.');
    const { schema, db } = tenant;
    const cells =
      payload ??
      Object.fromEntries(
        (reject.cells as { column: string; value: string | null }[]).map(({ column, value }) => [column, value]),
      );
    const job = await this.#job(tenant, reject.job_id as number);
    await noneGoing(db, schema, job.id);
    const target = await this.#target(tenant, job, by);
    const [mapped] = await target.map([{ row: Number(reject.row_no ?? 1), cells }]);
    const alone: SyncJob = { ...job, mode: job.mode === 'full' ? 'incremental' : job.mode };
    const plan = mapped ? await target.plan(alone, [mapped]) : null;
    const problem = await db.transaction(async (tx) => {
      if (plan && plan.rejected().length === 0)
        await plan.write(tx, `sync ${String(reject.run_id)}`, () => Promise.resolve());
      const wrong = plan?.rejected()[0]?.errors.join(' ') ?? null;
      await tx.query(
        `update ${tableName(schema, 'sync_reject')} set state = $2, error = $3, key = $4, version = version + 1, updated_at = now(), updated_by = $5 where id = $1`,
        [
          reject.id,
          wrong === null ? 'fixed' : 'open',
          wrong?.slice(0, 2000) ?? null,
          (mapped?.key ?? String(reject.key)).slice(0, 250),
          by,
        ],
      );
      if (payload) {
        await tx.query(`delete from ${childTable(schema, 'sync_reject', 'cells')} where parent_id = $1`, [reject.id]);
        await writeCells(tx, schema, [{ id: reject.id, cells }]);
      }
      return wrong;
    });
    this.#deps.changed(tenant, 'sync_reject', reject.id);
    if (problem !== null) throw new AppError(422, 'invalid', problem, { field: 'cells' });
  }

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

  async #job(tenant: Tenant, id: number): Promise<SyncJob> {
    const session = writingSession(tenant, 0, null, []);
    const screens = await this.#deps.screensOf(session);
    return (await this.#deps.engine.read(session, screens.get('sync_job')!, id)) as unknown as SyncJob;
  }

  /** What a job writes into: how rows are mapped, compared and written there. */
  async #target(tenant: Tenant, job: SyncJob, by: number) {
    const { engine } = this.#deps;
    const companies = (
      await tenant.db.query<{ id: number }>(`select id from ${tableName(tenant.schema, 'entity')} order by id`)
    ).map(({ id }) => id);
    const session = writingSession(tenant, by, job.company_id, companies);
    if (job.target === 'collection') {
      return {
        map: (rows: RawRow[]): Promise<Mapped[]> => Promise.resolve(mapToCollection(job, rows)),
        async plan(asked: SyncJob, mapped: Mapped[]) {
          const plan = await planCollection(tenant, asked, mapped);
          return {
            rejected: () => plan.rejected,
            missing: plan.missing.length,
            active: plan.active,
            write: (tx: Queryable, _what: string, between: () => Promise<void>) =>
              writeCollection(tx, tenant, asked, plan, SHOWN, between),
          };
        },
      };
    }
    const screens = await this.#deps.screensOf(session);
    const screen = screens.get(job.target_type ?? '');
    if (!screen || !mayReceive(screen))
      throw new AppError(422, 'invalid', `There is no list "${job.target_type ?? ''}" to import into.`);
    const unknown = job.mapping.find(({ target_field: name }) => !screen.fields.some((field) => field.name === name));
    if (unknown) throw new AppError(422, 'invalid', `${screen.plural} have no field "${unknown.target_field}".`);
    await this.#deps.ensure(tenant, neededTypes(screens, screen));
    return {
      map: (rows: RawRow[]) => mapToList(job, session, screen, screens, rows),
      async plan(asked: SyncJob, mapped: Mapped[]) {
        const plan = await planList(engine, session, asked, screen, mapped);
        return {
          rejected: () => plan.rejected,
          missing: plan.missing.length,
          active: plan.active,
          async write(tx: Queryable, what: string, between: () => Promise<void>) {
            const differences = listDifferences(plan, SHOWN);
            // What is only looked at is not written: a long list need not be locked for it.
            if (what !== '') await writeList(tx, engine, session, screen, plan, what, between);
            return {
              counts: {
                inserted: plan.inserts.length,
                updated: plan.updates.length,
                unchanged: plan.unchanged,
                deactivated: plan.missing.length,
              },
              differences,
            };
          },
        };
      },
    };
  }

  async #execute(tenant: Tenant, id: number, signal: AbortSignal): Promise<string> {
    const { schema, db } = tenant;
    const runs = tableName(schema, 'sync_run');
    const [run] = await db.query<RunRow>(
      `update ${runs} set state = 'running', started_at = now(), read = 0 where id = $1 and state = any($2)
       returning id, name, job_id, trigger, state, started_by, approved_by, rejected, deactivated`,
      [id, OPEN],
    );
    if (!run) return 'The run was cancelled.';
    const dry = run.trigger === 'dry';
    if (!dry)
      await db.query(`update ${tableName(schema, 'sync_job')} set state = 'running' where id = $1`, [run.job_id]);
    this.#deps.changed(tenant, 'sync_run', id);
    const from = performance.now();
    let job: SyncJob | null = null;
    let outcome: Outcome;
    try {
      job = await this.#job(tenant, run.job_id);
      outcome = await this.#work(tenant, job, run, dry, signal);
    } catch (error) {
      if (error instanceof Cancelled) return 'Cancelled.';
      // The server stops: the queue gives the run to the next process.
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
    const target = await this.#target(tenant, job, by);
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
    const fresh = from && !opened.sifted ? since(rows, from) : rows;
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
        await tx.query(`select 1 from ${runs} where id = $1 for update`, [run.id]);
        await stillWanted(tx);
        // The cursor moves with the rows, or not at all.
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

  async #finish(tenant: Tenant, run: RunRow, job: SyncJob | null, outcome: Outcome, ms: number): Promise<void> {
    const { schema, db } = tenant;
    const dry = run.trigger === 'dry';
    const { counts, state, error, rejected } = outcome;
    const log = [
      ...outcome.notes,
      ...rejected.slice(0, TOLD_ERRORS).map(({ row, key, errors }) => `Row ${row} (${key}): ${errors.join(' ')}`),
    ]
      .join('\n')
      .slice(0, 4000);
    const done = await db.transaction(async (tx) => {
      const rows = await tx.query(
        `update ${tableName(schema, 'sync_run')} set state = $2, ended_at = now(), duration_ms = $3, read = coalesce($4, read), inserted = $5, updated = $6, unchanged = $7, rejected = $8, deactivated = $9,
           error = $10, log = nullif($11, ''), cursor_from = $12, cursor_to = $13 where id = $1 and state = 'running' returning 1`,
        [
          run.id,
          state,
          ms,
          state === 'failed' ? null : counts.read,
          counts.inserted,
          counts.updated,
          counts.unchanged,
          counts.rejected,
          counts.deactivated,
          error,
          log,
          outcome.cursorFrom,
          outcome.cursorTo,
        ],
      );
      if (rows.length === 0) return false;
      await writeDifferences(tx, schema, run.id, outcome.differences);
      if (dry || !job) return true;
      const good = state.startsWith('succeeded');
      await tx.query(
        `update ${tableName(schema, 'sync_job')} set state = $2, runs = coalesce(runs, 0) + 1, rows_read = coalesce(rows_read, 0) + $3, rows_rejected = coalesce(rows_rejected, 0) + $4,
           average_ms = ((coalesce(average_ms, 0)::numeric * coalesce(runs, 0) + $5) / (coalesce(runs, 0) + 1))::int, last_run_at = now(), last_success_at = case when $6 then now() else last_success_at end where id = $1`,
        [job.id, state, counts.read, counts.rejected, ms, good],
      );
      if (good) await this.#rejects(tx, tenant, run, job, outcome);
      return true;
    });
    if (!done) return;
    for (const type of ['sync_run', 'sync_job'] as const)
      this.#deps.changed(tenant, type, type === 'sync_run' ? run.id : run.job_id);
    if (!dry && job && state !== 'succeeded') await this.#tell(tenant, run, job, outcome, log);
  }

  async #rejects(
    tx: Queryable,
    { schema }: Tenant,
    run: RunRow,
    job: SyncJob,
    { rejected, seen = [] }: Outcome,
  ): Promise<void> {
    const table = tableName(schema, 'sync_reject');
    // What was refused before is settled when the same key came again, right or wrong.
    await tx.query(
      `update ${table} set state = 'superseded', version = version + 1, updated_at = now() where job_id = $1 and state = 'open' and lower(key) = any($2)`,
      [job.id, seen.map((item) => rejectKey(item).toLowerCase())],
    );
    const kept = rejected.slice(0, KEPT_REJECTS);
    if (kept.length === 0) return;
    const rows = await tx.query<{ id: number; at: number }>(
      `with x as (select * from jsonb_to_recordset($4::jsonb) x(at int, row_no int, key text, error text) order by at)
       insert into ${table} (job_id, run_id, state, row_no, key, error, created_by, updated_by) select $1, $2, 'open', x.row_no, x.key, x.error, $3, $3 from x returning id, row_no as at`,
      [
        job.id,
        run.id,
        run.started_by,
        JSON.stringify(
          kept.map(({ row, key, errors }, at) => ({
            at,
            row_no: row,
            key: rejectKey({ row, key }),
            error: errors.join(' ').slice(0, 2000),
          })),
        ),
      ],
    );
    const byRow = new Map(kept.map(({ row, cells }) => [row, cells]));
    await writeCells(
      tx,
      schema,
      rows.map(({ id, at }) => ({ id, cells: byRow.get(at) ?? {} })),
    );
  }

  async #tell(
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
  state: 'succeeded' | 'succeeded_with_rejects' | 'failed' | 'stopped_by_guard';
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

/** What a rejected row is called: by its key, or where it stood. */
const rejectKey = ({ row, key }: Pick<Mapped, 'row' | 'key'>): string => key.slice(0, 250) || `Row ${row}`;

/** Ends the transaction of a dry run without a trace. */
class DryRun extends Error {}

/** When a schedule comes next. */
export function nextRun(schedule: string, timezone: string, after: Date): Date | null {
  return new Cron(schedule, { timezone }).nextRun(after);
}

async function noneGoing(on: Queryable, schema: string, jobId: number): Promise<void> {
  const [going] = await on.query<{ id: number }>(
    `select id from ${tableName(schema, 'sync_run')} where job_id = $1 and state = any($2) limit 1`,
    [jobId, OPEN],
  );
  if (going) throw new AppError(409, 'bad_state', `Run ${going.id} is still going.`);
}

/** @returns what is worth noting. @throws AppError when a column is gone or changed its kind */
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

/** Looks now and then whether the run is still wanted while the source keeps us waiting; if not, the source is closed. */
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

/** Percentages are compared exactly: 100 of 500 is 20 %, 101 is more. */
function beyond(part: number, whole: number, percent: string): boolean {
  const [digits, decimals = ''] = percent.split('.');
  const limit = BigInt(`${digits}${decimals.padEnd(4, '0').slice(0, 4)}`);
  return BigInt(part) * 1_000_000n > limit * BigInt(whole);
}

/** 20.0000 and 20.00 are written as 20. */
const short = (percent: string): string => percent.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
const share = (part: number, whole: number): string => short(((part * 100) / whole).toFixed(2));

/** In percent: rows that may be faulty, and records that may go. */
interface Limits {
  faulty: string;
  gone: string;
}

/** The job's own limits, else the client's. */
async function limitsOf(tenant: Tenant, job: SyncJob): Promise<Limits> {
  const settings = await clientSettings(tenant);
  return {
    faulty: job.reject_limit_percent ?? String(settings.sync_reject_limit_percent),
    gone: job.delete_guard_percent ?? String(settings.sync_delete_guard_percent),
  };
}

/** What somebody let go on was so many rows; more than those is asked again. */
function checkLimits(
  { faulty, gone }: Limits,
  run: RunRow,
  { read, rejected, deactivated }: { read: number; rejected: number; deactivated: number },
  active: number,
): void {
  const approved = run.approved_by !== null;
  const counts = { read, rejected, deactivated };
  if (beyond(rejected, read, faulty) && !(approved && rejected <= run.rejected))
    throw new Guarded(
      `${rejected} of ${read} rows are faulty (${share(rejected, read)} %), more than the ${short(faulty)} % allowed. Nothing was written.`,
      counts,
    );
  if (beyond(deactivated, active, gone) && !(approved && deactivated <= run.deactivated))
    throw new Guarded(
      `${deactivated} of ${active} records would be taken out (${share(deactivated, active)} %), more than the ${short(gone)} % allowed. Nothing was written.`,
      counts,
    );
}

/** Rows of a file that changed since: files are read whole. */
function since(
  rows: RawRow[],
  { column, value, overlapMinutes }: { column: string; value: string | null; overlapMinutes: number },
): RawRow[] {
  if (value === null) return rows;
  const at = Date.parse(value);
  const isTime = /^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(at);
  return rows.filter(({ cells }) => {
    const cell = cursorText(cells[column]);
    if (cell === null) return false;
    return isTime ? Date.parse(cell) >= at - overlapMinutes * 60_000 : compareCursor(cell, value) >= 0;
  });
}

function cursorText(cell: unknown): string | null {
  if (cell === null || cell === undefined || cell === '') return null;
  return cell instanceof Date ? cell.toISOString() : String(cell);
}

function compareCursor(a: string, b: string): number {
  const numbers = /^-?\d+(\.\d+)?$/;
  if (numbers.test(a) && numbers.test(b)) return Math.sign(Number(a) - Number(b));
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The greatest value that was read, never "now". */
function greatest(rows: RawRow[], column: string): string | null {
  let best: string | null = null;
  for (const { cells } of rows) {
    const cell = cursorText(cells[column]);
    if (cell !== null && (best === null || compareCursor(cell, best) > 0)) best = cell;
  }
  return best;
}

async function writeCells(
  tx: Queryable,
  schema: string,
  rejects: { id: number; cells: Record<string, unknown> }[],
): Promise<void> {
  const rows = rejects.flatMap(({ id, cells }) =>
    Object.entries(cells)
      .slice(0, 200)
      .map(([column, value], position) => ({
        id,
        position,
        column: column.slice(0, 100),
        value: cursorText(value)?.slice(0, 4000) ?? null,
      })),
  );
  if (rows.length === 0) return;
  await tx.query(
    `insert into ${childTable(schema, 'sync_reject', 'cells')} (parent_id, position, ${quoted('column')}, value)
     select x.id, x.position, x."column", x.value from jsonb_to_recordset($1::jsonb) x(id bigint, position int, "column" text, value text)`,
    [JSON.stringify(rows)],
  );
}

async function writeDifferences(
  tx: Queryable,
  schema: string,
  runId: number,
  differences: Difference[],
): Promise<void> {
  const table = childTable(schema, 'sync_run', 'differences');
  await tx.query(`delete from ${table} where parent_id = $1`, [runId]);
  if (differences.length === 0) return;
  await tx.query(
    `insert into ${table} (parent_id, position, op, key, detail) select $1, x.position, x.op, x.key, x.detail from jsonb_to_recordset($2::jsonb) x(position int, op text, key text, detail text)`,
    [runId, JSON.stringify(differences.map((one, position) => ({ position, ...one, key: one.key.slice(0, 250) })))],
  );
}

function day(at: string, timezone: string): string {
  return new Date(at).toLocaleDateString('en-GB', { timeZone: timezone }).replaceAll('/', '-');
}
