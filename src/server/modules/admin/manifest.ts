import type { Module } from '../../engine/modules.ts';
import { makeClient } from './effects/make_client.ts';
import { publishLater } from './effects/publish_later.ts';
import { readyForClient } from './guards/ready_for_client.ts';
import { rowsNameTasks } from './guards/rows_name_tasks.ts';
import campaignResult from './sources/campaign_result.ts';
import clientAccess from './sources/client_access.ts';
import clientKpi from './sources/client_kpi.ts';
import clientKpiMonths from './sources/client_kpi_months.ts';
import clientLargest from './sources/client_largest.ts';
import clientStorage from './sources/client_storage.ts';
import failedJobCount from './sources/failed_job_count.ts';
import failedJobs from './sources/failed_jobs.ts';
import platformUse from './sources/platform_use.ts';

const module: Module = {
  name: 'admin',
  effects: { make_client: makeClient, publish_later: publishLater },
  stepJobs: ['client_acts'],
  guards: { ready_for_client: readyForClient, rows_name_tasks: rowsNameTasks },
  sources: {
    campaign_result: campaignResult,
    client_access: clientAccess,
    client_kpi: clientKpi,
    client_kpi_months: clientKpiMonths,
    client_largest: clientLargest,
    client_storage: clientStorage,
    failed_job_count: failedJobCount,
    failed_jobs: failedJobs,
    platform_use: platformUse,
  },
};
export default module;
