import type { FastifyBaseLogger } from 'fastify';
import { CALENDAR_TYPES, worksOn } from '../access/people/working_calendar.ts';
import type { Directory } from '../db/directory.ts';
import { openTenant } from '../db/directory.ts';
import { ensureTables } from '../db/tenants.ts';
import { sweepDueSteps } from '../engine/workflow/due_steps.ts';
import type { DueStepDeps } from '../engine/workflow/due_steps.ts';
import type { Jobs } from '../services/jobs/jobs.ts';

export interface DuePartDeps extends Omit<DueStepDeps, 'worksOn' | 'log'> {
  directory: Directory;
  jobs: Jobs;
  log: FastifyBaseLogger;
}

/** What is due by the clock for every client: steps that are taken by a date. @returns how many were taken */
export type SweepDue = (now?: Date) => Promise<number>;

/** Defines the job that looks what is due. */
export function dueParts({ directory, jobs, ...deps }: DuePartDeps): SweepDue {
  const steps: DueStepDeps = {
    ...deps,
    async worksOn(tenant, place, from, to) {
      await ensureTables(tenant, deps.product(), CALENDAR_TYPES);
      return worksOn(tenant, place, from, to);
    },
  };
  const sweep: SweepDue = async (now = new Date()) => {
    let taken = 0;
    for (const row of await directory.tenants()) {
      if (!row.active || row.held) continue;
      try {
        taken += await sweepDueSteps(steps, await openTenant(directory, row), now);
      } catch (error) {
        // A client whose database is away keeps nobody else waiting.
        deps.log.error({ err: error, schema: row.schema }, 'What is due for a client could not be looked up.');
      }
    }
    return taken;
  };
  jobs.define({
    name: 'due_steps',
    title: 'Take the steps that are due',
    cron: '* * * * *',
    scope: 'platform',
    run: async () => `${await sweep()} steps taken.`,
  });
  return sweep;
}
