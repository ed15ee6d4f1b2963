import { Cron } from 'croner';
import { zoneOf } from '../../../descriptor/place.ts';
import type { Directory, TenantRow } from '../../db/directory.ts';
import { openTenant } from '../../db/directory.ts';
import { PLATFORM_ZONE } from '../../db/subscription.ts';
import { quoted } from '../../db/names.ts';
import type { Tenant } from '../../db/tenant.ts';
import { announce } from '../../db/announce.ts';
import { zonesOf } from '../clock/zones.ts';
import type { JobDefinition } from './definition.ts';

/** The scope of a run: the client, or one of its companies or branches. */
export interface JobPlace {
  company: number | null;
  branch: number | null;
  timezone: string;
}

/** The schema of the platform's own jobs. */
export const PLATFORM = 'public';
const MAX_AT_ONCE = 5_000;

/** The active companies or branches of a client, with their time zones. */
export async function placesOf(tenant: Tenant, per: JobDefinition['per']): Promise<JobPlace[]> {
  if (per === undefined) return [{ company: null, branch: null, timezone: tenant.timezone }];
  const s = quoted(tenant.schema);
  const table = per === 'company' ? 'entity' : 'branch';
  const [there] = await tenant.db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    `${s}.${table}`,
  ]);
  if (!there?.there) return [];
  const zones = await zonesOf(tenant);
  const rows = await tenant.db.query<{ company: number; branch: number | null }>(
    per === 'company'
      ? `select id as company, null::bigint as branch from ${s}.entity where active order by id`
      : `select b.entity_id as company, b.id as branch from ${s}.branch b join ${s}.entity e on e.id = b.entity_id where b.active and e.active order by b.id`,
  );
  return rows.map(({ company, branch }) => ({
    company,
    branch,
    timezone: zoneOf({ entityId: company, branchId: branch }, zones) ?? tenant.timezone,
  }));
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** A point in time in a zone's local time, to the minute, with its UTC offset. */
export function dueAt(timezone: string, moment: Date): string {
  let clock = clocks.get(timezone);
  if (!clock)
    clocks.set(
      timezone,
      (clock = new Intl.DateTimeFormat('sv-SE', {
        timeZone: timezone,
        dateStyle: 'short',
        timeStyle: 'medium',
      })),
    );
  const shown = clock.format(moment).replace(' ', 'T').slice(0, 16);
  const minutes = Math.round((Date.parse(`${shown}Z`) - Math.floor(moment.getTime() / 60_000) * 60_000) / 60_000);
  const two = (value: number) => String(value).padStart(2, '0');
  const away = Math.abs(minutes);
  return `${shown}${minutes < 0 ? '-' : '+'}${two(Math.floor(away / 60))}:${two(away % 60)}`;
}

/** The due runs of a schedule at its places, and its next due time. */
export function dueRuns(
  cron: string,
  places: readonly JobPlace[],
  since: Date | null,
  now: Date,
): { runs: (JobPlace & { due: string })[]; next: Date | null } {
  const runs: (JobPlace & { due: string })[] = [];
  let next: Date | null = null;
  for (const place of places) {
    const clock = new Cron(cron, { timezone: place.timezone });
    // If several times were missed, only the last one counts.
    const first = since && clock.nextRun(new Date(since.getTime() - 1_000));
    if (first && first <= now) {
      const last = clock.previousRuns(1, new Date(now.getTime() + 1_000))[0];
      runs.push({ ...place, due: dueAt(place.timezone, last && last >= first ? last : first) });
    }
    const after = clock.nextRun(now);
    if (after && (next === null || after < next)) next = after;
  }
  return { runs, next };
}

interface DueRow {
  schema_name: string;
  name: string;
  cron: string;
  next_at: Date | string | null;
}

/** Creates the rows for schedules of new clients and jobs. */
async function complete(
  { main }: Directory,
  definitions: readonly JobDefinition[],
  tenants: readonly TenantRow[],
): Promise<void> {
  const rows = definitions.flatMap(({ name, cron, scope }) =>
    cron === undefined
      ? []
      : (scope === 'platform' ? [PLATFORM] : tenants.map(({ schema }) => schema)).map((schema) => ({
          schema,
          name,
          cron,
        })),
  );
  if (rows.length === 0) return;
  await main.query(
    `insert into public.job_schedule (schema_name, name, cron) select * from unnest($1::text[], $2::text[], $3::text[])
     on conflict (schema_name, name) do update set cron = excluded.cron, next_at = null where job_schedule.cron <> excluded.cron`,
    [rows.map(({ schema }) => schema), rows.map(({ name }) => name), rows.map(({ cron }) => cron)],
  );
}

