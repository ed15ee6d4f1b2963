import type { Job } from '../../../engine/modules.ts';
import { sweepNotices } from '../../../platform/escalation/notices.ts';
import { sweepEscalations } from '../../../platform/escalation/sweep.ts';

/** Sends the messages that the rules of Mail configuration require. */
export const escalation: Job = {
  async run({ actor: { tenant }, services }) {
    const now = new Date();
    const sent = await sweepEscalations(services, tenant, now);
    return `${sent + (await sweepNotices(services, tenant, now))} messages sent.`;
  },
};
