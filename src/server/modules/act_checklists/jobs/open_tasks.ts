import { DateTime } from 'luxon';
import { formatDate } from '../../../../descriptor/format.ts';
import type { Job } from '../../../engine/modules.ts';
import { instancesToOpen, openFollowing } from '../open_following.ts';
import { accountByMember } from '../task_people.ts';
import { AMBER_DAYS } from '../task_colour.ts';

const PER_STEP = 5_000;
const INSTANCES_PER_STEP = 100;

/** Opens tasks of checklists whose day has come, notifies each doer once of all of theirs, and colours what is due soon or overdue. */
export const openTasks: Job = {
  elevated: true,
  async run({ company, due, each }) {
    const today = due.slice(0, 10);
    const soon = DateTime.fromISO(today, { zone: 'utc' }).plus({ days: AMBER_DAYS }).toISODate();
    let opened = 0;
    await each(
      (unit, after) =>
        unit.query<{ id: number }>(
          `select id from {chk_task_instance} where entity_id = $1 and active and state = 'scheduled' and opens_at <= now() and origin = 'checklist' and id > $2 order by id limit ${PER_STEP}`,
          [company, after ?? 0],
        ),
      async (person, batch) => {
        const unit = person.elevated();
        const rows = await unit.query<{ assignee_id: number; count: number; due_on: string }>(
          `with r as (update {chk_task_instance} set state = 'open', version = version + 1, updated_at = now() where id = any($1::bigint[]) and state = 'scheduled' returning id, version, entity_id, assignee_id, due_on),
           h as (insert into "${unit.session.tenant.schema}".history (record_type, record_id, entity_id, version, op, by, what, change)
             select 'chk_task_instance', id, entity_id, version, 'U', $2, 'action', '{"state": ["scheduled", "open"]}'::jsonb from r)
           select assignee_id, count(*)::int as count, min(due_on)::text as due_on from r group by 1`,
          [batch.map(({ id }) => id), unit.session.userId],
        );
        opened += rows.reduce((sum, { count }) => sum + count, 0);
        const accounts = await accountByMember(
          unit,
          rows.map(({ assignee_id: doer }) => doer),
        );
        await unit.notifyMany(
          rows.flatMap(({ assignee_id: doer, count, due_on: first }) => {
            const to = accounts.get(doer);
            if (to === undefined) return [];
            return {
              event: 'task.opened',
              to: [to],
              entityId: company,
              link: '/myTasks',
              values: { count: String(count), due: formatDate(first) },
            };
          }),
        );
        return batch.at(-1)!.id;
      },
    );
    // They open when the last task before them ends; the job catches those that were created after that.
    await each(
      (unit, after) => instancesToOpen(unit, Number(after ?? 0), INSTANCES_PER_STEP),
      async (person, batch) => {
        for (const instance of batch) opened += await openFollowing(person.elevated(), instance);
        return batch.at(-1)!;
      },
    );
    let coloured = 0;
    await each(
      (_unit, after) => Promise.resolve(after === today ? [] : [today]),
      async (person) => {
        const unit = person.elevated();
        const colour = `case when t.due_on + coalesce(t.grace_days, 0) < $2::date then 'red' when t.due_on <= $3::date then 'amber' else 'green' end`;
        const tasks = await unit.query<{ origin_id: number | null }>(
          `update {chk_task_instance} t set colour = ${colour} where t.entity_id = $1 and t.active and t.state in ('scheduled', 'open', 'in_progress', 'waiting') and t.held is not true and t.colour is distinct from ${colour}
           returning case when t.origin_type = 'chk_instance' then t.origin_id end as origin_id`,
          [company, today, soon],
        );
        coloured = tasks.length;
        await unit.query(
          `update {chk_instance} i set colour = x.colour from (select t.origin_id, case when bool_or(t.colour = 'red') then 'red' when bool_or(t.colour = 'amber') then 'amber' else 'green' end as colour
             from {chk_task_instance} t where t.origin_type = 'chk_instance' and t.origin_id = any($1::int[]) and t.state in ('scheduled', 'open', 'in_progress', 'waiting') group by 1) x where i.id = x.origin_id`,
          [[...new Set(tasks.flatMap(({ origin_id: id }) => id ?? []))]],
        );
        return today;
      },
    );
    return `${opened} tasks opened, ${coloured} colours updated.`;
  },
};
