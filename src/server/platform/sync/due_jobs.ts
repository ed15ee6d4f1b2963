import { Cron } from 'croner';
import { AppError } from '../../db/errors.ts';
import { tableName } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Notifications } from '../../services/notifications/notify.ts';

/** When a schedule comes next. */
export function nextRun(schedule: string, timezone: string, after: Date): Date | null {
  return new Cron(schedule, { timezone }).nextRun(after);
}

/**
 * Starts import jobs that are due by schedule. Runs missed while the system was down are not made up for. @returns the
 * number started
 */
export async function startDueJobs(
  tenant: Tenant,
  now: Date,
  start: (jobId: number) => Promise<unknown>,
): Promise<number> {
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
      await start(id);
      started++;
    } catch (error) {
      // The last run still goes on: this turn is left out.
      if (!(error instanceof AppError) || error.status !== 409) throw error;
    }
  }
  return started;
}

/** Warns once a day about jobs without success for two periods. @returns the number of jobs */
export async function warnOfLateJobs(tenant: Tenant, now: Date, notifications: Notifications): Promise<number> {
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
      notifications.notify(tx, tenant, {
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

function day(at: string, timezone: string): string {
  return new Date(at).toLocaleDateString('en-GB', { timeZone: timezone }).replaceAll('/', '-');
}
