import type { Queryable } from '../../db/database.ts';
import { AppError } from '../../db/errors.ts';
import type { JobDefinition } from './definition.ts';

/** A job with its schedule, its last run and the current one. */
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
  /** Consecutive failures. */
  failures: number;
  /** For what it runs. */
  per: 'client' | 'company' | 'branch';
}

/** A run, as shown to people. */
export interface RunRow {
  id: number;
  name: string;
  title: string;
  state: string;
  trigger: string;
  attempts: number;
  run_at: string;
  started_at: string | null;
  finished_at: string | null;
  ms: number | null;
  message: string | null;
  error: string | null;
  by: number | null;
  /** Its progress, and the total number of steps. */
  steps: number | null;
  total: number | null;
  company: number | null;
  branch: number | null;
  /** Somebody stopped it, and it has not ended yet. */
  stopping: boolean;
}

/** The filter for runs. */
export interface AskedRuns {
  name?: string;
  /** Older ones than this. */
  before?: number;
  /** Of these companies, and of none; absent = all. */
  companies?: readonly number[];
}

type Definitions = ReadonlyMap<string, JobDefinition>;

/** The schedules of a client, each with its last run. */
export async function scheduleRows(main: Queryable, definitions: Definitions, schema: string): Promise<ScheduleRow[]> {
  const rows = await main.query<Omit<ScheduleRow, 'title' | 'per'>>(
    `select name, cron, active, next_at, last_at, last_state, last_error, last_ms, failures from public.job_schedule where schema_name = $1 order by name`,
    [schema],
  );
  return rows.flatMap((row) => {
    const definition = definitions.get(row.name);
    return definition ? [{ ...row, title: definition.title, per: definition.per ?? 'client' }] : [];
  });
}

/** Fifty runs: waiting and running ones, then the latest first. */
export async function runRows(
  main: Queryable,
  definitions: Definitions,
  schema: string,
  { name, before, companies }: AskedRuns,
): Promise<RunRow[]> {
  const rows = await main.query<Omit<RunRow, 'title'>>(
    `select id, name, state, trigger, attempts, run_at, started_at, finished_at, ms, message, error, by, steps, total,
       entity_id as company, branch_id as branch, stopping
     from public.job
     where schema_name = $1 and ($2::text is null or name = $2) and ($3::bigint is null or id < $3)
       and ($4::bigint[] is null or entity_id is null or entity_id = any($4))
     order by state in ('queued', 'running') desc, id desc limit 50`,
    [schema, name ?? null, before ?? null, companies ?? null],
  );
  return rows.map((row) => ({ ...row, title: definitions.get(row.name)?.title ?? row.name.replaceAll('_', ' ') }));
}

/** Stops a run: a waiting one does not start, a running one is asked to end. @throws AppError 404, 409 */
export async function stopRun(
  main: Queryable,
  schema: string,
  id: number,
  companies?: readonly number[],
): Promise<void> {
  const [row] = await main.query(
    `select 1 from public.job where schema_name = $1 and id = $2 and ($3::bigint[] is null or entity_id is null or entity_id = any($3))`,
    [schema, id, companies ?? null],
  );
  if (!row) throw new AppError(404, 'not_found', 'There is no such run.');
  const stopped = await main.query(
    `update public.job set stopping = true, state = case state when 'queued' then 'cancelled' else state end,
       finished_at = case state when 'queued' then now() end, message = case state when 'queued' then 'Stopped before it began.' end
     where id = $1 and state in ('queued', 'running') returning 1`,
    [id],
  );
  if (stopped.length === 0) throw new AppError(409, 'bad_state', 'The run has ended.');
}

/** Disables or enables a schedule. @throws AppError 404 */
export async function holdSchedule(main: Queryable, schema: string, name: string, active: boolean): Promise<void> {
  const rows = await main.query(
    `update public.job_schedule set active = $3, next_at = null where schema_name = $1 and name = $2 returning 1`,
    [schema, name, active],
  );
  if (rows.length === 0) throw new AppError(404, 'not_found', 'There is no such job.');
}
