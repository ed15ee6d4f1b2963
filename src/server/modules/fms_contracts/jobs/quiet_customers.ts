import type { Job } from '../../../engine/modules.ts';
import { policyRules } from '../policies.ts';

interface Quiet {
  id: number;
  customer_id: number;
  branch_id: number;
  days: number;
}

const AT_ONCE = 200;

/**
 * Customers without a contract, an open bill or an open quotation become inactive after the days of the RENEWAL policy
 * since their last contract, bill or call.
 */
export const quietCustomers: Job = {
  elevated: true,
  async run({ company, due, each }) {
    const today = due.slice(0, 10);
    let made = 0;
    await each(
      (unit, after) =>
        unit.query<Quiet>(
          `select k.id, k.id as customer_id, k.branch_id, $3::date - greatest(
             (select max(coalesce(c.cancelled_on, c.end_on)) from {contract} c where c.customer_id = k.id and c.active),
             (select max(b.bill_date) from {billing} b where b.customer_id = k.id and b.active),
             (select max(t.reported_at)::date from {fms_ticket} t where t.customer_id = k.id and t.active),
             k.created_at::date) as days
           from {customer_dtl} k where k.entity_id = $1 and k.id > $2 and k.active and k.status = 'active'
             and not exists (select 1 from {contract} c where c.active and (c.customer_id = k.id or c.bill_to_customer_id = k.id)
               and c.status in ('draft', 'submitted', 'approved', 'active', 'held'))
             and not exists (select 1 from {billing} b where b.active and b.customer_id = k.id and (b.status in ('draft', 'submitted', 'approved') or b.outstanding > 0))
             and not exists (select 1 from {quotation} q where q.active and q.customer_id = k.id and q.status in ('draft', 'submitted', 'approved', 'sent', 'accepted'))
           order by k.id limit ${AT_ONCE}`,
          [company, after ?? 0, today],
        ),
      async (person, customers) => {
        const unit = person.elevated();
        const policies = await policyRules(unit, ['RENEWAL'], today);
        for (const one of customers) {
          const after = (await policies(one)).get('RENEWAL')?.parameters.inactive_after_days;
          if (typeof after !== 'number' || one.days <= after) continue;
          const refusal = await unit.attempt(async () => {
            await unit.transition('customer_dtl', one.id, 'retire');
          });
          if (!refusal) made++;
        }
        return customers.at(-1)!.id;
      },
    );
    return made === 0 ? undefined : `${made} customers are inactive now.`;
  },
};
