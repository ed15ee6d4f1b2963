import type { Effect } from '../../../engine/modules.ts';

/** Names a run by its job and its number: STOCK/57. */
export const nameSyncRun: Effect = {
  async apply({ unit, record }) {
    const { code } = await unit.read('sync_job', record.job_id as number);
    await unit.update('sync_run', record.id, { name: `${String(code)}/${record.id}` }, record.version);
  },
};
