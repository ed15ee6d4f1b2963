import type { ReportRow } from '../../../domain/report.ts';
import { AppError } from '../../db/errors.ts';
import type { ReportCall } from '../../engine/reports/report_source.ts';

const LISTED = 10;

/**
 * Jobs of all clients that failed within the last day, latest first, for platform administrators only.
 * @throws AppError 403
 */
export async function failedJobs({ session }: ReportCall): Promise<{ count: number; last: ReportRow[] }> {
  const { rights, tenant } = session;
  if (!rights.isAdmin || tenant.schema !== 'public')
    throw new AppError(403, 'forbidden', 'Jobs of all clients are for administrators of the platform.', {
      reason: 'page_type',
    });
  const rows = await tenant.db.owner.query<ReportRow & { count: number }>(
    `select name as job, regexp_replace(schema_name, '^cmp_', '') as client, finished_at as failed_at, left(error, 200) as error,
       (count(*) over ())::int as count
     from public.job where state = 'failed' and finished_at > now() - interval '24 hours' order by finished_at desc limit $1`,
    [LISTED],
  );
  return { count: rows[0]?.count ?? 0, last: rows.map(({ count: _all, ...job }) => job) };
}
