import type { Fill } from '../../../engine/modules.ts';
import { dayOfRecord } from '../../../engine/records/day_of_record.ts';
import { gstRates } from '../stock/gst_rates.ts';

type Row = Record<string, unknown>;

/** GST of each line by the item's HSN code on the document's day. */
export const itemGst: Fill = {
  async run({ unit, record }) {
    const lines = (record.lines ?? []) as Row[];
    const day = record.po_date ?? record.grn_date ?? dayOfRecord(unit, record);
    const rates = await gstRates(
      unit,
      lines.flatMap(({ item_id: id }) => (typeof id === 'number' ? [id] : [])),
      String(day),
    );
    return { lines: lines.map(({ item_id: id }) => ({ gst_rate: rates.get(Number(id)) ?? null })) };
  },
};
