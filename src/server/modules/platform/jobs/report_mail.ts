import type { Job } from '../../../engine/modules.ts';

/** Sends the reports that people have subscribed to. */
export const reportMail: Job = {
  run: async ({ actor: { tenant }, services: { mailDueReports }, progress }) =>
    `${await mailDueReports(tenant, { now: Date.now(), progress })} mails written.`,
};
