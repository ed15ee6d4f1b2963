import { attendanceOf, gapsOver, minutesCovered } from '../../../domain/fms/attendance.ts';
import { leaveOn, middleOf } from '../../../domain/leave.ts';
import type { LeaveOfDay } from '../../../domain/leave.ts';
import { leaveBetween } from '../../access/people/leave.ts';
import { tableName } from '../../db/names.ts';
import { SqlParams, preparedStatement } from '../../db/sql_text.ts';
import { placeOf } from '../../services/clock/client_day.ts';
import type { ReportCall } from '../../engine/reports/report_source.ts';

/** A day of a field employee. Times are HH:MM in the company's time zone. */
export interface FieldDay {
  employee_id: number;
  name: string;
  team: string | null;
  day: string;
  shift: string | null;
  first_in: string | null;
  last_out: string | null;
  place_in: string | null;
  place_out: string | null;
  first_job: string | null;
  last_job: string | null;
  jobs: number;
  on_site: number;
  gaps: number;
  /** Null: the end of the day is not known. */
  worked: number | null;
  late: number;
  /** Kilometres by road; an exact text. */
  travel_km: string;
}

interface Stored {
  employee_id: number;
  name: string;
  team: string | null;
  day: string;
  shift_from: string | null;
  shift_to: string | null;
  times: { from: string; to: string | null; what: 'job' | 'in' | 'out'; place: string | null }[];
  travel_km: string;
}

/** The days, and what the reader chose. */
interface Chosen {
  from: string;
  to: string;
  team: unknown;
  person: unknown;
  branch: unknown;
  route: unknown;
}

/** Default grace and break of a shift. */
const GRACE = 10;
const BREAK = 60;

/** The types whose tables are read. */
export const FIELD_DAY_READS = {
  attendance_punch: ['at', 'direction'],
  fms_ticket: ['assignments'],
  team: ['shift_from', 'shift_to'],
  employee: [],
  building: [],
  route_mstr: [],
} as const;

/**
 * The days of team members from `from` to `to`, each with the first and last check-in, arrival and departure (C22), for
 * the people whom the reader may see. Days without entries have no row.
 */
export async function fieldDays(
  { session, scoped }: Pick<ReportCall, 'session' | 'scoped'>,
  chosen: Chosen,
): Promise<FieldDay[]> {
  const { tenant } = session;
  const table = (type: string) => tableName(tenant.schema, type);
  const values = new SqlParams();
  const zone = values.bind(placeOf(session).timezone);
  const [from, to] = [values.bind(chosen.from), values.bind(chosen.to)];
  const where = [
    ...scoped('employee', 'e', values),
    ...(chosen.team === null || chosen.team === undefined ? [] : [`m.parent_id = ${values.bind(chosen.team)}`]),
    ...teamChoices(table, values, chosen),
    ...(chosen.person === null || chosen.person === undefined ? [] : [`e.id = ${values.bind(chosen.person)}`]),
  ];
  const local = (moment: string) => `(${moment} at time zone ${zone})`;
  const rows = await tenant.db.query<Stored>(
    preparedStatement(
      `with what as (
         select p.employee_id, p.at as "from", null::timestamptz as "to", p.direction as what, p.place ->> 'lat' || ', ' || (p.place ->> 'lng') as place, null::numeric as km
         from ${table('attendance_punch')} p where p.active and ${local('p.at')}::date between ${from}::date and ${to}::date
         union all
         select a.employee_id, a.arrived_at, a.left_at, 'job', g.name, a.travel_km from ${table('fms_ticket')} t join ${table('fms_ticket__assignments')} a on a.parent_id = t.id
         left join ${table('building')} g on g.id = t.building_id
         where t.active and a.arrived_at is not null and ${local('a.arrived_at')}::date between ${from}::date and ${to}::date)
       select e.id as employee_id, e.name, t.name as team, ${local('w."from"')}::date::text as day, left(t.shift_from::text, 5) as shift_from, left(t.shift_to::text, 5) as shift_to,
         coalesce(sum(w.km), 0)::text as travel_km,
         json_agg(json_build_object('from', to_char(${local('w."from"')}, 'YYYY-MM-DD"T"HH24:MI'), 'to', to_char(${local('w."to"')}, 'YYYY-MM-DD"T"HH24:MI'), 'what', w.what, 'place', w.place) order by w."from") as times
       from what w join ${table('employee')} e on e.id = w.employee_id
       join ${table('team__members')} m on m.employee_id = e.id and m."from" <= ${local('w."from"')}::date and coalesce(m."to", 'infinity') >= ${local('w."from"')}::date
       join ${table('team')} t on t.id = m.parent_id
       where ${where.length > 0 ? where.join(' and ') : 'true'} group by e.id, e.name, t.id, t.name, 4, t.shift_from, t.shift_to order by 4, e.name`,
      values.list,
    ),
  );
  const leaves = await leaveBetween(tenant, chosen.from, chosen.to);
  return rows.map((row) => dayOfRow(row, leaveOn(leaves, row.employee_id, row.day)));
}

