import type { Effect } from '../../../engine/modules.ts';
import { dayOfRecord } from '../../../engine/records/day_of_record.ts';
import { changeLines, deriveLiftStates, isRunning, linesOf } from '../contract_lines.ts';

/** When a contract expires, its lines close on their last day, and lifts without other cover are out of contract. */
export const closeLines: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const product = unit.elevated();
    const running = linesOf(record).filter(isRunning);
    await changeLines(
      product,
      record.id,
      new Map(running.map(({ id, to_on: to }) => [id, { line_status: 'closed', closes_on: to }])),
    );
    await deriveLiftStates(
      product,
      running.map(({ lift_id: id }) => id),
      dayOfRecord(unit, record),
    );
  },
};
