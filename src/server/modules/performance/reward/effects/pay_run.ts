import type { Effect } from '../../../../engine/modules.ts';
import { moveRun } from '../payout_states.ts';

/** When payroll has paid a run, marks its payouts and awards as paid, except those on hold. */
export const payRun: Effect = {
  elevated: true,
  async apply({ unit: person, record, input }) {
    const unit = person.elevated();
    await moveRun(unit, record.id, 'paid', String(input.paid_on ?? record.paid_on));
    const awards = await unit.query<{ id: number }>(
      `select award_id as id from {incentive_payout} where run_id = $1 and active and award_id is not null and state = 'paid'
       order by award_id`,
      [record.id],
    );
    for (const { id } of awards) {
      await unit.takeAuto('incentive_award', id, 'pay');
      await unit.update('incentive_award', id, { paid_in_id: record.id });
    }
  },
};
