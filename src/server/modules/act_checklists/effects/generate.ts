import type { Effect } from '../../../engine/modules.ts';
import { generateChecklists } from '../generate.ts';

/** Makes the tasks of a checklist up to its horizon. */
export const generate: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    await generateChecklists(unit.elevated(), [record.id]);
  },
};
