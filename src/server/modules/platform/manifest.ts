import type { Module } from '../../engine/modules.ts';
import { nameSyncRun } from './effects/name_sync_run.ts';
import { queueSyncRun } from './effects/queue_sync_run.ts';
import { showOnSyncJob } from './effects/show_on_sync_job.ts';
import { syncJobCanRun } from './guards/sync_job_can_run.ts';

const module: Module = {
  name: 'platform',
  effects: { name_sync_run: nameSyncRun, queue_sync_run: queueSyncRun, show_on_sync_job: showOnSyncJob },
  guards: { sync_job_can_run: syncJobCanRun },
  jobs: ['sync_run'],
};
export default module;
