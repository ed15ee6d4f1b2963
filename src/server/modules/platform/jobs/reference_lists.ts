import { loadLists } from '../../../platform/reference/lists.ts';
import type { Job } from '../../../engine/modules.ts';

/** Fills the lists of a product that was bought later. */
export const referenceLists: Job = {
  run: async ({ actor: { tenant } }) => `${await loadLists(tenant.db, tenant.schema)} rows added.`,
};
