import { PLATFORM_ZONE } from '../../db/subscription.ts';
import { USUAL_PLACE, zoneOf } from '../../../descriptor/place.ts';
import { atPlace, inZone } from '../clock/client_day.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Queryable } from '../../db/database.ts';
import type { Directory } from '../../db/directory.ts';
import { openTenant } from '../../db/directory.ts';
import type { ServerPresence } from '../../db/server_presence.ts';
import { formatNumber } from '../../../descriptor/format.ts';
import { AppError } from '../../db/errors.ts';
import type { Bus } from '../live/bus.ts';
import { zonesOf } from '../clock/zones.ts';
import type { JobRow } from './claim_run.ts';
import { claimRun } from './claim_run.ts';
import type { JobDefinition } from './definition.ts';
import { JobPaused, JobStopped } from './definition.ts';
import type { AskedRuns, RunRow, ScheduleRow } from './run_log.ts';
import { holdSchedule, runRows, scheduleRows, stopRun } from './run_log.ts';
import { PLATFORM, dueAt, placesOf, queueDue } from './schedules.ts';

/**
 * Runs work for a client at the place of the run: the current day is that of the company or branch. For the platform,
 * the platform's.
 */
async function atPlaceOf<T>(tenant: Tenant | null, row: JobRow, work: (timezone: string) => T): Promise<Awaited<T>> {
  if (!tenant) return await inZone(PLATFORM_ZONE, () => work(PLATFORM_ZONE));
  const zones = await zonesOf(tenant);
  const timezone = zoneOf({ entityId: row.entity_id, branchId: row.branch_id }, zones) ?? tenant.timezone;
  return await atPlace({ ...USUAL_PLACE, timezone, zones, entityId: row.entity_id }, () => work(timezone));
}

export interface Jobs {
  /** Whether there is a job of that name. */
  has(name: string): boolean;
  define(definition: JobDefinition): void;
  /** Replaces the jobs described in descriptors. */
  describe(definitions: readonly JobDefinition[]): void;
  /**
   * Queues a run. With `key`, a waiting run with the same name and key is not queued twice, and one starts only after a
   * running one has ended. Inside a transaction pass it as `on`, if it is on the platform's database. `delivery`: the
   * id of the requesting event in the client's schema, for exactly-once queueing.
   */
  enqueue(
    schema: string,
    name: string,
    payload?: Record<string, unknown>,
    options?: {
      key?: string;
      runAt?: Date;
      by?: number;
      trigger?: 'queued' | 'person';
      on?: Queryable;
      delivery?: number;
      company?: number | null;
      branch?: number | null;
    },
  ): Promise<number | null>;
  /** Queues the follow-up job of records of a type, once for any number of stored records; not awaited. */
  stored(schema: string, type: string): void;
  schedules(schema: string): Promise<ScheduleRow[]>;
  /** Runs, the latest first; waiting and running ones before all others. */
  log(schema: string, asked?: AskedRuns): Promise<RunRow[]>;
  /** Stops a run: a waiting one does not start, a running one ends after its next step. @throws AppError 404, 409 */
  stopRun(schema: string, id: number, companies?: readonly number[]): Promise<void>;
  /**
   * Starts a client's job now, once for each of these companies if it runs per company or branch.
   * @returns the ids of the runs; none if they are already waiting @throws AppError 404
   */
  runNow(tenant: Tenant, name: string, by: { userId: number; companies: readonly number[] }): Promise<number[]>;
  setActive(schema: string, name: string, active: boolean): Promise<void>;
  /** Runs what is due (of these clients), until nothing is; for tests and commands. @returns the number of runs */
  drain(schemas?: readonly string[]): Promise<number>;
  /** Queues the runs that are due by schedule. */
  tick(now?: Date): Promise<void>;
  start(): void;
  close(): Promise<void>;
}

/** A run that failed and will not be retried. */
export interface JobFailure {
  /** The client it ran for; null = the platform. */
  schema: string | null;
  definition: Pick<JobDefinition, 'name' | 'title' | 'concernsPlatform'>;
  error: string;
}

