import type { Effect } from '../../../engine/modules.ts';
import { dropUpdates } from '../sheet_in_use.ts';

/** Removes the updates of a sheet that becomes a draft again: its approval plans them anew. */
export const dropActuals: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    await dropUpdates(person.elevated(), record.id, '');
  },
};
