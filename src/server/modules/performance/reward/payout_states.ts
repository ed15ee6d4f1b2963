import type { Unit } from '../../../engine/records/unit.ts';

/** Says of all payouts of a run that are not on hold how far they are. */
export async function moveRun(unit: Unit, run: number, state: 'with_payroll' | 'paid', paidOn: string | null) {
  const payouts = await unit.query<{ id: number }>(
    `select id from {incentive_payout} where run_id = $1 and active and state <> 'on_hold' order by id`,
    [run],
  );
  for (const { id } of payouts)
    await unit.update('incentive_payout', id, { state, ...(paidOn !== null && { paid_on: paidOn }) });
}
