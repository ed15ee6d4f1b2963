import { Cron } from 'croner';
import { PLATFORM_ZONE } from '../../db/subscription.ts';
import { inZone, inZones } from '../clock/client_day.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Queryable } from '../../db/database.ts';
import type { Directory, TenantRow } from '../../db/directory.ts';
import { openTenant } from '../../db/directory.ts';
import type { ServerPresence } from '../../db/server_presence.ts';
import { AppError } from '../../db/errors.ts';
import type { Bus } from '../live/bus.ts';
import { zonesOf } from '../clock/zones.ts';

/** Works for a client by its own time zones; for the platform by the platform's. */
async function atClient<T>(tenant: Tenant | null, work: () => T): Promise<Awaited<T>> {
  return await (tenant ? inZones(await zonesOf(tenant), work) : inZone(PLATFORM_ZONE, work));
}

/** What a job is given. */
export interface JobRun {
  id: number;
  /** The client it runs for; null = the platform itself. */
  tenant: Tenant | null;
  payload: Record<string, unknown>;
  /** 1 for the first try. */
  attempt: number;
  /** Aborted when the server stops. */
  signal: AbortSignal;
}

export interface JobDefinition {
  /** `outbox_sweep`. */
  name: string;
  /** What an administrator reads. */
  title: string;
  /** When it runs by itself, as cron; in the client's time zone. */
  cron?: string;
  /** A record type: whenever one of its records was stored, by whatever way, the job runs soon. */
  after?: string;
  /** Runs for each client (default) or once for the platform. */
  scope?: 'tenant' | 'platform';
  /** Waits before further tries, in seconds; none = one try. */
  retrySeconds?: number[];
  /** How long a run may go without a sign of life before another process may take it over. Default 10 minutes. */
  leaseSeconds?: number;
  /** A failure concerns whoever looks after the platform, also where it ran for a client. */
  concernsPlatform?: boolean;
  /** @returns what was done, for the log */
  run(job: JobRun): Promise<string | undefined>;
}

export interface ScheduleRow {
  name: string;
  title: string;
  cron: string;
  active: boolean;
  next_at: string | null;
  last_at: string | null;
  last_state: string | null;
  last_error: string | null;
  last_ms: number | null;
  /** Failures one after the other. */
  failures: number;
}

export interface Jobs {
  /** Whether there is a job of that name. */
  has(name: string): boolean;
  define(definition: JobDefinition): void;
  /**
   * Queues a run. With `key`, a run of the same name and key that still waits is not queued twice.
   * Inside a transaction pass it as `on`, if it is one of the platform's database. `delivery`: the number of what asks
   * for it in the client's schema, which asks for it once.
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
    },
  ): Promise<number | null>;
  /** Queues what comes after records of a type, once however many were stored; nobody waits for it. */
  stored(schema: string, type: string): void;
  schedules(schema: string): Promise<ScheduleRow[]>;
  /** The latest runs first. */
  log(schema: string, name?: string, before?: number): Promise<object[]>;
  setActive(schema: string, name: string, active: boolean): Promise<void>;
  /** Runs what is due until nothing is; for tests and for commands. @returns how many ran */
  drain(): Promise<number>;
  /** Queues what the schedules say is due. */
  tick(now?: Date): Promise<void>;
  start(): void;
  close(): Promise<void>;
}

/** A run that failed and is not tried again. */
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

interface JobRow {
  id: number;
  schema_name: string;
  name: string;
  payload: Record<string, unknown>;
  trigger: string;
  attempts: number;
}

const TICK_MS = 20_000;
const IDLE_MS = 5_000;
const CONCURRENT = 2;
/** A run during which the server stopped so often is not begun again: it may be what stops it. */
const MOST_TAKEN_OVER = 5;
const PLATFORM = 'public';

/**
 * The queue of jobs, in the platform's database: any number of processes take from it, each run is taken once.
 * A run whose process died is taken by the next one that looks. Missed schedules are not made up for.
 */
