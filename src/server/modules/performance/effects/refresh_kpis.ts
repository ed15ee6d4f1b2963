import type { Effect } from '../../../engine/modules.ts';
import { freshKpis } from '../appraisal_facts.ts';

/** Refreshes the KPIs of an appraisal: they follow the updates until the manager submits (§4). */
export const refreshKpis: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    await unit.update('appraisal', record.id, await freshKpis(unit, await unit.read('appraisal', record.id)));
  },
};
