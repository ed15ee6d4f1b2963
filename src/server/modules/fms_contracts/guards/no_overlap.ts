import type { Guard } from '../../../engine/modules.ts';
import { linesOf, overlapMessage, overlapsOf } from '../contract_lines.ts';

/** No lift is in an active line of another contract on the same days. */
export const noOverlap: Guard = {
  async check({ unit, record }) {
    const lines = linesOf(record).filter(({ line_status: status }) => status === 'draft');
    const found = await overlapsOf(unit, lines);
    return found.map((one) => ({
      field: `lines.${linesOf(record).indexOf(one.line)}.lift_id`,
      message: overlapMessage(one),
    }));
  },
};
