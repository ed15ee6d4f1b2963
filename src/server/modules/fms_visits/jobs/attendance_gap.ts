import { awayOn } from '../../../access/people/leave.ts';
import type { Job } from '../../../engine/modules.ts';
import { placeOf } from '../../../services/clock/client_day.ts';

/** At 09:30, notifies team leaders of technicians with visits today who have neither checked in nor arrived anywhere. */
export const attendanceGap: Job = {
  elevated: true,
  async run({ company, due, each }) {
    const today = due.slice(0, 10);
    let notified = 0;
    await each(
      async (unit, after) =>
        after === undefined || after === null
          ? unit.query<{ leader: number; people: string }>(
              `select t.leader_id as leader, string_agg(distinct e.name || case when e.id = any($3) then ' (on leave)' else '' end, ', ') as people
               from {scheduled_ticket} v join {employee} e on e.id = v.technician_id join {route_mstr} r on r.id = v.route_id join {team} t on t.id = r.team_id
               where v.entity_id = $1 and v.active and v.status = 'released' and v.planned_on = $2
                 and not exists (select 1 from {attendance_punch} p where p.employee_id = e.id and p.direction = 'in' and (p.at at time zone $4)::date = $2::date)
                 and not exists (select 1 from {fms_ticket.assignments} a where a.employee_id = e.id and (a.arrived_at at time zone $4)::date = $2::date)
               group by t.leader_id`,
              [company, today, await awayOn(unit.session.tenant, today), placeOf(unit.session).timezone],
            )
          : [],
      async (unit, leaders) => {
        for (const { leader, people } of leaders) {
          const accounts = await unit.query<{ id: number }>(
            `select id from {users} where employee_id = $1 and active and status = 'active'`,
            [leader],
          );
          if (accounts.length === 0) continue;
          await unit.notify({
            event: 'visits.nobody_in',
            to: accounts.map(({ id }) => id),
            entityId: company,
            link: '/reports/daily_attendance_reports',
            values: { people },
          });
          notified++;
        }
        return true;
      },
    );
    return `${notified} leaders notified.`;
  },
};
