import { DateTime } from 'luxon';
import { formatDate } from '../../../../descriptor/format.ts';
import type { Job } from '../../../engine/modules.ts';
import { serviceRules } from '../service_policy.ts';

interface Late {
  id: number;
  window_to: string;
  building_type_id: number | null;
  branch_id: number | null;
  leader: number | null;
  supervisor: number | null;
}

const PER_STEP = 200;

/** The number of missed visits that one notice names. */
const NAMED = 20;

/**
 * In the morning, marks visits as missed after the policy's number of days, and notifies the responsible people of
 * missed and overdue visits.
 */
export const watchVisits: Job = {
  elevated: true,
  async run({ company, due, days, each }) {
    const today = due.slice(0, 10);
    const overdue = new Map<number, number>();
    const missed = new Map<number, number>();
    const count = (map: Map<number, number>, person: number | null) =>
      person !== null && map.set(person, (map.get(person) ?? 0) + 1);
    let misses = 0;
    await each(
      async (unit, after) => {
        return unit.query<Late>(
          `select v.id, v.window_to::text, g.building_type_id, v.branch_id, t.leader_id as leader,
             (select x.supervisor_id from {route_group} x where x.active and v.route_id = any(x.route_ids) order by x.id limit 1) as supervisor
           from {scheduled_ticket} v join {building} g on g.id = v.building_id left join {route_mstr} r on r.id = v.route_id
           left join {team} t on t.id = r.team_id
           where v.entity_id = $1 and v.active and v.status in ('planned', 'released') and v.window_to < $2 and v.id > $3 order by v.id limit ${PER_STEP}`,
          [company, today, after ?? 0],
        );
      },
      async (person, visits) => {
        const unit = person.elevated();
        const rules = await serviceRules(unit, today);
        for (const visit of visits) {
          const rule = rules(visit);
          const days = DateTime.fromISO(today).diff(DateTime.fromISO(visit.window_to), 'days').days;
          const isMissed = days > rule.missed_after_days;
          if (isMissed && (await unit.takeAuto('scheduled_ticket', visit.id, 'miss'))) {
            misses++;
            for (const one of new Set([visit.leader, visit.supervisor])) count(missed, one);
          } else if (!isMissed && days > rule.overdue_after)
            for (const one of new Set([visit.leader, visit.supervisor])) count(overdue, one);
        }
        return visits.at(-1)!.id;
      },
    );
    const people = [...new Set([...overdue.keys(), ...missed.keys()])];
    // Branch managers get their list once a week.
    const isMonday = days.some((day) => DateTime.fromISO(day).weekday === 1);
    let notified = false;
    await each(
      // The cursor marks that this step is done.
      (_unit, after) => Promise.resolve(after === true || notified ? [] : [true]),
      async (unit) => {
        notified = true;
        for (const employee of people)
          await notifyLeader(unit, company, employee, overdue.get(employee) ?? 0, missed.get(employee) ?? 0);
        if (isMonday)
          for (const { account, missed: number, visits } of await missedThisWeek(unit, company!, today))
            await unit.notify({
              event: 'visits.missed_week',
              to: [account],
              entityId: company,
              link: `/scheduled_tickets?filter=${encodeURIComponent(JSON.stringify(['window_result', 'eq', 'missed']))}&sort=-missed_on`,
              values: {
                count: String(number),
                visits: [
                  ...visits.map(({ visit, due: on }) => `${visit}: due ${formatDate(on)}`),
                  ...(number > visits.length ? [`and ${number - visits.length} more`] : []),
                ].join('\n'),
              },
            });
        return true;
      },
    );
    return `${misses} visits missed, ${[...overdue.values()].reduce((a, b) => a + b, 0)} reminders of overdue visits.`;
  },
};

type Unit = Parameters<Parameters<Parameters<Job['run']>[0]['each']>[1]>[0];

async function notifyLeader(
  unit: Unit,
  company: number | null,
  employee: number,
  overdue: number,
  missed: number,
): Promise<void> {
  const accounts = await unit.query<{ id: number }>(
    `select id from {users} where employee_id = $1 and active and status = 'active'`,
    [employee],
  );
  if (accounts.length === 0) return;
  await unit.notify({
    event: 'visits.late',
    to: accounts.map(({ id }) => id),
    entityId: company,
    link: '/scheduled_tickets',
    values: { overdue: String(overdue), missed: String(missed) },
  });
}

interface MissedVisits {
  account: number;
  missed: number;
  visits: { visit: string; due: string }[];
}

/** The visits that became missed in the last seven days, by branch manager: their number, and the first ones. */
function missedThisWeek(unit: Unit, company: number, today: string): Promise<MissedVisits[]> {
  return unit.query<MissedVisits>(
    `select u.id as account, count(*)::int as missed,
       to_jsonb((array_agg(jsonb_build_object('visit', l.lift_no || ' ' || g.name, 'due', v.due_on) order by v.due_on, l.lift_no))[1:${NAMED}]) as visits
     from {scheduled_ticket} v join {branch} b on b.id = v.branch_id join {users} u on u.employee_id = b.head_id
     join {lift} l on l.id = v.lift_id join {building} g on g.id = v.building_id
     where v.entity_id = $1 and v.window_result = 'missed' and v.missed_on > $2::date - 7 and v.missed_on <= $2::date and u.active and u.status = 'active'
     group by u.id order by u.id`,
    [company, today],
  );
}
