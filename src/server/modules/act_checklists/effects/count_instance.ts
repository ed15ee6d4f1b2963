import type { Effect } from '../../../engine/modules.ts';
import { countInstance } from '../count_instance.ts';

/** Keeps the figures of the checklist that a task belongs to. */
export const countInstanceOfTask: Effect = {
  elevated: true,
  locks: ({ record }) =>
    Promise.resolve(
      record.origin_type === 'chk_instance' && typeof record.origin_id === 'number'
        ? [{ type: 'chk_instance', id: record.origin_id }]
        : [],
    ),
  async apply({ unit, record }) {
    if (record.origin_type === 'chk_instance' && typeof record.origin_id === 'number')
      await countInstance(unit.elevated(), record.origin_id);
  },
};
