import type { FastifyBaseLogger } from 'fastify';
import { worksOn } from '../access/people/working_calendar.ts';
import type { Directory } from '../db/directory.ts';
import { openTenant } from '../db/directory.ts';
import { ensureTables } from '../db/tenants.ts';
import { opensOn } from '../../domain/open_hours.ts';
import type { Tenant } from '../db/tenant.ts';
import { HOURS_TYPES, businessHours, sharingHours } from '../access/people/business_hours.ts';
import { compareClocks, reckonClocks, sweepBands } from '../engine/clocks/sweep_bands.ts';
import { sweepDueSteps } from '../engine/workflow/due_steps.ts';
import type { DueStepDeps } from '../engine/workflow/due_steps.ts';
import type { Jobs } from '../services/jobs/jobs.ts';

export interface DueWorkDeps extends Omit<DueStepDeps, 'worksOn' | 'log'> {
  directory: Directory;
  jobs: Jobs;
  log: FastifyBaseLogger;
}

/** What is due by the clock for every client. */
export interface DueWork {
  /**
   * Takes the steps that are due and says which bands of clocks have begun.
   * @param schemas of the clients to look at; absent: of all
   * @returns of how many records
   */
  sweep(now: Date, schemas?: ReadonlySet<string>): Promise<number>;
  /** Looks at clocks from now on; steps are looked at by a job. */
  start(): void;
  close(): Promise<void>;
}

/** How often clocks are looked at. */
const BANDS_MS = 15_000;

/** Open records whose clocks are compared each night. */
const COMPARED = 1_000;
/** Differences that a message names. */
const NAMED = 5;

/** Defines the jobs that look what is due. */
export function dueWork({ directory, jobs, ...deps }: DueWorkDeps): DueWork {
  const steps: DueStepDeps = {
    ...deps,
    async worksOn(tenant, place, from, to) {
      await ensureTables(tenant, deps.product(), HOURS_TYPES);
      const hours = await businessHours(tenant, place, { calendar: null, from: Date.parse(from) });
      return hours.roundTheClock ? worksOn(tenant, place, from, to) : (day) => opensOn(hours, day);
    },
  };
  const forAll = async (work: (tenant: Tenant) => Promise<number>, schemas?: ReadonlySet<string>) => {
    let taken = 0;
    for (const row of await directory.tenants()) {
      if (!row.active || row.held || schemas?.has(row.schema) === false) continue;
      try {
        const tenant = await openTenant(directory, row);
        taken += await sharingHours(() => work(tenant));
      } catch (error) {
        // A client whose database is away keeps nobody else waiting.
        deps.log.error({ err: error, schema: row.schema }, 'The due work of a client could not be read.');
      }
    }
    return taken;
  };
  const sweepSteps = (now: Date, schemas?: ReadonlySet<string>) =>
    forAll((tenant) => sweepDueSteps(steps, tenant, now), schemas);
  const bands = (now: Date, schemas?: ReadonlySet<string>) =>
    forAll((tenant) => sweepBands(deps, tenant, now), schemas);
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  let closed = false;
  const next = () => {
    timer = setTimeout(() => {
      running = bands(new Date())
        .catch((error: unknown) => deps.log.error({ err: error }, 'The bands of clocks could not be looked up.'))
        .finally(() => {
          if (!closed) next();
        });
    }, BANDS_MS).unref();
  };
  for (const after of HOURS_TYPES)
    jobs.define({
      name: `clocks_${after}`,
      title: 'Recalculate clocks after a change of working hours',
      after,
      run: async ({ tenant }) =>
        tenant ? `${await sharingHours(() => reckonClocks(deps, tenant))} records recalculated.` : undefined,
    });
  jobs.define({
    name: 'compare_clocks',
    title: 'Compare clocks with their log',
    cron: '40 3 * * *',
    // A difference is a mistake of the product, or a change past it.
    concernsPlatform: true,
    run: async ({ tenant }) => {
      if (!tenant) return undefined;
      const { compared, differences } = await sharingHours(() => compareClocks(deps, tenant, COMPARED));
      if (differences.length === 0) return `The clocks of ${compared} records are as their log says.`;
      const more = differences.length - NAMED;
      throw new Error(
        `The clocks of some of ${compared} records differ from their log. ${differences.slice(0, NAMED).join('; ')}${more > 0 ? `; and ${more} more` : ''}.`,
      );
    },
  });
  jobs.define({
    name: 'due_steps',
    title: 'Take the steps that are due',
    cron: '* * * * *',
    scope: 'platform',
    run: async () => `${await sweepSteps(new Date())} steps taken.`,
  });
  return {
    sweep: async (now, schemas) => (await bands(now, schemas)) + (await sweepSteps(now, schemas)),
    start: next,
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
