import type { Guard } from '../../../engine/modules.ts';
import { closedMonth } from '../closed_month.ts';

/** The month in which a task is due has not been closed. */
export const monthIsOpen: Guard = {
  async check({ unit, record }) {
    const closed = await closedMonth(unit, String(record.due_on));
    return closed === null ? [] : [{ field: 'due_on', message: `The month ${closed} is closed. Reopen it first.` }];
  },
};
