import type { Effect } from '../../../engine/modules.ts';

/** Copies the template's feedback questions to a colleague's form. */
export const askFeedback: Effect = {
  elevated: true,
  async apply({ unit: person, record }) {
    const unit = person.elevated();
    const questions = await unit.query<{ question: string }>(
      `select q.question from {appraisal_template.feedback_questions} q
       where q.parent_id = (select template_id from {appraisal} where id = $1) order by q.id`,
      [record.appraisal_id],
    );
    if (questions.length > 0) await unit.update('appraisal_feedback', record.id, { ratings: questions });
  },
};
