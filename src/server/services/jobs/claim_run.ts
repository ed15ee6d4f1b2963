import type { Queryable } from '../../db/database.ts';
import type { ServerPresence } from '../../db/server_presence.ts';

/** A run claimed from the queue by a process. */
export interface JobRow {
  id: number;
  schema_name: string;
  name: string;
  payload: Record<string, unknown>;
  trigger: string;
  attempts: number;
  entity_id: number | null;
  branch_id: number | null;
  due: string | null;
  by: number | null;
}

/**
 * Claims the next run: of those that are due, or whose process has died. Many runs of one client are spaced a second
 * apart, so that no client blocks others. Runs with the same key take turns.
 * @param schemas of these clients only
 */
export async function claimRun(
  main: Queryable,
  presence: ServerPresence,
  names: readonly string[],
  schemas?: readonly string[],
): Promise<JobRow | undefined> {
  const server = await presence.number();
  const take = (which: string, values: unknown[]) =>
    main.query<JobRow>(
      `update public.job set state = 'running', attempts = attempts + 1, server = $1, started_at = now(), leased_until = now() + interval '10 minutes'
       where id = (select id from public.job where ${which} and ($2::text[] is null or schema_name = any($2)) order by turn, id limit 1 for update skip locked)
       returning id, schema_name, name, payload, trigger, attempts, entity_id, branch_id, due, by`,
      [server, schemas ?? null, ...values],
    );
  const [row] = await take(
    `name = any($3) and ((state = 'queued' and run_at <= now()
         and not exists (select 1 from public.job r where r.state = 'running' and r.schema_name = job.schema_name
           and r.name = job.name and r.unique_key = job.unique_key))
       or (state = 'running' and leased_until < now()))`,
    [names],
  );
  if (row) return row;
  const begun = await main.query<{ id: number; server: number }>(
    `select id, server from public.job where name = any($1) and state = 'running' and server <> $2 order by id`,
    [names, server],
  );
  if (begun.length === 0) return undefined;
  // Checked afterwards: a server announces itself before it claims a run.
  const running = new Set(await presence.running());
  for (const orphan of begun.filter((one) => !running.has(one.server))) {
    const [taken] = await take(`id = $3 and state = 'running' and server = $4`, [orphan.id, orphan.server]);
    if (taken) return taken;
  }
  return undefined;
}
