import { tableName } from '../../db/names.ts';
import { defineHooks } from '../../engine/records/hooks.ts';
import { nextRun } from '../../platform/sync/due_jobs.ts';
import { notASchedule } from './sync_job.ts';

/** Collections: shipped ones stay; their schedules can be changed. */
export default defineHooks({
  check(_session, record) {
    if (record.scheduled !== true || typeof record.schedule !== 'string') return [];
    const wrong = notASchedule(record.schedule);
    return wrong ? [{ field: 'schedule', message: wrong }] : [];
  },
  async saved({ tenant }, { id, scheduled, schedule }) {
    await tenant.db.query(`update ${tableName(tenant.schema, 'analytics_collection')} set next_at = $2 where id = $1`, [
      id,
      scheduled === true && typeof schedule === 'string' ? nextRun(schedule, tenant.timezone, new Date()) : null,
    ]);
  },
  leave(_session, stored, how) {
    return how === 'delete' && stored.kind === 'product'
      ? 'This collection comes with the product. Deactivate it instead.'
      : null;
  },
});
