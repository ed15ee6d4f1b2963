import type { Guard } from '../../../engine/modules.ts';
import { refuseWhileGoing } from '../../../platform/sync/going_run.ts';

/** A job has one run at a time, and none while it is switched off. */
export const syncJobCanRun: Guard = {
  async check({ unit, record }) {
    const jobId = record.job_id as number;
    const job = await unit.read('sync_job', jobId, { lock: true });
    if (!job.active) unit.refuse([{ field: 'job_id', message: 'This job is switched off. Activate it first.' }], 409);
    await refuseWhileGoing(unit.session.tenant.db, unit.session.tenant.schema, jobId, record.id);
    return [];
  },
};
