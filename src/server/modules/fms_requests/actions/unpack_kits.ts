import { Exact } from '../../../../descriptor/exact.ts';
import type { Action } from '../../../engine/modules.ts';
import { sellingPrices } from '../cover_facts.ts';
import { dayOfAct } from '../request_day.ts';
import { rowsOf } from '../request_lines.ts';

interface Component {
  kit: number;
  name: string;
  item: number;
  qty: string;
  exchange: boolean;
}

/**
 * Replaces the kits of a parts quotation by their cards, as a pack at one price, and proposes the credit for the cards
 * taken in exchange.
 */
export const unpackKits: Action = {
  async run({ unit, record }) {
    const quotation = record!;
    const lines = rowsOf(quotation);
    const kits = lines.flatMap(({ item_id: id }) => (typeof id === 'number' ? [id] : []));
    const components = await unit.query<Component>(
      `select k.parent_id as kit, i.name, k.component_id as item, k.qty::text as qty, coalesce(k.exchange, false) as exchange
       from {item_mstr.kit} k join {item_mstr} i on i.id = k.parent_id where k.parent_id = any($1::bigint[]) order by k.parent_id, k.position`,
      [kits],
    );
    if (components.length === 0) return { done: 'No line is a kit.' };
    const day = typeof quotation.quote_date === 'string' ? quotation.quote_date : dayOfAct(unit, quotation);
    const branch = typeof quotation.branch_id === 'number' ? quotation.branch_id : null;
    const items = components.map(({ item }) => item);
    const prices = await sellingPrices(unit, items, branch, day);
    const credits = await sellingPrices(unit, items, branch, day, 'exchange_credit');
    const inside = lines.map((line) =>
      components
        .filter(({ kit }) => kit === line.item_id)
        .map((one) => ({ ...one, count: new Exact(one.qty).times(String(line.qty ?? 1)).toString() })),
    );
    return {
      set: {
        format: 'card_pack',
        pack_name: quotation.pack_name ?? components[0]!.name,
        lines: lines.flatMap((line, at): Record<string, unknown>[] =>
          inside[at]!.length === 0
            ? [line]
            : inside[at]!.map(({ item, count }) => ({
                ...(typeof line.mr_line === 'number' && { mr_line: line.mr_line }),
                line_kind: 'part',
                item_id: item,
                qty: count,
                rate: prices.get(item)?.rate ?? '0',
              })),
        ),
        exchange: inside
          .flat()
          .flatMap(({ item, count, exchange }) =>
            exchange ? [{ item_id: item, qty: count, credit_rate: credits.get(item)?.rate ?? '0' }] : [],
          ),
      },
    };
  },
};
