import type { Guard } from '../../../../engine/modules.ts';
import { dayOfRecord } from '../../../../engine/records/day_of_record.ts';
import { daysAfter, lastDay } from '../../kpi_months.ts';
import { frequencyOf, runMonths } from '../run_months.ts';

/** The months of a run must end one of its payouts and be over, and a correction must follow a paid run. */
export const runCanBeCalculated: Guard = {
  elevated: true,
  async check({ unit: person, record }) {
    const unit = person.elevated();
    const month = String(record.month);
    const today = dayOfRecord(unit, record);
    const payout = await frequencyOf(unit, record.frequency_id);
    const { isEnd } = await runMonths(unit, month, payout);
    if (payout && (!isEnd || month < payout.first_period))
      return [{ field: 'month', message: 'No payout of this frequency ends in that month. Choose another.' }];
    const open = daysAfter(lastDay(month), payout?.cut_off_days ?? 0);
    if (today <= open) return [{ field: 'month', message: `Results count until ${open}. Calculate after that day.` }];
    if (record.run_kind !== 'correction') return [];
    const [paid] = await unit.query<{ id: number }>(
      `select id from {incentive_run} where entity_id = $1 and active and frequency_id = $2 and month = $3
         and run_kind = 'scheme' and status in ('approved', 'exported', 'paid') limit 1`,
      [unit.session.entityId, record.frequency_id, month],
    );
    return paid ? [] : [{ field: 'month', message: 'This period has not been paid yet. Create its run first.' }];
  },
};
