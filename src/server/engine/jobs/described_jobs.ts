import type { JobPlan } from '../../../descriptor/jobs.ts';
import { runKey } from '../../../descriptor/jobs.ts';
import { daysOfRun } from '../../../domain/days_of_run.ts';
import { tableName } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { JobDefinition, JobRun } from '../../services/jobs/definition.ts';
import { systemSession } from '../events/system_session.ts';
import type { Job, NamedFunctions } from '../modules.ts';
import type { Unit, UnitLimits } from '../records/unit.ts';
import type { UnitOfWork } from '../records/unit_of_work.ts';
import { inUnit } from '../records/unit_of_work.ts';
import { beginRun, cursorOf, endRun, forgetRun, keepCursor, lastDay } from './job_runs.ts';

export interface DescribedJobDeps {
  functions: NamedFunctions;
  /** Prepares everything needed to read a client's records. */
  prepare(tenant: Tenant): Promise<unknown>;
  unit(unit: UnitOfWork, limits?: UnitLimits): Unit;
}

/** The jobs of descriptors in the form that the queue expects; jobs without a function are left out. */
export function describedJobs(plans: readonly JobPlan[], deps: DescribedJobDeps): JobDefinition[] {
  return plans.flatMap((plan) => {
    const job = deps.functions.jobs.get(plan.run);
    return job
      ? [
          {
            name: plan.name,
            title: plan.title,
            ...(plan.at !== undefined && { cron: plan.at }),
            ...(plan.per !== 'client' && { per: plan.per }),
            ...(plan.retry.length > 0 && { retrySeconds: plan.retry }),
            ...(job.concernsPlatform && { concernsPlatform: true }),
            run: (run) => perform(plan, job, run, deps),
          },
        ]
      : [];
  });
}

async function perform(plan: JobPlan, job: Job, run: JobRun, deps: DescribedJobDeps): Promise<string | undefined> {
  const { tenant, company, branch, signal } = run;
  if (!tenant) return undefined;
  if (!(await hasTables(tenant, plan.types))) return 'There is nothing to process yet.';
  const identity = { job: plan.name, key: plan.key === undefined ? `run ${run.id}` : runKey(plan.key, run) };
  if (plan.key !== undefined && (await beginRun(tenant, identity)) === null)
    return `It has run for ${identity.key}, and does so once.`;
  await deps.prepare(tenant);
  const actor = systemSession(tenant, company, run.by);
  const limits = job.elevated ? { elevated: true } : {};
  const inStep = <T>(work: (unit: Unit) => Promise<T>) =>
    inUnit(actor, (unit) => work(deps.unit(unit, limits)), { cause: `job ${plan.name}` });
  let loops = 0;
  const message = await job.run({
    actor,
    services: deps.functions.services!,
    args: { ...plan.args, ...run.payload },
    due: run.due,
    days: daysOfRun(
      plan.key?.includes('{day}') === true
        ? await lastDay(tenant, identity, runKey(plan.key, { ...run, due: '%' }))
        : null,
      run.due.slice(0, 10),
    ),
    company,
    branch,
    signal,
    progress: (steps) => run.progress(steps),
    async each(next, work, total) {
      const loop = loops++;
      let done = 0;
      const of = total && (await inStep(total));
      // Steps of earlier attempts count too.
      await run.progress((await beginRun(tenant, identity)) ?? 0, of);
      for (;;) {
        const steps = await inStep(async (unit) => {
          const { cursor, steps: earlier } = await cursorOf(unit.session.tenant, identity, loop);
          const batch = await next(unit, cursor);
          if (batch.length === 0) return null;
          const after = await work(unit, batch);
          await keepCursor(unit.session.tenant, identity, loop, after, batch.length);
          return { own: batch.length, all: earlier + batch.length };
        });
        if (!steps) return done;
        done += steps.own;
        await run.progress(steps.all, of);
      }
    },
  });
  if (plan.key !== undefined) await endRun(tenant, identity);
  else if (loops > 0) await forgetRun(tenant, identity);
  return message;
}

/** Whether the client has tables of all these types. */
async function hasTables({ db, schema }: Tenant, types: readonly string[]): Promise<boolean> {
  if (types.length === 0) return true;
  const [row] = await db.query<{ there: boolean }>(
    'select bool_and(to_regclass(name) is not null) as there from unnest($1::text[]) as t(name)',
    [types.map((type) => tableName(schema, type))],
  );
  return row!.there;
}
