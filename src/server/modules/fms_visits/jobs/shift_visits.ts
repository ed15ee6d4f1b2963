import { DateTime } from 'luxon';
import { workingDay } from '../../../../domain/fms/visit_dates.ts';
import type { Job } from '../../../engine/modules.ts';
import { worksAt } from '../working_calendar_of.ts';

/** How far ahead days are looked at: holidays are entered for a year, visits are planned for one. */
const DAYS = 400;

interface Shifted {
  id: number;
  planned_on: string;
  first: string;
  last: string;
  avoid_days: string[] | null;
  leader: number | null;
  supervisor: number | null;
}

/**
 * Moves visits off days that have become holidays or weekly days off since they were planned, within their window, and
 * notifies leaders and supervisors. Released visits stay.
 */
export const shiftVisits: Job = {
  elevated: true,
  async run({ company, due, each }) {
    const today = due.slice(0, 10);
    const until = DateTime.fromISO(today).plus({ days: DAYS }).toISODate()!;
    const moved = new Map<number, number>();
    let count = 0;
    await each(
      (unit, after) =>
        unit.query<{ id: number }>(
          `select b.id from {branch} b where b.id > $2 and exists (select 1 from {scheduled_ticket} v where v.entity_id = $1 and v.branch_id = b.id
             and v.active and v.status = 'planned' and v.planned_on > $3::date) order by b.id limit 1`,
          [company, after ?? 0, today],
        ),
      async (person, [branch]) => {
        const unit = person.elevated();
        const works = await worksAt(unit, branch!.id, { from: today, to: until });
        const free: string[] = [];
        for (
          let day = DateTime.fromISO(today).plus({ days: 1 });
          day.toISODate()! <= until;
          day = day.plus({ days: 1 })
        )
          if (!works(day.toISODate()!)) free.push(day.toISODate()!);
        const visits = await unit.query<Shifted>(
          `select v.id, v.planned_on::text, greatest(v.window_from, $3::date + 1)::text as first, v.window_to::text as last, f.avoid_days, t.leader_id as leader,
             (select x.supervisor_id from {route_group} x where x.active and v.route_id = any(x.route_ids) order by x.id limit 1) as supervisor
           from {scheduled_ticket} v left join {contract_line} l on l.id = v.contract_line_id left join {contract} c on c.id = l.contract_id
           left join {schedule_visit_mstr} f on f.id = c.schedule_visit_id left join {route_mstr} r on r.id = v.route_id left join {team} t on t.id = r.team_id
           where v.entity_id = $1 and v.branch_id = $2 and v.active and v.status = 'planned' and v.planned_on = any($4::date[]) order by v.id`,
          [company, branch!.id, today, free],
        );
        const allowed = new Map<string, (day: string) => boolean>();
        for (const { id, planned_on: from, first, last, avoid_days: avoid, leader, supervisor } of visits) {
          const key = (avoid ?? []).join();
          const may = allowed.get(key) ?? (await worksAt(unit, branch!.id, { from: today, to: until }, avoid ?? []));
          allowed.set(key, may);
          const day = workingDay(from, first, last, may);
          if (day === from || day < first || day > last) continue;
          const refusal = await unit.attempt(async () => {
            await unit.transition('scheduled_ticket', id, 'move', { planned_on: day });
          });
          if (refusal) continue;
          count++;
          for (const one of new Set([leader, supervisor])) if (one !== null) moved.set(one, (moved.get(one) ?? 0) + 1);
        }
        return branch!.id;
      },
    );
    let notified = false;
    await each(
      // The cursor marks that this step is done.
      (_unit, after) => Promise.resolve(after === true || notified || moved.size === 0 ? [] : [true]),
      async (unit) => {
        notified = true;
        const accounts = await unit.query<{ id: number; employee_id: number }>(
          `select id, employee_id from {users} where employee_id = any($1::bigint[]) and active and status = 'active'`,
          [[...moved.keys()]],
        );
        for (const { id, employee_id: employee } of accounts)
          await unit.notify({
            event: 'visits.shifted',
            to: [id],
            entityId: company,
            link: '/scheduled_tickets',
            values: { count: String(moved.get(employee)!) },
          });
        return true;
      },
    );
    return count === 0 ? undefined : `${count} visits moved off holidays.`;
  },
};
