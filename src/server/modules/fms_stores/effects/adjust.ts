import type { Effect } from '../../../engine/modules.ts';
import type { DescribedMovement } from '../stock/described_movements.ts';
import { postInvoiceDifference } from './invoice_difference.ts';
import { stock } from './stock.ts';

const row: DescribedMovement = {
  qty: 'qty',
  uom: 'uom_id',
  condition: 'condition',
  batch: 'batch_id',
  serials: 'serial_ids',
  bin: 'bin_id',
  reason: 'reason',
};
const comesIn = {
  new_serials: 'serial_nos',
  new_batch: 'batch_no',
  made_on: 'made_on',
  vendor: 'vendor_id',
  to: 'stock_point_id',
};

/** The stock movements of each kind of adjustment (the events of 3.1). */
const MOVES: Readonly<Record<string, DescribedMovement>> = {
  opening: { ...row, ...comesIn, value: 'stated_value' },
  found: { ...row, ...comesIn },
  write_off: { ...row, from: 'stock_point_id' },
  scrap: { ...row, from: 'stock_point_id' },
  condition: { ...row, to_condition: 'to_condition', from: 'stock_point_id', to: 'stock_point_id' },
  revaluation: { qty: '0', condition: 'condition', value: 'change', revalues: true, reason: 'reason' },
  vendor_return: { ...row, from: 'stock_point_id', value: 'stated_value', fixed: true },
};

/** Posts a stock adjustment by its kind. */
export const adjust: Effect = {
  elevated: true,
  apply(call) {
    const kind = String(call.record.kind);
    if (kind === 'invoice_difference') return postInvoiceDifference(call);
    const move = MOVES[kind]!;
    // A return without its own rate leaves at the average.
    const fixed =
      kind === 'vendor_return' && (call.record.lines as { rate: unknown }[]).every(({ rate }) => rate !== null);
    const { value, fixed: _fixed, ...plain } = move;
    const used =
      kind === 'vendor_return' && !fixed
        ? plain
        : { ...plain, ...(value !== undefined && { value }), ...(fixed && { fixed }) };
    const leaves = kind === 'vendor_return' ? 'at_vendor' : 'scrapped';
    return stock.apply({
      ...call,
      args: { event: kind, at: 'adjusted_on', no: 'adjustment_no', leaves, gain: 'value', ...used },
    });
  },
  reverse: (call, result) => stock.reverse!(call, result),
};
