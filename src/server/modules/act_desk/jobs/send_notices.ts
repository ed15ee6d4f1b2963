import type { Job } from '../../../engine/modules.ts';
import { sweepNotices } from '../../../platform/escalation/notices.ts';

/** Sends the messages for recent ticket events. */
export const sendNotices: Job = {
  run: async ({ actor: { tenant }, services }) => `${await sweepNotices(services, tenant, new Date())} messages sent.`,
};