/** Queues the scheduled runs that are due, each once, and sets the next due times. Missed ones are not made up for. */
export async function queueDue(
  directory: Directory,
  definitions: ReadonlyMap<string, JobDefinition>,
  now: Date,
): Promise<void> {
  const { main } = directory;
  const scheduled = [...definitions.values()].filter(({ cron }) => cron !== undefined);
  const tenants = await directory.tenants();
  await complete(directory, scheduled, tenants);
  const byName = new Map(tenants.map((row) => [row.schema, row]));
  const condition = 'active and (next_at is null or next_at <= $1) and name = any($2)';
  const names = scheduled.map(({ name }) => name);
  // Companies are looked up before the rows are locked, because the look-up needs its own connection.
  const places = await placesOfDue(
    directory,
    definitions,
    byName,
    await main.query<DueRow>(
      `select schema_name, name from public.job_schedule where ${condition} and name = any($3) limit ${MAX_AT_ONCE}`,
      [now, names, scheduled.filter(({ per }) => per !== undefined).map(({ name }) => name)],
    ),
  );
  await main.transaction(async (tx) => {
    const due = await tx.query<DueRow>(
      `select schema_name, name, cron, next_at from public.job_schedule where ${condition}
       order by next_at limit ${MAX_AT_ONCE} for update skip locked`,
      [now, names],
    );
    const found = due.flatMap((row) => {
      const definition = definitions.get(row.name)!;
      const timezone = byName.get(row.schema_name)?.timezone ?? PLATFORM_ZONE;
      const at = definition.per
        ? places.get(placeKey(row.schema_name, definition.per))
        : [{ company: null, branch: null, timezone }];
      return at ? [{ row, ...dueRuns(row.cron, at, row.next_at === null ? null : new Date(row.next_at), now) }] : [];
    });
    if (found.length === 0) return;
    await tx.query(
      // If there is nothing to run for yet, it is checked again later.
      `update public.job_schedule s set next_at = coalesce(v.at, $4::timestamptz + interval '15 minutes')
       from unnest($1::text[], $2::text[], $3::timestamptz[]) as v(schema_name, name, at)
       where s.schema_name = v.schema_name and s.name = v.name`,
      [found.map(({ row }) => row.schema_name), found.map(({ row }) => row.name), found.map(({ next }) => next), now],
    );
    const runs = found.flatMap(({ row, runs: own }) =>
      row.schema_name === PLATFORM || byName.get(row.schema_name)?.active ? own.map((one) => ({ ...row, ...one })) : [],
    );
    if (runs.length === 0) return;
    await tx.query(
      `insert into public.job (schema_name, name, trigger, unique_key, entity_id, branch_id, due, turn)
       select v.schema_name, v.name, 'schedule', 'schedule' || coalesce(' ' || v.branch::text, ' ' || v.company::text, ''), v.company, v.branch, v.due,
         now() + (row_number() over (partition by v.schema_name order by v.at) - 1) * interval '1 second'
       from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::text[]) with ordinality as v(schema_name, name, company, branch, due, at)
       on conflict (schema_name, name, unique_key) where state = 'queued' do nothing`,
      [
        runs.map((run) => run.schema_name),
        runs.map((run) => run.name),
        runs.map((run) => run.company),
        runs.map((run) => run.branch),
        runs.map((run) => run.due),
      ],
    );
    await announce(tx, { kind: 'job' });
  });
}

const placeKey = (schema: string, per: string) => `${schema} ${per}`;

async function placesOfDue(
  directory: Directory,
  definitions: ReadonlyMap<string, JobDefinition>,
  tenants: ReadonlyMap<string, TenantRow>,
  due: readonly DueRow[],
): Promise<Map<string, JobPlace[]>> {
  const found = new Map<string, JobPlace[]>();
  for (const { schema_name: schema, name } of due) {
    const { per } = definitions.get(name)!;
    const row = tenants.get(schema);
    if (found.has(placeKey(schema, per!))) continue;
    if (!row?.active || row.held) {
      found.set(placeKey(schema, per!), []);
      continue;
    }
    // A client whose database is unavailable does not hold up others: it is checked again.
    const places = await openTenant(directory, row)
      .then((tenant) => placesOf(tenant, per))
      .catch(() => null);
    if (places) found.set(placeKey(schema, per!), places);
  }
  return found;
}
