import type { Effect } from '../../../engine/modules.ts';

/** The job that publishes due articles. */
export const PUBLISH_JOB = 'blog_publish';

/**
 * Queues an article for its publication time; the job's schedule finds articles that were missed while the server was
 * down.
 */
export const publishLater: Effect = {
  apply({ unit, record }) {
    const moment = String(record.publish_at);
    unit.enqueue(PUBLISH_JOB, {}, `article/${record.id}/${moment}`, new Date(moment));
    return Promise.resolve();
  },
};
