import type { Zones } from '../../../descriptor/place.ts';
import { dayIn } from '../../../descriptor/place.ts';
import type { Screen } from '../../../descriptor/types.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted } from '../../db/names.ts';
import { SqlParams } from '../../db/sql_text.ts';
import { allZones, zoneSql, zonesOf } from '../../services/clock/zones.ts';

/** How far clocks are ahead of UTC and behind it at most: an index finds the moments by it, whatever their zones. */
const [MAX_AHEAD, MAX_BEHIND] = ["interval '14 hours'", "interval '12 hours'"];

/** Which days are counted, as SQL of type date. */
interface Days {
  /** The first; null = from the beginning. */
  from: string;
  /** The first that is not. */
  before: string;
}

/** The states of workflows in which records are done or void, by type. */
function endStates(screens: ReadonlyMap<string, Screen>): { record_type: string; field: string; last: string[] }[] {
  return [...screens.values()].flatMap(({ name, workflow }) => {
    const last = workflow?.states.flatMap((state) => (state.is === 'open' ? [] : [state.name])) ?? [];
    return workflow && last.length > 0 ? [{ record_type: name, field: workflow.field, last }] : [];
  });
}

/**
 * What people did with records by the history: by day of the company, company (0 = of no company), record type and person
 * (0 = nobody, the product itself). `closed` = taken out of use, deleted, or moved from an open state to one that is closed or cancelled.
 */
function countedHistory(
  { schema }: Tenant,
  zones: Zones,
  screens: ReadonlyMap<string, Screen>,
  { from, before }: Days,
  values: SqlParams,
): string {
  const zone = zoneSql(zones, values, { entity: 'h.entity_id' });
  const ends = values.bind(JSON.stringify(endStates(screens)));
  return `select (h.at at time zone ${zone})::date as day, coalesce(h.entity_id, 0) as entity_id, h.record_type, coalesce(h.by, 0) as user_id,
      (count(*) filter (where h.op = 'I'))::integer as made, (count(*) filter (where h.op in ('U', 'A') and not e.ended))::integer as changed, (count(*) filter (where e.ended))::integer as closed
    from ${quoted(schema)}.history h
    left join jsonb_to_recordset(${ends}::jsonb) as f(record_type text, field text, last jsonb) on f.record_type = h.record_type
    cross join lateral (select h.op in ('D', 'X') or coalesce(h.op = 'U' and f.last ? (h.change -> f.field ->> 1) and not coalesce(f.last ? (h.change -> f.field ->> 0), false), false) as ended) e
    where h.at >= coalesce((${from})::date::timestamp at time zone 'UTC' - ${MAX_AHEAD}, '-infinity') and h.at < (${before})::date::timestamp at time zone 'UTC' + ${MAX_BEHIND}
      and (h.at at time zone ${zone})::date >= coalesce((${from})::date, '-infinity') and (h.at at time zone ${zone})::date < (${before})::date
    group by 1, 2, 3, 4`;
}

/** What was done from one day to another, both included: days that were counted by night, and of the others what the history says now. A piece of SQL. */
export function activityOfDays(
  tenant: Tenant,
  zones: Zones,
  screens: ReadonlyMap<string, Screen>,
  { from, to }: { from: string; to: string },
  values: SqlParams,
): string {
  const s = quoted(tenant.schema);
  const [first, last] = [values.bind(from), values.bind(to)];
  const open = countedHistory(
    tenant,
    zones,
    screens,
    { from: `select greatest(${first}::date, until + 1) from ${s}.activity_counted`, before: `${last}::date + 1` },
    values,
  );
  return `select day, entity_id, record_type, user_id, made, changed, closed from ${s}.activity_day where day between ${first}::date and ${last}::date union all ${open}`;
}

/**
 * Counts the days that are over and were not counted, each once: the last day counted is kept with the figures, in one transaction.
 * Who began before midnight has long ended when it runs. @returns how many rows were added
 */
export async function countActivity(
  tenant: Tenant,
  screens: ReadonlyMap<string, Screen>,
  today: string,
): Promise<number> {
  const s = quoted(tenant.schema);
  const zones = await zonesOf(tenant);
  return tenant.db.transaction(async (tx) => {
    const [counted] = await tx.query<{ until: string | null }>(
      `select until::text from ${s}.activity_counted where until is null or until < $1::date - 1 for update`,
      [today],
    );
    if (!counted) return 0;
    const values = new SqlParams();
    const days = countedHistory(
      tenant,
      zones,
      screens,
      { from: `${values.bind(counted.until)}::date + 1`, before: values.bind(today) },
      values,
    );
    const [added] = await tx.query<{ n: number }>(
      `with added as (insert into ${s}.activity_day (day, entity_id, record_type, user_id, made, changed, closed) ${days} returning 1)
       select count(*)::integer as n from added`,
      values.list,
    );
    await tx.query(`update ${s}.activity_counted set until = $1::date - 1`, [today]);
    return added!.n;
  });
}

/** Forgets what was counted, because history was taken away: the next night counts what is left. */
export async function countAnew(tx: Queryable, schema: string): Promise<void> {
  const s = quoted(schema);
  await tx.query(`update ${s}.activity_counted set until = null`);
  await tx.query(`delete from ${s}.activity_day`);
}

/** The day where it is earliest: the days before it are over everywhere in the client. */
export async function firstDay(tenant: Tenant): Promise<string> {
  return allZones(await zonesOf(tenant))
    .map((zone) => dayIn(zone))
    .toSorted()[0]!;
}
