import type { Effect } from '../../../engine/modules.ts';
import { scoreAnswers } from '../results/score_answers.ts';

/** Score, grade and faults follow from the answers as they are handed in. */
export const score: Effect = {
  async apply({ unit, record: { id }, services }) {
    const record = await unit.read('tis_inspection', id);
    await scoreAnswers(unit.session, services.screens().get('tis_inspection')!, record);
  },
};
