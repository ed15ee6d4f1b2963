import type { Tenant } from '../../db/tenant.ts';
import type { Jobs } from '../../services/jobs/jobs.ts';
import { changeOldRows } from './old_rows.ts';

export interface PlatformJobDeps {
  jobs: Jobs;
  platform: () => Promise<Tenant>;
}

const JOB_DAYS = 30;

/** The maintenance jobs of the platform itself; those of clients are in schemas/platform/jobs.json. */
export function definePlatformJobs({ jobs, platform }: PlatformJobDeps): void {
  jobs.define({
    name: 'job_log_retention',
    title: 'Remove old runs of jobs',
    cron: '50 2 * * *',
    scope: 'platform',
    run: async () =>
      `${await changeOldRows(await platform(), `delete from {s}.job where state in ('done','failed','cancelled') and finished_at < now() - make_interval(days => $1)`, JOB_DAYS)} runs removed.`,
  });
}
