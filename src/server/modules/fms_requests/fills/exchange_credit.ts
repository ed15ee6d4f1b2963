import { Exact } from '../../../../descriptor/exact.ts';
import type { Fill } from '../../../engine/modules.ts';
import { expectedCards } from '../exchange.ts';
import { rowsOf } from '../request_lines.ts';

/** Findings by which a part is not the old card that the order takes in exchange. */
const OTHERS = ['different_part', 'different_serial', 'tampered'];

/** The credit that the customer gets for each old card of a receipt, by the order that takes it in exchange. */
export const exchangeCredit: Fill = {
  async run({ unit, record }) {
    const rows = rowsOf(record);
    const dues = await unit.query<{ due: number; line: number }>(
      `select d.id as due, u.mr_line as line from {mr_return_due} d join {mr_consumption.lines} u on u.id = d.consumption_line
       where d.id = any($1::bigint[]) and u.mr_line is not null`,
      [rows.flatMap(({ return_due_id: id }) => (typeof id === 'number' ? [id] : []))],
    );
    const cards = await expectedCards(
      unit,
      dues.map(({ line }) => Number(line)),
    );
    const left = new Map(cards.map(({ row, open }) => [row, new Exact(open)]));
    return {
      lines: rows.map(({ kind, return_due_id: due, item_id: item, found, qty }) => {
        const line = dues.find((one) => Number(one.due) === due)?.line;
        const card =
          kind === 'faulty' && !OTHERS.includes(String(found))
            ? cards.find((one) => one.line === Number(line) && one.item === item && left.get(one.row)!.greaterThan(0))
            : undefined;
        if (!card) return { exchange_credit: null, exchange_order_id: null, exchange_row: null, exchange_qty: null };
        const open = left.get(card.row)!;
        const taken = open.lessThan(String(qty)) ? open : new Exact(String(qty));
        left.set(card.row, open.minus(taken));
        return {
          exchange_credit: taken.times(card.rate).toDecimalPlaces(2).toFixed(2),
          exchange_order_id: card.order,
          exchange_row: card.row,
          exchange_qty: taken.toString(),
        };
      }),
    };
  },
};
