import type { Database } from '../../src/server/db/database.ts';

export interface JobRun {
  state: string;
  ms: number;
  message: string | null;
  error: string | null;
  company: number | null;
}

/** Starts a job of a client and waits until it has ended in all its companies; a key of its day is no matter here. */
export async function runJob(
  server: { base: string; authorization: Record<string, string>; db: Database; schema: string },
  name: string,
): Promise<JobRun[]> {
  const { base, authorization, db, schema } = server;
  await db.query(`delete from ${schema}.job_run where job = $1`, [name]);
  const [last] = await db.query<{ id: number }>('select coalesce(max(id), 0) as id from public.job');
  const started = await fetch(`${base}/jobs/${name}/run`, { method: 'POST', headers: authorization });
  if (!started.ok) throw new Error(`${name}: ${await started.text()}`);
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    const answer = await fetch(`${base}/jobs/log?name=${name}`, { headers: authorization });
    const { data } = (await answer.json()) as { data: (JobRun & { id: number })[] };
    const own = data.filter(({ id }) => id > Number(last!.id));
    if (own.length > 0 && own.every(({ state }) => !['queued', 'running'].includes(state))) {
      const failed = own.find(({ state }) => state !== 'done');
      if (failed) throw new Error(`${name}: ${failed.error ?? failed.state}`);
      return own;
    }
  }
}
