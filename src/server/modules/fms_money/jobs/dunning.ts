import { formatMoney } from '../../../../descriptor/format.ts';
import type { Job } from '../../../engine/modules.ts';
import { duesOf } from '../dues.ts';
import { todayOf } from '../open_period.ts';
import { headOf, managerOf } from '../people_notified.ts';
import { applyingPolicy, policiesOf } from '../../../platform/policies/policies.ts';
import type { CollectionPolicy } from '../policies.ts';

/** Default days after the due date for reminders. */
const DUNNING_DAYS: readonly number[] = [1, 15, 30, 60];

/** From this number of days on, the branch manager is notified too. */
const OLD = 60;

/** The instruction to the account manager for each kind of reminder. */
const NEXT: Readonly<Record<string, string>> = {
  mail: 'The customer is reminded by mail.',
  call: 'Phone the customer.',
  visit: 'Visit the customer.',
  letter: 'Send the customer a letter.',
};

interface Late {
  customer_id: number;
  name: string;
  email: string | null;
  branch_id: number;
  customer_group_id: number | null;
  client_type_id: number | null;
  credit_limit: string | null;
  credit_stop: boolean | null;
  outstanding: string;
  oldest: number;
  days: number[];
  bills: string;
}

/**
 * Reminds customers of overdue bills on the days of the policy, notifies their account managers, and stops credit at
 * `credit_hold_days` or beyond the limit. Each customer gets at most one mail a day, about all bills.
 */
export const dunning: Job = {
  async run({ days, each }) {
    let [reminded, stopped] = [0, 0];
    await each(
      (unit, after) =>
        unit.query<Late>(
          `with ${duesOf(null)} select d.customer_id, c.name, c.branch_id, c.customer_group_id, c.client_type_id, c.credit_limit::text, c.credit_stop,
             coalesce((select k.email from {customer_dtl.contacts} k join {customer_designation} g on g.id = k.customer_designation_id
               where k.parent_id = c.id and k.email is not null and k.gets::text like '%bills%' order by k.id limit 1), c.email) as email,
             sum(d.outstanding)::text as outstanding, max($2::date - d.due_on)::int as oldest,
             array_agg(($2::date - d.due_on)::int) as days, string_agg(d.bill_no, ', ' order by d.due_on) filter (where d.due_on < $2::date) as bills
           from dues d join {customer_dtl} c on c.id = d.customer_id
           where d.outstanding > 0 and d.customer_id > $3 group by d.customer_id, c.id order by d.customer_id limit 100`,
          [unit.session.entityId, todayOf(unit), after ?? 0],
        ),
      async (unit, customers) => {
        const policies = await policiesOf(unit, unit.session.entityId, ['COLLECTION']);
        const today = todayOf(unit);
        for (const late of customers) {
          const policy = applyingPolicy<CollectionPolicy>(policies, today, {
            branch_id: late.branch_id,
            customer_id: late.customer_id,
            customer_group_id: late.customer_group_id,
            client_type_id: late.client_type_id,
          });
          const steps = policy.dunning ?? DUNNING_DAYS.map((day) => ({ after_days: day, by: 'mail' }));
          // Days on which no server ran count too.
          const ago = days.map((day) => Math.round((Date.parse(today) - Date.parse(day)) / 86_400_000));
          const due = steps.filter(
            ({ after_days: day }) => day !== undefined && ago.some((one) => late.days.includes(day + one)),
          );
          if (due.length > 0) {
            reminded++;
            // Calls, visits and letters are up to the account manager.
            if (late.email !== null && due.some(({ by }) => (by ?? 'mail') === 'mail'))
              await unit.post({
                address: late.email,
                subject: `Reminder: ${late.bills}`.slice(0, 200),
                text: `Dear customer,\n\nplease pay the overdue amount: ${late.bills}. ${formatMoney(late.outstanding)} is outstanding in total; the oldest bill is overdue by ${late.oldest} days.\n\nIf you have paid, please ignore this mail.`,
                prints: [],
                purpose: 'default',
              });
            const isOld = due.some(({ after_days: day = 0 }) => day >= OLD);
            const to = [
              ...(await managerOf(unit, late.customer_id)),
              ...(isOld ? await headOf(unit, late.branch_id) : []),
            ];
            if (to.length > 0)
              await unit.notify({
                event: 'fms.dues_late',
                to,
                entityId: unit.session.entityId,
                link: `/customer_dtl/view/${late.customer_id}`,
                record: { type: 'customer_dtl', id: late.customer_id },
                values: {
                  customer: late.name,
                  outstanding: formatMoney(late.outstanding),
                  days: String(late.oldest),
                  next: due
                    .map(({ by }) => NEXT[by ?? 'mail'] ?? '')
                    .concat(late.email === null ? 'There is no address for reminders by mail.' : [])
                    .join(' '),
                },
              });
          }
          const beyond = late.credit_limit !== null && Number(late.outstanding) > Number(late.credit_limit);
          const tooOld = policy.credit_hold_days !== undefined && late.oldest >= policy.credit_hold_days;
          if ((beyond || tooOld) && late.credit_stop !== true) {
            await unit.update('customer_dtl', late.customer_id, { credit_stop: true });
            stopped++;
          }
        }
        return customers.at(-1)!.customer_id;
      },
    );
    return `${reminded} customers reminded, credit stopped for ${stopped}.`;
  },
};
