import { addDays } from '../../../../domain/dashboard_span.ts';
import { indianDay } from '../stock/lookups.ts';
import type { Guard } from '../../../engine/modules.ts';

/** A batch may be extended once, if the shelf life of its item allows it, and by at most the days that it names. */
export const mayExtend: Guard = {
  elevated: true,
  async check({ unit, record }) {
    const [batch] = await unit.query<{
      batch_no: string;
      expires_on: string | null;
      extended_to: string | null;
      extendable: boolean | null;
      days: number | null;
    }>(
      `select b.batch_no, b.expires_on::text, b.extended_to::text, l.extendable, l.max_extension_days as days
       from {stock_batch} b join {item_mstr} i on i.id = b.item_id left join {shelf_life} l on l.id = i.shelf_life_id where b.id = $1`,
      [record.batch_id],
    );
    if (!batch) return [];
    if (batch.expires_on === null) return [{ field: 'batch_id', message: `Batch ${batch.batch_no} does not expire.` }];
    if (batch.extended_to !== null)
      return [
        {
          field: 'batch_id',
          message: `Batch ${batch.batch_no} was already extended to ${indianDay(batch.extended_to)}. A batch is extended once.`,
        },
      ];
    if (batch.extendable !== true || batch.days === null)
      return [{ field: 'batch_id', message: 'The shelf life of this item does not allow an extension.' }];
    const last = addDays(batch.expires_on, batch.days);
    return String(record.extend_to) > last
      ? [{ field: 'extend_to', message: `At most ${batch.days} days: until ${indianDay(last)}.` }]
      : [];
  },
};
