import type { Effect } from '../../../engine/modules.ts';
import { wordsOfRelinks } from '../move_links.ts';
import { offersOfPlan } from '../plan_links.ts';

/** The page of a reorganisation names the KPIs that count elsewhere from its day on. */
export const namePlanLinks: Effect = {
  elevated: true,
  async apply(call) {
    const words = (await offersOfPlan(call)).flatMap(({ links, offered }) => wordsOfRelinks(links, offered ?? []));
    const relinked = words.filter((one) => one !== '').join('\n');
    if (relinked !== '') await call.unit.elevated().update('org_plan', call.record.id, { relinked });
  },
};
