import type { Guard } from '../../../engine/modules.ts';
import { periodRefusal } from '../period_lock.ts';

/** The period of an update takes what the step does: `enter` or `decide`. */
export const periodIsOpen: Guard = {
  args: { type: 'object', required: ['for'], properties: { for: { enum: ['enter', 'decide'] } } },
  async check({ unit, record, args }) {
    const message = await periodRefusal(unit.session, record, args.for as 'enter' | 'decide');
    return message === null ? [] : [{ field: 'month', message }];
  },
};
