import type { Subscriber } from '../../../engine/modules.ts';
import { areInUse, notifyOf } from '../jobs/concern.ts';
import { leaversWithParts } from '../jobs/leavers.ts';

/** Somebody resigns or has left: whoever clears the parts of the person is notified at once (fms_stores.md 6). */
export const memberLeaves: Subscriber = {
  async run({ event, unit }) {
    const { fields } = event.payload;
    if (!Array.isArray(fields) || !fields.includes('status') || !(await areInUse(unit, ['stock_balance']))) return;
    const kits = await unit.query<{ company: number }>(
      `select distinct entity_id::int as company from {stock_point} where active and kind = 'technician' and employee_id = $1`,
      [event.of!.id],
    );
    for (const { company } of kits)
      for (const concern of await leaversWithParts(unit, company, event.of!.id)) await notifyOf(unit, company, concern);
  },
};
