import { monthTitle } from '../../../../domain/month_names.ts';
import type { Job } from '../../../engine/modules.ts';

const STATEMENTS_PER_STEP = 50;

interface Paid {
  id: number;
  user_id: number;
  month: string;
  pay_month: string;
}

/** Issues the statements of a run that payroll has, and mails each to its member. */
export const sendStatements: Job = {
  elevated: true,
  args: { type: 'object', properties: { run: { type: 'integer' } } },
  async run({ args: { run }, each }) {
    const sent = await each<Paid>(
      (unit, after) =>
        unit.query(
          `select p.id, e.user_id, p.month, p.pay_month from {incentive_payout} p join {employee} e on e.id = p.employee_id
           where p.run_id = $1 and p.active and p.state in ('with_payroll', 'paid') and p.amount <> 0 and e.user_id is not null and p.id > $2
           order by p.id limit ${STATEMENTS_PER_STEP}`,
          [run, after ?? 0],
        ),
      async (person, payouts) => {
        const unit = person.elevated();
        for (const { id, user_id: user, month, pay_month: payMonth } of payouts)
          await unit.notify({
            event: 'incentive.statement',
            to: [Number(user)],
            entityId: unit.session.entityId,
            link: `/incentive_payouts/view/${id}`,
            record: { type: 'incentive_payout', id },
            values: { month: monthTitle(month), pay_month: monthTitle(payMonth) },
            prints: [await unit.issue('incentive_payout', id, 'statement')],
          });
        return payouts.at(-1)!.id;
      },
    );
    return `${sent} ${sent === 1 ? 'statement' : 'statements'} sent.`;
  },
};
