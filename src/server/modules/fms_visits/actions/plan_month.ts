import { DateTime } from 'luxon';
import { leaveOn, shareOf } from '../../../../domain/leave.ts';
import { capacityOnDay, planMonth } from '../../../../domain/fms/month_plan.ts';
import { leaveBetween } from '../../../access/people/leave.ts';
import type { Action } from '../../../engine/modules.ts';
import { dayIn, placeOf } from '../../../services/clock/client_day.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { isWeekday, worksAt } from '../working_calendar_of.ts';

interface Planned {
  ids: number[];
  building_no: string;
  due_on: string;
  window_from: string;
  window_to: string;
  minutes: number;
}

/**
 * The capacity of a route on each day, after the leave of its team (C15); its stand-in team makes the visits when nobody
 * of the team is there.
 */
async function capacityOf(
  unit: Unit,
  route: Readonly<Record<string, unknown>>,
  from: string,
  to: string,
): Promise<(day: string) => number> {
  const members = await unit.query<{ team_id: number; employee_id: number; since: string; until: string }>(
    `select m.parent_id as team_id, m.employee_id, m."from"::text as since, coalesce(m."to", 'infinity')::text as until from {team.members} m
     join {employee} e on e.id = m.employee_id and e.active and e.status = 'active' where m.parent_id = any($1)`,
    [[route.team_id, route.stand_in_team_id].filter((id) => typeof id === 'number')],
  );
  const people = members.map(({ employee_id: id }) => id);
  const leaves = await leaveBetween(unit.session.tenant, from, to, people);
  const shares = (team: unknown, day: string) =>
    members
      .filter(({ team_id: id, since, until }) => id === team && since <= day && day <= until)
      .map(({ employee_id: id }) => 1 - shareOf(leaveOn(leaves, id, day)));
  return (day) =>
    capacityOnDay(Number(route.capacity_minutes), shares(route.team_id, day), shares(route.stand_in_team_id, day));
}

/**
 * Plans the month of a route (C15): unreleased visits, lifts of a building with the same window together unless their
 * visit frequency spreads them, over the working days of the route from today; released visits already count as load.
 */
export const planMonthAction: Action = {
  async run({ unit, input }) {
    const month = String(input.month);
    const first = DateTime.fromISO(`${month}-01`, { zone: 'utc' });
    const last = first.endOf('month').toISODate()!;
    const today = dayIn(placeOf(unit.session).timezone);
    const from = first.toISODate()! < today ? today : first.toISODate()!;
    if (from > last)
      unit.refuse([{ field: 'month', message: 'This month is over. Choose this month or a later one.' }]);
    const route = await unit.read('route_mstr', Number(input.of_route_id));
    const capacity = await capacityOf(unit, route, from, last);
    const works = await worksAt(unit, route.branch_id as number, { from, to: last });
    const workDays = (route.work_days as string[] | null) ?? ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
    const days = new Map<string, number>();
    for (let day = from; day <= last; day = DateTime.fromISO(day, { zone: 'utc' }).plus({ days: 1 }).toISODate()!)
      // On a day on which nobody is there, no visits are planned.
      if (works(day) && isWeekday(day, workDays) && capacity(day) > 0) days.set(day, capacity(day));
    const groups = await unit.query<Planned>(
      `select array_agg(v.id order by v.id) as ids, g.building_no, min(v.due_on)::text as due_on, v.window_from::text, v.window_to::text,
         sum(v.minutes)::int as minutes
       from {scheduled_ticket} v join {building} g on g.id = v.building_id
       left join {contract_line} l on l.id = v.contract_line_id left join {contract} c on c.id = l.contract_id
       left join {schedule_visit_mstr} f on f.id = c.schedule_visit_id
       where v.route_id = $1 and v.active and v.status = 'planned' and v.due_on between $2 and $3 and v.window_to >= $4
       group by g.id, g.building_no, v.window_from, v.window_to, case when f.same_day_per_building = false then v.id end`,
      [route.id, first.toISODate(), last, from],
    );
    const load = await unit.query<{ day: string; minutes: number }>(
      `select planned_on::text as day, sum(minutes)::int as minutes from {scheduled_ticket}
       where route_id = $1 and active and status = 'released' and planned_on between $2 and $3 group by 1`,
      [route.id, from, last],
    );
    const { planned } = planMonth(groups, days, new Map(load.map(({ day, minutes }) => [day, minutes])));
    let moved = 0;
    let over = 0;
    for (const { group, planned_on: day, overloaded } of planned)
      for (const id of group.ids) {
        const visit = await unit.read('scheduled_ticket', id, { lock: true });
        if (overloaded) over++;
        if (visit.status !== 'planned') continue;
        if (visit.planned_on !== day) {
          await unit.transition('scheduled_ticket', id, 'move', { planned_on: day });
          moved++;
        }
        if (visit.overloaded !== overloaded) await unit.update('scheduled_ticket', id, { overloaded });
      }
    const count = planned.reduce((sum, { group }) => sum + group.ids.length, 0);
    return {
      done: `${count} visits planned, ${moved} of them moved.${over > 0 ? ` ${over} stand on days that are overloaded.` : ''}`,
    };
  },
};