export function createJobs({
  directory,
  presence,
  bus,
  log,
  onFailed,
}: {
  directory: Directory;
  /** By which other processes see that this one runs. */
  presence: ServerPresence;
  bus: Bus;
  log: Log;
  onFailed?: (failure: JobFailure) => Promise<void>;
}): Jobs {
  const { main } = directory;
  const definitions = new Map<string, JobDefinition>();
  const stop = new AbortController();
  const running = new Set<Promise<void>>();
  let ticking: NodeJS.Timeout | undefined;
  let looking: NodeJS.Timeout | undefined;
  let started = false;

  const defined = (name: string): JobDefinition => {
    const definition = definitions.get(name);
    if (!definition) throw new AppError(404, 'not_found', 'There is no such job.');
    return definition;
  };

  async function claim(): Promise<JobRow | undefined> {
    const names = [...definitions.keys()];
    const server = await presence.number();
    const take = (which: string, values: unknown[]) =>
      main.query<JobRow>(
        `update public.job set state = 'running', attempts = attempts + 1, server = $1, started_at = now(), leased_until = now() + interval '10 minutes'
         where id = (select id from public.job where ${which} order by run_at, id limit 1 for update skip locked)
         returning id, schema_name, name, payload, trigger, attempts`,
        [server, ...values],
      );
    const [row] = await take(
      `name = any($2) and ((state = 'queued' and run_at <= now()) or (state = 'running' and leased_until < now()))`,
      [names],
    );
    if (row) return row;
    const begun = await main.query<{ id: number; server: number }>(
      `select id, server from public.job where name = any($1) and state = 'running' and server <> $2 order by id`,
      [names, server],
    );
    if (begun.length === 0) return undefined;
    // Looked at afterwards: a server shows itself before it takes a run.
    const running = new Set(await presence.running());
    for (const orphan of begun.filter((one) => !running.has(one.server))) {
      const [taken] = await take(`id = $2 and state = 'running' and server = $3`, [orphan.id, orphan.server]);
      if (taken) return taken;
    }
    return undefined;
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
    let message: string | undefined;
    let error: string | undefined;
    try {
      if (row.attempts > MOST_TAKEN_OVER + (definition.retrySeconds?.length ?? 0))
        throw new Error(`The server stopped each of ${MOST_TAKEN_OVER} times during this.`);
      const tenant = row.schema_name === PLATFORM ? null : await tenantOf(row.schema_name);
      message =
        tenant === undefined
          ? 'The client is switched off, or a copy that runs nothing yet.'
          : await atClient(tenant, () =>
              definition.run({ id: row.id, tenant, payload: row.payload, attempt: row.attempts, signal: stop.signal }),
            );
    } catch (caught) {
      error = caught instanceof Error ? caught.message : String(caught);
      log.error({ err: caught, job: row.name, schema: row.schema_name }, 'A job failed.');
    } finally {
      clearInterval(renew);
    }
    const ms = Math.round(performance.now() - from);
    const wait = error === undefined ? undefined : definition.retrySeconds?.[row.attempts - 1];
    await main.query(
      `update public.job set state = $2, ms = $3, message = $4, error = $5, leased_until = null,
         finished_at = case when $2 = 'queued' then null else now() end, run_at = case when $2 = 'queued' then now() + make_interval(secs => $6) else run_at end
       where id = $1`,
      [
        row.id,
        error === undefined ? 'done' : wait === undefined ? 'failed' : 'queued',
        ms,
        message ?? null,
        error ?? null,
        wait ?? 0,
      ],
    );
    await main.query(
      `update public.job_schedule set last_at = now(), last_state = $3, last_error = $4, last_ms = $5, failures = case when $3 = 'done' then 0 else failures + 1 end
       where schema_name = $1 and name = $2`,
      [row.schema_name, row.name, error === undefined ? 'done' : 'failed', error ?? null, ms],
    );
    if (error !== undefined && wait === undefined)
      await onFailed?.({ schema: row.schema_name === PLATFORM ? null : row.schema_name, definition, error }).catch(
        (caught: unknown) => log.error({ err: caught, job: row.name }, 'A failed job could not be told.'),
      );
  }

  /** undefined = switched off, a copy that runs nothing, or gone. */
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

  /** Schedules of clients and jobs that are new get their row. */
  async function complete(tenants: TenantRow[]): Promise<void> {
    const scheduled = [...definitions.values()].filter(({ cron }) => cron);
    const rows = scheduled.flatMap(({ name, cron, scope }) =>
      (scope === 'platform' ? [PLATFORM] : tenants.map(({ schema }) => schema)).map((schema) => ({
        schema,
        name,
        cron,
      })),
    );
    if (rows.length === 0) return;
    await main.query(
      `insert into public.job_schedule (schema_name, name, cron) select * from unnest($1::text[], $2::text[], $3::text[])
       on conflict (schema_name, name) do update set cron = excluded.cron, next_at = null where job_schedule.cron <> excluded.cron`,
      [rows.map(({ schema }) => schema), rows.map(({ name }) => name), rows.map(({ cron }) => cron!)],
    );
  }

  const jobs: Jobs = {
    has: (name) => definitions.has(name),
    define(definition) {
      if (definitions.has(definition.name)) throw new Error(`The job ${definition.name} is defined twice.`);
      definitions.set(definition.name, definition);
    },
    async enqueue(schema, name, payload = {}, { key, runAt, by, trigger = 'queued', on = main, delivery } = {}) {
      defined(name);
      const [row] = await on.query<{ id: number }>(
        `insert into public.job (schema_name, name, payload, unique_key, run_at, by, trigger, delivery) values ($1, $2, $3, $4, coalesce($5, now()), $6, $7, $8)
         on conflict do nothing returning id`,
        [schema, name, JSON.stringify(payload), key ?? null, runAt ?? null, by ?? null, trigger, delivery ?? null],
      );
      await bus.tell(on, { kind: 'job' });
      return row?.id ?? null;
    },
    stored(schema, type) {
      for (const { name, after, scope } of definitions.values())
        if (after === type)
          jobs
            .enqueue(scope === 'platform' ? PLATFORM : schema, name, {}, { key: name })
            .catch((error: unknown) => log.error({ err: error, job: name, schema }, 'A job could not be queued.'));
    },
    async schedules(schema) {
      const rows = await main.query<ScheduleRow>(
        `select name, cron, active, next_at, last_at, last_state, last_error, last_ms, failures from public.job_schedule where schema_name = $1 order by name`,
        [schema],
      );
      return rows.flatMap((row) => {
        const definition = definitions.get(row.name);
        return definition ? [{ ...row, title: definition.title }] : [];
      });
    },
    log(schema, name, before) {
      return main.query(
        `select id, name, state, trigger, attempts, run_at, started_at, finished_at, ms, message, error, by from public.job
         where schema_name = $1 and ($2::text is null or name = $2) and ($3::bigint is null or id < $3) order by id desc limit 50`,
        [schema, name ?? null, before ?? null],
      );
    },
    async setActive(schema, name, active) {
      defined(name);
      const rows = await main.query(
        `update public.job_schedule set active = $3, next_at = null where schema_name = $1 and name = $2 returning 1`,
        [schema, name, active],
      );
      if (rows.length === 0) throw new AppError(404, 'not_found', 'There is no such job.');
    },
    async tick(now = new Date()) {
      const tenants = await directory.tenants();
      await complete(tenants);
      const zones = new Map(tenants.map(({ schema, timezone }) => [schema, timezone]));
      const active = new Set([PLATFORM, ...tenants.filter((row) => row.active).map(({ schema }) => schema)]);
      await main.transaction(async (tx) => {
        const due = await tx.query<{ schema_name: string; name: string; cron: string; first: boolean }>(
          `select schema_name, name, cron, next_at is null as first from public.job_schedule where active and (next_at is null or next_at <= $1) and name = any($2)
           order by next_at limit 5000 for update skip locked`,
          [now, [...definitions.keys()]],
        );
        if (due.length === 0) return;
        const next = due.map(({ schema_name: schema, cron }) =>
          new Cron(cron, { timezone: zones.get(schema) ?? PLATFORM_ZONE }).nextRun(now),
        );
        await tx.query(
          `update public.job_schedule s set next_at = v.at from unnest($1::text[], $2::text[], $3::timestamptz[]) as v(schema_name, name, at)
           where s.schema_name = v.schema_name and s.name = v.name`,
          [due.map((row) => row.schema_name), due.map((row) => row.name), next],
        );
        const now_ = due.filter((row) => !row.first && active.has(row.schema_name));
        if (now_.length === 0) return;
        await tx.query(
          `insert into public.job (schema_name, name, trigger, unique_key) select schema_name, name, 'schedule', 'schedule' from unnest($1::text[], $2::text[]) as v(schema_name, name)
           on conflict (schema_name, name, unique_key) where state = 'queued' do nothing`,
          [now_.map((row) => row.schema_name), now_.map((row) => row.name)],
        );
        await bus.tell(tx, { kind: 'job' });
      });
    },
    async drain() {
      let count = 0;
      for (let row = await claim(); row; row = await claim()) {
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
    if (message.kind === 'job') look();
  });
  return jobs;
}
