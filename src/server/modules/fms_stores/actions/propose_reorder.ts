import type { Action } from '../../../engine/modules.ts';
import { reorderProposal } from '../stock/reorder_proposal.ts';

/** Fills an indent with the proposed order of its stock point (5.14). */
export const proposeReorder: Action = {
  async run({ unit, record }) {
    const point = record?.for_stock_point_id;
    if (typeof point !== 'number')
      unit.refuse([{ field: 'for_stock_point_id', message: 'Choose the stock point that needs stock first.' }]);
    const lines = (await reorderProposal(unit, point as number)).filter(({ propose }) => propose !== '0');
    if (lines.length === 0) return { done: 'Nothing is below its reorder level.' };
    return {
      set: {
        kind: 'reorder',
        lines: lines.map(({ item, uom, propose }) => ({ item_id: item, condition: 'new', uom_id: uom, qty: propose })),
      },
    };
  },
};
