import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { failedJobs } from '../failed_jobs.ts';

/** How many jobs failed within a day. */
const failedJobCount: ReportSource = {
  reads: {},
  rows: async (call) => ({ rows: [{ failed: (await failedJobs(call)).count }] }),
};

export default failedJobCount;
