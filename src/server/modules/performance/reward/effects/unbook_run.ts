import type { Effect } from '../../../../engine/modules.ts';

/** Reverses the payouts of an approved run that was not handed over to payroll. */
export const unbookRun: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    const payouts = await unit.query<{ id: number }>(
      'select id from {incentive_payout} where run_id = $1 order by id',
      [record.id],
    );
    for (const { id } of payouts) await unit.remove('incentive_payout', id);
  },
};
