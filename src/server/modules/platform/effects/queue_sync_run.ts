import type { Effect } from '../../../engine/modules.ts';

/** Queues the run, which starts as soon as a server is free. */
export const queueSyncRun: Effect = {
  apply({ unit, record }) {
    unit.enqueue('sync_run', { run_id: record.id }, `run/${record.id}`);
    return Promise.resolve();
  },
};
