import type { Effect } from '../../../engine/modules.ts';
import { scoreAnswers } from '../results/score_answers.ts';

/** Computes score, grade and faults from the submitted answers. */
export const score: Effect = {
  async apply({ unit, record: { id }, services }) {
    const record = await unit.read('tis_inspection', id);
    await scoreAnswers(unit.session, services.screens().get('tis_inspection')!, record);
  },
};
