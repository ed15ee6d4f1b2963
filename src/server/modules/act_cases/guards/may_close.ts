import type { Guard } from '../../../engine/modules.ts';
import { keepsOpen } from '../case_rows.ts';

/** A case can be closed when the rule of its type is satisfied. */
export const mayClose: Guard = {
  async check({ unit, record }) {
    const message = await keepsOpen(unit, record);
    return message === null ? [] : [{ field: '', message }];
  },
};
