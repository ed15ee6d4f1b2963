import type { Effect } from '../../../engine/modules.ts';

/**
 * Shows the progress of the last run on the job without changing the job's version, so that people editing it are not
 * interrupted.
 */
export const showOnSyncJob: Effect = {
  locks: ({ record }) => Promise.resolve([{ type: 'sync_job', id: record.job_id as number }]),
  async apply({ unit, record }) {
    if (record.trigger === 'dry') return;
    await unit.query('update {sync_job} set state = $2 where id = $1', [record.job_id, record.state]);
  },
};
