import type { Unit } from '../../../engine/records/unit.ts';

/** Sets the state of a run's payouts, except those on hold. */
export async function moveRun(unit: Unit, run: number, state: 'with_payroll' | 'paid', paidOn: string | null) {
  const payouts = await unit.query<{ id: number }>(
    `select id from {incentive_payout} where run_id = $1 and active and state <> 'on_hold' order by id`,
    [run],
  );
  for (const { id } of payouts)
    await unit.update('incentive_payout', id, { state, ...(paidOn !== null && { paid_on: paidOn }) });
}
