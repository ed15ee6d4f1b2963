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
  /** Who asked for it; null = nobody by name. */
  by: number | null;
  /** The moment it was due, by the clock of where it runs: 2026-11-23T18:00+05:30. */
  due: string;
  /** Aborted when the server stops, or when somebody stops the run. */
  signal: AbortSignal;
  /**
   * Says how far it is, of how many steps if that is known. Ends the run where it was stopped, or where other clients
   * wait and have a turn first: then it is begun again later, so what it has done has to be kept.
   */
  progress(steps: number, total?: number): Promise<void>;
}

/** What runs by the clock, or when it is asked for. */
export interface JobDefinition {
  /** `outbox_sweep`. */
  name: string;
  /** What an administrator reads. */
  title: string;
  /** When it runs by itself, as cron; in the client's time zone, or that of the company or branch it runs for. */
  cron?: string;
  /** A record type: whenever one of its records was stored, by whatever way, the job runs soon. */
  after?: string;
  /** Runs for each client (default) or once for the platform. */
  scope?: 'tenant' | 'platform';
  /** Of a client, it runs for each of its companies or branches. */
  per?: 'company' | 'branch';
  /** Waits before further tries, in seconds; none = one try. */
  retrySeconds?: number[];
  /** How long a run may go without a sign of life before another process may take it over. Default 10 minutes. */
  leaseSeconds?: number;
  /** A failure concerns whoever looks after the platform, also where it ran for a client. */
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

/** The run makes room and goes on later. */
export class JobPaused extends Error {
  constructor() {
    super('It goes on later.');
  }
}
