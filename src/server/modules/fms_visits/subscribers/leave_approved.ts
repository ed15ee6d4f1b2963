import { formatDate } from '../../../../descriptor/format.ts';
import type { Subscriber } from '../../../engine/modules.ts';

/** When leave is approved, the leaders of routes on which the person has released visits are notified. */
export const leaveApproved: Subscriber = {
  async run({ event, unit }) {
    const [kept] = await unit.query<{ there: boolean }>(
      `select to_regclass('{scheduled_ticket}') is not null as there`,
    );
    if (!kept?.there) return;
    const found = await unit.query<{
      company: number;
      user: number;
      employee: number;
      name: string;
      from: string;
      to: string;
      count: number;
    }>(
      `select v.entity_id::int as company, u.id as "user", e.id as employee, e.name, l.from_date::text as "from", l.to_date::text as "to", count(*)::int as count
       from {leave} l join {employee} e on e.id = l.employee_id
       join {scheduled_ticket} v on v.technician_id = e.id and v.active and v.status = 'released' and v.planned_on between l.from_date and l.to_date
       join {route_mstr} r on r.id = v.route_id join {team} t on t.id = r.team_id
       join {users} u on u.employee_id = t.leader_id and u.active and u.status = 'active'
       where l.id = $1 and l.state = 'approved' group by 1, 2, 3, 4, 5, 6`,
      [event.of!.id],
    );
    for (const { company, user, employee, name, from, to, count } of found)
      await unit.notify({
        event: 'visits.on_leave',
        to: [user],
        entityId: company,
        link: `/scheduled_tickets?technician_id=${employee}`,
        values: { name, from: formatDate(from), to: formatDate(to), count: String(count) },
      });
  },
};
