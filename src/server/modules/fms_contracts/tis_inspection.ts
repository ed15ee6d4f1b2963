import type { FieldError } from '../../../descriptor/types.ts';
import { defineHooks } from '../../engine/records/hooks.ts';
import { correctionClosed } from './results/may_correct.ts';

/** The fields that decide the questions. */
const OF_THE_SURVEY = ['survey_type_id', 'landings', 'ropes', 'car_doors'];

/** Inspections: these fields are fixed once the questions are asked, and reviewed content does not change. */
export default defineHooks({
  async check(session, record, stored) {
    // The inspection's own transitions have checked this already.
    if (stored === null || stored.status === 'planned' || record.status !== stored.status) return [];
    const closed = stored.status === 'submitted' ? await correctionClosed(session, stored) : null;
    if (closed !== null) return [{ field: '', message: closed }];
    const errors: FieldError[] = OF_THE_SURVEY.filter((name) => record[name] !== stored[name]).map((name) => ({
      field: name,
      message: 'This can no longer change because the questions depend on it.',
    }));
    // The reviewer depends on whose work it is.
    if (stored.status === 'submitted' && record.surveyor_id !== stored.surveyor_id)
      errors.push({ field: 'surveyor_id', message: 'The surveyor cannot change after submission.' });
    return errors;
  },
  leave(_session, stored, how) {
    return how !== 'activate' && (stored.status === 'reviewed' || stored.status === 'issued')
      ? 'This inspection is reviewed; its report stays.'
      : null;
  },
});
