import type { Effect } from '../../../engine/modules.ts';
import { mailCustomer } from '../customer_mail.ts';
import { accountsOf, notifyOfTicket } from '../ticket_people.ts';
import { pausesOf } from '../ticket_rows.ts';

/**
 * Work is paused: stores the reason, the time and the longest duration, and notifies the people named by the category.
 */
export const paused: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const all = unit.elevated();
    const category = Number(record.pause_category_id);
    const pause = {
      pause_category_id: category,
      from: unit.at.toISOString(),
      remark: record.pause_remark ?? null,
      photo: record.pause_photo ?? null,
    };
    const [found] = await all.query<{ name: string; notify: string | null; max_hours: string | null }>(
      'select name, notify, max_hours from {pause_category} where id = $1',
      [category],
    );
    const hours = found?.max_hours ?? null;
    await all.update('fms_ticket', record.id, {
      pauses: [...pausesOf(record), pause],
      pause_ends_at: hours === null ? null : new Date(unit.at.getTime() + Number(hours) * 3_600_000).toISOString(),
    });
    const notify = found?.notify ?? 'none';
    if (notify === 'supervisor' || notify === 'both')
      await notifyOfTicket(all, record, 'fms.paused', await accountsOf(all, [record.supervisor_id]), {
        reason: found!.name,
      });
    if (notify === 'customer' || notify === 'both')
      await mailCustomer(
        all,
        record,
        ({ number }) => `Work is paused: ${number}`,
        ({ lift }) => `work at lift ${lift} is paused: ${found!.name}. We will continue as soon as possible.`,
      );
  },
};
