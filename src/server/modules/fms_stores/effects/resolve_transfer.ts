import { Exact } from '../../../../descriptor/exact.ts';
import type { Effect } from '../../../engine/modules.ts';
import { gstRates } from '../stock/gst_rates.ts';
import { lineChanges } from '../stock/line_changes.ts';
import type { Posted } from '../stock/movement.ts';
import { stock } from './stock.ts';

type Row = Record<string, unknown>;

const COLUMN: Readonly<Record<string, string>> = { found: 'received_qty', back: 'back_qty', lost: 'lost_qty' };

/**
 * Resolves the difference of a transfer: found goods go to the receiver, returned goods to the sender, lost goods are
 * written off at the average, with the input tax to be reversed (5.17).
 */
export const resolveTransfer: Effect = {
  elevated: true,
  async apply(call): Promise<void> {
    const { unit, record } = call;
    const lines = record.lines as Row[];
    const row = {
      qty: 'open_qty',
      uom: 'uom_id',
      condition: 'condition',
      batch: 'batch_id',
      from: 'transit_of(to_stock_point_id)',
    };
    const of = (what: string) => ({ ...row, when: `resolution == '${what}' and open_qty > 0` });
    await stock.apply({
      ...call,
      args: {
        event: 'sent_back',
        no: 'transfer_no',
        moves: [
          { ...of('found'), to: 'to_stock_point_id' },
          { ...of('back'), to: 'from_stock_point_id' },
        ],
      },
    });
    const lost = (await stock.apply({
      ...call,
      args: { event: 'lost', no: 'transfer_no', leaves: 'scrapped', moves: [of('lost')] },
    })) as Posted | null;
    const losses = lost?.values ?? [];
    const gone = lines.filter((line) => line.resolution === 'lost' && Number(line.open_qty) > 0);
    const rates = await gstRates(
      unit,
      gone.map(({ item_id: id }) => Number(id)),
      String(record.transfer_date),
    );
    const loss = losses.reduce((sum, value) => sum.minus(value), new Exact(0));
    const tax = losses.reduce(
      (sum, value, at) =>
        sum.minus(
          new Exact(value)
            .times(rates.get(Number(gone[at]?.item_id)) ?? 0)
            .dividedBy(100)
            .toDecimalPlaces(2),
        ),
      new Exact(0),
    );
    await unit.elevated().update('mr_transfer', record.id, {
      ...(lost && { loss_value: loss.toFixed(2), itc_reversal: tax.toFixed(2) }),
      lines: lineChanges(
        lines.map((line) => {
          const column = COLUMN[String(line.resolution)];
          return column === undefined || Number(line.open_qty) === 0
            ? line
            : { ...line, [column]: new Exact(String(line[column] ?? 0)).plus(String(line.open_qty)).toString() };
        }),
        'received_qty',
        'back_qty',
        'lost_qty',
      ),
    });
  },
};
