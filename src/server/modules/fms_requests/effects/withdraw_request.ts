import type { Effect } from '../../../engine/modules.ts';
import { rowsOf } from '../request_lines.ts';
import { takeBackIndents } from '../withdraw.ts';

/** Releases the reservations of a cancelled request, and cancels its cover notes, orders and quotations. */
export const withdrawRequest: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    await takeBackIndents(
      unit,
      rowsOf(record).map(({ id }) => id),
    );
    const all = unit.elevated();
    for (const { id } of await unit.query<{ id: number }>(
      `select id from {mr_contract} where mr_id = $1 and state in ('draft', 'awaiting_advance', 'active')`,
      [record.id],
    ))
      await all.transition('mr_contract', Number(id), 'cancel', { reason: 'The request was cancelled.' });
    for (const { id } of await unit.query<{ id: number }>(
      `select id from {mr_quotation} where mr_id = $1 and state in ('draft', 'pending_approval', 'approved', 'sent', 'expired')`,
      [record.id],
    ))
      await all.transition('mr_quotation', Number(id), 'withdraw', { reason: 'The request was cancelled.' });
  },
};