interface Log {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const TICK_MS = 20_000;
const IDLE_MS = 5_000;
const CONCURRENT = 2;
/** A run during which the server stopped this often is not restarted: it may be the cause. */
const MAX_TAKEN_OVER = 5;
/** The time after which a run yields to other clients. */
const TURN_MS = 5_000;
/** The message of a run that yielded while another one of its key waited. */
const REPLACED = 'The next run with the same key replaces it.';
/** The interval between progress updates. */
const PROGRESS_MS = 250;

/**
 * The job queue, in the platform's database: any number of processes claim runs from it, each run once. A run whose
 * process died is claimed by the next one. Missed schedules are not made up for.
 */
export function createJobs({
  directory,
  presence,
  bus,
  log,
  onFailed,
  turnMs = TURN_MS,
}: {
  directory: Directory;
  /** The presence by which other processes see that this one is running. */
  presence: ServerPresence;
  bus: Bus;
  log: Log;
  onFailed?: (failure: JobFailure) => Promise<void>;
  /** How long a run may continue while other clients wait. */
  turnMs?: number;
}): Jobs {
  const { main } = directory;
  const definitions = new Map<string, JobDefinition>();
  const stop = new AbortController();
  const described = new Set<string>();
  const running = new Set<Promise<void>>();
  /** The current runs of this process. */
  const going = new Map<number, AbortController>();
  let ticking: NodeJS.Timeout | undefined;
  let looking: NodeJS.Timeout | undefined;
  let started = false;

  const defined = (name: string): JobDefinition => {
    const definition = definitions.get(name);
    if (!definition) throw new AppError(404, 'not_found', 'There is no such job.');
    return definition;
  };

  const claim = (schemas?: readonly string[]) => claimRun(main, presence, [...definitions.keys()], schemas);

  /** A run without a schedule is due when it first starts; retries keep that time. */
  async function dueNow(id: number, timezone: string): Promise<string> {
    const due = dueAt(timezone, new Date());
    await main.query('update public.job set due = $2 where id = $1', [id, due]);
    return due;
  }

  async function perform(row: JobRow): Promise<void> {
    const definition = defined(row.name);
    const from = performance.now();
    const renew = setInterval(() => {
      presence.number().catch(() => undefined);
      void main
        .query(
          `update public.job set leased_until = now() + make_interval(secs => $2) where id = $1 and state = 'running'`,
          [row.id, definition.leaseSeconds ?? 600],
        )
        .catch(() => undefined);
    }, 60_000);
    const own = new AbortController();
    going.set(row.id, own);
    let state: 'done' | 'failed' | 'queued' | 'cancelled' = 'done';
    let message: string | undefined;
    let error: string | undefined;
    let steps: [done: number, of: number | undefined] | undefined;
    let reportedAt = 0;
    let began: number | undefined;
    const progress = async (done: number, of?: number): Promise<void> => {
      steps = [done, of];
      began ??= done;
      if (own.signal.aborted) throw new JobStopped();
      if (stop.signal.aborted) throw new JobPaused();
      const now = performance.now();
      if (now - reportedAt < Math.min(PROGRESS_MS, turnMs)) return;
      reportedAt = now;
      const [seen] = await main.query<{ stopping: boolean; others: boolean }>(
        `update public.job set steps = $2, total = $3 where id = $1
         returning stopping, exists (select 1 from public.job o where o.state = 'queued' and o.run_at <= now() and o.schema_name <> job.schema_name and o.name = any($4)) as others`,
        [row.id, done, of ?? null, [...definitions.keys()]],
      );
      if (seen?.stopping) throw new JobStopped();
      // Each turn has a step at least.
      if (seen?.others && done > began && now - from >= turnMs) throw new JobPaused();
    };
    try {
      if (row.attempts > MAX_TAKEN_OVER + (definition.retrySeconds?.length ?? 0))
        throw new Error(`The server stopped each of ${MAX_TAKEN_OVER} times while this ran.`);
      const tenant = row.schema_name === PLATFORM ? null : await tenantOf(row.schema_name);
      message =
        tenant === undefined
          ? 'The client is switched off, or is a copy that is not activated yet.'
          : await atPlaceOf(tenant, row, async (timezone) =>
              definition.run({
                id: row.id,
                tenant,
                payload: row.payload,
                attempt: row.attempts,
                company: row.entity_id,
                branch: row.branch_id,
                by: row.by,
                due: row.due ?? (await dueNow(row.id, timezone)),
                signal: AbortSignal.any([stop.signal, own.signal]),
                progress,
              }),
            );
    } catch (caught) {
      if (caught instanceof JobPaused) state = 'queued';
      else if (caught instanceof JobStopped || own.signal.aborted) {
        state = 'cancelled';
        message = `Stopped${steps ? ` after ${formatNumber(steps[0])} steps` : ''}.`;
      } else {
        state = 'failed';
        error = caught instanceof Error ? caught.message : String(caught);
        log.error({ err: caught, job: row.name, schema: row.schema_name }, 'A job failed.');
      }
    } finally {
      clearInterval(renew);
      going.delete(row.id);
    }
    const counts = [steps?.[0] ?? null, steps?.[1] ?? null];
    if (state === 'queued') {
      // It yielded: waiting runs come first, and this does not count as an attempt.
      const waits = await waitsAgain(
        `update public.job set state = 'queued', attempts = attempts - 1, leased_until = null, steps = $2, total = $3, turn = clock_timestamp() where id = $1`,
        [row.id, ...counts],
      );
      if (waits) return;
      state = 'cancelled';
      message = REPLACED;
    }
    const ms = Math.round(performance.now() - from);
    const wait = state === 'failed' ? definition.retrySeconds?.[row.attempts - 1] : undefined;
    const ended = [row.id, ms, message ?? null, error ?? null, ...counts];
    const retries =
      wait !== undefined &&
      (await waitsAgain(
        `update public.job set state = 'queued', ms = $2, message = $3, error = $4, leased_until = null, steps = $5, total = $6,
           run_at = now() + make_interval(secs => $7) where id = $1`,
        [...ended, wait],
      ));
    if (!retries)
      await main.query(
        `update public.job set state = $7, ms = $2, message = $3, error = $4, leased_until = null, steps = $5, total = $6,
           finished_at = now() where id = $1`,
        [...ended, state],
      );
    await main.query(
      `update public.job_schedule set last_at = now(), last_state = $3, last_error = $4, last_ms = $5, failures = case $3 when 'done' then 0 when 'failed' then failures + 1 else failures end
       where schema_name = $1 and name = $2`,
      [row.schema_name, row.name, state, error ?? null, ms],
    );
    if (error !== undefined && wait === undefined)
      await onFailed?.({ schema: row.schema_name === PLATFORM ? null : row.schema_name, definition, error }).catch(
        (caught: unknown) =>
          log.error({ err: caught, job: row.name }, 'The notification of a failed job could not be sent.'),
      );
  }

  /** Queues a run again. @returns false if a run with the same key already waits, and replaces it */
  async function waitsAgain(text: string, values: unknown[]): Promise<boolean> {
    try {
      await main.query(text, values);
      return true;
    } catch (caught) {
      if ((caught as { constraint?: string }).constraint === 'job_unique_key') return false;
      throw caught;
    }
  }

  /** undefined = switched off, a restored copy, or deleted. */
  async function tenantOf(schema: string): Promise<Tenant | undefined> {
    const row = (await directory.tenants()).find((one) => one.schema === schema);
    return row?.active && !row.held ? openTenant(directory, row) : undefined;
  }

  function look(): void {
    if (stop.signal.aborted || !started) return;
    clearTimeout(looking);
    looking = undefined;
    void (async () => {
      while (!stop.signal.aborted && running.size < CONCURRENT) {
        const row = await claim();
        if (!row) break;
        const work = perform(row).catch((error: unknown) => log.error({ err: error }, 'A job could not be recorded.'));
        running.add(work);
        void work.finally(() => {
          running.delete(work);
          look();
        });
      }
    })()
      .catch((error: unknown) => log.error({ err: error }, 'The queue could not be read.'))
      .finally(() => {
        if (!stop.signal.aborted) looking ??= setTimeout(look, IDLE_MS).unref();
      });
  }

  /** Ends local runs that somebody stopped. */
  async function endStopped(): Promise<void> {
    if (going.size === 0) return;
    const rows = await main.query<{ id: number }>('select id from public.job where id = any($1) and stopping', [
      [...going.keys()],
    ]);
    for (const { id } of rows) going.get(id)?.abort(new JobStopped());
  }

  /** Jobs whose schedule depends on a client's companies or branches. */
  const perPlace = (type: string) =>
    [...definitions.values()].filter(({ per }) => per !== undefined && (type === 'entity' || type === 'branch'));

  const jobs: Jobs = {
    has: (name) => definitions.has(name),
    define(definition) {
      if (definitions.has(definition.name)) throw new Error(`The job ${definition.name} is defined twice.`);
      definitions.set(definition.name, definition);
    },
    describe(all) {
      for (const name of described) definitions.delete(name);
      described.clear();
      for (const definition of all) {
        if (definitions.has(definition.name)) {
          log.error({ job: definition.name }, 'A job of jobs.json has the name of another job.');
          continue;
        }
        jobs.define(definition);
        described.add(definition.name);
      }
    },
    async runNow(tenant, name, { userId: by, companies }) {
      const { per, scope } = defined(name);
      if (scope === 'platform') throw new AppError(404, 'not_found', 'There is no such job.');
      const ids: number[] = [];
      for (const { company, branch } of await placesOf(tenant, per)) {
        if (company !== null && !companies.includes(company)) continue;
        const key = ['person', branch ?? company ?? []].flat().join(' ');
        const id = await jobs.enqueue(tenant.schema, name, {}, { key, by, trigger: 'person', company, branch });
        if (id !== null) ids.push(id);
      }
      return ids;
    },
    async enqueue(
      schema,
      name,
      payload = {},
      { key, runAt, by, trigger = 'queued', on = main, delivery, company = null, branch = null } = {},
    ) {
      defined(name);
      const [row] = await on.query<{ id: number }>(
        // A client's runs are spaced a second apart, so that other clients' runs come in between.
        `insert into public.job (schema_name, name, payload, unique_key, run_at, by, trigger, delivery, entity_id, branch_id, turn)
         values ($1, $2, $3, $4, coalesce($5, now()), $6, $7, $8, $9, $10,
           greatest(coalesce($5, now()), (select max(o.turn) + interval '1 second' from public.job o where o.schema_name = $1 and o.state = 'queued' and o.run_at <= now())))
         on conflict do nothing returning id`,
        [
          schema,
          name,
          JSON.stringify(payload),
          key ?? null,
          runAt ?? null,
          by ?? null,
          trigger,
          delivery ?? null,
          company,
          branch,
        ],
      );
      await bus.publish(on, { kind: 'job' });
      return row?.id ?? null;
    },
    stored(schema, type) {
      for (const { name, after, scope } of definitions.values())
        if (after === type)
          jobs
            .enqueue(scope === 'platform' ? PLATFORM : schema, name, {}, { key: name })
            .catch((error: unknown) => log.error({ err: error, job: name, schema }, 'A job could not be queued.'));
      const names = perPlace(type).map(({ name }) => name);
      if (names.length > 0)
        main
          .query(
            'update public.job_schedule set next_at = null where schema_name = $1 and name = any($2) and next_at > now()',
            [schema, names],
          )
          .catch((error: unknown) => log.error({ err: error, schema }, 'Schedules could not follow a company.'));
    },
    schedules: (schema) => scheduleRows(main, definitions, schema),
    log: (schema, asked = {}) => runRows(main, definitions, schema, asked),
    async stopRun(schema, id, companies) {
      await stopRun(main, schema, id, companies);
      await bus.publish(main, { kind: 'job' });
    },
    setActive(schema, name, active) {
      defined(name);
      return holdSchedule(main, schema, name, active);
    },
    tick: (now = new Date()) => queueDue(directory, definitions, now),
    async drain(schemas) {
      let count = 0;
      for (let row = await claim(schemas); row; row = await claim(schemas)) {
        await perform(row);
        count++;
      }
      return count;
    },
    start() {
      started = true;
      const tick = () =>
        jobs
          .tick()
          .catch((error: unknown) => log.error({ err: error }, 'The schedules could not be read.'))
          .finally(() => {
            if (!stop.signal.aborted) ticking = setTimeout(() => void tick(), TICK_MS).unref();
          });
      ticking = setTimeout(() => void tick(), 3_000).unref();
      looking = setTimeout(look, 1_000).unref();
    },
    async close() {
      off();
      stop.abort();
      clearTimeout(ticking);
      clearTimeout(looking);
      await Promise.all(running);
    },
  };
  const off = bus.on((message) => {
    if (message.kind !== 'job') return;
    look();
    endStopped().catch((error: unknown) => log.error({ err: error }, 'The search for interrupted runs failed.'));
  });
  return jobs;
}
