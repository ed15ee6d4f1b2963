import type { Queryable } from '../../db/database.ts';
import { AppError } from '../../db/errors.ts';
import { tableName } from '../../db/names.ts';

/** Refuses operations while a run of the job is waiting or active. `except`: the run that asks. @throws AppError 409 */
export async function refuseWhileGoing(on: Queryable, schema: string, jobId: number, except = 0): Promise<void> {
  const [going] = await on.query<{ id: number }>(
    `select id from ${tableName(schema, 'sync_run')} where job_id = $1 and id <> $2 and state in ('queued', 'running') limit 1`,
    [jobId, except],
  );
  if (going) throw new AppError(409, 'bad_state', `Run ${going.id} is still running.`);
}
