import type { Job } from '../../../engine/modules.ts';
import { todayOf } from '../open_period.ts';

/**
 * Creates last month's statements of account for customers on their day of the month, one for a group that wants only
 * one, and mails them if there is an address.
 */
export const statements: Job = {
  async run({ days, each }) {
    let sent = 0;
    await each(
      (unit, after) =>
        unit.query<{ id: number; email: string | null }>(
          `select c.id, coalesce((select k.email from {customer_dtl.contacts} k where k.parent_id = c.id and k.email is not null
             and k.gets::text like '%statements%' order by k.id limit 1), c.email) as email from {customer_dtl} c
           where c.active and c.entity_id = $1 and c.statement_day = any(select extract(day from t.day)::int from unnest($2::date[]) t(day)) and c.id > $3
             and exists (select 1 from {billing} b where b.customer_id = c.id and b.status = 'posted')
             and not exists (select 1 from {customer_dtl} o join {customer_group_mstr} g on g.id = o.customer_group_id and g.one_statement
               where o.customer_group_id = c.customer_group_id and o.active and o.entity_id = $1 and o.statement_day is not null and o.id < c.id)
           order by c.id limit 50`,
          [unit.session.entityId, days, after ?? 0],
        ),
      async (unit, customers) => {
        const to = todayOf(unit);
        const from = new Date(Date.parse(`${to}T00:00:00Z`) - 91 * 86_400_000).toISOString().slice(0, 10);
        for (const { id, email } of customers) {
          const made = await unit.create('account_statement', { customer_id: id, from_on: from, to_on: to, email });
          if (email === null) continue;
          await unit.transition('account_statement', made.id, 'send');
          sent++;
        }
        return customers.at(-1)!.id;
      },
    );
    return `${sent} statements sent.`;
  },
};
