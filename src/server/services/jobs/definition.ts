import type { Tenant } from '../../db/tenant.ts';

/** What a job is given. */
export interface JobRun {
  id: number;
  /** The client it runs for; null = the platform itself. */
  tenant: Tenant | null;
  payload: Record<string, unknown>;
  /** 1 for the first try. */
  attempt: number;
  /** The company and branch it runs for, where it runs for each. */
  company: number | null;
  branch: number | null;
  /** The person who requested it; null = nobody in particular. */
  by: number | null;
  /** The scheduled time, in local time: 2026-11-23T18:00+05:30. */
  due: string;
  /** Aborted when the server stops, or when somebody stops the run. */
  signal: AbortSignal;
  /**
   * Reports the progress, with the total number of steps if known. Ends the run if it was stopped, or if other clients
   * are waiting: then it is started again later, so the work done must have been stored.
   */
  progress(steps: number, total?: number): Promise<void>;
}

/** A scheduled or requested job. */
export interface JobDefinition {
  /** `outbox_sweep`. */
  name: string;
  /** Its title for administrators. */
  title: string;
  /** Its schedule as cron; in the time zone of the client, company or branch it runs for. */
  cron?: string;
  /** A record type: the job runs soon after any of its records was stored, by any path. */
  after?: string;
  /** Runs for each client (default) or once for the platform. */
  scope?: 'tenant' | 'platform';
  /** For a client: it runs for each of its companies or branches. */
  per?: 'company' | 'branch';
  /** Delays before retries, in seconds; none = one attempt. */
  retrySeconds?: number[];
  /** How long a run may be silent before another process may take it over. Default 10 minutes. */
  leaseSeconds?: number;
  /** Failures are also reported to the platform administrators, even if it ran for a client. */
  concernsPlatform?: boolean;
  /** @returns what was done, for the log */
  run(job: JobRun): Promise<string | undefined>;
}

/** Somebody stopped the run. */
export class JobStopped extends Error {
  constructor() {
    super('Stopped.');
  }
}

/** The run yields and continues later. */
export class JobPaused extends Error {
  constructor() {
    super('It goes on later.');
  }
}
