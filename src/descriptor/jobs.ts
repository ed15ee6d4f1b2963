import { Ajv2020 } from 'ajv/dist/2020.js';
import { Cron } from 'croner';
import type { SourceFile } from './compile.ts';
import type { FunctionNames } from './function_names.ts';
import { hasRightShape } from './meta_check.ts';
import { Source, didYouMean } from './source.ts';
import type { Screen } from './types.ts';

/** The scope of a job: once for the client, or for each of its companies or branches. */
export type JobPer = 'client' | 'company' | 'branch';

/** A job as described in `jobs.json` of a module. */
export interface JobPlan {
  name: string;
  title: string;
  /** The function of a module, `<module>.<job>`. */
  run: string;
  /** The schedule as cron, in the time zone of its scope; absent = only on request. */
  at?: string;
  per: JobPer;
  /** What it runs once for, with placeholders in braces; absent = each run is separate. */
  key?: string;
  /** Delays before retries, in seconds. */
  retry: number[];
  /** Record types whose tables it reads: clients without one of these tables are skipped. */
  types: string[];
  args: Record<string, unknown>;
}

/** The file's name in the folder of a module. */
export const JOBS_FILE = 'jobs';
/** Placeholders of a key, and the scope that each one needs. */
const KEY_WORDS: Readonly<Record<string, readonly JobPer[]>> = {
  company: ['company', 'branch'],
  branch: ['branch'],
  due: ['client', 'company', 'branch'],
  day: ['client', 'company', 'branch'],
  month: ['client', 'company', 'branch'],
  year: ['client', 'company', 'branch'],
};
/** Five fields: a job runs at most once a minute. */
const CRON_FIELDS = 5;

type Written = Omit<JobPlan, 'name' | 'per' | 'retry' | 'types' | 'args'> &
  Partial<Pick<JobPlan, 'per' | 'retry' | 'types' | 'args'>>;
const ajv = new Ajv2020({ strict: false, addUsedSchema: false });

/** Compiles the files that describe jobs; a job with errors is left out. Names are unique across all modules. */
export function compileJobs(
  files: readonly { file: SourceFile; source: Source }[],
  screens: ReadonlyMap<string, Screen>,
  functions: FunctionNames,
): JobPlan[] {
  const plans = new Map<string, JobPlan>();
  for (const { file, source } of files) {
    const written = JSON.parse(file.text) as Record<string, unknown>;
    if (!hasRightShape(written, source, 'jobs') || source.problems.length > 0) continue;
    for (const [name, job] of Object.entries(written)) {
      if (name === '$schema') continue;
      const plan = compileJob(name, job as Written, source, screens, functions);
      if (plans.has(name)) source.report([name], `"${name}" is described twice.`, 'Give the job another name.');
      else if (plan) plans.set(name, plan);
    }
  }
  return [...plans.values()];
}

function compileJob(
  name: string,
  { title, run, at, per = 'client', key, retry = [], types = [], args = {} }: Written,
  source: Source,
  screens: ReadonlyMap<string, Screen>,
  functions: FunctionNames,
): JobPlan | null {
  const before = source.problems.length;
  const { scheduled } = functions;
  const known = scheduled?.get(run);
  if (scheduled && !known)
    source.report([name, 'run'], `There is no job function "${run}".`, didYouMean(run, scheduled.keys()));
  if (known) checkArgs(name, args, known.args, source);
  if (at !== undefined) checkTime(at, [name, 'at'], source);
  if (key !== undefined) checkKey(key, per, [name, 'key'], source);
  types.forEach((type, index) => {
    if (!screens.has(type))
      source.report([name, 'types', index], `There is no record type "${type}".`, didYouMean(type, screens.keys()));
  });
  if (source.problems.length > before) return null;
  return {
    name,
    title,
    run,
    ...(at !== undefined && { at }),
    per,
    ...(key !== undefined && { key }),
    retry,
    types,
    args,
  };
}

function checkArgs(name: string, args: object, schema: object | undefined, source: Source): void {
  if (!schema) {
    if (Object.keys(args).length > 0) source.report([name, 'args'], 'The function is handed nothing.', 'Leave it out.');
    return;
  }
  const validate = ajv.compile(schema);
  if (!validate(args)) {
    const { instancePath, message } = validate.errors![0]!;
    source.report([name, 'args'], `${instancePath || '"args"'} ${message}.`, 'The function says what it takes.');
  }
}

function checkTime(at: string, path: string[], source: Source): void {
  const hint = 'Minute, hour, day, month, day of the week: "0 18 * * *" is every day at 18:00.';
  if (at.trim().split(/\s+/).length !== CRON_FIELDS) {
    source.report(path, `"${at}" has not five fields.`, hint);
    return;
  }
  try {
    if (new Cron(at, { timezone: 'UTC' }).nextRun() === null) source.report(path, `"${at}" never comes.`, hint);
  } catch (error) {
    source.report(path, `"${at}" is not a time: ${(error as Error).message.replace(/^CronPattern: /, '')}.`, hint);
  }
}

function checkKey(key: string, per: JobPer, path: string[], source: Source): void {
  const words = [...key.matchAll(/\{(\w*)\}/g)].map(([, word = '']) => word);
  for (const word of words) {
    const has = KEY_WORDS[word];
    if (!has) source.report(path, `A key has no word "{${word}}".`, didYouMean(word, Object.keys(KEY_WORDS)));
    else if (!has.includes(per))
      source.report(
        path,
        `The job runs per ${per}: its key has no "{${word}}".`,
        `Write "per": "${word}", or leave it out.`,
      );
  }
  if (per !== 'client' && !words.includes(per))
    source.report(path, `The job runs per ${per}, and would run for one ${per} only.`, `Add "{${per}}" to the key.`);
}

/** The scope and the scheduled time of a run. */
export interface RunPlace {
  company: number | null;
  branch: number | null;
  /** The scheduled time, in the local time zone: 2026-11-23T18:00+05:30. */
  due: string;
}

/** The key under which a run is unique. */
export function runKey(key: string, { company, branch, due }: RunPlace): string {
  const values: Record<string, string> = {
    company: String(company),
    branch: String(branch),
    due,
    day: due.slice(0, 10),
    month: due.slice(0, 7),
    year: due.slice(0, 4),
  };
  return key.replace(/\{(\w+)\}/g, (_all, word: string) => values[word]!);
}
