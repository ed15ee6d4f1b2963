import { Exact } from '../../../descriptor/exact.ts';
import type { Unit } from '../../engine/records/unit.ts';
import { rowsOf } from './request_lines.ts';

type Row = Record<string, unknown>;

/** Old cards that an order takes in exchange and that were not handed over yet. */
export interface ExpectedCard {
  /** The row of the order. */
  row: number;
  order: number;
  /** The line of the request with the new card. */
  line: number;
  item: number;
  open: string;
  rate: string;
}

/** The old cards that orders expect for the parts of some lines of requests. */
export async function expectedCards(unit: Unit, lines: readonly number[]): Promise<ExpectedCard[]> {
  const rows = await unit.query<ExpectedCard>(
    `select distinct x.id as row, c.id as order, l.mr_line as line, x.item_id as item,
       (x.qty - x.received_qty - x.withdrawn_qty)::text as open, x.credit_rate::text as rate
     from {mr_contract} c join {mr_contract.lines} l on l.parent_id = c.id
     join {mr_contract.exchange} x on x.parent_id = c.id and x.item_id = l.item_id
     where c.active and c.state in ('active', 'fulfilled') and l.mr_line = any($1::bigint[])
       and x.qty > x.received_qty + x.withdrawn_qty order by x.id`,
    [lines],
  );
  return rows.map((card) => ({
    ...card,
    row: Number(card.row),
    order: Number(card.order),
    line: Number(card.line),
    item: Number(card.item),
  }));
}

/**
 * Counts the cards of a receipt (below 0: a reversal) at the orders that take them in exchange, and announces those that
 * the customer gets a credit for.
 */
export async function countCards(unit: Unit, receipt: Row, sign: 1 | -1): Promise<void> {
  const cards = rowsOf(receipt).filter(({ exchange_row: row }) => typeof row === 'number');
  for (const [order, own] of Map.groupBy(cards, ({ exchange_order_id: id }) => Number(id))) {
    const rows = rowsOf(await unit.elevated().read('mr_contract', order, { lock: true }), 'exchange');
    const set = new Map<number, Row>();
    for (const { exchange_row: row, exchange_qty: qty } of own) {
      const known = rows.find(({ id }) => id === row)!;
      const received = new Exact(String((set.get(known.id) ?? known).received_qty)).plus(
        new Exact(String(qty)).times(sign),
      );
      if (received.lessThan(String(known.credited_qty)))
        unit.refuse(
          [{ field: '', message: 'The credit for this card is in a credit note. Cancel the note first.' }],
          409,
        );
      set.set(known.id, { received_qty: received.toString() });
    }
    await unit.elevated().update('mr_contract', order, { exchange: { set: Object.fromEntries(set) } });
    if (sign > 0) announceCards(unit, order);
  }
}

/** Asks for the credit note of the cards that an order has received. */
export const announceCards = (unit: Unit, order: number): void =>
  unit.emit('fms_requests.cards_received', { mr_contract_id: order }, { type: 'mr_contract', id: order });
