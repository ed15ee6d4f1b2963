import type { Guard } from '../../../engine/modules.ts';
import { keepsOpen } from '../case_rows.ts';

/** A case is closed when the rule of its type holds. */
export const mayClose: Guard = {
  async check({ unit, record }) {
    const message = await keepsOpen(unit, record);
    return message === null ? [] : [{ field: '', message }];
  },
};
