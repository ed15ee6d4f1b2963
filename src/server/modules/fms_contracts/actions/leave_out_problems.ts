import type { Action } from '../../../engine/modules.ts';
import { rowsOf } from '../line_money.ts';

/** Removes the lifts with a problem from a transfer or a renewal, so that the others can go on. */
export const leaveOutProblems: Action = {
  async run({ unit, record }) {
    const field = record?.lifts === undefined ? 'lines' : 'lifts';
    const rows = rowsOf(record?.[field]);
    const kept = rows.filter(({ problem }) => problem === null || problem === undefined);
    const out = rows.length - kept.length;
    if (out === 0) return { done: 'No lift has a problem.' };
    if (kept.length === 0) unit.refuse([{ field, message: 'Each of the lifts has a problem: none would be left.' }]);
    return Promise.resolve({
      rows: kept,
      done: `${out} ${out === 1 ? 'lift was' : 'lifts were'} left out, ${kept.length} ${kept.length === 1 ? 'is' : 'are'} kept.`,
    });
  },
};
