import type { Job } from '../../../engine/modules.ts';
import { sweepEscalations } from '../../../platform/escalation/sweep.ts';

/** Sends what the rules of Mail configuration say. */
export const escalation: Job = {
  run: async ({ actor: { tenant }, services }) =>
    `${await sweepEscalations(services, tenant, new Date())} messages sent.`,
};
