import { loadLists } from '../../../platform/reference/lists.ts';
import type { Job } from '../../../engine/modules.ts';

/** Fills lists that came with a product bought later. */
export const referenceLists: Job = {
  run: async ({ actor: { tenant } }) => `${await loadLists(tenant.db, tenant.schema)} rows added.`,
};
