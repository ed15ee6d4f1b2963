import { defineSpareClient } from '../platform/clients/spare_client.ts';
import { sweepEscalations } from '../platform/escalation/sweep.ts';
import { defineActivityCount } from '../platform/upkeep/activity_days.ts';
import { defineHolidayRoll } from '../platform/calendar/holiday_roll.ts';
import { LAY_OUT } from '../engine/print/kept_prints.ts';
import { definePlatformJobs } from '../platform/upkeep/platform_jobs.ts';
import type { SharedServices } from './shared_services.ts';

/** What the product does by the clock, whatever is asked of it. */
export function backgroundJobs({
  directory,
  store,
  linkTo,
  notifications,
  platform,
  jobs,
  prints,
}: SharedServices): void {
  definePlatformJobs({ jobs, notifications, platform });
  defineHolidayRoll(jobs, notifications);
  defineActivityCount(jobs, store.screens);
  defineSpareClient(jobs, directory, store.screens);
  jobs.define({
    name: LAY_OUT,
    title: 'Make the files of issued documents',
    retrySeconds: [10, 60, 600, 3_600],
    run: async ({ tenant }) => (tenant ? `${await prints.layOutAll(tenant)} documents made.` : undefined),
  });
  jobs.define({
    name: 'escalation',
    title: 'Send what the rules of Mail configuration say',
    cron: '*/15 * * * *',
    run: async ({ tenant }) =>
      tenant
        ? `${await sweepEscalations({ notifications, screens: store.screens, addressOf: linkTo }, tenant, new Date())} messages sent.`
        : undefined,
  });
}
