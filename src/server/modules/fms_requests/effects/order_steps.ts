import type { Effect } from '../../../engine/modules.ts';
import { addDays, dayOfAct } from '../request_day.ts';
import { rowsOf, setRows } from '../request_lines.ts';
import { storesSetting } from '../stores_setting.ts';
import { takeBackIndents } from '../withdraw.ts';

/** Sends the parts of a cover note or an order to the supply plan of their request. */
export const releaseLines: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const lines = rowsOf(record);
    await setRows(unit, 'mr_contract', record.id, new Map(lines.map(({ id, qty }) => [id, { released_qty: qty }])));
    await setRows(
      unit,
      'mr',
      Number(record.mr_id),
      new Map(
        lines
          // What is in use already, such as a lent part, is not supplied again.
          .filter(({ used_qty: used, qty }) => Number(used ?? 0) < Number(qty))
          .map(({ mr_line: line }) => [Number(line), { line_status: 'released' }]),
      ),
    );
  },
};

/** Announces the used parts of an order, for their bill. */
export const askForBill: Effect = {
  apply({ unit, record }) {
    if (record.kind === 'order')
      unit.emit(
        'fms_requests.billable',
        {
          mr_contract_id: record.id,
          customer_id: record.customer_id,
          lines: rowsOf(record).map(({ id, item_id: item, used_qty: qty, rate, gst_rate: gst }) => ({
            line: id,
            item,
            qty,
            rate,
            gst,
          })),
        },
        { type: 'mr_contract', id: record.id },
      );
    return Promise.resolve();
  },
};

/** Sets the day by which the customer hands over the old cards taken in exchange. */
export const exchangeDue: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const cards = rowsOf(record, 'exchange');
    if (cards.length === 0) return;
    const { return_days: days } = await storesSetting(unit);
    const by = addDays(dayOfAct(unit, record), days);
    await unit.elevated().update('mr_contract', record.id, {
      exchange: { set: Object.fromEntries(cards.map(({ id }) => [id, { hand_over_by: by }])) },
    });
  },
};

/** Lines released by a cancelled order return to quotation; those of a cancelled cover note are closed. */
export const takeBackLines: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const lines = rowsOf(record).map(({ mr_line: line }) => Number(line));
    await takeBackIndents(unit, lines);
    await setRows(
      unit,
      'mr',
      Number(record.mr_id),
      new Map(
        lines.map((line) => [
          line,
          { to_order_qty: '0', line_status: record.kind === 'order' ? 'to_quote' : 'short_closed' },
        ]),
      ),
    );
  },
};
