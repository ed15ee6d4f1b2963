import type { Job } from '../../../engine/modules.ts';
import { accountsOf } from '../task_people.ts';
import { planningOf, readChecklists } from '../generate.ts';
import { doersOf } from '../who_does_it.ts';
import type { Place } from '../checklist_directory.ts';

interface OpenTask extends Pick<Place, 'scope_type' | 'scope_id' | 'branch_id' | 'department_id' | 'unit_id'> {
  id: number;
  task_id: number | null;
  mstr_chk_id: number | null;
  owner_id: number | null;
  opens_on: string;
}

const PER_STEP = 200;

/**
 * When a person has left or moved: their tasks that follow a checklist rule go to the person the rule now names, others
 * to their manager, or to the owner, who is notified. No task remains without a person.
 */
export const reassignLeavers: Job = {
  elevated: true,
  args: {
    type: 'object',
    properties: { company: { type: 'integer' }, employee: { type: 'integer' }, left: { type: 'boolean' } },
  },
  async run({ args, each }) {
    const { employee, company, left } = args as { employee: number; company: number; left: boolean };
    let given = 0;
    await each<OpenTask>(
      (unit, after) =>
        unit.query<OpenTask>(
          `select t.id, t.task_id, i.mstr_chk_id, t.scope_type, t.scope_id, t.branch_id, t.department_id, t.unit_id, t.owner_id, coalesce(t.opens_at, now())::date::text as opens_on
           from {chk_task_instance} t left join {chk_instance} i on i.id = t.origin_id and t.origin_type = 'chk_instance'
           where t.entity_id = $1 and t.active and t.assignee_id = $2 and t.state in ('scheduled', 'open', 'in_progress', 'waiting') and t.id > $3 ${left ? '' : 'and i.mstr_chk_id is not null'}
           order by t.id limit ${PER_STEP}`,
          [company, employee, after ?? 0],
        ),
      async (person, batch) => {
        const unit = person.elevated();
        const checklists = await readChecklists(unit, [...new Set(batch.flatMap((one) => one.mstr_chk_id ?? []))]);
        const { directory, load } = await planningOf(unit, checklists);
        const [manager] = await unit.query<{ id: number }>(
          `select m.id from {employee} e join {employee} m on m.id = e.reporting_to_id and m.active and m.status <> 'left' where e.id = $1`,
          [employee],
        );
        const lists = new Map<number, number>();
        for (const one of batch) {
          const checklist = checklists.find(({ id }) => id === one.mstr_chk_id);
          const task = checklist?.tasks.find(({ id }) => id === one.task_id);
          const place: Place = {
            ...one,
            employee_id: one.scope_type === 'employee' ? one.scope_id : null,
            name: '',
          };
          const byRule = task && doersOf(task, place, checklist!.owner_id, one.opens_on, directory, load);
          const next =
            byRule && !byRule.unassigned && !byRule.assignees.includes(employee)
              ? byRule.assignees[0]
              : left || !byRule || byRule.unassigned
                ? (manager?.id ?? one.owner_id)
                : null;
          if (!next || next === employee) continue;
          if (!(await unit.takeAuto('chk_task_instance', one.id, 'hand_over', { assignee_id: next }))) continue;
          given++;
          lists.set(next, (lists.get(next) ?? 0) + 1);
        }
        for (const [to, count] of lists) {
          const users = await accountsOf(unit, [to]);
          if (users.length > 0)
            await unit.notify({
              event: 'task.handed_over',
              to: users,
              entityId: company,
              link: '/myTasks',
              values: { count: String(count), person: directory.members.get(employee)?.name ?? '' },
            });
        }
        return batch.at(-1)!.id;
      },
    );
    return `${given} tasks reassigned.`;
  },
};
