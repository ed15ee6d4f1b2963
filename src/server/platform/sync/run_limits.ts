import type { Tenant } from '../../db/tenant.ts';
import { clientSettings } from '../../services/settings/client_settings.ts';
import type { Counts, SyncJob } from './job.ts';

/** More records would be deleted, or more rows are invalid, than the job allows: a person must confirm. */
export class Guarded extends Error {
  readonly counts: Partial<Counts>;
  constructor(message: string, counts: Partial<Counts>) {
    super(message);
    this.counts = counts;
  }
}

/** Percentages are compared exactly: 100 of 500 is 20 %, 101 is more. */
function beyond(part: number, whole: number, percent: string): boolean {
  const [digits, decimals = ''] = percent.split('.');
  const limit = BigInt(`${digits}${decimals.padEnd(4, '0').slice(0, 4)}`);
  return BigInt(part) * 1_000_000n > limit * BigInt(whole);
}

/** 20.0000 and 20.00 are written as 20. */
const short = (percent: string): string => percent.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
const share = (part: number, whole: number): string => short(((part * 100) / whole).toFixed(2));

/** In percent: allowed invalid rows, and allowed deletions. */
export interface Limits {
  faulty: string;
  gone: string;
}

/** The job's own limits, otherwise the client's. */
export async function limitsOf(tenant: Tenant, job: SyncJob): Promise<Limits> {
  const settings = await clientSettings(tenant);
  return {
    faulty: job.reject_limit_percent ?? String(settings.sync_reject_limit_percent),
    gone: job.delete_guard_percent ?? String(settings.sync_delete_guard_percent),
  };
}

/** The confirmed number of rows; more require another confirmation. */
export function checkLimits(
  { faulty, gone }: Limits,
  run: { approved_by: number | null; rejected: number; deactivated: number },
  { read, rejected, deactivated }: { read: number; rejected: number; deactivated: number },
  active: number,
): void {
  const approved = run.approved_by !== null;
  const counts = { read, rejected, deactivated };
  if (beyond(rejected, read, faulty) && !(approved && rejected <= run.rejected))
    throw new Guarded(
      `${rejected} of ${read} rows are faulty (${share(rejected, read)} %), more than the ${short(faulty)} % allowed. Nothing was written.`,
      counts,
    );
  if (beyond(deactivated, active, gone) && !(approved && deactivated <= run.deactivated))
    throw new Guarded(
      `${deactivated} of ${active} records would be deactivated (${share(deactivated, active)} %), more than the ${short(gone)} % allowed. Nothing was written.`,
      counts,
    );
}
