import { formatDate } from '../../../../descriptor/format.ts';
import type { Job } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { dayIn, placeOf } from '../../../services/clock/client_day.ts';
import { monthTitle } from '../../../../domain/month_names.ts';
import { peopleOfHr } from '../people_of_hr.ts';

const MEMBERS_PER_STEP = 200;
/** KPIs and members named in a notice; the rest is counted. */
const NAMED = 5;

interface Open extends Record<string, unknown> {
  member: string;
  user_id: number | null;
  manager_user_id: number | null;
  above_user_id: number | null;
  kpi: string;
  month: string;
  due_on: string;
  days_left: number;
  reminds: boolean;
  escalates: boolean;
  escalate_to: 'manager' | 'skip_level' | 'hr' | null;
}

const listed = (names: readonly string[]): string => {
  const different = [...new Set(names)];
  return different.length > NAMED
    ? `${different.slice(0, NAMED).join(', ')} and ${different.length - NAMED} more`
    : different.join(', ');
};

const dueIn = ({ due_on: due, days_left: left }: Open): string =>
  left === 0 ? 'due today' : left > 0 ? `due on ${formatDate(due)}` : `due since ${formatDate(due)}`;

/** Updates to be entered of these members that are reminded of or reported today, by the KPI settings (§6). */
function openUpdates(unit: Unit, members: readonly number[], today: string): Promise<Open[]> {
  return unit.query<Open>(
    `select e.name as member, e.user_id, m.user_id as manager_user_id, h.user_id as above_user_id, concat_ws(', ', a.unit_name, k.name, a.part) as kpi, a.month,
       a.due_on::text, a.due_on - $2::date as days_left,
       (a.due_on - $2::date)::text = any(coalesce(s.reminder_days, '{}')) as reminds,
       coalesce($2::date - a.due_on = s.escalate_after_days, false) as escalates, s.escalate_to
     from {kpi_actual} a join {kpi} k on k.id = a.kpi_id join {employee} e on e.id = coalesce(a.responsible_id, a.employee_id)
     left join {employee} m on m.id = a.manager_id left join {employee} h on h.id = m.reporting_to_id
     cross join lateral (
       select c.reminder_days, c.escalate_after_days, c.escalate_to from {kpi_settings} c
       where c.active and c.frequency = k.frequency and (c.kpi_type_id = k.kpi_type_id or c.kpi_type_id is null)
       order by c.kpi_type_id nulls last limit 1) s
     where (a.employee_id = any($1) or a.responsible_id = any($1)) and a.active and a.status in ('to_enter', 'returned') and a.source = 'manual'
       and ((a.due_on - $2::date)::text = any(coalesce(s.reminder_days, '{}')) or $2::date - a.due_on = s.escalate_after_days)
     order by a.due_on, e.name, k.name`,
    [members, today],
  );
}

/**
 * Every morning, reminds members of actuals to enter, one notice each, and reports late ones to those above or to HR.
 */
export const remindUpdates: Job = {
  elevated: true,
  async run({ company, actor, each }) {
    if (company === null) return;
    const today = dayIn(placeOf({ ...actor, entityId: company }).timezone);
    let reminded = 0;
    let reported = 0;
    await each<{ id: number }>(
      (unit, after) =>
        unit.query(
          `select e.id from {employee} e where e.entity_id = $1 and e.active and e.id > $2 and exists (
             select 1 from {kpi_actual} a where (a.employee_id = e.id or a.responsible_id = e.id) and a.active and a.status in ('to_enter', 'returned')
               and a.due_on between $3::date - 400 and $3::date + 400)
           order by e.id limit ${MEMBERS_PER_STEP}`,
          [company, after ?? 0, today],
        ),
      async (person, members) => {
        const unit = person.elevated();
        const open = await openUpdates(
          unit,
          members.map(({ id }) => id),
          today,
        );
        const own = open.filter(({ reminds, user_id: user }) => reminds && user !== null);
        for (const [user, updates] of Map.groupBy(own, (one) => one.user_id!)) {
          reminded++;
          await unit.notify({
            event: 'kpi.updates_due',
            to: [user],
            entityId: company,
            link: '/actual_ViewLanding',
            values: {
              count: String(updates.length),
              due: dueIn(updates[0]!),
              kpis: listed(updates.map(({ kpi }) => kpi)),
            },
          });
        }
        const late = open.filter(({ escalates }) => escalates);
        const hr = late.some(({ escalate_to: to }) => to === 'hr') ? await peopleOfHr(unit, company) : [];
        const receivers = late.flatMap((one) =>
          (one.escalate_to === 'hr'
            ? hr
            : [one.escalate_to === 'skip_level' ? one.above_user_id : one.manager_user_id]
          ).flatMap((user) => (user === null || user === one.user_id ? [] : [{ user, one }])),
        );
        for (const [user, of] of Map.groupBy(receivers, (receiver) => receiver.user)) {
          reported++;
          await unit.notify({
            event: 'kpi.updates_late',
            to: [user],
            entityId: company,
            link: '/actual_ViewLanding',
            values: {
              members: listed(of.map(({ one }) => one.member)),
              updates: listed(of.map(({ one }) => `${one.member}, ${one.kpi}, ${monthTitle(one.month)}`)),
            },
          });
        }
        return members.at(-1)!.id;
      },
    );
    return `${reminded} members reminded, ${reported} reports of late updates.`;
  },
};
