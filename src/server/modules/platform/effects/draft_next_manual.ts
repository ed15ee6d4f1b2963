import type { Effect } from '../../../engine/modules.ts';
import { draftOf } from '../../../platform/manuals/next_version.ts';

/** Makes a draft of the manual's next version; people read this one until that is published. */
export const draftNextManual: Effect = {
  async apply({ unit, record }) {
    await draftOf(unit, record.id);
  },
};
