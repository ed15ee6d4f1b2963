import type { Effect } from '../../../engine/modules.ts';

/** The job that publishes what is due. */
export const PUBLISH_JOB = 'blog_publish';

/** Has an article published at its moment; the schedule of the job finds those of a server that stood still. */
export const publishLater: Effect = {
  apply({ unit, record }) {
    const moment = String(record.publish_at);
    unit.enqueue(PUBLISH_JOB, {}, `article/${record.id}/${moment}`, new Date(moment));
    return Promise.resolve();
  },
};
