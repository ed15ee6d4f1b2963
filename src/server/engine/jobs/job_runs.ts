import { quoted } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';

/** The identity of a run: its job, and what it runs for. */
export interface RunIdentity {
  job: string;
  key: string;
}

const table = ({ schema }: Pick<Tenant, 'schema'>) => `${quoted(schema)}.job_run`;

/** @returns the number of steps done before; null = it has already run for this. A stopped or failed run continues. */
export async function beginRun(tenant: Tenant, { job, key }: RunIdentity): Promise<number | null> {
  const [row] = await tenant.db.query<{ ended: boolean; steps: number }>(
    `insert into ${table(tenant)} as r (job, key) values ($1, $2)
     on conflict (job, key) do update set job = r.job returning r.ended_at is not null as ended, r.steps`,
    [job, key],
  );
  return row!.ended ? null : row!.steps;
}

/**
 * The state of a loop of a run, locked until the batch ends: two processes working on one run take turns, while two
 * loops of it go on side by side.
 */
export async function cursorOf(
  tenant: Tenant,
  { job, key }: RunIdentity,
  loop: number,
): Promise<{ cursor: unknown; steps: number }> {
  // A statement of its own: the next one has to see what the batch before has stored.
  await tenant.db.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    JSON.stringify([tenant.schema, job, key, loop]),
  ]);
  const [row] = await tenant.db.query<{ cursor: unknown; steps: number }>({
    text: `select cursors -> $3::text as cursor, steps from ${table(tenant)} where job = $1 and key = $2`,
    values: [job, key, String(loop)],
    name: `job_cursor_${tenant.schema}`,
  });
  return { cursor: row?.cursor ?? null, steps: row?.steps ?? 0 };
}

/** Stores the progress of a run, in the transaction of its work. */
export async function keepCursor(
  tenant: Tenant,
  { job, key }: RunIdentity,
  loop: number,
  cursor: unknown,
  steps: number,
): Promise<void> {
  await tenant.db.query({
    text: `update ${table(tenant)} set cursors = jsonb_set(cursors, array[$3::text], $4::jsonb), steps = steps + $5 where job = $1 and key = $2`,
    values: [job, key, String(loop), JSON.stringify(cursor ?? null), steps],
    name: `job_keep_${tenant.schema}`,
  });
}

/** Marks the run as finished: it has run for this. */
export async function endRun(tenant: Tenant, { job, key }: RunIdentity): Promise<void> {
  await tenant.db.query(`update ${table(tenant)} set ended_at = now() where job = $1 and key = $2`, [job, key]);
}

/** The day of the last daily run before this one that ended; null = there is none. @param like the keys of its runs */
export async function lastDay(tenant: Tenant, { job, key }: RunIdentity, like: string): Promise<string | null> {
  const [row] = await tenant.db.query<{ key: string | null }>(
    `select max(key) as key from ${table(tenant)} where job = $1 and key like $2 and key < $3 and ended_at is not null`,
    [job, like, key],
  );
  return /\d{4}-\d\d-\d\d/.exec(row?.key ?? '')?.[0] ?? null;
}

/** Ends an unshared run: nothing refers to it again. */
export async function forgetRun(tenant: Tenant, { job, key }: RunIdentity): Promise<void> {
  await tenant.db.query(`delete from ${table(tenant)} where job = $1 and key = $2`, [job, key]);
}

/** Deletes old job runs. @returns the number of runs */
export async function forgetOldRuns({ db, schema }: Tenant, days: number): Promise<number> {
  const rows = await db.query(
    `delete from ${table({ schema })} where coalesce(ended_at, begun_at) < now() - make_interval(days => $1) returning 1`,
    [days],
  );
  return rows.length;
}
