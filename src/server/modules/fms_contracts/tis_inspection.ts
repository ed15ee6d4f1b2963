import type { FieldError } from '../../../descriptor/types.ts';
import { defineHooks } from '../../engine/records/hooks.ts';
import { correctionClosed } from './results/may_correct.ts';

/** What the questions depend on. */
const OF_THE_SURVEY = ['survey_type_id', 'landings', 'ropes', 'car_doors'];

/** Inspections: what the questions depend on stays once they are asked, and what was reviewed stays. */
export default defineHooks({
  async check(session, record, stored) {
    // The steps of the inspection have looked at all this themselves.
    if (stored === null || stored.status === 'planned' || record.status !== stored.status) return [];
    const closed = stored.status === 'submitted' ? await correctionClosed(session, stored) : null;
    if (closed !== null) return [{ field: '', message: closed }];
    const errors: FieldError[] = OF_THE_SURVEY.filter((name) => record[name] !== stored[name]).map((name) => ({
      field: name,
      message: 'This can no longer change because the questions depend on it.',
    }));
    // Whose work it is decides who may not review it.
    if (stored.status === 'submitted' && record.surveyor_id !== stored.surveyor_id)
      errors.push({ field: 'surveyor_id', message: 'Who made the inspection cannot change once it is submitted.' });
    return errors;
  },
  leave(_session, stored, how) {
    return how !== 'activate' && (stored.status === 'reviewed' || stored.status === 'issued')
      ? 'This inspection is reviewed; its report stays.'
      : null;
  },
});
