import type { Effect } from '../../../engine/modules.ts';

/** The job shows how far its last run is. That is no change of the job: whoever edits it goes on with the version they have. */
export const showOnSyncJob: Effect = {
  locks: ({ record }) => Promise.resolve([{ type: 'sync_job', id: record.job_id as number }]),
  async apply({ unit, record }) {
    if (record.trigger === 'dry') return;
    await unit.query('update {sync_job} set state = $2 where id = $1', [record.job_id, record.state]);
  },
};
