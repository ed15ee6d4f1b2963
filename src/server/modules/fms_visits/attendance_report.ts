import { DateTime } from 'luxon';
import { addDays } from '../../../domain/dashboard_span.ts';
import { Exact } from '../../../descriptor/exact.ts';
import { leaveOn, shareOf } from '../../../domain/leave.ts';
import { leaveBetween } from '../../access/people/leave.ts';
import { worksOn } from '../../access/people/working_calendar.ts';
import type { ReportRow } from '../../../domain/report.ts';
import type { ReportCall, ReportSource } from '../../engine/reports/report_source.ts';
import { FIELD_DAY_READS, fieldDays, fieldMembers } from './field_days.ts';
import type { FieldDay } from './field_days.ts';

/** The days of the chosen month up to today, and the reader's other choices. */
function monthOf({ parameters, today }: ReportCall) {
  const first = DateTime.fromISO(`${String(parameters.month)}-01`, { zone: 'utc' });
  const until = first.endOf('month').toISODate()!;
  const { team_id: team, employee_id: person, branch_id: branch, route_id: route } = parameters;
  return { from: first.toISODate()!, to: until < today ? until : today, team, person, branch, route };
}

function daysBetween(from: string, to: string): string[] {
  const days = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

/** Monthly attendance of field staff: days present, absent, on leave and late, hours, jobs, and the share of hours on jobs. */
const monthlyAttendance: ReportSource = {
  reads: FIELD_DAY_READS,
  async rows(call) {
    const { session } = call;
    const chosen = monthOf(call);
    const { from, to } = chosen;
    const [found, members, leaves] = await Promise.all([
      fieldDays(call, chosen),
      fieldMembers(call, chosen),
      leaveBetween(session.tenant, from, to),
    ]);
    const works = await worksOn(session.tenant, { entityId: session.entityId!, branchId: null }, from, to);
    const workingDays = daysBetween(from, to).filter(works);
    const people = Map.groupBy(found, ({ employee_id: id }) => id);
    const sum = (of: typeof found, name: 'worked' | 'jobs' | 'on_site') =>
      of.reduce((total, day) => total + (day[name] ?? 0), 0);
    // Members without any entry were absent on all days.
    const everybody = new Map<number, Pick<FieldDay, 'name' | 'team'>>([
      ...members.map((one) => [one.employee_id, one] as const),
      ...found.map((day) => [day.employee_id, day] as const),
    ]);
    const rows = [...everybody].map(([id, who]): ReportRow => {
      const days = people.get(id) ?? [];
      // Only days with a known end say which part of the day went into jobs.
      const whole = days.filter((day) => day.worked !== null);
      const worked = sum(whole, 'worked');
      const there = new Set(days.map(({ day }) => day));
      // Leave counts on working days. A day with an entry is no whole day of leave.
      const leave = new Map(
        workingDays.flatMap((day) => {
          const share = shareOf(leaveOn(leaves, id, day));
          return share > 0 && !(share === 1 && there.has(day)) ? [[day, share] as const] : [];
        }),
      );
      const absent = workingDays
        .filter((day) => !there.has(day))
        .reduce((sum, day) => sum + 1 - (leave.get(day) ?? 0), 0);
      return {
        employee_id: id,
        employee_id__label: who.name,
        team: who.team,
        present: there.size,
        absent: absent.toFixed(1),
        on_leave: [...leave.values()].reduce((sum, share) => sum + share, 0).toFixed(1),
        late: days.filter(({ late }) => late > 0).length,
        worked: whole.length === 0 ? null : worked,
        jobs: sum(days, 'jobs'),
        on_site: sum(days, 'on_site'),
        travel_km: days.reduce((total, day) => total.plus(day.travel_km), new Exact(0)).toFixed(1),
        on_site_percent: worked === 0 ? null : ((sum(whole, 'on_site') * 100) / worked).toFixed(1),
      };
    });
    return {
      rows,
      figures: [
        { title: 'People', value: String(rows.length) },
        { title: 'Working days so far', value: String(workingDays.length) },
      ],
    };
  },
};

/** Time worked by each person on each day of a month, for a chart of colours; days without a known end count as 0. */
export const attendanceDays: ReportSource = {
  reads: FIELD_DAY_READS,
  async rows(call) {
    const { from, to, ...chosen } = monthOf(call);
    const [found, members] = await Promise.all([
      fieldDays(call, { from, to, ...chosen }),
      fieldMembers(call, { from, to, ...chosen }),
    ]);
    const days = daysBetween(from, to);
    const worked = new Map(found.map((day) => [`${day.employee_id} ${day.day}`, day.worked ?? 0]));
    return {
      pivot: days.map((day) => ({ value: day, title: String(Number(day.slice(8))) })),
      rows: members.flatMap(({ employee_id: id, name, team }) =>
        days.map((day): ReportRow => ({
          employee_id: id,
          employee_id__label: name,
          team,
          day,
          worked: worked.get(`${id} ${day}`) ?? null,
        })),
      ),
    };
  },
};

export default monthlyAttendance;
