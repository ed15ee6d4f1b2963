import { Exact } from '../../../../descriptor/exact.ts';
import { lateDifference } from '../../../../domain/fms_stores/landed_cost.ts';
import type { Call } from '../../../engine/modules.ts';
import { lineChanges } from '../stock/line_changes.ts';
import type { Condition, Movement, Posted } from '../stock/movement.ts';
import { post } from '../stock/posting.ts';
import { closedUntil, dayOfMoment } from '../stock/posting_time.ts';

type Row = Record<string, unknown>;

interface Received {
  item: number;
  condition: Condition;
  qty: string;
  at: string;
  left: string;
}

/**
 * Posts the difference between a vendor's invoice and the receipt (5.5). While the month of the receipt is open, the
 * receipt is revalued at its own time, and later issues with it. Afterwards the part for the remaining stock is posted
 * now, and the rest is a price variance.
 */
export async function postInvoiceDifference({ unit, type, record }: Call): Promise<Posted | null> {
  const received = await unit.query<Received>(
    `select l.item_id as item, l.condition, sum(l.qty)::text as qty,
       to_char(max(l.posting_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
       coalesce((select v.qty from {stock_value} v where v.entity_id = l.entity_id and v.item_id = l.item_id and v.condition = l.condition), 0)::text as left
     from {stock_ledger} l join {stock_move} m on m.id = l.move_id
     where l.entity_id = $1 and m.document_type = 'grn' and m.document_id = $2 and m.reverses_id is null and l.kind = 'in' and l.adjusts_id is null
     group by l.entity_id, l.item_id, l.condition`,
    [unit.session.entityId, record.grn_id],
  );
  const closed = await closedUntil(unit);
  const first = received[0];
  const isOpen = first !== undefined && (closed === null || dayOfMoment(unit, new Date(first.at)) > closed);
  const movements: Movement[] = [];
  const lines = (record.lines as Row[]).map((line, place) => {
    const of = received.find(({ item, condition }) => Number(item) === line.item_id && condition === line.condition);
    if (!of)
      return unit.refuse([
        { field: `lines.${place}.item_id`, message: 'The goods receipt has not received this item in this condition.' },
      ]);
    const change = String(line.change);
    const { stock, variance } = isOpen ? { stock: change, variance: '0.00' } : lateDifference(change, of.left, of.qty);
    if (!new Exact(stock).isZero())
      movements.push({
        item: Number(line.item_id),
        condition: of.condition,
        qty: new Exact(0),
        from: null,
        to: null,
        batch: null,
        serials: [],
        value: new Exact(stock),
        revalues: true,
        line: Number(line.id),
        reason: String(record.reason),
      });
    return { ...line, value: new Exact(stock).toFixed(2), variance };
  });
  await unit.elevated().update(type, record.id, { lines: lineChanges(lines, 'value', 'variance') });
  if (movements.length === 0) return null;
  return post(unit, {
    event: 'invoice_difference',
    document: { type, id: record.id, no: (record.adjustment_no as string | null) ?? null },
    key: `${type}/${record.id}/invoice_difference/${record.version}`,
    at: isOpen ? first.at : null,
    movements,
  });
}
