import type { Effect } from '../../../engine/modules.ts';
import { freshKpis, templateRows } from '../appraisal_facts.ts';

/** Opens an appraisal with the current KPIs and the template's competencies and questions. */
export const openAppraisal: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    await unit.update('appraisal', record.id, {
      ...(await freshKpis(unit, record)),
      ...(await templateRows(unit, record.template_id)),
    });
  },
};