/** Active members of teams between two days, whom the reader may see, each with the first of the teams. */
export async function fieldMembers(
  { session, scoped }: Pick<ReportCall, 'session' | 'scoped'>,
  { from, to, team, person, branch, route }: Chosen,
): Promise<{ employee_id: number; name: string; team: string }[]> {
  const table = (type: string) => tableName(session.tenant.schema, type);
  const values = new SqlParams();
  const where = [
    ...scoped('employee', 'e', values),
    `m."from" <= ${values.bind(to)}::date and coalesce(m."to", 'infinity') >= ${values.bind(from)}::date`,
    `e.status = 'active'`,
    ...((team ?? null) === null ? [] : [`m.parent_id = ${values.bind(team)}`]),
    ...((person ?? null) === null ? [] : [`e.id = ${values.bind(person)}`]),
    ...teamChoices(table, values, { branch, route }),
  ];
  return session.tenant.db.query(
    preparedStatement(
      `select e.id as employee_id, e.name, min(t.name) as team from ${table('team__members')} m join ${table('team')} t on t.id = m.parent_id and t.active
       join ${table('employee')} e on e.id = m.employee_id where ${where.join(' and ')} group by e.id, e.name order by e.name, e.id`,
      values.list,
    ),
  );
}

/** The conditions on the team `t` of a chosen branch, and of a chosen route, which it or its stand-in serves. */
export function teamChoices(
  table: (type: string) => string,
  values: SqlParams,
  { branch, route }: { branch: unknown; route: unknown },
): string[] {
  const isChosen = (one: unknown) => one !== null && one !== undefined;
  return [
    ...(isChosen(branch) ? [`t.branch_id = ${values.bind(branch)}`] : []),
    ...(isChosen(route)
      ? [
          `t.id in (select unnest(array[r.team_id, r.stand_in_team_id]) from ${table('route_mstr')} r where r.id = ${values.bind(route)})`,
        ]
      : []),
  ];
}

/** The part of a shift that remains beside half a day of leave. */
function shiftOf(from: string, to: string, leave: LeaveOfDay | null): { from: string; to: string } {
  if (leave === null || leave.first === leave.second) return { from, to };
  const middle = middleOf(from, to);
  return leave.first ? { from: middle, to } : { from, to: middle };
}

function dayOfRow({ times, shift_from: begins, shift_to: ends, ...row }: Stored, leave: LeaveOfDay | null): FieldDay {
  const clock = (moment: string | null | undefined) => moment?.slice(11, 16) ?? null;
  const jobs = times.filter(({ what }) => what === 'job');
  const left = times.flatMap((one) =>
    one.what === 'out' ? [{ at: one.from, place: one.place }] : one.to ? [{ at: one.to, place: one.place }] : [],
  );
  const last = left.toSorted((a, b) => a.at.localeCompare(b.at)).at(-1);
  const first = times.find(({ what }) => what !== 'out');
  const spans = jobs.flatMap((job) => (job.to ? [{ from: new Date(job.from), to: new Date(job.to) }] : []));
  const known = begins && ends ? shiftOf(begins, ends, leave) : null;
  const shift = known && { ...known, grace_minutes: GRACE, break_minutes: BREAK };
  const firstIn = clock(first?.from);
  const attended = shift && firstIn ? attendanceOf(shift, firstIn, clock(last?.at)) : { worked: null, late: 0 };
  return {
    ...row,
    shift: known && `${known.from}–${known.to}`,
    first_in: firstIn,
    last_out: clock(last?.at),
    place_in: first?.place ?? null,
    place_out: last?.place ?? null,
    first_job: clock(jobs[0]?.from),
    last_job: clock(jobs.at(-1)?.to ?? jobs.at(-1)?.from),
    jobs: jobs.length,
    on_site: minutesCovered(spans),
    gaps: gapsOver(spans, 60).length,
    ...attended,
  };
}
