import type { Fill } from '../../../../engine/modules.ts';
import { frequencyOf, runMonths } from '../run_months.ts';

/** The first month of the payout that ends with a run's month, and the month with whose salary it is paid. */
export const runPeriod: Fill = {
  async run({ unit, record }) {
    if (typeof record.month !== 'string') return { from_month: null, pay_month: null };
    const { from, pay } = await runMonths(unit, record.month, await frequencyOf(unit, record.frequency_id));
    return { from_month: from, pay_month: pay };
  },
};
