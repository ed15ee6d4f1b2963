import type { Effect } from '../../../engine/modules.ts';
import { relinkKpis } from '../move_links.ts';
import { linksOfPlan } from '../plan_links.ts';

/** Lets the KPIs of a reorganisation count into their new sheets, in the transaction that moves their members. */
export const relinkPlan: Effect = {
  elevated: true,
  async apply({ unit, record }) {
    const links = linksOfPlan(record);
    if (links.length > 0) await relinkKpis(unit, links, String(record.effective_on));
  },
};
