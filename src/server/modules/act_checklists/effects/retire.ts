import type { Effect } from '../../../engine/modules.ts';
import { takeOutUntouched } from '../untouched.ts';

/** Tasks of a retired checklist that have not opened are cancelled; what has opened stays. */
export const retire: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    await takeOutUntouched(unit.elevated(), record.id, 'cancel');
  },
};
