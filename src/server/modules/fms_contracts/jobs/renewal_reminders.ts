import { formatDate } from '../../../../descriptor/format.ts';
import type { Job } from '../../../engine/modules.ts';
import { policiesOf } from '../../../platform/policies/policies.ts';
import { mailCustomers } from '../customer_mail.ts';
import { policyRules } from '../policies.ts';

/** Days before the end on which people are reminded, unless the RENEWAL policy has others. */
const REMIND_DAYS: readonly number[] = [90, 60, 30, 15, 7, 0];
/** The customer is reminded of an offer from this number of days before the end. */
const CUSTOMER_DAYS = 60;
/** The branch manager is notified of contracts without a quotation from this number of days before the end. */
const LATE_DAYS = 15;
const AT_ONCE = 100;
/** The number of contracts that one notice names. */
const NAMED = 15;

interface Ending {
  id: number;
  number: string;
  end_on: string;
  customer_id: number;
  customer: string;
  amc_type_id: number | null;
  branch_id: number;
  /** The accounts of the account manager and of the branch manager. */
  manager: number | null;
  head: number | null;
  quotation: string | null;
  quotation_state: string | null;
}

const daysOf = (value: unknown): readonly number[] => (Array.isArray(value) ? value.map(Number) : REMIND_DAYS);

/**
 * Reminds account managers of contracts that end without a successor, on the days of the RENEWAL policy; their customers
 * of the quotation that they received; and, shortly before the end, branch managers of contracts without a quotation.
 */
export const renewalReminders: Job = {
  elevated: true,
  async run({ company, days, each }) {
    const today = days.at(-1)!;
    let [reminded, mailed] = [0, 0];
    await each(
      async (unit, after) => {
        const most = (await policiesOf(unit, company, ['RENEWAL'])).flatMap((one) =>
          daysOf(one.parameters.remind_days),
        );
        return unit.query<Ending>(
          `select c.id, c.contract_no as number, c.end_on::text, c.customer_id, k.name as customer, c.amc_type_id, c.branch_id, m.id as manager, h.id as head,
             q.quotation_no as quotation, q.status as quotation_state
           from {contract} c join {customer_dtl} k on k.id = c.customer_id join {branch} b on b.id = c.branch_id
           left join {users} m on m.employee_id = coalesce(k.account_manager_id, c.sales_person_id) and m.active and m.status = 'active'
           left join {users} h on h.employee_id = b.head_id and h.active and h.status = 'active'
           left join lateral (select x.quotation_no, x.status from {quotation} x where x.previous_contract_id = c.id and x.active and x.is_current
             and x.status not in ('lost', 'cancelled', 'superseded') order by x.id desc limit 1) q on true
           where c.entity_id = $1 and c.id > $2 and c.active and c.status in ('active', 'held') and c.contract_kind <> 'warranty' and not coalesce(c.auto_renew, false)
             and c.end_on between $3::date and $4::date + $5::int
             and not exists (select 1 from {contract} n where n.previous_contract_id = c.id and n.active and n.status <> 'cancelled')
           order by c.id limit ${AT_ONCE}`,
          [company, after ?? 0, days[0], today, Math.max(...REMIND_DAYS, ...most)],
        );
      },
      async (unit, contracts) => {
        const policies = await policyRules(unit, ['RENEWAL'], today);
        const due = new Map<number, string[]>();
        const unquoted = new Map<number, string[]>();
        const note = (notes: Map<number, string[]>, account: number | null, line: string) =>
          account !== null && notes.set(account, [...(notes.get(account) ?? []), line]);
        for (const one of contracts) {
          const remind = daysOf((await policies(one)).get('RENEWAL')?.parameters.remind_days);
          const left = days
            .map((day) => Math.round((Date.parse(one.end_on) - Date.parse(day)) / 86_400_000))
            .findLast((number) => remind.includes(number));
          if (left === undefined) continue;
          reminded++;
          const line = `${one.number} of ${one.customer}: ${formatDate(one.end_on)}`;
          note(due, one.manager, `${line}${one.quotation_state === null ? ', not quoted' : ''}`);
          if (left <= LATE_DAYS && one.quotation_state === null) note(unquoted, one.head, line);
          if (left <= CUSTOMER_DAYS && one.quotation_state === 'sent')
            mailed += await mailCustomers(
              unit,
              [one.customer_id],
              `Contract ${one.number} ends on ${formatDate(one.end_on)}`,
              () =>
                `your contract ${one.number} ends on ${formatDate(one.end_on)}. You have our offer ${one.quotation} for its renewal. Please let us know your decision, so that your lifts stay covered.`,
            );
        }
        for (const [event, notes] of [
          ['fms.renewals_due', due],
          ['fms.renewals_late', unquoted],
        ] as const)
          for (const [account, lines] of notes)
            await unit.notify({
              event,
              to: [account],
              entityId: company,
              link: '/reports/advance_amc_renewal_reports',
              values: {
                count: String(lines.length),
                contracts: [
                  ...lines.slice(0, NAMED),
                  ...(lines.length > NAMED ? [`and ${lines.length - NAMED} more`] : []),
                ].join('; '),
              },
            });
        return contracts.at(-1)!.id;
      },
    );
    return `${reminded} contracts reminded of, ${mailed} customers mailed.`;
  },
};
