import type { Effect } from '../../../engine/modules.ts';
import { mailCustomer } from '../customer_mail.ts';
import { offerToAll } from '../offer.ts';
import { repeatOf } from '../repeat_of.ts';
import { rescueReportOf } from '../rescue_report.ts';

/**
 * Follow-up of a new ticket: link to an earlier one that it repeats, alarm for trapped people, mail to the customer.
 */
export const raised: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const all = unit.elevated();
    const repeat = await repeatOf(all, record);
    const set: Record<string, unknown> = { ...(await rescueReportOf(all, record)) };
    if (repeat !== null) set.repeat_of_id = repeat;
    if (unit.session.userId > 0) set.coordinator_id = unit.session.userId;
    if (record.trapped === true) set.offered_to_all = true;
    if (record.lift_down === true && !record.down_from) set.down_from = record.reported_at;
    if (Object.keys(set).length > 0) await all.update('fms_ticket', record.id, set);
    if (record.lift_down === true && typeof record.lift_id === 'number')
      await all.update('lift', record.lift_id, { running: 'down' });
    if (record.trapped === true) await offerToAll(all, record);
    if (record.source !== 'schedule')
      await mailCustomer(
        all,
        record,
        ({ number, building }) => `Call ${number} for ${building}`,
        ({ number, lift, category }) =>
          `we have received your call ${number} for lift ${lift}: ${category}. We will write again as soon as a technician is on the way.`,
      );
  },
};
