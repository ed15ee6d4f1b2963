import { defineSpareClient } from '../platform/clients/spare_client.ts';
import { LAY_OUT } from '../engine/print/kept_prints.ts';
import { definePlatformJobs } from '../platform/upkeep/platform_jobs.ts';
import type { SharedServices } from './shared_services.ts';

/** What the product does by the clock, whatever is asked of it. */
export function backgroundJobs({ directory, store, platform, jobs, prints }: SharedServices): void {
  definePlatformJobs({ jobs, platform });
  defineSpareClient(jobs, directory, store.screens);
  jobs.define({
    name: LAY_OUT,
    title: 'Make the files of issued documents',
    retrySeconds: [10, 60, 600, 3_600],
    run: async ({ tenant }) => (tenant ? `${await prints.layOutAll(tenant)} documents made.` : undefined),
  });
}
