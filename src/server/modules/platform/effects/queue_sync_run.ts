import type { Effect } from '../../../engine/modules.ts';

/** Has the run read its source, as soon as a server is free. */
export const queueSyncRun: Effect = {
  apply({ unit, record }) {
    unit.enqueue('sync_run', { run_id: record.id }, `run/${record.id}`);
    return Promise.resolve();
  },
};
