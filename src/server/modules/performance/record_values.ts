import { daysWorked } from '../../access/people/working_calendar.ts';
import type { FigureOwner, RecordFigure } from '../../engine/record_figure.ts';
import { figureSql } from '../../engine/record_figure.ts';
import type { Unit } from '../../engine/records/unit.ts';

/** The column of a member that names an owner of a kind. A store has no members. */
const MEMBERS_BY: Partial<Record<FigureOwner, string>> = {
  employee: 'id',
  department: 'department_id',
  branch: 'branch_id',
  entity: 'entity_id',
};

/** Owners of one kind. */
export interface FigureOwners {
  kind: FigureOwner;
  ids: readonly number[];
}

/** The working days of the members of owners, from their first to their last, as the tables `person` and `day`. */
async function workingDays(unit: Unit, { kind, ids }: FigureOwners, { first, last }: { first: string; last: string }) {
  const { tenant, entityId } = unit.session;
  const employed = await unit.query<{ id: number; branch_id: number | null; from: string; to: string }>(
    `select id, branch_id, greatest(date_of_joining, $2::date)::text as "from", least(last_working_day, $3::date)::text as "to"
     from {employee} where active and ${MEMBERS_BY[kind] ?? 'null::bigint'} = any($1)`,
    [ids, first, last],
  );
  const places = employed.map(({ id, branch_id: branchId }) => ({ entityId, branchId, employeeId: id }));
  const days = await daysWorked(tenant, places, first, last);
  return employed.flatMap(({ id, from, to }, at) =>
    days[at]!.filter((day) => day >= from && day <= to).map((day) => ({ person: id, day })),
  );
}

/** The values of owners over some days, by id; null if the client does not use the records, or such owners have none. */
export async function recordValues(
  unit: Unit,
  figure: RecordFigure,
  owners: FigureOwners,
  days: { first: string; last: string; timezone: string },
  kpi: number | null = null,
): Promise<ReadonlyMap<number, string> | null> {
  const { reads, of, byWorkingDay } = figure;
  if (of[owners.kind] === undefined) return null;
  const [known] = await unit.query<{ all: boolean }>(
    `select ${reads.map((type) => `to_regclass('{${type}}') is not null`).join(' and ')} as all`,
  );
  if (!known!.all) return null;
  const working = byWorkingDay === true ? await workingDays(unit, owners, days) : [];
  const rows = await unit.query<{ owner: number; value: string }>(
    `with span as (select $1::bigint[] as owners, $2::date as first, $3::date as last, $4::text as zone, $5::bigint as company, $7::bigint as kpi),
       working as (select * from jsonb_to_recordset($6::jsonb) w(person bigint, day date)) ${figureSql(figure, owners.kind)}`,
    [owners.ids, days.first, days.last, days.timezone, unit.session.entityId, JSON.stringify(working), kpi],
  );
  return new Map(rows.map(({ owner, value }) => [owner, value]));
}
