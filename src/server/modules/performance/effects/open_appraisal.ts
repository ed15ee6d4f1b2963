import type { Effect } from '../../../engine/modules.ts';
import { freshKpis, templateRows } from '../appraisal_facts.ts';

/** Opens an appraisal: its KPIs as they stand, the competencies and the questions of its template. */
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
