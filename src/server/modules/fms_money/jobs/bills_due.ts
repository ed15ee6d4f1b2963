import type { Job } from '../../../engine/modules.ts';
import type { Unit } from '../../../engine/records/unit.ts';
import { draftBills, dueRows, grouped } from '../draft_bills.ts';
import type { DueRow } from '../draft_bills.ts';
import { todayOf } from '../open_period.ts';
import { accountsPeople } from '../people_notified.ts';
import { applyingPolicy, policiesOf } from '../../../platform/policies/policies.ts';
import type { BillingPolicy } from '../policies.ts';

/** Customers billed in one transaction. */
const AT_ONCE = 20;

/** Drafts the bills of groups of planned bills; null for a refused one, which does not affect the others. */
async function draftedOf(unit: Unit, groups: readonly DueRow[][]): Promise<{ bill: number | null; branch: number }[]> {
  const made: (number | null)[] = [];
  const draft = async (some: readonly DueRow[][]) => {
    made.push(...(await draftBills(unit, some, ({ branch_id: branch }) => todayOf(unit, branch))));
  };
  // All in one transaction; if one is refused, each in its own.
  if (await unit.attempt(() => draft(groups)))
    for (const group of groups) if (await unit.attempt(() => draft([group]))) made.push(null);
  return groups.map(([first], at) => ({ bill: made[at]!, branch: first!.branch_id }));
}

/**
 * Drafts all planned bills that are due, grouped by payer, place of supply, term and the customer's settings; posts
 * them if the BILLING policy of the branch says so. A bill that cannot be posted stays a draft and is counted as an
 * exception.
 */
export const billsDue: Job = {
  async run({ each }) {
    let [drafts, posted, exceptions] = [0, 0, 0];
    await each(
      (unit, after) =>
        unit.query<{ customer_id: number }>(
          `select distinct s.customer_id from {billing_schedule} s where s.active and s.entity_id = $1 and s.status = 'planned'
             and s.bill_on <= $2::date and s.customer_id > $3 order by 1 limit ${AT_ONCE}`,
          [unit.session.entityId, todayOf(unit), after ?? 0],
        ),
      async (unit, customers) => {
        const ids = customers.map(({ customer_id: id }) => id);
        const day = todayOf(unit);
        const policies = await policiesOf(unit, unit.session.entityId, ['BILLING']);
        const groups = grouped(await dueRows(unit, { until: day, customers: ids }));
        for (const { bill, branch } of await draftedOf(unit, groups)) {
          if (bill === null) {
            exceptions++;
            continue;
          }
          drafts++;
          if (applyingPolicy<BillingPolicy>(policies, day, { branch_id: branch }).auto_post !== true) continue;
          const kept = await unit.attempt(async () => {
            await unit.transition('billing', bill, 'post');
          });
          if (kept) exceptions++;
          else posted++;
        }
        const to = await accountsPeople(unit);
        if (to.length > 0 && drafts > 0)
          await unit.notify({
            event: 'fms.bills_made',
            to,
            entityId: unit.session.entityId,
            link: '/billing',
            groupKey: `bills_made_${day}`,
            values: { drafts: String(drafts), posted: String(posted), exceptions: String(exceptions) },
          });
        return ids.at(-1)!;
      },
    );
    return `${drafts} drafts created, ${posted} of them posted, ${exceptions} exceptions.`;
  },
};
