import type { Job } from '../../../engine/modules.ts';
import type { Notice } from '../../../services/notifications/notify.ts';
import { worksOn } from '../../../access/people/working_calendar.ts';

interface Morning {
  user_id: number;
  branch_id: number | null;
  due: number;
  overdue: number;
  approve: number;
  /** The most urgent tasks, by title. */
  first: string[];
}

const LISTED = 10;

const MORNINGS = `
  with mine as (
    select assignee_id as person, id, title, due_on, due_on + coalesce(grace_days, 0) as last_day, false as approve
    from {chk_task_instance}
    where entity_id = $1 and active and state in ('open', 'in_progress') and held is not true and due_on <= $2::date
    union all
    select approver_id, id, title, due_on, null, true from {chk_task_instance}
    where entity_id = $1 and active and state = 'submitted' and approver_id is not null and approver_id <> assignee_id
  )
  select u.id as user_id, e.branch_id, count(*) filter (where not m.approve and m.last_day >= $2::date)::int as due,
    count(*) filter (where m.last_day < $2::date)::int as overdue, count(*) filter (where m.approve)::int as approve,
    (array_agg(m.title order by m.due_on, m.id))[1:${LISTED}] as first
  from mine m join {employee} e on e.id = m.person join {users} u on u.id = e.user_id and u.active and u.status = 'active'
  group by u.id, e.branch_id order by u.id`;

/**
 * One message to each person on the working days of their branch: the tasks that are due today or overdue, and those that
 * wait for their approval (§6).
 */
export const morningDigest: Job = {
  elevated: true,
  async run({ actor: { tenant }, company, due, each }) {
    const today = due.slice(0, 10);
    const works = new Map<number | null, boolean>();
    let sent = 0;
    await each<Morning>(
      (unit, after) =>
        (after ?? null) === null ? unit.query<Morning>(MORNINGS, [company, today]) : Promise.resolve([]),
      async (unit, people) => {
        const notices: Notice[] = [];
        for (const { user_id: to, branch_id: branch, due: now, overdue, approve, first } of people) {
          if (!works.has(branch))
            works.set(branch, (await worksOn(tenant, { entityId: company, branchId: branch }, today, today))(today));
          if (works.get(branch) !== true) continue;
          const more = now + overdue + approve - first.length;
          notices.push({
            event: 'task.morning',
            to: [to],
            entityId: company,
            link: overdue + now > 0 ? '/myTasks' : '/checklist_new',
            values: {
              summary: [
                ...(overdue > 0 ? [`${overdue} overdue`] : []),
                ...(now > 0 ? [`${now} due today`] : []),
                ...(approve > 0 ? [`${approve} to approve`] : []),
              ].join(', '),
              tasks: [...first.map((title) => `• ${title}`), ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
            },
          });
        }
        await unit.notifyMany(notices);
        sent += notices.length;
        return today;
      },
    );
    return `${sent} ${sent === 1 ? 'person' : 'people'} notified.`;
  },
};
