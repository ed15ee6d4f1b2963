import type { Zones } from '../../../descriptor/place.ts';
import { dayIn } from '../../../descriptor/place.ts';
import type { Screen } from '../../../descriptor/types.ts';
import type { Tenant } from '../../db/tenant.ts';
import type { Queryable } from '../../db/database.ts';
import { quoted } from '../../db/names.ts';
import { SqlParams } from '../../db/sql_text.ts';
import { allZones, zoneSql, zonesOf } from '../../services/clock/zones.ts';

/** The maximum UTC offsets, with which an index finds the times, whatever their zones. */
const [MAX_AHEAD, MAX_BEHIND] = ["interval '14 hours'", "interval '12 hours'"];

/** The days to count, as SQL of type date. */
interface Days {
  /** The first; null = from the beginning. */
  from: string;
  /** The first that is not. */
  before: string;
}

/** The closed and cancelled states of workflows, by type. */
function endStates(screens: ReadonlyMap<string, Screen>): { record_type: string; field: string; last: string[] }[] {
  return [...screens.values()].flatMap(({ name, workflow }) => {
    const last = workflow?.states.flatMap((state) => (state.is === 'open' ? [] : [state.name])) ?? [];
    return workflow && last.length > 0 ? [{ record_type: name, field: workflow.field, last }] : [];
  });
}

/**
 * People's activity according to the history: by day of the company, company (0 = none), record type and person (0 =
 * the product itself). `closed` = deactivated, deleted, or moved from an open state to a closed or cancelled one.
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

/**
 * The activity between two days, both included: counted days from the nightly figures, others from the current history.
 * An SQL fragment.
 */
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
 * Counts the past days that were not counted, each once: the last day counted is stored with the figures, in one
 * transaction. Transactions started before midnight have long ended when it runs. @returns the number of rows added
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

/** Deletes the counted figures, because history was deleted: the next night counts what is left. */
export async function recountActivity(tx: Queryable, schema: string): Promise<void> {
  const s = quoted(schema);
  await tx.query(`update ${s}.activity_counted set until = null`);
  await tx.query(`delete from ${s}.activity_day`);
}

/** The earliest current day of all time zones: the days before it have ended everywhere at the client. */
export async function firstDay(tenant: Tenant): Promise<string> {
  return allZones(await zonesOf(tenant))
    .map((zone) => dayIn(zone))
    .toSorted()[0]!;
}
