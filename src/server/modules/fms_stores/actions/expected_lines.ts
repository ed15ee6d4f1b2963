import { Exact } from '../../../../descriptor/exact.ts';
import type { Action } from '../../../engine/modules.ts';

type Row = Record<string, unknown>;

const rest = (line: Row, ...taken: string[]): string =>
  taken.reduce((left, column) => left.minus(String(line[column] ?? 0)), new Exact(String(line.qty ?? 0))).toString();

/** Fills a receipt with the outstanding lines of its transfer, order or repair. */
export const expectedLines: Action = {
  async run({ unit, record }) {
    const source =
      typeof record?.transfer_id === 'number' ? 'transfer' : typeof record?.po_id === 'number' ? 'vendor' : 'repair';
    const [type, id] =
      source === 'vendor'
        ? ['purchase_order', record?.po_id]
        : ['mr_transfer', record?.transfer_id ?? record?.repair_id];
    if (typeof id !== 'number')
      unit.refuse([{ field: 'transfer_id', message: 'Choose the transfer, the order or the repair first.' }]);
    const of = await unit.read(type as string, id as number);
    const lines = (of.lines as Row[]).flatMap((line) => {
      const qty =
        source === 'transfer'
          ? rest(line, 'received_qty', 'damaged_qty', 'back_qty', 'lost_qty')
          : source === 'vendor'
            ? rest(line, 'received_qty')
            : String(line.qty);
      if (!new Exact(qty).isPositive() || new Exact(qty).isZero()) return [];
      return [
        {
          item_id: line.item_id,
          condition: source === 'transfer' ? line.condition : source === 'repair' ? 'refurbished' : 'new',
          uom_id: line.uom_id,
          batch_id: line.batch_id ?? null,
          serial_ids: line.serial_ids ?? null,
          expected_qty: qty,
          received_qty: qty,
          accepted_qty: qty,
          ...(source === 'vendor' && { rate: line.rate, discount: line.discount }),
        },
      ];
    });
    return {
      set: {
        source,
        ...(source === 'vendor' && { vendor_id: of.vendor_id, stock_point_id: of.ship_to_stock_point_id }),
        ...(source === 'transfer' && { stock_point_id: of.to_stock_point_id }),
        ...(source === 'repair' && { stock_point_id: of.from_stock_point_id }),
        lines,
      },
    };
  },
};
