import type { ReportSource } from '../../../engine/reports/report_source.ts';
import { failedJobs as read } from '../failed_jobs.ts';

/** The jobs that failed last. */
const failedJobs: ReportSource = {
  reads: {},
  rows: async (call) => ({ rows: (await read(call)).last }),
};

export default failedJobs;
