import { daysWorked } from '../../access/people/working_calendar.ts';
import type { PersonFigure } from '../../engine/person_figure.ts';
import type { Unit } from '../../engine/records/unit.ts';

/** The working days of employees, from their first to their last, as the tables `person` and `day`. */
async function workingDays(unit: Unit, people: readonly number[], { first, last }: { first: string; last: string }) {
  const { tenant, entityId } = unit.session;
  const employed = await unit.query<{ id: number; branch_id: number | null; from: string; to: string }>(
    `select id, branch_id, greatest(date_of_joining, $2::date)::text as "from", least(last_working_day, $3::date)::text as "to"
     from {employee} where id = any($1)`,
    [people, first, last],
  );
  const places = employed.map(({ id, branch_id: branchId }) => ({ entityId, branchId, employeeId: id }));
  const days = await daysWorked(tenant, places, first, last);
  return employed.flatMap(({ id, from, to }, at) =>
    days[at]!.filter((day) => day >= from && day <= to).map((day) => ({ person: id, day })),
  );
}

/** The values of people over some days; null if the client does not use the records. */
export async function personValues(
  unit: Unit,
  { reads, sql, byWorkingDay }: PersonFigure,
  people: readonly number[],
  days: { first: string; last: string; timezone: string },
  kpi: number | null = null,
): Promise<ReadonlyMap<number, string> | null> {
  const [known] = await unit.query<{ all: boolean }>(
    `select ${reads.map((type) => `to_regclass('{${type}}') is not null`).join(' and ')} as all`,
  );
  if (!known!.all) return null;
  const working = byWorkingDay === true ? await workingDays(unit, people, days) : [];
  const rows = await unit.query<{ person: number; value: string }>(
    `with span as (select $1::bigint[] as people, $2::date as first, $3::date as last, $4::text as zone, $5::bigint as company, $7::bigint as kpi),
       working as (select * from jsonb_to_recordset($6::jsonb) w(person bigint, day date)) ${sql}`,
    [people, days.first, days.last, days.timezone, unit.session.entityId, JSON.stringify(working), kpi],
  );
  return new Map(rows.map(({ person, value }) => [person, value]));
}
