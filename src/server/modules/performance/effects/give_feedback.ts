import type { Effect } from '../../../engine/modules.ts';

/** Adds the feedback that was asked for. The request keeps none of it: the feedback says who may read it. */
export const giveFeedback: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    const { employee_id: member, kpi_id, month, feedback_kind, stars, text, visibility } = record;
    await unit.create('tbl_emp_kpi_feedback_dtls', {
      employee_id: member,
      asked_by: member,
      kpi_id,
      month,
      feedback_kind,
      stars,
      text,
      visibility,
    });
    await unit.update('kpi_feedback_request', record.id, {
      feedback_kind: null,
      stars: null,
      text: null,
      visibility: null,
    });
  },
};
