import type { Action } from '../../../engine/modules.ts';
import { rowsOf } from '../request_lines.ts';
import { planOf } from '../supply.ts';

/** Shows the planned sources of the parts of a request; nothing is reserved. */
export const showPlan: Action = {
  async run({ unit, record }) {
    if (!record) return { done: 'Open a request first.' };
    const lines = rowsOf(record);
    const plans = await planOf(unit, record, lines);
    const stores = await unit.query<{ id: number; code: string }>(
      'select id, code from {stock_point} where id = any($1::bigint[])',
      [[record.from_stock_point_id, ...plans.flatMap(({ indents }) => indents.map(({ from }) => from))]],
    );
    const codeOf = (id: unknown) => stores.find((one) => Number(one.id) === id)?.code ?? 'the store';
    return {
      done: plans
        .map(({ reserve, indents, order }, at) => {
          const line = lines[at]!;
          const from = [
            ...(reserve === '0' ? [] : [`${reserve} from ${codeOf(record.from_stock_point_id)}`]),
            ...indents.map(({ from: other, qty }) => `${qty} from ${codeOf(other)}`),
            ...(order === '0' ? [] : [`${order} to be bought`]),
          ];
          return `${String(line.item_id__label ?? line.description ?? 'Part')}: ${from.join(', ')}`;
        })
        .join('; '),
    };
  },
};
