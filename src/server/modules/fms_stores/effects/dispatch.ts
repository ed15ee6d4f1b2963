import { Exact } from '../../../../descriptor/exact.ts';
import type { Effect } from '../../../engine/modules.ts';
import { lineChanges } from '../stock/line_changes.ts';
import { addToLines } from '../stock/matched_lines.ts';
import { stock } from './stock.ts';

type Row = Record<string, unknown>;

/** Kinds of stock points that receive goods on dispatch, because nobody acknowledges them there. */
const DIRECT = new Set(['repairer', 'scrap', 'technician', 'faulty', 'quarantine', 'on_loan']);

/**
 * Dispatches a transfer: the goods move into transit, or directly to a stock point without a receiver; updates the
 * indent.
 */
export const dispatch: Effect = {
  elevated: true,
  locks: ({ record }) =>
    Promise.resolve(typeof record.indent_id === 'number' ? [{ type: 'mr_indent', id: record.indent_id }] : []),
  async apply(call): Promise<void> {
    const { unit, record } = call;
    const own = unit.elevated();
    const [to] = await unit.query<{ kind: string }>('select kind from {stock_point} where id = $1 and entity_id = $2', [
      record.to_stock_point_id,
      unit.session.entityId,
    ]);
    const isDirect = to !== undefined && DIRECT.has(to.kind);
    const lines = record.lines as Row[];
    const indent =
      typeof record.indent_id === 'number' ? await own.read('mr_indent', record.indent_id, { lock: true }) : null;
    const taken = lines.map((line) => ({
      item: Number(line.item_id),
      condition: String(line.condition),
      qty: String(line.qty),
    }));
    const found = indent
      ? addToLines(indent.lines as Row[], taken, 'dispatched_qty', (line) =>
          new Exact(String(line.granted_qty ?? line.qty)).minus(String(line.dispatched_qty ?? 0)).toString(),
        )
      : null;
    const ofIndent = lines.map((_, place) => {
      const at = found?.matched.find((one) => one.taken === place)?.place;
      return at === undefined ? null : (indent!.lines as Row[])[at]!.id;
    });
    await stock.apply({
      ...call,
      record: { ...record, lines: lines.map((line, place) => ({ ...line, _indent_line: ofIndent[place] })) },
      args: {
        event: record.kind === 'repair' ? 'repair_out' : 'dispatch',
        no: 'transfer_no',
        qty: 'qty',
        uom: 'uom_id',
        condition: 'condition',
        batch: 'batch_id',
        serials: 'serial_ids',
        bin: 'bin_id',
        from: 'from_stock_point_id',
        to: isDirect ? 'to_stock_point_id' : 'transit_of(to_stock_point_id)',
        reserved: '_indent_line',
        reserved_by: 'mr_indent',
      },
    });
    if (found) {
      const [over] = found.left;
      if (over)
        unit.refuse(
          [
            {
              field: 'lines',
              message: `The indent needs only ${over.open} more. Send the rest by a transfer without an indent.`,
            },
          ],
          409,
        );
      await own.update('mr_indent', indent!.id, { lines: lineChanges(found.lines, 'dispatched_qty') });
    }
    if (!isDirect) return;
    await own.update('mr_transfer', record.id, {
      lines: lineChanges(
        lines.map((line) => ({ ...line, received_qty: line.qty })),
        'received_qty',
      ),
    });
    await own.takeAuto('mr_transfer', record.id, 'arrive');
  },
};
