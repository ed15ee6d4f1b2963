import type { Effect } from '../../../engine/modules.ts';

/** The batch may be used until the new date; if it was blocked only because it had expired, it is free again. */
export const extendBatch: Effect = {
  elevated: true,
  locks: ({ record }) => Promise.resolve([{ type: 'stock_batch', id: Number(record.batch_id) }]),
  async apply({ unit, record }): Promise<void> {
    await unit.query(
      `update {stock_batch} set extended_to = $2, blocked = blocked and blocked_reason is distinct from 'Expired',
         blocked_reason = nullif(blocked_reason, 'Expired'), updated_at = now() where id = $1`,
      [record.batch_id, record.extend_to],
    );
  },
};
