import type { Effect } from '../../../engine/modules.ts';
import { askQuestionsOf } from '../../../platform/inspections/ask_questions.ts';

/** Asks the questions of the survey when an inspection begins. */
export const askQuestions: Effect = {
  locks: ({ record }) => Promise.resolve([{ type: 'tis_survey_type', id: Number(record.survey_type_id) }]),
  async apply({ unit, record }) {
    const version = await askQuestionsOf(unit, Number(record.survey_type_id));
    await unit.update('tis_inspection', record.id, { answers: version.id, type_version: version.version_no });
  },
};
